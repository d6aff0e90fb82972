use std::collections::BTreeMap;
use std::fmt;

use precedent_domain::{Assessment, Candidate, CoverageLevel, NotSearched, NotSearchedKind, Position, Scope};

use super::{Claim, TreeNode};
use crate::plain::one_line;
use crate::words::{self, Standing};

/// An assessment with the look-ups that every readable format needs.
pub(crate) struct Digest<'a> {
    /// The assessment, ready for publication.
    pub(crate) report: &'a Assessment,
    works: BTreeMap<u32, &'a Candidate>,
}

/// How a work is named everywhere: `Alias[n]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    /// The work's number in the report.
    pub(crate) number: u32,
    /// Its short name on one line.
    pub(crate) alias: String,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.alias, self.number)
    }
}

impl<'a> Digest<'a> {
    /// Over `report`.
    pub(crate) fn new(report: &'a Assessment) -> Self {
        let works = report
            .references
            .candidates
            .iter()
            .map(|work| (work.number, work))
            .collect();
        Self { report, works }
    }

    /// The work of this number.
    pub(crate) fn work(&self, number: u32) -> Option<&'a Candidate> {
        self.works.get(&number).copied()
    }

    /// How the work of this number is cited; a number that the index lacks still gets a name.
    pub(crate) fn cite(&self, number: u32) -> Citation {
        let alias = self
            .work(number)
            .map(|work| one_line(&work.alias).into_owned())
            .unwrap_or_default();
        Citation {
            number,
            alias: if alias.is_empty() { "Work".to_owned() } else { alias },
        }
    }

    /// Whether there is a date that the paper is judged by.
    pub(crate) fn paper_dated(&self) -> bool {
        self.report.metadata.as_of.is_some()
    }

    /// What was not searched or read, a sentence each, most important first; without [`Digest::not_its_field`] and failed model calls. What was cut is told in one sentence.
    pub(crate) fn limits(&self) -> Vec<String> {
        let cut = self.cut();
        let folds = |one: &NotSearched| {
            cut.is_some()
                && one.kind == NotSearchedKind::CutOff
                && one.scope.is_some_and(|scope| self.cut_of(scope).is_some())
        };
        let mut said = Vec::new();
        let mut folded = false;
        for one in &self.report.metadata.not_searched {
            if matches!(
                one.kind,
                NotSearchedKind::FieldNotCovered | NotSearchedKind::ModelIncomplete
            ) {
                continue;
            }
            if !folds(one) {
                said.push(words::sentence(&one.message));
            } else if !folded {
                folded = true;
                said.extend(cut.clone());
            }
        }
        // The reader's warning and what follows from it say one thing.
        let follows = said
            .iter()
            .any(|one| one.starts_with("No reference list could be read"));
        said.retain(|one| !(follows && one.trim_end_matches('.') == "No reference list found"));
        said
    }

    /// How many relevant works of a scope were cut, and how many kept; `None` where none was cut.
    fn cut_of(&self, scope: Scope) -> Option<(usize, usize)> {
        let scopes = &self.report.metadata.funnel.scopes;
        let one = scopes.iter().find(|one| one.scope == scope)?;
        let cut = one.after_date.saturating_sub(one.after_top);
        (cut > 0).then_some((cut, one.after_top))
    }

    /// What was cut in all scopes, where there are several: `Relevant works were cut: 56 for the core task (50 kept) and 6 for claim 1 (10 kept).`
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
                "Works that were relevant too were cut before any comparison: {}.",
                words::and_list(&cut)
            )
        })
    }

    /// That what was searched hardly holds the paper's field, in a sentence or two. Stands before everything else.
    pub(crate) fn not_its_field(&self) -> Option<String> {
        let mut not_searched = self.report.metadata.not_searched.iter();
        let one = not_searched.find(|one| one.kind == NotSearchedKind::FieldNotCovered)?;
        Some(words::sentence(&one.message))
    }

    /// Whether the works found merely share words with the paper: then none of them is shown as a neighbour.
    pub(crate) fn is_outside(&self) -> bool {
        let coverage = self.report.core_task_survey.coverage;
        coverage.is_some_and(|one| one.level == CoverageLevel::Outside)
    }

    /// Whether any comparison could not be told, for too little is said.
    pub(crate) fn leaves_untold(&self) -> bool {
        let comparisons = &self.report.contribution_analysis.comparisons;
        comparisons
            .iter()
            .any(precedent_domain::ContributionComparison::says_too_little)
    }

    /// Where the paper stands in the tree; `None` where what was searched hardly holds its field: every paper ends in some leaf, and there it would say nothing.
    pub(crate) fn position(&self) -> Option<&'a Position> {
        let position = self.report.core_task_comparisons.position.as_ref();
        position.filter(|_| self.not_its_field().is_none())
    }

    /// What is said in the place of the paper's neighbours, where none are named.
    pub(crate) fn no_position(&self) -> &'static str {
        if self.not_its_field().is_some() {
            "What was searched hardly covers the paper's field: no neighbours are named."
        } else {
            "Without a taxonomy the paper has no place to compare from."
        }
    }

    /// Why there is no tree.
    pub(crate) fn no_tree(&self) -> &'static str {
        if self.not_its_field().is_some() {
            "There is no taxonomy: the works found are not of the paper's field, or too few of them are."
        } else {
            "There is no taxonomy: too few works were found to arrange."
        }
    }

    /// The title, on one line.
    pub(crate) fn title(&self) -> String {
        let title = one_line(&self.report.original_paper.title).into_owned();
        if title.is_empty() {
            "Untitled paper".to_owned()
        } else {
            title
        }
    }

    /// The claims in their order, each with what it was compared with.
    pub(crate) fn claims(&self) -> Vec<Claim<'a>> {
        let analysis = &self.report.contribution_analysis;
        analysis.contributions.iter().map(|one| Claim::new(self, one)).collect()
    }

    /// The tree, ready for printing.
    pub(crate) fn tree(&self) -> Option<TreeNode> {
        let tree = self.report.core_task_survey.taxonomy.as_ref()?;
        let root = TreeNode::new(&tree.root);
        Some(match self.not_its_field() {
            Some(_) => root.without_the_paper(),
            None => root,
        })
    }

    /// Whether a model took part.
    pub(crate) fn has_prose(&self) -> bool {
        self.report.core_task_survey.narrative.is_some()
            || self.report.contribution_analysis.overall_assessment.is_some()
    }

    /// The disclaimer of the run; ours where it states none.
    pub(crate) fn disclaimer(&self) -> String {
        let stated = one_line(&self.report.metadata.disclaimer).into_owned();
        if stated.is_empty() {
            words::DISCLAIMER.to_owned()
        } else {
            stated
        }
    }

    /// The first sentences of every report: how much was claimed, and how much it was compared with.
    pub(crate) fn lead(&self) -> String {
        let claims = self.report.contribution_analysis.contributions.len();
        let works = &self.report.references.candidates;
        if works.is_empty() {
            return match claims {
                0 => "No claim could be told from the text, and no earlier work was found.".to_owned(),
                _ => format!(
                    "{} told from the text; no earlier work was found to set beside {}.",
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
            (0, _) => "none with its full text".to_owned(),
            (1, 0) => "with its full text".to_owned(),
            (_, 0) => "all with full text".to_owned(),
            (full, rest) => format!("{full} with full text, {rest} by abstract or title only"),
        };
        let set = match self.not_its_field().is_some() {
            true => words::count(works.len(), "work found by its words", "works found by their words"),
            false => words::count(works.len(), "related work", "related works"),
        };
        match claims {
            0 if self.not_its_field().is_some() => {
                format!("No claim could be told from the text. Beside it: {set} ({known}).")
            }
            0 => format!("No claim could be told from the text. {set} found ({known})."),
            _ => format!(
                "{} set against {set} ({known}).",
                words::count(claims, "claim was", "claims were")
            ),
        }
    }

    /// How the claims stand, in a sentence: `Claim 3: found in earlier work. Claims 1 and 2: not found in what was compared.` Empty without claims.
    pub(crate) fn outcome(&self) -> String {
        let claims = self.claims();
        let of = |standing: Standing| {
            let numbers: Vec<String> = claims
                .iter()
                .filter(|claim| claim.standing == standing)
                .map(|claim| claim.contribution.number.to_string())
                .collect();
            let claims = words::claims(&numbers).replacen('c', "C", 1);
            (!claims.is_empty()).then(|| format!("{claims}: {}.", standing.label().to_lowercase()))
        };
        let all = [
            Standing::Found,
            Standing::NeedsReading,
            Standing::TooLittle,
            Standing::NotFound,
            Standing::NotCompared,
        ];
        all.into_iter().filter_map(of).collect::<Vec<_>>().join(" ")
    }

    /// The funnel's rows: scope, then the seven counts.
    pub(crate) fn funnel(&self) -> Vec<(String, [usize; 7])> {
        let row = |one: &precedent_domain::FunnelScope| {
            let steps = [
                one.raw,
                one.after_flag,
                // Reports of before the field was there do not have it; then as many as can be told.
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

    /// What all scopes together left, and what came beside them: `64 works, 2 of them found only because they share text with the paper`.
    pub(crate) fn merged(&self) -> String {
        let funnel = &self.report.metadata.funnel;
        let merged = words::count(funnel.merged, "work", "works");
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
