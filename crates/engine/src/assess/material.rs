use precedent_domain::{Contribution, Paper};
use serde::{Deserialize, Serialize};

use crate::assess::analysis::Analysis;
use crate::retrieve::search::SearchOutcome;

/// What is judged: the paper, its claims, and the works found.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The paper.
    pub paper: &'a Paper,
    /// Its core task.
    pub topic: Option<&'a str>,
    /// Its claims.
    pub claims: &'a [Contribution],
    /// The works with their texts.
    pub found: &'a SearchOutcome,
}

/// The analysis after the analyst has judged it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The comparison stages, with the analyst's answers in place of the program's.
    pub analysis: Analysis,
    /// The survey in two paragraphs.
    pub narrative: Option<Vec<String>>,
    /// The findings, in three or four paragraphs.
    pub overall: Option<Vec<String>>,
}

impl Judged {
    /// The program's analysis, with nothing added.
    #[must_use]
    pub fn by_program(analysis: Analysis) -> Self {
        Self {
            analysis,
            narrative: None,
            overall: None,
        }
    }
}
