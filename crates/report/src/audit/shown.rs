//! Wording of audits.

use precedent_domain::{Audit, AuditItem, DecidedBy, DimensionAudit, Share};

use crate::words;

/// Shown if an item has no answer.
pub(super) const NO_SCORE: &str =
    "No overall score: some items could not be decided. A dimension has a score only if all its items were decided.";

/// The overall score as a sentence.
pub(super) fn overall(audit: &Audit) -> String {
    match audit.overall {
        Some(score) => format!("Overall {score:.2} of 10, the mean of the five dimensions."),
        None => NO_SCORE.to_owned(),
    }
}

/// The title of the audited report.
pub(super) fn title(audit: &Audit) -> &str {
    audit.title.as_deref().unwrap_or("a report without a title")
}

/// The name of a dimension as a heading.
pub(super) fn dimension(one: &DimensionAudit) -> String {
    words::sentence(one.dimension.name()).trim_end_matches('.').to_owned()
}

/// The score of a dimension.
pub(super) fn score(one: &DimensionAudit) -> String {
    one.score.map_or("not given".to_owned(), |score| format!("{score:.2}"))
}

/// `yes, by rule`.
pub(super) fn answer(one: &AuditItem) -> String {
    let answer = match one.yes {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not decided",
    };
    let by = match one.decided_by {
        DecidedBy::Rule => ", by rule",
        DecidedBy::Model => ", by the model",
        DecidedBy::Nobody => "",
    };
    format!("{answer}{by}")
}

/// The CSS class of an answer. Each has its own shape, so that nothing depends on colour alone.
pub(super) fn key(one: &AuditItem) -> &'static str {
    match one.yes {
        Some(true) => "clear",
        Some(false) => "found",
        None => "none",
    }
}

fn share(share: &Share) -> String {
    format!(
        "{:.1} % ({} of {}; 95 % interval {:.1} to {:.1} %)",
        share.percent, share.part, share.of, share.low, share.high
    )
}

/// The results on citations, one line each.
pub(super) fn citations(audit: &Audit) -> Vec<String> {
    let one = &audit.citations;
    let mut lines = vec![format!(
        "{} with citations; {} of {} citations resolve to the list of {}, {} of them listed twice.",
        words::count(one.sentences, "sentence", "sentences"),
        one.resolved,
        one.pairs,
        words::count(one.listed, "reference", "references"),
        one.doubles
    )];
    for (name, measured) in [
        ("Cited quotes found in the passage named", &one.located),
        (
            "Citation accuracy (the cited paper supports the sentence)",
            &one.accuracy,
        ),
        ("Faithfulness to the cited papers", &one.works_faithfulness),
        ("Faithfulness to the paper", &one.paper_faithfulness),
    ] {
        if let Some(measured) = measured {
            lines.push(format!("{name}: {}.", share(measured)));
        }
    }
    lines
}

/// Describes how the audit was made.
pub(super) fn about(audit: &Audit) -> String {
    let who = match audit.analyst.as_str() {
        "offline" => "No model was used: items are decided by rule or not at all.".to_owned(),
        name if audit.models.iter().all(|one| one.answers == 0) => {
            format!(
                "{name} was called for items without a rule but gave no answer: items are decided by rule or not at all."
            )
        }
        name => format!("Items without a rule were decided by {name} where it gave a usable answer."),
    };
    let paper = if audit.evidence.paper {
        "the paper"
    } else {
        "not the paper"
    };
    format!(
        "{who} The audit could read {} of the papers, and {paper}. A score is ten times the share of items answered yes.",
        words::count(audit.evidence.passages, "passage", "passages")
    )
}
