//! What stands in every format of a report on an idea, in words.

use precedent_domain::{
    FacetComparison, FacetStanding, IdeaAssessment, IdeaWork, NoveltyVerdict, SetAsideReason, Timing,
};

use crate::plain::{cut_words, one_line};
use crate::words::date_origin;

/// Words of the idea that name its report.
const HEADING_WORDS: usize = 14;

/// The idea's first words.
pub(super) fn heading(report: &IdeaAssessment) -> String {
    let bare = report.idea.document.text.replace('*', "");
    let text = one_line(&bare);
    let shown = cut_words(&text, HEADING_WORDS);
    match shown.cut {
        true => format!("{} …", shown.text),
        false => shown.text.to_owned(),
    }
}

/// The verdict as a reader meets it.
pub(super) fn verdict(verdict: NoveltyVerdict) -> &'static str {
    match verdict {
        NoveltyVerdict::Novel => "Novel, against the works shown",
        NoveltyVerdict::NotNovel => "Not novel",
        NoveltyVerdict::Undecided => "Undecided",
    }
}

/// The name that styles use: shapes are those of a claim's standing.
pub(super) fn key(verdict: NoveltyVerdict) -> &'static str {
    match verdict {
        NoveltyVerdict::Novel => "clear",
        NoveltyVerdict::NotNovel => "found",
        NoveltyVerdict::Undecided => "reading",
    }
}

/// How idea and work stand on one facet.
pub(super) fn standing(one: &FacetComparison) -> &'static str {
    match one.standing {
        FacetStanding::Shared => "Shared",
        FacetStanding::Different => "Different",
        FacetStanding::Unclear if is_near(one) => "Needs reading",
        FacetStanding::Unclear => "No passage near",
    }
}

/// Share of the idea's words on a facet from which a passage is worth a reader's time.
const NEAR: f64 = 0.2;

/// Whether a passage of the work says something of the facet.
pub(super) fn is_near(one: &FacetComparison) -> bool {
    one.passage.is_some() && (one.similarity >= NEAR || one.standing == FacetStanding::Shared)
}

/// The same for a cell of a table, with its figure where reading decides.
pub(super) fn cell(one: &FacetComparison) -> String {
    match one.standing {
        FacetStanding::Unclear if is_near(one) => format!("{}, {:.0} %", standing(one), one.similarity * 100.0),
        _ => standing(one).to_owned(),
    }
}

pub(super) fn standing_key(standing: FacetStanding) -> &'static str {
    match standing {
        FacetStanding::Shared => "found",
        FacetStanding::Different => "clear",
        FacetStanding::Unclear => "reading",
    }
}

/// Who says so, and how much of the idea's words stand there.
pub(super) fn basis(one: &FacetComparison) -> String {
    let share = format!("{:.0} % of the idea's words on this", (one.similarity * 100.0).round());
    match (one.by_model, one.passage.is_some()) {
        (true, true) => format!("says a model; the passage was located; {share} stand there"),
        (true, false) => "says a model".to_owned(),
        (false, true) if is_near(one) => format!("{share} stand there"),
        (false, true) => format!("the nearest has only {share}"),
        (false, false) => "none of the idea's words on this stand together there".to_owned(),
    }
}

/// Date, nearness and sources of a work.
pub(super) fn facts(one: &IdeaWork) -> String {
    let mut facts = Vec::new();
    if let Some(dated) = one.work.earliest() {
        facts.push(dated.date.to_string());
    }
    match one.timing {
        Timing::Earlier => {}
        Timing::Undated => facts.push("no date is known".to_owned()),
        Timing::Concurrent | Timing::Later => facts.push("not surely earlier".to_owned()),
    }
    facts.push(format!(
        "nearness {:.2}, place {} before the facets were looked at",
        one.nearness, one.nearness_rank
    ));
    if !one.found_by.is_empty() {
        facts.push(format!("found by {}", one.found_by.join(", ")));
    }
    facts.join("; ")
}

/// The date that counts, agreement and second look, in sentences.
pub(super) fn asides(report: &IdeaAssessment) -> Vec<String> {
    let verdict_ = &report.verdict;
    let mut said = Vec::new();
    if let Some(as_of) = &report.metadata.as_of {
        let origin = date_origin(&as_of.origin);
        said.push(format!(
            "Judged by {} ({origin}): what appeared later takes nothing away.",
            as_of.date
        ));
    }
    if let Some(agreement) = verdict_.agreement {
        let counts = [
            NoveltyVerdict::Novel,
            NoveltyVerdict::NotNovel,
            NoveltyVerdict::Undecided,
        ]
        .map(|one| {
            (
                verdict_.samples.iter().filter(|sample| sample.verdict == one).count(),
                one,
            )
        });
        let counts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, one)| format!("{count} {}", one.name()))
            .collect();
        said.push(format!(
            "Asked {} times, each time with the works in another order: {}; agreement {:.0} %.",
            verdict_.samples.len(),
            counts.join(", "),
            (agreement * 100.0).round()
        ));
    }
    if let Some(look) = &verdict_.second_look {
        said.push(format!(
            "A second look was taken: {}. First verdict: {}; after the second look: {}.",
            look.because.trim_end_matches('.'),
            look.first.name(),
            look.settled.name()
        ));
    }
    said
}

/// How the works were chosen, in sentences with figures.
pub(super) fn ranking(report: &IdeaAssessment) -> Vec<String> {
    let ranking = &report.ranking;
    let mut said = vec![format!(
        "{} results gave {} different works; {} had no title or abstract, {} were set aside, {} were ranked.",
        ranking.results, ranking.works, ranking.without_text, ranking.set_aside, ranking.ranked
    )];
    said.push(format!(
        "How near they stand to the idea was told by {}; the nearest were ordered by facets by {}.",
        ranking.nearness_by, ranking.ordered_by
    ));
    if let Some(record) = &ranking.listwise {
        said.push(format!(
            "The model was shown {} windows of works: {} without a usable answer, {} works missing from answers, {} numbers given twice, {} of no work.",
            record.windows, record.unanswered, record.missing, record.doubled, record.unknown
        ));
    }
    let examples = &report.examples;
    if examples.shown > 0 {
        said.push(format!(
            "The verdict was guided by {} labelled examples ({}), {} of them novel.",
            examples.shown, examples.name, examples.novel
        ));
    }
    said
}

/// Why a work was set aside.
pub(super) fn set_aside(reason: SetAsideReason) -> &'static str {
    match reason {
        SetAsideReason::SameWork => "the idea's own paper, or a version of it",
        SetAsideReason::Later => "appeared after the date that the idea is judged by",
        _ => "another record of a work already listed",
    }
}
