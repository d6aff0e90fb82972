//! A line of a batch of ideas, and why it failed.

use std::collections::BTreeMap;

use precedent_engine::domain::Facet;
use precedent_engine::idea::LabelledWork;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Error kind of an idea for which every source failed.
pub(super) const NOTHING_SEARCHED: &str = "nothing_searched";
/// Error kind of a line that cannot be read.
pub(super) const BAD_LINE: &str = "bad_line";
/// Maximum length of a line, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// An input line. A review uses only the idea and its id.
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

/// Why a line failed.
#[derive(Debug, Serialize)]
pub(super) struct LineError {
    pub(super) kind: &'static str,
    pub(super) message: String,
}

impl InputLine {
    /// Parses the line with this number.
    pub(super) fn parse(number: usize, line: &str) -> Result<Self, LineError> {
        let bad = |why: String| LineError {
            kind: BAD_LINE,
            message: format!("failed to read line {number}: {why}"),
        };
        if line.len() > LONGEST_LINE {
            return Err(bad(format!("it is longer than {LONGEST_LINE} bytes")));
        }
        serde_json::from_str(line).map_err(|error| bad(error.to_string()))
    }
}

/// The lines with text, with their numbers from 1.
pub(super) fn numbered(text: &str) -> Vec<(usize, String)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| (number, line.to_owned()))
        .collect()
}
