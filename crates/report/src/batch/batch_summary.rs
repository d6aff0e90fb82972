use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::formats::json::{schema_of, written};
use crate::plain::without_paths;
use crate::{ClaimSummary, HtmlRenderer, PaperSummary, Renderer, ReportError, words};

use super::{csv, html};

/// Version of `summary.json`.
const BATCH_SCHEMA_VERSION: &str = "1.1";

/// The results of a batch, in the order of its papers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BatchSummary {
    /// Version of this format.
    pub schema_version: String,
    /// One entry per paper.
    pub papers: Vec<BatchPaper>,
}

/// One paper of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BatchPaper {
    /// The paper's file name, or what was given instead.
    pub paper: String,
    /// Folder of its run, next to this file. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// How its run ended.
    pub status: BatchStatus,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its area, if the site of a venue has areas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
    /// Files of its report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Its findings. Absent if it failed or is still to be done.
    #[serde(flatten)]
    pub summary: Option<PaperSummary>,
}

/// How the run of a paper ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BatchStatus {
    /// Finished.
    Complete,
    /// Finished, but calls of the model failed.
    Incomplete,
    /// Finished, but nothing could be searched.
    NothingSearched,
    /// Stopped by the budget.
    OverBudget,
    /// Failed, with an error.
    Failed,
    /// Not done yet.
    Waiting,
}

impl BatchStatus {
    /// In words.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Incomplete => "incomplete: calls of the model failed",
            Self::NothingSearched => "nothing was searched",
            Self::OverBudget => "partial: the budget ran out",
            Self::Failed => "failed",
            Self::Waiting => "not done yet",
        }
    }
}

impl BatchSummary {
    /// What is missing because of a model or its budget. `None` if nothing is.
    #[must_use]
    pub fn incomplete(&self) -> Option<String> {
        let of = |status, what: &str| {
            let papers = self.papers.iter().filter(|one| one.status == status).count();
            (papers > 0).then(|| format!("{what} for {}", words::count(papers, "paper", "papers")))
        };
        let parts = [
            of(BatchStatus::Incomplete, "calls of the model failed"),
            of(BatchStatus::OverBudget, "the budget ended"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("Incomplete: {}.", parts.join(", and ")))
    }

    /// A summary of these papers. Errors lose the folders of local paths.
    #[must_use]
    pub fn new(mut papers: Vec<BatchPaper>) -> Self {
        for one in &mut papers {
            if let Some(error) = &mut one.error {
                *error = without_paths(error);
            }
        }
        Self {
            schema_version: BATCH_SCHEMA_VERSION.to_owned(),
            papers,
        }
    }

    /// The files of the index: names and bytes. The same summary gives the same bytes.
    ///
    /// # Errors
    /// When a page cannot be rendered; never because of the content of a paper.
    pub fn files(&self) -> Result<Vec<(&'static str, Vec<u8>)>, ReportError> {
        Ok(vec![
            ("index.html", html::html(self, HtmlRenderer.format())?),
            ("summary.csv", self.csv().into_bytes()),
            ("summary.json", written(self)?),
        ])
    }

    /// The content of `summary.csv`: one line for each claim.
    #[must_use]
    pub fn csv(&self) -> String {
        csv::csv(self)
    }

    /// Every claim with its paper, most similar prior work first.
    pub(super) fn claims(&self) -> Vec<(&BatchPaper, &ClaimSummary)> {
        let mut all = Vec::new();
        for paper in &self.papers {
            let claims = paper.summary.iter().flat_map(|one| &one.claims);
            all.extend(claims.map(|claim| (paper, claim)));
        }
        // Stable, so claims of the same level and probability keep the order of the papers.
        all.sort_by(|(_, a), (_, b)| {
            let probability = |one: &ClaimSummary| one.closest.first().and_then(|paper| paper.probability);
            let (left, right) = (probability(a).unwrap_or(-1.0), probability(b).unwrap_or(-1.0));
            a.level.cmp(&b.level).then(right.total_cmp(&left))
        });
        all
    }
}

/// The JSON Schema of `summary.json`.
#[must_use]
pub fn batch_schema() -> Value {
    schema_of::<BatchSummary>("batch", "batch summary", BATCH_SCHEMA_VERSION)
}
