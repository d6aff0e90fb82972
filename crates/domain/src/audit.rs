use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ModelUse, SentRecord};

/// Version of the shape of [`Audit`]. A change of meaning or a removal raises the first number.
pub const AUDIT_SCHEMA_VERSION: &str = "1.0";

/// How well a report on points is made, item by item (NoveltyAgent, 3.4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Audit {
    /// [`AUDIT_SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: String,
    /// The report's title, where it has one.
    pub title: Option<String>,
    /// Whether passages of the works, and the paper, lay open.
    pub evidence: AuditEvidence,
    /// The five dimensions.
    pub dimensions: Vec<DimensionAudit>,
    /// The mean of the five scores; `None` where any of them is.
    pub overall: Option<f64>,
    /// What came of its citations.
    pub citations: CitationAudit,
    /// Version of the program.
    pub program_version: String,
    /// Who judged what no rule decides: `offline` for nobody, or `provider:name`.
    pub analyst: String,
    /// What was asked of models; empty when none took part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelUse>,
    /// What left the machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<SentRecord>,
}

/// What lay open for the audit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditEvidence {
    /// Passages of works that came with the report.
    pub passages: usize,
    /// Whether the paper's text was given.
    pub paper: bool,
}

/// A side on which a report is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditDimension {
    /// How it reads.
    Fluency,
    /// Whether it keeps to its form and its matter.
    Effectiveness,
    /// Whether anything is missing.
    Completeness,
    /// Whether it says what its sources say.
    Faithfulness,
    /// Whether it goes below the surface.
    Depth,
}

impl AuditDimension {
    /// Every dimension with the number of its items (NoveltyAgent, A.2), in the order of the report.
    pub const ALL: [(Self, usize); 5] = [
        (Self::Fluency, 11),
        (Self::Effectiveness, 13),
        (Self::Completeness, 18),
        (Self::Faithfulness, 14),
        (Self::Depth, 13),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fluency => "fluency",
            Self::Effectiveness => "effectiveness",
            Self::Completeness => "completeness",
            Self::Faithfulness => "faithfulness",
            Self::Depth => "depth",
        }
    }
}

/// One dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionAudit {
    /// Which.
    pub dimension: AuditDimension,
    /// Its items.
    pub items: Vec<AuditItem>,
    /// Items answered yes.
    pub yes: usize,
    /// Items answered at all.
    pub decided: usize,
    /// Ten times the share of yes; `None` where an item could not be decided.
    pub score: Option<f64>,
}

/// One question, with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditItem {
    /// `fluency.1`.
    pub id: String,
    /// What it belongs to within its dimension.
    pub group: String,
    /// What is asked; yes is the better answer.
    pub question: String,
    /// The answer; `None` where nobody could decide.
    pub yes: Option<bool>,
    /// Who decided.
    pub decided_by: DecidedBy,
    /// What decided, or why nobody could.
    pub reason: String,
}

/// Who decided an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// A rule.
    Rule,
    /// A model.
    Model,
    /// Nobody.
    Nobody,
}

/// What came of a report's citations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CitationAudit {
    /// Sentences that cite.
    pub sentences: usize,
    /// Pairs of a sentence and a work that it cites.
    pub pairs: usize,
    /// Of those, pairs whose work stands in the list of references.
    pub resolved: usize,
    /// Works in the list.
    pub listed: usize,
    /// Of those, works listed before under another number.
    pub doubles: usize,
    /// Where the report came with its quotes: citations whose words stand in the passage they name.
    pub located: Option<Share>,
    /// Share of the pairs that the work supports, where a model judged them.
    pub accuracy: Option<Share>,
    /// Share of the items on faithfulness to the works answered yes; only where all were decided.
    pub works_faithfulness: Option<Share>,
    /// The same for the paper.
    pub paper_faithfulness: Option<Share>,
    /// Citations that lead nowhere, in words; the first twenty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<String>,
}

/// A share with what chance leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// How many.
    pub part: usize,
    /// Of how many.
    pub of: usize,
    /// In per cent.
    pub percent: f64,
    /// The lower end of the 95 % interval (Wilson), in per cent.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Share {
    /// `part` of `of`; `None` of nothing.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of items and citations")]
    pub fn of(part: usize, of: usize) -> Option<Self> {
        const Z: f64 = 1.959_964;
        if of == 0 || part > of {
            return None;
        }
        let (n, p) = (of as f64, part as f64 / of as f64);
        let middle = p + Z * Z / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        let percent = |share: f64| (share.clamp(0.0, 1.0) * 1_000.0).round() / 10.0;
        Some(Self {
            part,
            of,
            percent: percent(p),
            low: percent((middle - spread) / scale),
            high: percent((middle + spread) / scale),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_knows_what_chance_leaves_open() {
        let share = Share::of(7, 7).unwrap();
        assert_eq!((share.percent, share.high), (100.0, 100.0));
        assert!((share.low - 64.6).abs() < 0.2, "{share:?}");
        assert_eq!(Share::of(0, 0), None);
        assert_eq!(Share::of(2, 1), None);
    }
}
