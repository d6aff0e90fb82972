//! Wording of reports on points.

use precedent_domain::{
    BaseOrigin, CorrectedBy, Correction, Extent, Note, NoveltyPoint, NoveltyScore, PointPassage, PointsReference,
    PointsReport, ReportPart, Timing,
};

use crate::blocks::Line;
use crate::passage::without_bullet;
use crate::plain::one_line;
use crate::{ClaimLevel, notes, words};

/// The three sections of the published form.
pub(super) const SECTIONS: [&str; 3] = [
    "1. Paper Content Summary",
    "2. Point-wise Novelty Analysis",
    "3. Novelty Summary",
];
/// The headings of a point's parts in the published form.
pub(super) const PARTS: [&str; 4] = [
    "a) Claimed novelty",
    "b) Similarities",
    "c) Unique Differences",
    "d) Details of Unique Differences",
];
/// Replaces the summary if no model was used.
pub(super) const NO_SUMMARY: &str = "No model was used. The abstract of the paper:";
/// Replaces the comparison if no model was used.
pub(super) const NOT_COMPARED: &str =
    "No model was used. The passages shown are the most similar to the point by words. A human reader must judge them.";
/// Replaces the comparison if the model's answer was unusable.
pub(super) const NOT_USABLE: &str =
    "The model gave no usable comparison for this point. The most similar passages are shown.";
/// Replaces the novelty summary if no model was used.
const NO_SCORE: &str = "No model was used, so there is no summary and no score is given.";
/// Replaces the novelty summary if the model's answer was unusable.
const NO_USABLE_SCORE: &str = "The model gave no usable summary, so no score is given.";
/// Part b) if nothing was found.
pub(super) const NO_SIMILARITIES: &str =
    "No similarity to this point could be supported by a quote from the passages shown.";
/// Part c) if nothing was found.
pub(super) const NO_DIFFERENCES: &str = "No difference from the passages shown could be supported by a quote.";
/// Shown if only papers that may not be earlier are similar.
pub(super) const NONE_EARLIER: &str = "No earlier paper has a similar passage.";
/// Shown if no passage is similar.
pub(super) const NO_PASSAGE: &str = "No passage in the papers searched shares more than single words with this point.";

/// Why there is no summary and no score.
pub(super) fn why_not_scored(report: &PointsReport) -> &'static str {
    match report.coded_notes.contains(&Note::NoComparisonSurvived) {
        true => "Not scored: no comparison survived validation.",
        false if by_model(report) => NO_USABLE_SCORE,
        false => NO_SCORE,
    }
}

/// Whether a model was used.
pub(super) fn by_model(report: &PointsReport) -> bool {
    report.metadata.analyst != "offline"
}

/// `2.1. Novelty Point 1: a line code`.
pub(super) fn point_heading(point: &NoveltyPoint) -> String {
    format!("2.{0}. Novelty Point {0}", point.number)
}

/// Sentences on the papers and passages searched.
pub(super) fn base(report: &PointsReport) -> Vec<String> {
    let base = &report.base;
    let works = base.works.len();
    let mut wording = vec![format!(
        "{} in {}, {} with full text.",
        words::count(base.passages, "passage", "passages"),
        words::count(works, "paper", "papers"),
        base.full_texts
    )];
    if base.listed_references > 0 {
        wording.push(format!(
            "Of the paper's {}, {} found in the sources searched. {} found by search alone.",
            words::count(base.listed_references, "reference", "references"),
            if base.found_references == 1 {
                "1 was".to_owned()
            } else {
                format!("{} were", base.found_references)
            },
            words::count(base.by_search, "other paper was", "other papers were")
        ));
    } else {
        wording.push(format!(
            "{} found by search.",
            words::count(base.by_search, "paper was", "papers were")
        ));
    }
    if base.second_order > 0 {
        wording.push(format!(
            "{} found because references of the paper cite them.",
            words::count(base.second_order, "paper was", "papers were")
        ));
    }
    let vectors = match &base.embedder {
        Some(name) => format!("vectors of {name}"),
        None => "vectors".to_owned(),
    };
    let order = match &base.reranker {
        Some(name) => format!("by {name}, which compared each with the query"),
        None => "by the similarity of their sentences to the query".to_owned(),
    };
    wording.push(format!(
        "Each point was searched for with six queries, half by words and half by {vectors}. The top results were reordered {order}, and seven per query were kept."
    ));
    wording
}

/// `4 points were compared with 82 papers (none with full text).`
pub(super) fn counts(report: &PointsReport) -> String {
    let base = &report.base;
    let points = words::count(report.points.len(), "point was", "points were");
    let full = match base.full_texts {
        0 => "none with full text".to_owned(),
        some => format!("{some} with full text"),
    };
    format!(
        "{points} compared with {} ({full}).",
        words::count(base.works.len(), "paper", "papers")
    )
}

/// How a paper was found.
pub(super) fn origins(origins: &[BaseOrigin]) -> String {
    let wording: Vec<String> = origins
        .iter()
        .map(|origin| match origin {
            BaseOrigin::Reference { number } => format!("reference {number} of the paper"),
            BaseOrigin::SecondOrder { cited_by } => {
                format!(
                    "cited by {} of the paper",
                    words::count(*cited_by as usize, "reference", "references")
                )
            }
            BaseOrigin::Search { place } => format!("found by search, rank {place}"),
            _ => "found in another way".to_owned(),
        })
        .collect();
    wording.join("; ")
}

/// Date and timing of a paper, and how it was found.
pub(super) fn facts(one: &PointsReference) -> String {
    let mut facts = Vec::new();
    if let Some(dated) = one.work.earliest() {
        facts.push(dated.date.to_string());
    }
    match one.timing {
        Timing::Earlier => {}
        Timing::Undated => facts.push("date unknown".to_owned()),
        Timing::Concurrent | Timing::SameYear | Timing::Later => {
            facts.push("may not be earlier than the paper".to_owned())
        }
    }
    if one.work.extent != Extent::FullText {
        facts.push("title and abstract only".to_owned());
    }
    facts.push(origins(&one.origins));
    facts.join("; ")
}

/// The paper with this number.
pub(super) fn work(report: &PointsReport, number: u32) -> Option<&PointsReference> {
    report.references.iter().find(|one| one.number == number)
}

/// The paper that contains a passage.
pub(super) fn work_of(report: &PointsReport, passage: u32) -> Option<&PointsReference> {
    let passage = report.passages.iter().find(|one| one.number == passage)?;
    work(report, passage.reference)
}

/// How similar a passage is to its point.
pub(super) fn similarity(one: &PointPassage) -> String {
    let share = format!("contains {} of the point's words", words::percent(one.shared));
    match one.probability {
        Some(probability) => format!(
            "{share}; {} probability that its paper states the point",
            words::probability(probability)
        ),
        None => share,
    }
}

/// The title of an earlier paper that states the point nearly word for word.
pub(super) fn known_title<'r>(report: &'r PointsReport, one: &NoveltyPoint) -> Option<&'r str> {
    report.coded_notes.iter().find_map(|note| match note {
        Note::PointKnown { point, title } if *point == one.number => Some(title.as_str()),
        _ => None,
    })
}

/// The passage that decides the level of a point: the most probable similar one, or else the first one shown.
fn deciding_passage(one: &NoveltyPoint) -> Option<&PointPassage> {
    let shown = || one.passages.iter().filter(|one| one.shown);
    // With a model, the passages have no level of their own.
    let similar = shown().filter(|passage| one.analysis.is_none() && passage.similar == Some(true));
    let probability = |one: &PointPassage| one.probability.unwrap_or_default();
    // Of equal ones the first, as in the list.
    similar
        .rev()
        .max_by(|a, b| probability(a).total_cmp(&probability(b)))
        .or_else(|| shown().next())
}

/// The paper closest to a point: the one that states it nearly word for word, or that of the passage that decides its level.
pub(super) fn closest<'r>(report: &'r PointsReport, one: &NoveltyPoint) -> Option<&'r PointsReference> {
    if let Some(title) = known_title(report, one) {
        return report.references.iter().find(|other| other.work.title == title);
    }
    work_of(report, deciding_passage(one)?.passage)
}

/// The level of a point. Only the rules say that it is anticipated; a similarity needs a human reader, whoever found it.
pub(super) fn level(report: &PointsReport, one: &NoveltyPoint) -> ClaimLevel {
    // Reports before version 1.3 do not have the matcher's answer.
    let is_similar = |one: &PointPassage| one.similar.unwrap_or(one.shown);
    let is_not_assessable = |one: &PointPassage| one.similar.is_some() && one.probability.is_none();
    match (known_title(report, one), &one.analysis) {
        (Some(_), _) => ClaimLevel::Anticipated,
        (None, Some(analysis)) if !analysis.similarities.is_empty() => ClaimLevel::Similar,
        (None, _) if report.base.passages == 0 => ClaimLevel::NotCompared,
        (None, None) if one.passages.iter().any(is_similar) => ClaimLevel::Similar,
        (None, None) if !one.passages.is_empty() && one.passages.iter().all(is_not_assessable) => {
            ClaimLevel::NotAssessable
        }
        (None, _) => ClaimLevel::None,
    }
}

/// The reason for the level of a point.
pub(super) fn why_level(report: &PointsReport, one: &NoveltyPoint) -> String {
    if known_title(report, one).is_some() {
        return "nearly word for word in the earlier paper".to_owned();
    }
    if let Some(analysis) = &one.analysis {
        return match analysis.similarities.len() {
            0 => "no similarity could be supported by a quote".to_owned(),
            some => format!(
                "{} and {} supported by quotes",
                words::count(some, "similarity", "similarities"),
                words::count(analysis.differences.len(), "difference", "differences")
            ),
        };
    }
    deciding_passage(one).map_or_else(
        || "no passage shares more than single words".to_owned(),
        |one| format!("closest passage {}", similarity(one)),
    )
}

/// A point in a few lines for a terminal, with the same wording as every other format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointAtAGlance {
    /// The label of its level.
    pub level: &'static str,
    /// `found` if it is anticipated, `reading` if similar work needs review, else another word.
    pub key: &'static str,
    /// The reason for the level.
    pub why: String,
    /// Short name and number of the closest paper; empty if it is not in the report.
    pub citation: String,
    /// Its title. `None` if no paper is similar.
    pub title: Option<String>,
    /// Whether that paper is known to be earlier.
    pub earlier: bool,
    /// Its closest passage, on one line.
    pub passage: Option<String>,
}

/// The points of a report, each as a short overview.
#[must_use]
pub fn points_at_a_glance(report: &PointsReport) -> Vec<PointAtAGlance> {
    let glance = |one: &NoveltyPoint| {
        let level = level(report, one);
        let work = closest(report, one);
        let of_work = |passage: &&PointPassage| {
            let found = work_of(report, passage.passage);
            passage.shown && found.zip(work).is_some_and(|(found, work)| found.number == work.number)
        };
        let nearest = one.passages.iter().find(of_work).and_then(|one| one.nearest.as_ref());
        PointAtAGlance {
            level: level.label(),
            key: level.key(),
            why: why_level(report, one),
            citation: work
                .map(|work| format!("{}[{}]", work.alias, work.number))
                .unwrap_or_default(),
            title: work
                .map(|work| work.work.title.as_str())
                .or_else(|| known_title(report, one))
                .map(|title| one_line(title).into_owned()),
            earlier: work.is_none_or(|work| work.timing == Timing::Earlier),
            passage: nearest.map(|quote| one_line(without_bullet(quote.text())).into_owned()),
        }
    };
    report.points.iter().map(glance).collect()
}

/// What the rules found about whole points, for the findings.
pub(super) fn known_notes(report: &PointsReport) -> Vec<String> {
    let about_points = |note: &&Note| {
        matches!(
            note,
            Note::PointKnown { .. } | Note::NotScored | Note::NoComparisonSurvived
        )
    };
    let notes = report.coded_notes.iter().filter(about_points);
    notes.map(|note| words::sentence(&notes::note(note))).collect()
}

/// The papers in the reference list, by number.
pub(super) fn listed(report: &PointsReport) -> Vec<&PointsReference> {
    report.references.iter().filter(|one| one.listed).collect()
}

/// `3 – Good / Significant`.
pub(super) fn score(score: NoveltyScore) -> String {
    format!("{} – {}", u8::from(score), score.name())
}

/// The location of a corrected sentence.
pub(super) fn place(one: &Correction) -> String {
    let part = match one.part {
        ReportPart::ContentSummary => "the summary of the paper",
        ReportPart::Claimed => "part a)",
        ReportPart::Similarities => "part b)",
        ReportPart::Differences => "part c)",
        ReportPart::Details => "part d)",
        ReportPart::NoveltySummary => "the novelty summary",
    };
    match one.point {
        Some(point) => format!("{part} of point {point}"),
        None => part.to_owned(),
    }
}

/// Why a sentence was corrected.
pub(super) fn why(one: &Correction) -> String {
    let who = match one.by {
        CorrectedBy::Rule => "by rule",
        CorrectedBy::Judge => "by the model, with the source",
    };
    format!("{} ({who})", one.reason.trim_end_matches('.'))
}

/// The result of checking sentences against their sources.
pub(super) fn validation(report: &PointsReport) -> Vec<String> {
    let Some(one) = &report.validation else {
        return Vec::new();
    };
    let mut wording = vec![format!(
        "{} of a sentence and a cited source, {} of them distinct. {} were checked against passages of the source, and {} were correct.",
        words::count(one.pairs, "pair", "pairs"),
        one.distinct,
        one.judged,
        one.right
    )];
    wording.push(match one.corrections.len() {
        0 => "Nothing was corrected or removed.".to_owned(),
        count => format!(
            "{} corrected or removed:",
            words::count(count, "sentence was", "sentences were")
        ),
    });
    wording
}

/// The result of polishing the text.
pub(super) fn polish(report: &PointsReport) -> Option<String> {
    let polish = &report.validation.as_ref()?.polish;
    Some(match polish.accepted {
        true => format!(
            "The text was polished: {} reworded, {} left unchanged. Headings, citations, classes and score did not change.",
            words::count(polish.reworded, "sentence was", "sentences were"),
            polish.left
        ),
        false => format!("The text was not polished: {}.", polish.reason.trim_end_matches('.')),
    })
}

pub(super) const LIMITS: &str = "Not searched or judged";

pub(super) fn cite(work: &PointsReference) -> Line {
    Line::default().cite(&work.alias, work.number)
}
