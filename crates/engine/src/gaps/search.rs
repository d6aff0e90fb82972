//! What was not searched, read or judged. Shown on the first screen of every report.

use std::sync::Arc;

use precedent_domain::{
    AsOf, Author, DateOrigin, Extent, Granularity, NotSearched, NotSearchedKind, Paper, PartialDate, ReadWarningKind,
    Scope, SetAside, SetAsideReason, SourceReport, Timing,
};
use precedent_language::wording::and_list;
use precedent_sources::Source;

use crate::extract::Extraction;
use crate::retrieve::search::{REEXPORT_MONTHS, SearchOutcome, not_before, source_failures, top_of};

/// The general disclaimer of every report.
pub(crate) const DISCLAIMER: &str = "This report compares the paper only with the papers that were searched. If it shows no conflict, none was \
found there, which does not mean that none exists. Its selections are automatic and can be wrong in both directions. It supports a human reviewer. \
It is not a reason to reject a paper, and a missing citation is not a lack of novelty.";

/// The limit of the statuses, stated in every assessment.
pub(crate) const UNCLEAR_BY_WORDING: &str = "Only a human reader can decide whether another paper says the same in other words. Read the closest papers, even if the label is “No match found”.";

/// The limits of this run, most important first.
pub(crate) fn limits(
    paper: &Paper,
    extraction: &Extraction,
    as_of: Option<&AsOf>,
    outcome: &SearchOutcome,
    sources: &[Arc<dyn Source>],
) -> Vec<NotSearched> {
    let mut found = Vec::new();
    let mut say =
        |kind: NotSearchedKind, message: String, scope: Option<Scope>| found.push(NotSearched { kind, message, scope });
    let elsewhere: Vec<&str> = sources
        .iter()
        .filter(|source| source.is_metered())
        .map(|source| source.name())
        .collect();
    say(
        NotSearchedKind::SourceNotAsked,
        sources_asked(&outcome.sources, &elsewhere),
        None,
    );
    for source in &outcome.sources {
        for failure in source_failures(source) {
            say(NotSearchedKind::SourceFailed, failure, None);
        }
    }
    for message in sources.iter().flat_map(|source| source.left_out()) {
        say(NotSearchedKind::SourcePart, message, None);
    }
    if extraction.core_task.is_none() {
        say(
            NotSearchedKind::NotJudged,
            "No core task was found in the paper, so the field around it was not searched.".into(),
            Some(Scope::CoreTask),
        );
    }
    if extraction.contributions.is_empty() {
        let message = "No contribution claim was found in the title, abstract, introduction or conclusion, so no claim was compared.";
        say(NotSearchedKind::NotJudged, message.into(), None);
    }
    if let Some(message) = date_limit(paper, as_of) {
        say(NotSearchedKind::TargetUndated, message, None);
    }
    if let Some(message) = taken_for_the_paper(&paper.authors, &outcome.set_aside) {
        say(NotSearchedKind::NotJudged, message, None);
    }
    let total = outcome.texts.len();
    let full = outcome
        .texts
        .iter()
        .filter(|text| text.document.extent == Extent::FullText)
        .count();
    if full < total {
        let message = format!(
            "No full text for {} of {total} papers, so only their titles and abstracts were compared.",
            total - full
        );
        say(NotSearchedKind::AbstractOnly, message, None);
    }
    let undated = outcome
        .candidates
        .iter()
        .filter(|candidate| candidate.timing == Timing::Undated)
        .count();
    if undated > 0 {
        let message = format!(
            "No date for {undated} of {total} papers. They are listed separately and are not counted as prior art."
        );
        say(NotSearchedKind::Undated, message, None);
    }
    for (scope, cut) in outcome.cut.iter().filter(|(_, cut)| *cut > 0) {
        say(NotSearchedKind::CutOff, cut_message(*scope, *cut), Some(*scope));
    }
    for one in &outcome.not_searched {
        say(one.kind, one.message.clone(), one.scope);
    }
    for warning in paper.warnings.iter().filter(|warning| is_of_a_part(warning.kind)) {
        say(NotSearchedKind::PaperPart, warning.message.clone(), None);
    }
    say(NotSearchedKind::NotJudged, UNCLEAR_BY_WORDING.into(), None);
    found
}

/// Whether a warning says that a part of the paper was not read.
pub(crate) fn is_of_a_part(kind: ReadWarningKind) -> bool {
    matches!(
        kind,
        ReadWarningKind::PagesLost
            | ReadWarningKind::PagesWithoutText
            | ReadWarningKind::Truncated
            | ReadWarningKind::PartMissing
            | ReadWarningKind::Garbled
    )
}

/// Sentence about what was searched. `elsewhere` names the sources that are services.
pub(crate) fn sources_asked(sources: &[SourceReport], elsewhere: &[&str]) -> String {
    let named = |source: &SourceReport| match (source.works, source.full_texts) {
        (Some(works), Some(full)) => format!(
            "{} ({}, {} with full text)",
            source.name,
            papers_in_words(works),
            grouped(full)
        ),
        (Some(works), None) => format!("{} ({})", source.name, papers_in_words(works)),
        _ => source.name.clone(),
    };
    if sources.is_empty() {
        return "No corpus or source was given, so nothing was searched and no claim was compared with prior work."
            .to_owned();
    }
    // A source that failed every query does not count as searched. Its failures are reported separately.
    let answered: Vec<String> = sources.iter().filter(|source| source.answered > 0).map(named).collect();
    if answered.is_empty() {
        let all: Vec<String> = sources.iter().map(named).collect();
        return format!(
            "Nothing was searched: no query was sent to {}, because neither a core task nor a claim was found in the paper.",
            and_list(&all)
        );
    }
    let verb = if answered.len() == 1 { "was" } else { "were" };
    let services = || {
        sources
            .iter()
            .filter(|source| elsewhere.contains(&source.name.as_str()))
    };
    let nobody = if elsewhere.is_empty() {
        "No search engine, citation index or publisher was searched."
    } else if services().any(|source| source.answered > 0) {
        "Services were searched with short queries and returned only their top results. No other search engine, citation index or publisher was searched."
    } else {
        "No search engine, citation index or publisher answered."
    };
    format!("Only {} {verb} searched. {nobody}", and_list(&answered))
}

/// `1 paper`, `333,361 papers`.
fn papers_in_words(number: u64) -> String {
    if number == 1 {
        "1 paper".to_owned()
    } else {
        format!("{} papers", grouped(number))
    }
}

/// `333,361`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn date_limit(paper: &Paper, as_of: Option<&AsOf>) -> Option<String> {
    match as_of {
        None => Some(match not_before(paper) {
            Some(year) => format!(
                "The paper's own date could not be established. The newest paper it cites is from {year}, so papers that certainly appeared more than three months \
before that year count as earlier, and others as concurrent. None was excluded as later. Use `--as-of` to set the date."
            ),
            None => "The paper's own date could not be established, not even approximately, so no paper counts as earlier. Use `--as-of` to set the date.".to_owned(),
        }),
        Some(AsOf { date, origin: DateOrigin::FileMetadata }) => Some(format!(
            "The paper's date, {date}, comes only from the file's metadata and may be the date of a copy. Papers from the {REEXPORT_MONTHS} months before it are \
shown as concurrent and are not counted as prior art, unless the paper cites later ones. Use `--as-of` to set the date."
        )),
        Some(AsOf { date, .. }) => year_alone(*date),
    }
}

/// Papers of the same year are not counted, because their order is unknown.
fn year_alone(date: PartialDate) -> Option<String> {
    (date.granularity() == Granularity::Year).then(|| {
        format!(
            "Only the year of the paper's date is known. Papers from {} are shown as of the same year and are not counted as prior art, unless the paper cites them. \
Use `--as-of` to set the date.",
            date.year()
        )
    })
}

/// Without authors on the page, only title and abstract show that a record is the paper itself. A reader must be able to check it.
fn taken_for_the_paper(authors: &[Author], set_aside: &[SetAside]) -> Option<String> {
    if authors.iter().any(Author::is_named) {
        return None;
    }
    let itself = set_aside.iter().filter(|one| one.reason == SetAsideReason::SameWork);
    let mut titles: Vec<String> = itself.map(|one| format!("“{}”", one.title)).collect();
    titles.sort();
    titles.dedup();
    (!titles.is_empty()).then(|| {
        format!(
            "The paper names no authors. By title and abstract, {} was taken for the paper itself and not compared.",
            and_list(&titles)
        )
    })
}

fn cut_message(scope: Scope, cut: usize) -> String {
    let what = match scope {
        Scope::CoreTask => "Core task".to_owned(),
        Scope::Contribution(number) => format!("Claim {number}"),
    };
    let works = if cut == 1 {
        "1 more relevant paper was".to_owned()
    } else {
        format!("{} more relevant papers were", grouped(cut as u64))
    };
    format!("{what}: {works} not compared (limit {}).", top_of(scope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grammatical() {
        assert_eq!(grouped(333_361), "333,361");
        assert_eq!(grouped(12), "12");
        assert!(cut_message(Scope::CoreTask, 1).contains("1 more relevant paper was"));
        assert!(
            cut_message(Scope::Contribution(2), 7)
                .contains("Claim 2: 7 more relevant papers were not compared (limit 10).")
        );
    }

    #[test]
    fn a_record_taken_for_a_paper_without_authors_is_reported() {
        let aside = |reason| SetAside {
            id: "w:1".parse().unwrap(),
            title: "Ropes in Swell".into(),
            date: None,
            reason,
            url: None,
            scopes: Vec::new(),
            duplicate_of: None,
        };
        let itself = [aside(SetAsideReason::SameWork)];
        let said = taken_for_the_paper(&[], &itself).unwrap();
        assert!(said.contains("“Ropes in Swell”"), "{said}");
        assert_eq!(taken_for_the_paper(&[Author::new("Ann Lee")], &itself), None);
        assert_eq!(taken_for_the_paper(&[], &[aside(SetAsideReason::Later)]), None);
    }

    #[test]
    fn papers_of_the_same_year_are_reported_as_not_counted() {
        let said = year_alone(PartialDate::new(2025, None, None).unwrap()).unwrap();
        assert!(
            said.contains("Only the year") && said.contains("Papers from 2025 are shown as of the same year"),
            "{said}"
        );
        assert_eq!(year_alone(PartialDate::new(2025, Some(3), None).unwrap()), None);
    }

    #[test]
    fn only_sources_that_answered_count_as_searched() {
        let source = |name: &str, works, answered| SourceReport {
            name: name.into(),
            works: Some(works),
            full_texts: None,
            answered,
            partial: 0,
            unanswered: 0,
            failures: Vec::new(),
            own_text: false,
        };
        let said = sources_asked(&[source("corpus:good", 1, 7), source("corpus:bad", 900, 0)], &[]);
        assert_eq!(
            said,
            "Only corpus:good (1 paper) was searched. No search engine, citation index or publisher was searched."
        );
        let both = |answered| {
            sources_asked(
                &[source("corpus:good", 1, 7), source("openalex", 9, answered)],
                &["openalex"],
            )
        };
        assert!(both(3).contains("returned only their top results"));
        assert!(both(0).ends_with("No search engine, citation index or publisher answered."));
        assert!(sources_asked(&[], &[]).starts_with("No corpus or source was given"));
        assert!(sources_asked(&[source("corpus:bad", 900, 0)], &[]).starts_with("Nothing was searched"));
    }
}
