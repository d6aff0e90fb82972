use precedent_domain::{PointClass, UnoriginalKind};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct PointsReadSaid {
    /// 3 to 7 sentences.
    pub(super) summary: Vec<String>,
    /// At most five.
    pub(super) points: Vec<PointSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct PointSaid {
    /// At most 15 words.
    pub(super) name: String,
    pub(super) kind: ClassSaid,
    /// Copied from the paper, at most 40 words.
    pub(super) author_claim_text: String,
    /// At most 60 words.
    pub(super) how: Option<String>,
    /// At most 40 words.
    pub(super) evidence: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ClassSaid {
    Methodological,
    Theoretical,
    System,
    Dataset,
    Empirical,
    Task,
}

impl From<ClassSaid> for PointClass {
    fn from(said: ClassSaid) -> Self {
        match said {
            ClassSaid::Methodological => Self::Methodological,
            ClassSaid::Theoretical => Self::Theoretical,
            ClassSaid::System => Self::System,
            ClassSaid::Dataset => Self::Dataset,
            ClassSaid::Empirical => Self::Empirical,
            ClassSaid::Task => Self::Task,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct PointQueriesSaid {
    pub(super) points: Vec<QueriesOfPoint>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct QueriesOfPoint {
    /// The point's number.
    pub(super) point: u32,
    /// Four of 2 to 4 words.
    pub(super) key_words: Vec<String>,
    /// Two of 4 to 6 words.
    pub(super) phrases: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct ComparedSaid {
    pub(super) claimed: Vec<SentenceSaid>,
    pub(super) similarities: Vec<SentenceSaid>,
    pub(super) differences: Vec<SentenceSaid>,
    pub(super) details: Vec<SentenceSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct SentenceSaid {
    /// One sentence.
    pub(super) text: String,
    /// At most two.
    #[serde(default)]
    pub(super) cites: Vec<CiteSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct CiteSaid {
    /// The passage's number.
    pub(super) passage: u32,
    /// Copied from the passage.
    pub(super) words: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct ConcludedSaid {
    pub(super) character: Vec<String>,
    pub(super) innovations: Vec<InnovationSaid>,
    pub(super) unoriginal: Vec<UnoriginalSaid>,
    pub(super) one_line: String,
    /// 1 to 4.
    pub(super) score: u8,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct InnovationSaid {
    /// The point's number.
    pub(super) point: u32,
    pub(super) sentences: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct UnoriginalSaid {
    /// The point's number.
    pub(super) point: u32,
    pub(super) kind: UnoriginalKind,
    pub(super) sentences: Vec<String>,
    /// One sentence.
    pub(super) suggestion: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(in super::super) struct ValidatedSaid {
    pub(in super::super) claims: Vec<ClaimJudged>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(in super::super) struct ClaimJudged {
    /// The claim's number.
    pub(in super::super) claim: u32,
    pub(in super::super) verdict: Judgement,
    #[serde(default)]
    pub(in super::super) reason: String,
    #[serde(default)]
    pub(in super::super) correction: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum Judgement {
    Correct,
    Incorrect,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct RewordedSaid {
    pub(super) lines: Vec<LineReworded>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(super) struct LineReworded {
    /// The number of the line or sentence.
    pub(super) number: u32,
    pub(super) text: String,
}
