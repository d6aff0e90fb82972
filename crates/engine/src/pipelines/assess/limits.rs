//! What was not searched, read or judged. Stands on the first screen of every report.

use std::sync::Arc;

use precedent_domain::{
    AsOf, DateOrigin, Extent, Granularity, NotSearched, NotSearchedKind, Paper, PartialDate, ReadWarningKind, Scope,
    SourceReport, Timing,
};
use precedent_sources::Source;

use crate::stages::extract::Extraction;
use crate::stages::search::{REEXPORT_MONTHS, SearchOutcome, not_before, source_failures, top_of};
use crate::wording::and_list;

/// What every report says of itself.
pub(super) const DISCLAIMER: &str = "This report sets the paper beside the works that were searched, and beside no others: where it names no conflict, none was \
found there, which does not mean that there is none. Its selections are made by program and can be wrong in both directions. It is meant to help a reviewer \
who reads; it is no ground for rejecting a paper, and a missing citation is no lack of novelty.";

/// What every assessment says of its statuses.
pub(in crate::pipelines) const UNCLEAR_BY_WORDING: &str = "Whether another work says the same in other words can only be told by reading; where wording does not decide, the status is unclear.";

/// What limits this run, most important first.
pub(in crate::pipelines) fn limits(
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
            "No core task could be told from the paper; the field around it was not searched.".into(),
            Some(Scope::CoreTask),
        );
    }
    if extraction.contributions.is_empty() {
        let message = "No claim of a contribution was recognised in title, abstract, introduction and conclusion; no claim was compared.";
        say(NotSearchedKind::NotJudged, message.into(), None);
    }
    if let Some(message) = date_limit(paper, as_of) {
        say(NotSearchedKind::TargetUndated, message, None);
    }
    let total = outcome.texts.len();
    let full = outcome
        .texts
        .iter()
        .filter(|text| text.document.extent == Extent::FullText)
        .count();
    if full < total {
        let message = format!(
            "{} of {total} works are known by title and abstract only; what their full texts say was not compared.",
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
        let message =
            format!("{undated} of {total} works carry no date; they are shown apart and take no claim's novelty away.");
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

/// Whether a warning tells that a part of the paper was not read.
pub(in crate::pipelines) fn is_of_a_part(kind: ReadWarningKind) -> bool {
    matches!(
        kind,
        ReadWarningKind::PagesLost
            | ReadWarningKind::PagesWithoutText
            | ReadWarningKind::Truncated
            | ReadWarningKind::PartMissing
            | ReadWarningKind::Garbled
    )
}

/// What was searched; `elsewhere` names the sources that are services.
pub(in crate::pipelines) fn sources_asked(sources: &[SourceReport], elsewhere: &[&str]) -> String {
    let named = |source: &SourceReport| match (source.works, source.full_texts) {
        (Some(works), Some(full)) => format!(
            "{} ({}, {} with full text)",
            source.name,
            works_in_words(works),
            grouped(full)
        ),
        (Some(works), None) => format!("{} ({})", source.name, works_in_words(works)),
        _ => source.name.clone(),
    };
    if sources.is_empty() {
        return "No corpus or source was given: nothing was searched, and no claim was set beside prior work."
            .to_owned();
    }
    // One that failed every query is no source that was searched; why it failed is said apart.
    let answered: Vec<String> = sources.iter().filter(|source| source.answered > 0).map(named).collect();
    if answered.is_empty() {
        let all: Vec<String> = sources.iter().map(named).collect();
        return format!(
            "Nothing was searched: no question could be put to {}, because neither a core task nor a claim could be told from the paper.",
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
        "No search engine, citation index or publisher was asked."
    } else if services().any(|source| source.answered > 0) {
        "Services were asked with short queries and gave the head of their lists; no other search engine, citation index or publisher was asked."
    } else {
        "No search engine, citation index or publisher gave an answer."
    };
    format!("Only {} {verb} searched. {nobody}", and_list(&answered))
}

/// `1 work`, `333,361 works`.
fn works_in_words(number: u64) -> String {
    if number == 1 {
        "1 work".to_owned()
    } else {
        format!("{} works", grouped(number))
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
                "The paper's own date could not be established. The newest work it cites is of {year}: works that surely appeared more than three months \
before that year count as earlier, others are shown as concurrent, and nothing was set aside as later. Give the date to settle it."
            ),
            None => "The paper's own date could not be established, nor a bound for it: no work counts as earlier. Give the date to settle it.".to_owned(),
        }),
        Some(AsOf { date, origin: DateOrigin::FileMetadata }) => Some(format!(
            "The paper's date, {date}, is only what the file says of itself; it may be the date of a copy. Works of the {REEXPORT_MONTHS} months before it are \
shown as concurrent and take no claim's novelty away, unless the paper cites later ones. Give the date to settle it."
        )),
        Some(AsOf { date, .. }) => year_alone(*date),
    }
}

/// A rough date of the paper's leaves many works undecided: without a word on it, a reader would wonder where last year's works went.
fn year_alone(date: PartialDate) -> Option<String> {
    (date.granularity() == Granularity::Year).then(|| {
        let year = date.year();
        format!(
            "The paper's date is known to the year alone. Works of {year}, of the last three months before it, and of {} where only their year is known are shown \
as concurrent and take no claim's novelty away. Give the date to settle it.",
            year.saturating_sub(1)
        )
    })
}

fn cut_message(scope: Scope, cut: usize) -> String {
    let what = match scope {
        Scope::CoreTask => "the core task".to_owned(),
        Scope::Contribution(number) => format!("claim {number}"),
    };
    let works = if cut == 1 {
        "1 work was".to_owned()
    } else {
        format!("{} works were", grouped(cut as u64))
    };
    format!(
        "For {what}, {works} relevant too and cut at the best {}.",
        top_of(scope)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(grouped(333_361), "333,361");
        assert_eq!(grouped(12), "12");
        assert!(cut_message(Scope::CoreTask, 1).contains("1 work was relevant"));
        assert!(
            cut_message(Scope::Contribution(2), 7)
                .contains("For claim 2, 7 works were relevant too and cut at the best 10.")
        );
    }

    #[test]
    fn a_date_of_a_year_alone_is_said_to_leave_works_undecided() {
        let said = year_alone(PartialDate::new(2025, None, None).unwrap()).unwrap();
        assert!(said.contains("year alone") && said.contains("of 2024 where"), "{said}");
        assert_eq!(year_alone(PartialDate::new(2025, Some(3), None).unwrap()), None);
    }

    #[test]
    fn only_what_answered_was_searched() {
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
            "Only corpus:good (1 work) was searched. No search engine, citation index or publisher was asked."
        );
        let both = |answered| {
            sources_asked(
                &[source("corpus:good", 1, 7), source("openalex", 9, answered)],
                &["openalex"],
            )
        };
        assert!(both(3).contains("gave the head of their lists"));
        assert!(both(0).ends_with("No search engine, citation index or publisher gave an answer."));
        assert!(sources_asked(&[], &[]).starts_with("No corpus or source was given"));
        assert!(sources_asked(&[source("corpus:bad", 900, 0)], &[]).starts_with("Nothing was searched"));
    }
}
