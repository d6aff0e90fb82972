//! A line of a batch of ideas, and why it failed.

use std::collections::BTreeMap;

use precedent_engine::domain::{Facet, ReadWarning};
use precedent_engine::idea::LabelledWork;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::input::hidden_in;

/// Error kind of an idea for which every source failed.
pub(super) const NOTHING_SEARCHED: &str = "nothing_searched";
/// Error kind of a line that cannot be read.
pub(super) const BAD_LINE: &str = "bad_line";
/// Maximum length of a line, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// An input line of a batch of checks.
#[derive(Debug, Deserialize)]
pub(super) struct InputLine {
    #[serde(default)]
    pub(super) id: Option<Value>,
    #[serde(alias = "text")]
    pub(super) idea: String,
    #[serde(default)]
    pub(super) facets: BTreeMap<Facet, String>,
    #[serde(default, alias = "works")]
    pub(super) papers: Option<Vec<LabelledWork>>,
}

/// An input line of a batch of reviews. Other fields change nothing.
#[derive(Debug, Deserialize)]
pub(super) struct LineToReview {
    #[serde(default)]
    pub(super) id: Value,
    #[serde(alias = "text")]
    pub(super) idea: String,
}

/// Why a line failed.
#[derive(Debug, Serialize)]
pub(super) struct LineError {
    pub(super) kind: &'static str,
    pub(super) message: String,
}

/// Parses the line with this number.
pub(super) fn parse<T: DeserializeOwned>(number: usize, line: &str) -> Result<T, LineError> {
    let bad = |why: String| LineError {
        kind: BAD_LINE,
        message: format!("failed to read line {number}: {why}"),
    };
    if line.len() > LONGEST_LINE {
        return Err(bad(format!("it is longer than {LONGEST_LINE} bytes")));
    }
    serde_json::from_str(line).map_err(|error| bad(error.to_string()))
}

/// The warnings about text that is hidden in the ideas of these lines. Ideas leave it out when they are read.
pub(super) fn hidden_in_lines(lines: &[(usize, String)]) -> Vec<ReadWarning> {
    let of_line = |(number, line): &(usize, String)| {
        let hidden = parse::<LineToReview>(*number, line).map(|line| hidden_in(&line.idea));
        let with_number = |warning: ReadWarning| ReadWarning {
            message: format!("line {number}: {}", warning.message),
            ..warning
        };
        hidden
            .unwrap_or_default()
            .into_iter()
            .map(with_number)
            .collect::<Vec<_>>()
    };
    lines.iter().flat_map(of_line).collect()
}

/// The lines with text, with their numbers from 1.
pub(super) fn numbered(text: &str) -> Vec<(usize, String)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| (number, line.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facets_and_papers_of_a_line_change_nothing_in_a_review() {
        let line = r#"{"id": 3, "idea": "Ropes.", "facets": ["purpose"], "papers": "none"}"#;
        let found: LineToReview = parse(1, line).unwrap();
        assert_eq!((found.id, found.idea.as_str()), (Value::from(3), "Ropes."));
        assert!(parse::<InputLine>(1, line).is_err());
        assert!(parse::<LineToReview>(1, r#"{"idea": "Ropes."}"#).unwrap().id.is_null());
    }
}
