//! What was not searched, read or judged. Shown on the first screen of every report.

use std::sync::Arc;

use precedent_domain::{
    AsOf, Author, Candidate, CandidateText, DateOrigin, Extent, Gap, Granularity, NotSearched, NotSearchedKind, Paper,
    ReadWarningKind, SetAside, SetAsideReason, Timing,
};
use precedent_sources::Source;

use super::{REEXPORT_MONTHS, SearchOutcome, not_before, source_failures, top_of};
use crate::extract::Extraction;

/// The limits of this run, most important first.
pub(crate) fn limits(
    paper: &Paper,
    extraction: &Extraction,
    as_of: Option<&AsOf>,
    outcome: &SearchOutcome,
    sources: &[Arc<dyn Source>],
) -> Vec<NotSearched> {
    let mut found: Vec<NotSearched> = vec![other_sources(sources).into()];
    found.extend(outcome.sources.iter().flat_map(source_failures));
    found.extend(left_out_of(sources));
    if extraction.core_task.is_none() {
        found.push(Gap::NoCoreTask.into());
    }
    if extraction.contributions.is_empty() {
        found.push(Gap::NoClaims.into());
    }
    found.extend(date_limit(paper, as_of).map(NotSearched::from));
    found.extend(taken_for_the_paper(&paper.authors, &outcome.set_aside).map(NotSearched::from));
    let papers = outcome.texts.len();
    let is_partial = |text: &&CandidateText| text.document.extent != Extent::FullText;
    let missing = outcome.texts.iter().filter(is_partial).count();
    if missing > 0 {
        found.push(Gap::NoFullText { missing, papers }.into());
    }
    let is_undated = |candidate: &&Candidate| candidate.timing == Timing::Undated;
    let undated = outcome.candidates.iter().filter(is_undated).count();
    if undated > 0 {
        found.push(Gap::NoDate { undated, papers }.into());
    }
    for &(of, cut) in outcome.cut.iter().filter(|(_, cut)| *cut > 0) {
        found.push(NotSearched::over_limit(of, cut, top_of(of)));
    }
    found.extend(outcome.not_searched.iter().cloned());
    for warning in paper.warnings.iter().filter(|warning| is_of_a_part(warning.kind)) {
        found.push(NotSearched::of_reading(warning));
    }
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

/// States that nothing but the sources of the run was searched.
pub(crate) fn other_sources(sources: &[Arc<dyn Source>]) -> Gap {
    let services = sources.iter().filter(|source| source.is_metered());
    Gap::OtherSources {
        services: services.map(|source| source.name().to_owned()).collect(),
    }
}

/// What the sources themselves left out, in their words.
pub(crate) fn left_out_of(sources: &[Arc<dyn Source>]) -> impl Iterator<Item = NotSearched> {
    let messages = sources.iter().flat_map(|source| source.left_out());
    messages.map(|message| NotSearched::in_words(NotSearchedKind::SourcePart, message))
}

fn date_limit(paper: &Paper, as_of: Option<&AsOf>) -> Option<Gap> {
    match as_of {
        None => Some(Gap::PaperUndated {
            newest_cited: not_before(paper),
        }),
        Some(AsOf {
            date,
            origin: DateOrigin::FileMetadata,
        }) => Some(Gap::DateOfFile {
            date: *date,
            months: REEXPORT_MONTHS,
        }),
        // Papers of the same year are not counted, because their order is unknown.
        Some(AsOf { date, .. }) => {
            (date.granularity() == Granularity::Year).then(|| Gap::YearOnly { year: date.year() })
        }
    }
}

/// Without authors on the page, only title and abstract show that a record is the paper itself. A reader must be able to check it.
fn taken_for_the_paper(authors: &[Author], set_aside: &[SetAside]) -> Option<Gap> {
    if authors.iter().any(Author::is_named) {
        return None;
    }
    let itself = set_aside.iter().filter(|one| one.reason == SetAsideReason::SameWork);
    let mut titles: Vec<String> = itself.map(|one| one.title.clone()).collect();
    titles.sort();
    titles.dedup();
    (!titles.is_empty()).then_some(Gap::TakenForThePaper { titles })
}

#[cfg(test)]
mod tests {
    use precedent_domain::PartialDate;

    use super::*;
    use crate::sample::kelp_paper;

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
        let titles = vec!["Ropes in Swell".to_owned()];
        assert_eq!(
            taken_for_the_paper(&[], &itself),
            Some(Gap::TakenForThePaper { titles })
        );
        assert_eq!(taken_for_the_paper(&[Author::new("Ann Lee")], &itself), None);
        assert_eq!(taken_for_the_paper(&[], &[aside(SetAsideReason::Later)]), None);
    }

    #[test]
    fn a_bare_year_is_reported() {
        let paper = kelp_paper();
        let dated = |month| AsOf {
            date: PartialDate::new(2025, month, None).unwrap(),
            origin: DateOrigin::Given,
        };
        assert_eq!(
            date_limit(&paper, Some(&dated(None))),
            Some(Gap::YearOnly { year: 2025 })
        );
        assert_eq!(date_limit(&paper, Some(&dated(Some(3)))), None);
    }
}
