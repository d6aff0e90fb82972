use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ModelUse, Quote, SentRecord};

/// Version of the [`Audit`] schema. A change of meaning or a removal increments the major version.
pub const AUDIT_SCHEMA_VERSION: &str = "1.1";

/// The quality of a report on the novelty of a paper, item by item (NoveltyAgent, 3.4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Audit {
    /// [`AUDIT_SCHEMA_VERSION`] of the program that wrote this value.
    pub schema_version: String,
    /// The title of the report, if it has one.
    pub title: Option<String>,
    /// The evidence that was available: passages of papers, and the paper itself.
    pub evidence: AuditEvidence,
    /// What the audit could not do, or could do only in part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<AuditLimit>,
    /// Earlier papers close to the paper's claims that the report does not mention, by claim, closest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<AuditOmission>,
    /// The five dimensions.
    pub dimensions: Vec<DimensionAudit>,
    /// The mean of the five scores; `None` if any of them is.
    pub overall: Option<f64>,
    /// Statistics of its citations.
    pub citations: CitationAudit,
    /// Version of the program.
    pub program_version: String,
    /// What judged the items that no rule decides: `offline` for nothing, or `provider:name`.
    pub analyst: String,
    /// Model requests; empty without a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelUse>,
    /// What was sent to other machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<SentRecord>,
}

/// The evidence that was available for the audit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditEvidence {
    /// Passages of other papers, which came with the report or were found for the audit.
    pub passages: usize,
    /// Whether the paper's text was given.
    pub paper: bool,
    /// Papers found for the audit by searching for the paper's references, topic and claims; absent if nothing was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searched: Option<usize>,
}

/// An earlier paper that a report should mention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditOmission {
    /// Its title.
    pub title: String,
    /// Its first author's name and its year, if known.
    pub alias: String,
    /// The paper's claim that it is close to.
    pub claim: Quote,
    /// The passage of the earlier paper.
    pub passage: Quote,
    /// Share of the claim's words, by weight, in the passage, 0 to 1.
    pub shared: f64,
    /// Whether the earlier paper states the claim nearly word for word. Then three questions on similarities are answered no.
    pub word_for_word: bool,
}

/// What an audit could not do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum AuditLimit {
    /// The report does not have the three sections, so the rules read it as running text.
    OtherForm,
    /// The report is longer than what a model reads.
    Shortened {
        /// Bytes that a model reads.
        read: usize,
        /// Bytes of the report.
        of: usize,
    },
    /// The report does not name the title of the paper. It may be about another paper or version.
    TitleNotNamed {
        /// The title of the paper.
        title: String,
    },
    /// No corpus or service was searched, so papers that the report omits are unknown.
    NothingSearched,
    /// The paper was not given, so nothing could be searched or compared with it.
    NoPaper,
    /// The paper's date is unknown. Only papers that it cites count as earlier, so only these were checked for omissions.
    DateUnknown,
    /// A source did not answer all queries, so papers may be missing.
    QueriesUnanswered {
        /// The name of the source.
        source: String,
        /// Number of queries without a complete answer.
        queries: usize,
    },
    /// Some references of the report are not among the papers found, so sentences that cite them were not checked.
    ReferencesNotFound {
        /// References that were found.
        found: usize,
        /// References listed.
        listed: usize,
    },
}

/// An aspect that a report is judged on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditDimension {
    /// Quality of the language.
    Fluency,
    /// Whether it keeps to its format and its subject.
    Effectiveness,
    /// Whether anything is missing.
    Completeness,
    /// Whether it agrees with its sources.
    Faithfulness,
    /// Whether it goes into depth.
    Depth,
}

impl AuditDimension {
    /// Every dimension with its number of items (NoveltyAgent, A.2), in the order of the report.
    pub const ALL: [(Self, usize); 5] = [
        (Self::Fluency, 11),
        (Self::Effectiveness, 13),
        (Self::Completeness, 18),
        (Self::Faithfulness, 14),
        (Self::Depth, 13),
    ];

    /// The name.
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
    /// The dimension.
    pub dimension: AuditDimension,
    /// Its items.
    pub items: Vec<AuditItem>,
    /// Items answered with yes.
    pub yes: usize,
    /// Items answered with yes or no.
    pub decided: usize,
    /// Ten times the share of yes; `None` if an item could not be decided.
    pub score: Option<f64>,
}

/// One question, with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditItem {
    /// `fluency.1`.
    pub id: String,
    /// The group within the dimension.
    pub group: String,
    /// The question; yes is the better answer.
    pub question: String,
    /// The answer; `None` if it could not be decided.
    pub yes: Option<bool>,
    /// What decided.
    pub decided_by: DecidedBy,
    /// The reason for the answer, or why there is none.
    pub reason: String,
}

/// What decided an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// A rule.
    Rule,
    /// A model.
    Model,
    /// Not decided.
    Nobody,
}

/// Statistics of the citations of a report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CitationAudit {
    /// Sentences with citations.
    pub sentences: usize,
    /// Pairs of a sentence and a work it cites.
    pub pairs: usize,
    /// Of those, pairs whose work is in the reference list.
    pub resolved: usize,
    /// Works in the reference list.
    pub listed: usize,
    /// Of those, works already listed under another number.
    pub doubles: usize,
    /// If the report came with its quotes: citations whose words appear in the cited passage.
    pub located: Option<Share>,
    /// Share of the pairs that the work supports, if a model judged them.
    pub accuracy: Option<Share>,
    /// Share of items on faithfulness to the works answered with yes; only if all were decided.
    pub works_faithfulness: Option<Share>,
    /// The same for the paper.
    pub paper_faithfulness: Option<Share>,
    /// Citations that could not be resolved, in words; the first twenty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<String>,
}

/// A share with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The numerator.
    pub part: usize,
    /// The denominator.
    pub of: usize,
    /// In percent.
    pub percent: f64,
    /// The lower end of the 95 % interval (Wilson), in percent.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Share {
    /// The share `part` of `of`; `None` if `of` is zero.
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
    fn a_share_has_a_confidence_interval() {
        let share = Share::of(7, 7).unwrap();
        assert_eq!((share.percent, share.high), (100.0, 100.0));
        assert!((share.low - 64.6).abs() < 0.2, "{share:?}");
        assert_eq!(Share::of(0, 0), None);
        assert_eq!(Share::of(2, 1), None);
    }
}
