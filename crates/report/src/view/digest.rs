use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use precedent_domain::{
    Assessment, Candidate, CoverageLevel, Gap, MissingPart, NotSearched, NotSearchedKind, Position, ReadProblem, Scope,
};

use super::{Claim, TreeNode};
use crate::plain::one_line;
use crate::words::{self, ClaimStatus};

/// An assessment with the look-ups shared by Markdown and HTML.
pub(crate) struct Digest<'a> {
    /// The assessment, ready for publication.
    pub(crate) report: &'a Assessment,
    works: BTreeMap<u32, &'a Candidate>,
    /// The papers that a short page lists. `None` lists all.
    listed: Option<BTreeSet<u32>>,
}

/// A citation: `Alias[n]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    /// The paper's number in the report.
    pub(crate) number: u32,
    /// The short name on one line.
    pub(crate) alias: String,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.alias, self.number)
    }
}

impl<'a> Digest<'a> {
    /// Creates the look-ups for `report`.
    pub(crate) fn new(report: &'a Assessment) -> Self {
        let works = report
            .references
            .candidates
            .iter()
            .map(|work| (work.number, work))
            .collect();
        Self {
            report,
            works,
            listed: None,
        }
    }

    /// The look-ups for a short page: only the papers closest to each claim are listed, and those with shared text or a missing citation.
    pub(crate) fn short(report: &'a Assessment) -> Self {
        let mut digest = Self::new(report);
        let mut listed: BTreeSet<u32> = digest.claims().iter().flat_map(Claim::shown).collect();
        let missing = report.contribution_analysis.missing_citations.iter();
        listed.extend(missing.map(|one| one.candidate));
        listed.extend(report.textual_similarity.overlaps.iter().map(|one| one.candidate));
        digest.listed = Some(listed);
        digest
    }

    /// Whether the page lists only the most important papers.
    pub(crate) fn is_short(&self) -> bool {
        self.listed.is_some()
    }

    /// Whether the page lists the paper with this number.
    pub(crate) fn lists(&self, number: u32) -> bool {
        self.works.contains_key(&number) && self.listed.as_ref().is_none_or(|listed| listed.contains(&number))
    }

    /// The paper with this number.
    pub(crate) fn work(&self, number: u32) -> Option<&'a Candidate> {
        self.works.get(&number).copied()
    }

    /// The citation of the paper with this number. An unknown number still gets a name.
    pub(crate) fn cite(&self, number: u32) -> Citation {
        let alias = self
            .work(number)
            .map(|work| one_line(&work.alias).into_owned())
            .unwrap_or_default();
        Citation {
            number,
            alias: if alias.is_empty() { "Paper".to_owned() } else { alias },
        }
    }

    /// Whether the assessment has a cutoff date.
    pub(crate) fn paper_dated(&self) -> bool {
        self.report.metadata.as_of.is_some()
    }

    /// What was not searched or read, one sentence each, most important first. Omits [`Digest::not_its_field`], failed model calls and the end of the budget, and
    /// reports all limits in one sentence.
    pub(crate) fn limits(&self) -> Vec<String> {
        let cut = self.cut();
        let folds = |one: &NotSearched| {
            cut.is_some()
                && one.kind == NotSearchedKind::CutOff
                && one.scope.is_some_and(|scope| self.cut_of(scope).is_some())
        };
        let mut text = Vec::new();
        let mut folded = false;
        let not_searched = &self.report.metadata.not_searched;
        let no_references = not_searched.iter().any(says_no_reference_list);
        for one in not_searched {
            let is_elsewhere = match one.kind {
                kind if words::is_first(kind) => true,
                NotSearchedKind::FieldNotCovered => !self.is_thin(),
                // Two messages about a missing reference list would repeat each other.
                NotSearchedKind::PaperPart => no_references && is_about_references(one),
                _ => false,
            };
            if is_elsewhere {
                continue;
            }
            if !folds(one) {
                text.push(words::sentence(&one.message));
            } else if !folded {
                folded = true;
                text.extend(cut.clone());
            }
        }
        text
    }

    /// How many relevant papers of a scope were over the limit, and how many were kept. `None` if none was.
    fn cut_of(&self, scope: Scope) -> Option<(usize, usize)> {
        let scopes = &self.report.metadata.funnel.scopes;
        let one = scopes.iter().find(|one| one.scope == scope)?;
        let cut = one.after_date.saturating_sub(one.after_top);
        (cut > 0).then_some((cut, one.after_top))
    }

    /// The papers over the limit, if several scopes have some: `Relevant papers not compared because of the limit: 56 for the core task (50 kept)
    /// and 6 for claim 1 (10 kept).`
    fn cut(&self) -> Option<String> {
        let of_scope = |one: &NotSearched| {
            let scope = one.scope.filter(|_| one.kind == NotSearchedKind::CutOff)?;
            let (cut, kept) = self.cut_of(scope)?;
            Some(format!(
                "{} for {} ({kept} kept)",
                words::thousands(cut),
                words::scope(scope)
            ))
        };
        let cut: Vec<String> = self.report.metadata.not_searched.iter().filter_map(of_scope).collect();
        (cut.len() > 1).then(|| {
            format!(
                "Relevant papers not compared because of the limit: {}.",
                words::and_list(&cut)
            )
        })
    }

    /// Says that the searched sources do not cover the paper's field. Comes before everything else. A thin field is a limit among others, because
    /// papers of covered fields sometimes score that low.
    pub(crate) fn not_its_field(&self) -> Option<String> {
        let one = self.field_limit().filter(|_| !self.is_thin())?;
        Some(words::sentence(&one.message))
    }

    /// The limit about the coverage of the field: thin, or none.
    pub(super) fn field_limit(&self) -> Option<&NotSearched> {
        let mut not_searched = self.report.metadata.not_searched.iter();
        not_searched.find(|one| one.kind == NotSearchedKind::FieldNotCovered)
    }

    /// Whether the sources may cover little of the paper's field.
    fn is_thin(&self) -> bool {
        let coverage = self.report.core_task_survey.coverage;
        coverage.is_some_and(|one| one.level == CoverageLevel::Thin)
    }

    /// Whether the papers found only share words with the paper. None of them is then shown as a neighbour.
    pub(crate) fn is_outside(&self) -> bool {
        let coverage = self.report.core_task_survey.coverage;
        coverage.is_some_and(|one| one.level == CoverageLevel::Outside)
    }

    /// Whether any comparison is not assessable.
    pub(crate) fn has_not_assessable(&self) -> bool {
        let comparisons = &self.report.contribution_analysis.comparisons;
        comparisons
            .iter()
            .any(precedent_domain::ContributionComparison::says_too_little)
    }

    /// The paper's position in the taxonomy. `None` if the searched sources hardly cover its field: every paper ends up in some category, so a
    /// position would be meaningless.
    pub(crate) fn position(&self) -> Option<&'a Position> {
        let position = self.report.core_task_comparisons.position.as_ref();
        position.filter(|_| self.field_limit().is_none())
    }

    /// Replaces the list of neighbours if there is none.
    pub(crate) fn no_position(&self) -> &'static str {
        if self.field_limit().is_some() {
            "Few of the papers found are similar to the paper as a whole, so no neighbours are listed."
        } else {
            "There is no taxonomy, so the paper has no position to compare."
        }
    }

    /// Why there is no taxonomy.
    pub(crate) fn no_tree(&self) -> &'static str {
        if self.field_limit().is_some() {
            "There is no taxonomy: too few of the papers found are in the paper's field."
        } else {
            "There is no taxonomy: too few papers were found."
        }
    }

    /// The title on one line.
    pub(crate) fn title(&self) -> String {
        let title = one_line(&self.report.original_paper.title).into_owned();
        if title.is_empty() {
            "Untitled paper".to_owned()
        } else {
            title
        }
    }

    /// The claims in order, each with its comparisons.
    pub(crate) fn claims(&self) -> Vec<Claim<'a>> {
        let analysis = &self.report.contribution_analysis;
        analysis.contributions.iter().map(|one| Claim::new(self, one)).collect()
    }

    /// The taxonomy, ready for display.
    pub(crate) fn tree(&self) -> Option<TreeNode> {
        let tree = self.report.core_task_survey.taxonomy.as_ref()?;
        let root = TreeNode::new(&tree.root);
        Some(match self.field_limit() {
            Some(_) => root.without_the_paper(),
            None => root,
        })
    }

    /// Whether a model wrote prose.
    pub(crate) fn has_prose(&self) -> bool {
        self.report.core_task_survey.narrative.is_some()
            || self.report.contribution_analysis.overall_assessment.is_some()
    }

    /// The disclaimer of the run, or the default one.
    pub(crate) fn disclaimer(&self) -> String {
        let stated = one_line(&self.report.metadata.disclaimer).into_owned();
        if stated.is_empty() {
            words::DISCLAIMER.to_owned()
        } else {
            stated
        }
    }

    /// The first sentences of every report: the number of claims and of papers.
    pub(crate) fn lead(&self) -> String {
        let claims = self.report.contribution_analysis.contributions.len();
        let works = &self.report.references.candidates;
        if works.is_empty() {
            return match claims {
                0 => "No claim was found in the text, and no earlier paper was found.".to_owned(),
                _ => format!(
                    "{} found in the text. No earlier paper was found to compare {} with.",
                    words::count(claims, "claim was", "claims were"),
                    if claims == 1 { "it" } else { "them" },
                ),
            };
        }
        let full = works
            .iter()
            .filter(|one| one.work.extent == precedent_domain::Extent::FullText)
            .count();
        let known = match (full, works.len() - full) {
            (0, _) => "none with full text".to_owned(),
            (1, 0) => "with full text".to_owned(),
            (_, 0) => "all with full text".to_owned(),
            (full, rest) => format!("{full} with full text, {rest} by abstract or title only"),
        };
        let set = match self.not_its_field().is_some() {
            true => words::count(works.len(), "paper found by words only", "papers found by words only"),
            // Few of them may be on its topic.
            false if self.is_thin() => words::count(works.len(), "paper", "papers"),
            false => words::count(works.len(), "related paper", "related papers"),
        };
        match claims {
            0 if self.not_its_field().is_some() => {
                format!("No claim was found in the text. Searched: {set} ({known}).")
            }
            0 => format!("No claim was found in the text. {set} found ({known})."),
            _ => format!(
                "{} compared with {set} ({known}).",
                words::count(claims, "claim was", "claims were")
            ),
        }
    }

    /// The status of each claim: `Claim 3: anticipated by earlier work. Claims 1 and 2: no match found in the papers compared.` Empty without claims.
    pub(crate) fn outcome(&self) -> String {
        let claims = self.claims();
        let of = |status: ClaimStatus| {
            let numbers: Vec<String> = claims
                .iter()
                .filter(|claim| claim.status == status)
                .map(|claim| claim.contribution.number.to_string())
                .collect();
            let claims = words::claims(&numbers).replacen('c', "C", 1);
            (!claims.is_empty()).then(|| format!("{claims}: {}.", status.label().to_lowercase()))
        };
        let all = [
            ClaimStatus::Found,
            ClaimStatus::NeedsReading,
            ClaimStatus::TooLittle,
            ClaimStatus::NotFound,
            ClaimStatus::NotCompared,
        ];
        all.into_iter().filter_map(of).collect::<Vec<_>>().join(" ")
    }

    /// The rows of the selection steps: scope, then the seven counts.
    pub(crate) fn funnel(&self) -> Vec<(String, [usize; 7])> {
        let row = |one: &precedent_domain::FunnelScope| {
            let steps = [
                one.raw,
                one.after_flag,
                // Older reports lack this field, so use the minimum that the next count implies.
                one.distinct.max(one.after_dedup),
                one.after_dedup,
                one.after_self,
                one.after_date,
                one.after_top,
            ];
            (words::scope_name(one.scope), steps)
        };
        self.report.metadata.funnel.scopes.iter().map(row).collect()
    }

    /// The merged result of all scopes: `64 papers, 2 of them found only because they share 12 words in a row with the paper`.
    pub(crate) fn merged(&self) -> String {
        let funnel = &self.report.metadata.funnel;
        let merged = words::count(funnel.merged, "paper", "papers");
        match funnel.shared_text {
            0 => merged,
            some => format!(
                "{merged}, {} of them found only because {} words in a row with the paper",
                words::thousands(some),
                if some == 1 { "it shares" } else { "they share" }
            ),
        }
    }
}

/// Whether a limit says what follows from a missing reference list. Reports of schema 1.0 have no code for it.
fn says_no_reference_list(limit: &NotSearched) -> bool {
    match &limit.gap {
        Some(gap) => *gap == Gap::NoReferenceList,
        None => limit.message.starts_with("No reference list could be read"),
    }
}

/// Whether a limit says only that no reference list was found. Reports of schema 1.2 and before have no code for it.
fn is_about_references(limit: &NotSearched) -> bool {
    match &limit.gap {
        Some(Gap::PartOfPaper {
            problem: ReadProblem::PartsNotFound { parts },
        }) => *parts == [MissingPart::ReferenceList],
        Some(_) => false,
        None => limit.message == "no reference list found",
    }
}
