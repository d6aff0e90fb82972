//! The literature for an audit: what a search for the paper finds, not what the audited report chose (NoveltyAgent, 3.4: the evaluator reads the database).

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{
    AuditLimit, AuditOmission, Paper, PartialDate, PointsReference, PointsReport, QuotableDocument, Quote, Timing,
    WorkId, title_key,
};

use super::report::ReportText;
use crate::points::{CLOSE, PointsOptions, points_and_matches};
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
                Some(points_and_matches(paper, &options, &world.without_model()).await?)
            }
            _ => None,
        };
        let numbers = match (&found, own) {
            (Some((found, _)), _) => numbers(&report, own, &found.references),
            (None, Some(own)) => own.references.iter().map(|one| (one.number, one.number)).collect(),
            (None, None) => BTreeMap::new(),
        };
        let omissions = found
            .as_ref()
            .map(|(found, matches)| omissions(&report, found, matches))
            .unwrap_or_default();
        let found = found.map(|(found, _)| found);
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
        if self.found.as_ref().is_some_and(|found| found.metadata.as_of.is_none()) {
            limits.push(AuditLimit::DateUnknown);
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

/// A claim of the paper and an earlier paper that the report does not mention, by their positions in a points report.
#[derive(Debug, Clone, PartialEq)]
struct ClosePair {
    point: usize,
    passage: usize,
    reference: u32,
    shared: f64,
    word_for_word: bool,
}

/// Earlier papers with a passage close to a claim, which the report does not mention.
fn omissions(report: &ReportText, found: &PointsReport, matches: &[BTreeSet<WorkId>]) -> Vec<AuditOmission> {
    let whole = spaced(&report.whole);
    let omitted = |one: &PointsReference| one.timing == Timing::Earlier && !is_mentioned(&whole, &report.whole, one);
    let omitted: BTreeSet<u32> = found
        .references
        .iter()
        .filter(|one| omitted(one))
        .map(|one| one.number)
        .collect();
    let mut pairs = Vec::new();
    for (at, (point, known)) in found.points.iter().zip(matches).enumerate() {
        for (passage, one) in point.passages.iter().enumerate() {
            let Some((_, reference)) = passage_of(found, one.passage) else {
                continue;
            };
            let word_for_word = known.contains(&reference.work.id);
            if omitted.contains(&reference.number) && (word_for_word || one.shared >= CLOSE) {
                pairs.push(ClosePair {
                    point: at,
                    passage,
                    reference: reference.number,
                    shared: one.shared,
                    word_for_word,
                });
            }
        }
    }
    let of_pair = |pair: ClosePair| {
        let point = found.points.get(pair.point)?;
        let one = point.passages.get(pair.passage)?;
        let (passage, reference) = passage_of(found, one.passage)?;
        Some(AuditOmission {
            title: reference.work.title.clone(),
            alias: reference.alias.clone(),
            claim: point.claim.clone(),
            passage: one.nearest.clone().unwrap_or_else(|| passage.clone()),
            shared: one.shared,
            word_for_word: pair.word_for_word,
        })
    };
    listed(pairs).into_iter().filter_map(of_pair).collect()
}

/// The pairs to list: each paper once, and at most [`PER_CLAIM`] for each claim. Papers that state a claim nearly word for word come first, so no other
/// takes their position.
fn listed(mut pairs: Vec<ClosePair>) -> Vec<ClosePair> {
    pairs.sort_by(|a, b| {
        let by_match = b.word_for_word.cmp(&a.word_for_word);
        by_match.then(a.point.cmp(&b.point)).then(b.shared.total_cmp(&a.shared))
    });
    let mut papers = BTreeSet::new();
    let mut of_claim: BTreeMap<usize, usize> = BTreeMap::new();
    pairs.retain(|pair| {
        let count = of_claim.entry(pair.point).or_default();
        let fits = *count < PER_CLAIM && papers.insert(pair.reference);
        *count += usize::from(fits);
        fits
    });
    pairs
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
    let lower = text.to_lowercase();
    let identifiers = &work.identifiers;
    let arxiv = identifiers.arxiv.as_ref().map(|id| id.as_str().to_lowercase());
    let doi = identifiers.doi.as_ref().map(|id| id.as_str().to_lowercase());
    arxiv.is_some_and(|id| has_identifier(&lower, &id, true))
        || doi.is_some_and(|id| has_identifier(&lower, &id, false))
        || cites_author_and_year(text, &reference.alias)
}

/// Whether a text has an identifier that does not go on after its last character. `2509.08755v2` is a version of `2509.08755`.
fn has_identifier(text: &str, id: &str, versioned: bool) -> bool {
    text.match_indices(id).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let mut after = text.get(at + id.len()..).unwrap_or_default();
        if let (true, Some(version)) = (versioned, after.strip_prefix('v')) {
            after = version.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        let part = after.strip_prefix('.').unwrap_or_default();
        !before.is_some_and(char::is_alphanumeric)
            && !after.starts_with(char::is_alphanumeric)
            && !part.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Whether a text has the surname of an alias such as `Knuth 1989`, with a capital and its year soon after it, or `knuth1989`. In lower case, a surname may
/// be another word, such as `he`.
fn cites_author_and_year(text: &str, alias: &str) -> bool {
    let Some((surname, year)) = alias.rsplit_once(' ') else {
        return false;
    };
    let year: String = year.chars().take_while(char::is_ascii_digit).collect();
    if surname.chars().count() < 2 || year.is_empty() {
        return false;
    }
    let mut letters = surname.chars();
    let capital: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect();
    let forms = [
        surname.to_owned(),
        capital,
        surname.to_uppercase(),
        surname.to_lowercase(),
    ];
    forms.iter().any(|form| {
        let within = match form.contains(char::is_uppercase) || !form.contains(char::is_lowercase) {
            true => YEAR_WITHIN,
            false => year.len(),
        };
        text.match_indices(form.as_str()).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + form.len()..).unwrap_or_default();
            let near: String = after.chars().take(within).collect();
            !before.is_some_and(char::is_alphanumeric)
                && !after.starts_with(char::is_alphabetic)
                && near.contains(&year)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_by_author_and_year_is_a_mention() {
        for text in [
            "as Haugen et al. (2019) show",
            "Haugen 2019",
            "HAUGEN 2019",
            "haugen2019[3]",
            "(Haugen, 2019)",
        ] {
            assert!(cites_author_and_year(text, "Haugen 2019"), "{text}");
        }
        for text in [
            "Haugens 2019",
            "as Haugen shows",
            "in 2019, Haugen",
            "Haugen et al. (2018)",
            "a haugen of 2019",
        ] {
            assert!(!cites_author_and_year(text, "Haugen 2019"), "{text}");
        }
        assert!(!cites_author_and_year("as he said in 2015", "He 2015"));
        assert!(cites_author_and_year("as He et al. said in 2015", "He 2015"));
        assert!(cites_author_and_year("王雨（2015）", "王雨 2015"));
        assert!(cites_author_and_year("as Van Dyk (2015) says", "van Dyk 2015"));
    }

    #[test]
    fn an_identifier_is_a_mention_only_if_it_is_complete() {
        let id = "10.18653/v1/2020.acl-main.1";
        for text in [
            "see 10.18653/v1/2020.acl-main.1.",
            "(doi.org/10.18653/v1/2020.acl-main.1)",
        ] {
            assert!(has_identifier(text, id, false), "{text}");
        }
        for text in ["10.18653/v1/2020.acl-main.12", "10.18653/v1/2020.acl-main.1.2"] {
            assert!(!has_identifier(text, id, false), "{text}");
        }
        assert!(has_identifier("arxiv:2509.08755v2", "2509.08755", true));
        assert!(!has_identifier("arxiv:2509.087551", "2509.08755", true));
    }

    #[test]
    fn a_paper_that_does_not_fit_one_claim_is_listed_for_the_next() {
        let pair = |point, reference, shared, word_for_word| ClosePair {
            point,
            passage: 0,
            reference,
            shared,
            word_for_word,
        };
        let pairs = vec![
            pair(0, 1, 0.9, false),
            pair(0, 2, 0.8, false),
            pair(0, 3, 0.7, false),
            pair(0, 4, 0.6, false),
            pair(0, 5, 0.5, false),
            pair(1, 1, 0.4, true),
            pair(1, 5, 0.3, false),
        ];
        let listed: Vec<(usize, u32, bool)> = listed(pairs)
            .into_iter()
            .map(|one| (one.point, one.reference, one.word_for_word))
            .collect();
        assert_eq!(
            listed,
            [(1, 1, true), (0, 2, false), (0, 3, false), (0, 4, false), (1, 5, false)]
        );
    }
}
