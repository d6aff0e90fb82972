//! The literature for an audit: what a search for the paper finds, not what the audited report chose (NoveltyAgent, 3.4: the evaluator reads the database).

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{
    AuditLimit, AuditOmission, Note, Paper, PartialDate, PointsReference, PointsReport, QuotableDocument, Quote,
    Timing, title_key,
};

use super::report::ReportText;
use crate::points::{CLOSE, PointsOptions, points};
use crate::{Result, World};

/// Maximum number of omissions reported for each claim.
const PER_CLAIM: usize = 3;
/// Shortest title, in characters of its key, that is looked for in running text. A shorter one may occur by chance.
const LONG_TITLE: usize = 12;
/// Characters after a surname within which its year makes it a citation: `Haugen et al. (2019)`.
const YEAR_WITHIN: usize = 24;

/// A report with everything that an audit compares it with.
pub(super) struct Case<'a> {
    /// The report as Markdown.
    pub(super) markdown: &'a str,
    /// The report in its parts.
    pub(super) report: ReportText,
    /// The report as data, with its passages and quotes, if it is one of ours.
    pub(super) own: Option<&'a PointsReport>,
    /// The paper.
    pub(super) paper: Option<QuotableDocument>,
    /// What the search for the paper found.
    pub(super) found: Option<PointsReport>,
    /// The number in the literature of each reference of the report that is in it.
    pub(super) numbers: BTreeMap<u32, u32>,
    /// Close earlier papers that the report does not mention.
    pub(super) omissions: Vec<AuditOmission>,
}

impl<'a> Case<'a> {
    /// Reads the report, and searches for the paper if there is one and a source.
    ///
    /// # Errors
    /// If no source answers, or the ledger fails.
    pub(super) async fn open(
        markdown: &'a str,
        report: ReportText,
        own: Option<&'a PointsReport>,
        paper: Option<&Paper>,
        as_of: Option<PartialDate>,
        world: &World,
    ) -> Result<Self> {
        let found = match paper {
            Some(paper) if !world.sources.is_empty() => {
                let options = PointsOptions {
                    as_of,
                    ..PointsOptions::default()
                };
                Some(points(paper, &options, &world.without_model()).await?)
            }
            _ => None,
        };
        let numbers = match (&found, own) {
            (Some(found), _) => numbers(&report, own, &found.references),
            (None, Some(own)) => own.references.iter().map(|one| (one.number, one.number)).collect(),
            (None, None) => BTreeMap::new(),
        };
        let omissions = found
            .as_ref()
            .map(|found| omissions(&report, found))
            .unwrap_or_default();
        Ok(Self {
            markdown,
            report,
            own,
            paper: paper.map(|paper| QuotableDocument::new(paper.document.clone())),
            found,
            numbers,
            omissions,
        })
    }

    /// What was found for the paper, otherwise what the report itself contains.
    pub(super) fn literature(&self) -> Option<&PointsReport> {
        self.found.as_ref().or(self.own)
    }

    /// What the audit cannot do.
    pub(super) fn limits(&self, paper_title: Option<&str>, longest: usize) -> Vec<AuditLimit> {
        let mut limits = Vec::new();
        if !self.report.is_report() {
            limits.push(AuditLimit::OtherForm);
        }
        match (paper_title, &self.paper, &self.found) {
            (_, None, _) => limits.push(AuditLimit::NoPaper),
            (_, Some(_), None) => limits.push(AuditLimit::NothingSearched),
            _ => {}
        }
        if let Some(title) = paper_title.filter(|title| !names(&self.report, title)) {
            limits.push(AuditLimit::TitleNotNamed {
                title: title.to_owned(),
            });
        }
        if self.markdown.len() > longest {
            limits.push(AuditLimit::Shortened {
                read: longest,
                of: self.markdown.len(),
            });
        }
        let sources = self.found.iter().flat_map(|found| &found.metadata.sources);
        limits.extend(sources.filter_map(|source| {
            let queries = source.partial + source.unanswered;
            let source = source.name.clone();
            (queries > 0).then_some(AuditLimit::QueriesUnanswered { source, queries })
        }));
        let listed = self.report.references.len();
        if self.found.is_some() && self.numbers.len() < listed {
            limits.push(AuditLimit::ReferencesNotFound {
                found: self.numbers.len(),
                listed,
            });
        }
        limits
    }
}

/// Whether the report contains this title.
pub(super) fn names(report: &ReportText, title: &str) -> bool {
    let key = title_key(title);
    !key.is_empty() && spaced(&report.whole).contains(&format!(" {key} "))
}

/// The key of a text, with a space on both sides, so that whole words are found in it.
fn spaced(text: &str) -> String {
    format!(" {} ", title_key(text))
}

/// The literature's number of each reference of the report, by title.
fn numbers(report: &ReportText, own: Option<&PointsReport>, literature: &[PointsReference]) -> BTreeMap<u32, u32> {
    let keys: Vec<(u32, String)> = literature
        .iter()
        .map(|one| (one.number, title_key(&one.work.title)))
        .collect();
    let own = own.into_iter().flat_map(|own| &own.references);
    let own = own.map(|one| (one.number, one.work.title.clone()));
    let entries = report.references.iter().cloned().chain(own);
    let matched = entries.filter_map(|(number, entry)| {
        let entry = spaced(&entry);
        let fits = |key: &str| {
            !key.is_empty() && (entry.trim() == key || key.len() >= LONG_TITLE && entry.contains(&format!(" {key} ")))
        };
        let (known, _) = keys
            .iter()
            .filter(|(_, key)| fits(key))
            .max_by_key(|(_, key)| key.len())?;
        Some((number, *known))
    });
    matched.collect()
}

/// Earlier papers with a passage close to a claim, which the report does not mention.
fn omissions(report: &ReportText, found: &PointsReport) -> Vec<AuditOmission> {
    let whole = spaced(&report.whole);
    let mut told: BTreeSet<u32> = BTreeSet::new();
    let mut omissions = Vec::new();
    for point in &found.points {
        let known = found.coded_notes.iter().filter_map(|note| match note {
            Note::PointKnown { point: number, title } if *number == point.number => Some(title.as_str()),
            _ => None,
        });
        let known: BTreeSet<&str> = known.collect();
        let mut of_claim: Vec<AuditOmission> = Vec::new();
        let mut passages: Vec<_> = point.passages.iter().collect();
        passages.sort_by(|a, b| b.shared.total_cmp(&a.shared));
        for one in passages {
            let Some((passage, reference)) = passage_of(found, one.passage) else {
                continue;
            };
            let word_for_word = known.contains(reference.work.title.as_str());
            let close = word_for_word || one.shared >= CLOSE;
            if !close || reference.timing != Timing::Earlier || is_mentioned(&whole, &report.whole, reference) {
                continue;
            }
            if !told.insert(reference.number) {
                continue;
            }
            of_claim.push(AuditOmission {
                title: reference.work.title.clone(),
                alias: reference.alias.clone(),
                claim: point.claim.clone(),
                passage: one.nearest.clone().unwrap_or_else(|| passage.clone()),
                shared: one.shared,
                word_for_word,
            });
        }
        of_claim.sort_by_key(|one| !one.word_for_word);
        of_claim.truncate(PER_CLAIM);
        omissions.extend(of_claim);
    }
    omissions.sort_by_key(|one| !one.word_for_word);
    omissions
}

fn passage_of(found: &PointsReport, number: u32) -> Option<(&Quote, &PointsReference)> {
    let passage = found.passages.iter().find(|one| one.number == number)?;
    let reference = found.references.iter().find(|one| one.number == passage.reference)?;
    Some((&passage.text, reference))
}

/// Whether a report names a paper: by title, identifier, or first author and year.
fn is_mentioned(whole: &str, text: &str, reference: &PointsReference) -> bool {
    let work = &reference.work;
    let key = title_key(&work.title);
    if key.len() >= LONG_TITLE && whole.contains(&format!(" {key} ")) {
        return true;
    }
    let identifiers = &work.identifiers;
    let ids = [
        identifiers.arxiv.as_ref().map(ToString::to_string),
        identifiers.doi.as_ref().map(ToString::to_string),
    ];
    let lower = text.to_lowercase();
    if ids.into_iter().flatten().any(|id| lower.contains(&id.to_lowercase())) {
        return true;
    }
    cites_author_and_year(&lower, &reference.alias)
}

/// Whether a text in lower case has the surname of an alias such as `Knuth 1989` and its year right after it.
fn cites_author_and_year(lower: &str, alias: &str) -> bool {
    let alias = alias.to_lowercase();
    let Some((surname, year)) = alias.rsplit_once(' ') else {
        return false;
    };
    let year: String = year.chars().take_while(char::is_ascii_digit).collect();
    if surname.chars().count() < 2 || year.is_empty() {
        return false;
    }
    lower.match_indices(surname).any(|(at, _)| {
        let before = lower.get(..at).and_then(|before| before.chars().next_back());
        let after = lower.get(at + surname.len()..).unwrap_or_default();
        let near: String = after.chars().take(YEAR_WITHIN).collect();
        before.is_none_or(|c| !c.is_alphanumeric()) && !after.starts_with(char::is_alphabetic) && near.contains(&year)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_by_author_and_year_is_a_mention() {
        for text in [
            "as haugen et al. (2019) show",
            "haugen 2019",
            "haugen2019[3]",
            "(haugen, 2019)",
        ] {
            assert!(cites_author_and_year(text, "Haugen 2019"), "{text}");
        }
        for text in [
            "haugens 2019",
            "as haugen shows",
            "in 2019, haugen",
            "haugen et al. (2018)",
        ] {
            assert!(!cites_author_and_year(text, "Haugen 2019"), "{text}");
        }
    }
}
