//! Wording of reports on ideas.

use precedent_domain::{
    FacetComparison, FacetOrigin, FacetStatus, IdeaAssessment, IdeaLean, IdeaWork, LeanKind, NotSearchedKind,
    NoveltyVerdict, SetAsideReason, Timing,
};

use crate::plain::{cut_words, one_line};
use crate::words::date_origin;

/// Number of words of the idea used as the title.
const HEADING_WORDS: usize = 14;

/// The title: the idea's first words.
pub(super) fn heading(report: &IdeaAssessment) -> String {
    let bare = report.idea.document.text.replace('*', "");
    let text = one_line(&bare);
    let shown = cut_words(&text, HEADING_WORDS);
    match shown.cut {
        true => format!("{} …", shown.text),
        false => shown.text.to_owned(),
    }
}

/// The label of the verdict.
pub(super) fn verdict(verdict: NoveltyVerdict) -> &'static str {
    match verdict {
        NoveltyVerdict::Novel => "Novel, compared with the papers shown",
        NoveltyVerdict::NotNovel => "Not novel",
        NoveltyVerdict::Undecided => "Undecided",
    }
}

/// The CSS class, with the same shapes as claim statuses. Novel is grey, because a missing match is not approval.
pub(super) fn key(verdict: NoveltyVerdict) -> &'static str {
    match verdict {
        NoveltyVerdict::Novel => "absent",
        NoveltyVerdict::NotNovel => "found",
        NoveltyVerdict::Undecided => "reading",
    }
}

/// The label of the comparison on one facet.
pub(super) fn status(one: &FacetComparison) -> &'static str {
    match one.status {
        FacetStatus::Shared => "Shared",
        FacetStatus::Different => "Different",
        FacetStatus::Unclear if is_near(one) && one.by_model => "Similar: needs review",
        // A share of words alone is no level.
        FacetStatus::Unclear if is_near(one) => "Similar passage",
        FacetStatus::Unclear => "No similar passage",
    }
}

/// Whether the comparison on the facet has a level, not only a share of words.
pub(super) fn has_level(one: &FacetComparison) -> bool {
    one.status != FacetStatus::Unclear || one.by_model && is_near(one)
}

/// Minimum share of the idea's words on a facet for a passage to be shown.
const NEAR: f64 = 0.2;

/// Whether a passage of the paper is similar on the facet.
pub(super) fn is_near(one: &FacetComparison) -> bool {
    one.passage.is_some() && (one.similarity >= NEAR || one.status == FacetStatus::Shared)
}

/// The label for a table cell, or the share of the idea's words on the facet in the closest passage.
pub(super) fn cell(one: &FacetComparison) -> String {
    match has_level(one) {
        true => status(one).to_owned(),
        false if is_near(one) => format!("{:.0} % of the words", one.similarity * 100.0),
        false => "–".to_owned(),
    }
}

/// How to correct a facet.
pub(super) const CORRECTION: &str =
    "If a facet is wrong, run again with --purpose, --mechanism, --evaluation or --domain and the right words.";

/// Who says that the words state the facet.
pub(super) fn origin(origin: FacetOrigin) -> &'static str {
    match origin {
        FacetOrigin::User => "stated by you",
        FacetOrigin::Emphasis => "emphasised in the text",
        FacetOrigin::Model => "found by a model",
        FacetOrigin::Rules => "found by the program",
    }
}

/// The suggestion of a report without a verdict.
pub(super) fn lean_if_open(report: &IdeaAssessment) -> Option<&IdeaLean> {
    report
        .lean
        .as_ref()
        .filter(|_| report.verdict.verdict == NoveltyVerdict::Undecided)
}

/// What the comparison of words suggests.
pub(super) fn lean(report: &IdeaAssessment, kind: LeanKind) -> &'static str {
    let gaps = || report.metadata.not_searched.iter();
    let is_thin = || gaps().any(|one| one.kind == NotSearchedKind::FieldNotCovered);
    match kind {
        LeanKind::CloseWorkFound => "close prior work found.",
        LeanKind::NoCloseWorkFound if is_thin() => {
            "no close prior work found, but the papers searched cover little of the idea's field."
        }
        LeanKind::NoCloseWorkFound => "no close prior work found in a covered field.",
        LeanKind::FieldNotCovered => "none. The papers found do not cover the idea's field.",
    }
}

/// The suggestion of a report without a verdict, in two sentences.
#[must_use]
pub fn lean_words(report: &IdeaAssessment) -> Option<String> {
    let open = lean_if_open(report)?;
    let papers: Vec<String> = open
        .papers
        .iter()
        .map(|one| format!("{}[{}]", one.name, one.number))
        .collect();
    let named = match papers.is_empty() {
        true => String::new(),
        false => format!(" Compare the passages of {}.", papers.join(", ")),
    };
    Some(format!(
        "lean: {}{named} {}",
        lean(report, open.kind),
        lean_accuracy(open)
    ))
}

/// How far a suggestion can be trusted. The figures are those of `docs/ideas.md`; `precedent bench idea novelty_dev.jsonl --setting fixed` measures them.
pub(super) fn lean_accuracy(lean: &IdeaLean) -> &'static str {
    match (lean.kind, lean.facets_are_certain) {
        (LeanKind::FieldNotCovered, _) => "Search sources of the idea's field before you conclude anything.",
        (_, true) => {
            "The lean compares words. It agreed with experts on 23 of 28 ideas whose authors had emphasised purpose and mechanism, on which its bound was chosen."
        }
        (_, false) => {
            "This is no better than a guess, because purpose and mechanism were found by the program: it agreed with experts on 18 of 35 ideas, and the more frequent label alone on 20. State both with --purpose and --mechanism."
        }
    }
}

/// The CSS class of the comparison on one facet.
pub(super) fn status_key(status: FacetStatus) -> &'static str {
    match status {
        FacetStatus::Shared => "found",
        FacetStatus::Different => "absent",
        FacetStatus::Unclear => "reading",
    }
}

/// Who judged the facet, and how many of the idea's words the passage contains.
pub(super) fn basis(one: &FacetComparison) -> String {
    let share = format!("{:.0} % of the idea's words on this", (one.similarity * 100.0).round());
    match (one.by_model, one.passage.is_some()) {
        (true, true) => format!("judged by a model; the passage was located and contains {share}"),
        (true, false) => "judged by a model".to_owned(),
        (false, true) if is_near(one) => format!("the passage contains {share}"),
        (false, true) => format!("the closest passage contains only {share}"),
        (false, false) => "no passage contains the idea's words on this".to_owned(),
    }
}

/// Date, similarity and sources of a paper.
pub(super) fn facts(one: &IdeaWork) -> String {
    let mut facts = Vec::new();
    if let Some(dated) = one.work.earliest() {
        facts.push(dated.date.to_string());
    }
    match one.timing {
        Timing::Earlier => {}
        Timing::Undated => facts.push("date unknown".to_owned()),
        Timing::Concurrent | Timing::SameYear | Timing::Later => facts.push("may not be earlier".to_owned()),
    }
    facts.push(format!(
        "similarity {:.2}, rank {} before the facets were compared",
        one.similarity, one.similarity_rank
    ));
    if !one.found_by.is_empty() {
        facts.push(format!("found by {}", one.found_by.join(", ")));
    }
    facts.join("; ")
}

/// Sentences on the cutoff date, the agreement and the second check.
pub(super) fn asides(report: &IdeaAssessment) -> Vec<String> {
    let verdict_ = &report.verdict;
    let mut wording = Vec::new();
    if let Some(as_of) = &report.metadata.as_of {
        let origin = date_origin(&as_of.origin);
        wording.push(format!(
            "Cutoff date: {} ({origin}). Later papers do not count as prior art.",
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
        wording.push(format!(
            "The model was called {} times, with the papers in a different order each time: {}. Agreement: {:.0} %.",
            verdict_.samples.len(),
            counts.join(", "),
            (agreement * 100.0).round()
        ));
    }
    if let Some(look) = &verdict_.second_look {
        wording.push(format!(
            "A second check was made: {}. First verdict: {}. Verdict after the second check: {}.",
            look.because.trim_end_matches('.'),
            look.first.name(),
            look.settled.name()
        ));
    }
    wording
}

/// Sentences on how the papers were selected.
pub(super) fn ranking(report: &IdeaAssessment) -> Vec<String> {
    let ranking = &report.ranking;
    let mut wording = vec![format!(
        "{} results contained {} distinct papers: {} without title or abstract, {} excluded, {} ranked.",
        ranking.results, ranking.works, ranking.without_text, ranking.set_aside, ranking.ranked
    )];
    wording.push(format!(
        "Similarity to the idea was computed with {}. The most similar were ordered by facets by {}.",
        ranking.similarity_by, ranking.ordered_by
    ));
    if let Some(record) = &ranking.listwise {
        wording.push(format!(
            "The model ordered {} windows of papers: {} without a usable answer, {} papers missing from answers, {} numbers given twice, {} unknown numbers.",
            record.windows, record.unanswered, record.missing, record.doubled, record.unknown
        ));
    }
    let examples = &report.examples;
    if examples.shown > 0 {
        wording.push(format!(
            "The prompt contained {} labelled examples ({}), {} of them novel.",
            examples.shown, examples.name, examples.novel
        ));
    }
    wording
}

/// Why a paper was excluded.
pub(super) fn set_aside(reason: SetAsideReason) -> &'static str {
    match reason {
        SetAsideReason::SameWork => "the idea's own paper or a version of it",
        SetAsideReason::Later => "appeared after the cutoff date",
        _ => "another record of a paper already listed",
    }
}
