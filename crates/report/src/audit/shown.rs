//! Wording of audits.

use precedent_domain::{Audit, AuditItem, AuditLimit, AuditOmission, DecidedBy, DimensionAudit, Share};

use crate::words;

/// The overall score as a sentence, or why there is none.
#[must_use]
pub fn overall_score(audit: &Audit) -> String {
    match audit.overall {
        Some(score) => format!("Overall {score:.2} of 10, the mean of the five dimensions."),
        None if audit.analyst == "offline" => {
            "Not scored without a model. Rules answered some questions; choose a model with --model to answer the others.".to_owned()
        }
        None => {
            "No overall score: some questions could not be answered. A dimension has a score only if all its questions were answered."
                .to_owned()
        }
    }
}

/// What the audit could not do, one sentence each.
#[must_use]
pub fn audit_limits(audit: &Audit) -> Vec<String> {
    let limit = |limit: &AuditLimit| {
        match limit {
        AuditLimit::OtherForm => {
            "The report does not have the three sections of the audited form, so questions on its structure are answered no.".to_owned()
        }
        AuditLimit::Shortened { read, of } => {
            format!("The model read the first {} KB of {} KB of the report.", read / 1_000, of / 1_000)
        }
        AuditLimit::TitleNotNamed { title } => {
            format!("The report does not contain the title “{title}”. It may be about another paper, or another version of this one.")
        }
        AuditLimit::NothingSearched => {
            "No prior work was searched, so omitted papers are unknown. Use --corpus or --sources.".to_owned()
        }
        AuditLimit::NoPaper => {
            "The paper was not given, so the report was not compared with it and nothing was searched. Use --paper.".to_owned()
        }
        AuditLimit::DateUnknown => {
            "The paper's date is unknown. Only papers that it cites count as earlier, so only these were checked for omissions. Use --as-of.".to_owned()
        }
        AuditLimit::QueriesUnanswered { source, queries } => format!(
            "{source} did not answer {} in full, so papers may be missing. Repeat the command.",
            words::count(*queries, "query", "queries")
        ),
        AuditLimit::ReferencesNotFound { found, listed } => format!(
            "{found} of {} found in the sources searched. Citations of the others were not checked.",
            words::count(*listed, "reference", "references")
        ),
        _ => "Another limit, which this version cannot name.".to_owned(),
    }
    };
    audit.limits.iter().map(limit).collect()
}

/// How close an omitted paper is.
#[must_use]
pub fn omission_level(one: &AuditOmission) -> String {
    match one.word_for_word {
        true => "states the claim nearly word for word".to_owned(),
        false => format!("{:.0} % of the claim's words in one passage", one.shared * 100.0),
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
    one.score.map_or("not scored".to_owned(), |score| format!("{score:.2}"))
}

/// `yes, by rule`.
pub(super) fn answer(one: &AuditItem) -> String {
    let answer = match one.yes {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not answered",
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
        "offline" => "No model was used: questions were answered by rule or not at all.".to_owned(),
        name if audit.models.iter().all(|one| one.answers == 0) => {
            format!("{name} was called but gave no answer: questions were answered by rule or not at all.")
        }
        name => format!(
            "Rules answered no where they could. {name} answered the other questions where it gave a usable answer."
        ),
    };
    let paper = if audit.evidence.paper {
        "the paper"
    } else {
        "not the paper"
    };
    let works = words::count(audit.evidence.passages, "passage", "passages");
    let works = match audit.evidence.searched {
        Some(found) => format!(
            "{works} of {} that Precedent found for the paper",
            words::count(found, "paper", "papers")
        ),
        None => format!("{works} of other papers"),
    };
    format!(
        "{who} The audit used {works}, and {paper}. A score is ten times the share of questions answered yes. The questions follow the checklist of NoveltyAgent (figures 19 to 23), in other words."
    )
}
