//! What a rule sees and returns.

use std::collections::BTreeMap;

use precedent_domain::{AuditOmission, PointsReport, QuotableDocument};
use precedent_language::wording::word_count;
use precedent_text::pattern;

use super::report::ReportText;

/// Result of a rule: the answer with its reason, or why the rule cannot decide.
pub(super) type Ruling = Result<(bool, String), String>;

/// The material for rules.
pub(super) struct Open<'a> {
    pub(super) report: &'a ReportText,
    /// The report as data, if it is one of ours.
    pub(super) data: Option<&'a PointsReport>,
    pub(super) paper: Option<&'a QuotableDocument>,
    /// What a search for the paper found.
    pub(super) found: Option<&'a PointsReport>,
    /// The number in the literature of each reference of the report.
    pub(super) numbers: &'a BTreeMap<u32, u32>,
    /// Close earlier papers that the report does not mention.
    pub(super) omissions: &'a [AuditOmission],
}

pub(super) fn yes(why: impl Into<String>) -> Ruling {
    Ok((true, why.into()))
}

pub(super) fn no(why: impl Into<String>) -> Ruling {
    Ok((false, why.into()))
}

/// The first words of a sentence, for use in a reason.
pub(super) fn head(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(10).collect();
    words.join(" ")
}

/// Whether a part says that there is nothing to report.
pub(super) fn says_nothing(text: &str) -> bool {
    let nothing = pattern!(
        r"(?i)\bno\s+(?:\w+\s+){0,3}(?:similarit|differenc)[a-z]*|\bnothing\s+in\s+common\b|\b(?:were|was)\s+not\s+specified\b|\bno\s+difference\b"
    );
    word_count(text) < 30 && nothing.is_match(text)
}
