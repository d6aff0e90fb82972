//! What stands in every format of a report on points, in words.

use precedent_domain::{
    BaseOrigin, CorrectedBy, Correction, Extent, NoveltyPoint, NoveltyScore, PointPassage, PointsReference,
    PointsReport, ReportPart, Timing,
};

use crate::words;

/// The three sections of the published form.
pub(super) const SECTIONS: [&str; 3] = [
    "1. Paper Content Summary",
    "2. Point-wise Novelty Analysis",
    "3. Novelty Summary",
];
/// The parts of a point, as the published form heads them.
pub(super) const PARTS: [&str; 4] = [
    "a) Claimed novelty",
    "b) Similarities",
    "c) Unique Differences",
    "d) Details of Unique Differences",
];
/// What stands where no model wrote the summary.
pub(super) const NO_SUMMARY: &str = "No model took part. The paper says of itself:";
/// What stands where no model compared.
pub(super) const NOT_COMPARED: &str = "No model took part: the passages shown are those nearest to the point, as far as words tell. What they take away only reading decides.";
/// What stands where the model's comparison could not be used.
pub(super) const NOT_USABLE: &str =
    "The model gave no usable comparison for this point. The passages nearest to it are shown.";
/// What stands where no model summed up.
pub(super) const NO_SCORE: &str = "No model took part: nothing is summed up, and no score is given.";
/// The same where one took part.
pub(super) const NO_USABLE_SCORE: &str = "The model gave no usable summary; no score is given.";
/// Part b) where nothing was found.
pub(super) const NO_SIMILARITIES: &str =
    "The passages shown have nothing in common with this point that could be backed by their words.";
/// Part c) where nothing was found.
pub(super) const NO_DIFFERENCES: &str = "No difference from the passages shown could be backed by their words.";
/// Where only works that are not surely earlier come near.
pub(super) const NONE_EARLIER: &str = "No passage of a surely earlier work comes near.";
/// Where nothing came near.
pub(super) const NO_PASSAGE: &str =
    "No passage of the works that were searched shares more than single words with this point.";

/// Whether a model took part.
pub(super) fn by_model(report: &PointsReport) -> bool {
    report.metadata.analyst != "offline"
}

/// `2.1. Novelty Point 1: a line code`.
pub(super) fn point_heading(point: &NoveltyPoint) -> String {
    format!("2.{0}. Novelty Point {0}", point.number)
}

/// What was looked through, in sentences with figures.
pub(super) fn base(report: &PointsReport) -> Vec<String> {
    let base = &report.base;
    let works = base.works.len();
    let mut said = vec![format!(
        "{} in {}, {} with full text.",
        words::count(base.passages, "passage", "passages"),
        words::count(works, "work", "works"),
        base.full_texts
    )];
    if base.listed_references > 0 {
        said.push(format!(
            "Of the paper's {}, {} found in what was searched; {} came by search alone.",
            words::count(base.listed_references, "reference", "references"),
            if base.found_references == 1 {
                "1 was".to_owned()
            } else {
                format!("{} were", base.found_references)
            },
            words::count(base.by_search, "work", "works")
        ));
    } else {
        said.push(format!(
            "{} came by search.",
            words::count(base.by_search, "work", "works")
        ));
    }
    if base.second_order > 0 {
        said.push(format!(
            "{} came because references of the paper cite them.",
            words::count(base.second_order, "work", "works")
        ));
    }
    let vectors = match &base.embedder {
        Some(name) => format!("by vectors of {name}"),
        None => "by vectors".to_owned(),
    };
    let order = match &base.reranker {
        Some(name) => format!("by {name}, which read them beside the query"),
        None => "by how near single sentences of theirs come to the query".to_owned(),
    };
    said.push(format!(
        "Each point was looked for with six queries, by words and {vectors}, half and half; the best of each were put in order anew {order}, and seven a query were kept."
    ));
    said
}

/// How a work came.
pub(super) fn origins(origins: &[BaseOrigin]) -> String {
    let said: Vec<String> = origins
        .iter()
        .map(|origin| match origin {
            BaseOrigin::Reference { number } => format!("reference {number} of the paper"),
            BaseOrigin::SecondOrder { cited_by } => {
                format!(
                    "cited by {} of the paper",
                    words::count(*cited_by as usize, "reference", "references")
                )
            }
            BaseOrigin::Search { place } => format!("found by search, place {place}"),
            _ => "found otherwise".to_owned(),
        })
        .collect();
    said.join("; ")
}

/// Date and standing of a work, and how it came.
pub(super) fn facts(one: &PointsReference) -> String {
    let mut facts = Vec::new();
    if let Some(dated) = one.work.earliest() {
        facts.push(dated.date.to_string());
    }
    match one.timing {
        Timing::Earlier => {}
        Timing::Undated => facts.push("no date is known".to_owned()),
        Timing::Concurrent | Timing::Later => facts.push("not surely earlier than the paper".to_owned()),
    }
    if one.work.extent != Extent::FullText {
        facts.push("known by title and abstract only".to_owned());
    }
    facts.push(origins(&one.origins));
    facts.join("; ")
}

/// The work of this number.
pub(super) fn work(report: &PointsReport, number: u32) -> Option<&PointsReference> {
    report.references.iter().find(|one| one.number == number)
}

/// The work that a passage stands in.
pub(super) fn work_of(report: &PointsReport, passage: u32) -> Option<&PointsReference> {
    let passage = report.passages.iter().find(|one| one.number == passage)?;
    work(report, passage.reference)
}

/// How near a passage stands to its point.
pub(super) fn nearness(one: &PointPassage) -> String {
    format!("has {} of the point's words", words::percent(one.shared))
}

/// The works that the list of references has, by number.
pub(super) fn listed(report: &PointsReport) -> Vec<&PointsReference> {
    report.references.iter().filter(|one| one.listed).collect()
}

/// `3 – Good / Significant`.
pub(super) fn score(score: NoveltyScore) -> String {
    format!("{} – {}", u8::from(score), score.name())
}

/// Where a sentence stood.
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

/// Why a sentence was mended.
pub(super) fn why(one: &Correction) -> String {
    let who = match one.by {
        CorrectedBy::Rule => "by rule",
        CorrectedBy::Judge => "by the model, beside the source",
    };
    format!("{} ({who})", one.reason.trim_end_matches('.'))
}

/// What came of holding sentences against their sources, in sentences.
pub(super) fn validation(report: &PointsReport) -> Vec<String> {
    let Some(one) = &report.validation else {
        return Vec::new();
    };
    let mut said = vec![format!(
        "{} of a sentence and a source that it cites, {} of them different; {} were judged beside passages of their source, {} found right.",
        words::count(one.pairs, "pair", "pairs"),
        one.distinct,
        one.judged,
        one.right
    )];
    said.push(match one.corrections.len() {
        0 => "Nothing was mended or taken out.".to_owned(),
        count => format!(
            "{} mended or taken out:",
            words::count(count, "sentence was", "sentences were")
        ),
    });
    said
}

/// What came of polishing.
pub(super) fn polish(report: &PointsReport) -> Option<String> {
    let polish = &report.validation.as_ref()?.polish;
    Some(match polish.accepted {
        true => format!(
            "The text was polished: {} worded anew, {} left as they were. Headings, citations, classes and score are the same as before.",
            words::count(polish.reworded, "sentence was", "sentences were"),
            polish.left
        ),
        false => format!("The unpolished text stands: {}.", polish.reason.trim_end_matches('.')),
    })
}
