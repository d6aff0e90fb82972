use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EvidenceKind, Quote};

/// What a document found says on one field of its report (InnoEval, 3.1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedField {
    /// The field.
    pub field: ReportField,
    /// A sentence or two, in a model's words; empty if the report prints no sentences by a model.
    pub text: String,
    /// The words of the document that it is based on, located; never empty.
    pub quotes: Vec<Quote>,
}

/// A field of the report on a document. Papers have all but the summary, pages and repositories only the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportField {
    /// What it contains.
    Summary,
    /// The idea in a sentence or two.
    BasicIdea,
    /// Why the work was done.
    Motivation,
    /// The question that it answers.
    ResearchQuestion,
    /// How it works.
    Method,
    /// Data, measures and comparisons.
    ExperimentalSetting,
    /// What was found.
    Results,
}

impl ReportField {
    /// The fields of a document of this kind, in order.
    #[must_use]
    pub fn of(kind: EvidenceKind) -> &'static [Self] {
        match kind {
            EvidenceKind::Literature => &[
                Self::BasicIdea,
                Self::Motivation,
                Self::ResearchQuestion,
                Self::Method,
                Self::ExperimentalSetting,
                Self::Results,
            ],
            EvidenceKind::Web | EvidenceKind::Code => &[Self::Summary],
        }
    }

    /// The name in running text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::BasicIdea => "basic idea",
            Self::Motivation => "motivation",
            Self::ResearchQuestion => "research question",
            Self::Method => "method",
            Self::ExperimentalSetting => "experimental setting",
            Self::Results => "results",
        }
    }
}
