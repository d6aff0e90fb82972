use precedent_domain::{PointClass, UnoriginalKind};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PointsReadSaid {
    /// 3 to 7 sentences.
    pub(crate) summary: Vec<String>,
    /// At most five.
    pub(crate) points: Vec<PointSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PointSaid {
    /// At most 15 words.
    pub(crate) name: String,
    pub(crate) kind: ClassSaid,
    /// Copied from the paper, at most 40 words.
    pub(crate) author_claim_text: String,
    /// At most 60 words.
    pub(crate) how: Option<String>,
    /// At most 40 words.
    pub(crate) evidence: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClassSaid {
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
pub(crate) struct PointQueriesSaid {
    pub(crate) points: Vec<QueriesOfPoint>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct QueriesOfPoint {
    /// The point's number.
    pub(crate) point: u32,
    /// Four of 2 to 4 words.
    pub(crate) key_words: Vec<String>,
    /// Two of 4 to 6 words.
    pub(crate) phrases: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ComparedSaid {
    pub(crate) claimed: Vec<SentenceSaid>,
    pub(crate) similarities: Vec<SentenceSaid>,
    pub(crate) differences: Vec<SentenceSaid>,
    pub(crate) details: Vec<SentenceSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct SentenceSaid {
    /// One sentence.
    pub(crate) text: String,
    /// At most two.
    #[serde(default)]
    pub(crate) cites: Vec<CiteSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct CiteSaid {
    /// The passage's number.
    pub(crate) passage: u32,
    /// Copied from the passage.
    pub(crate) words: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ConcludedSaid {
    pub(crate) character: Vec<String>,
    pub(crate) innovations: Vec<InnovationSaid>,
    pub(crate) unoriginal: Vec<UnoriginalSaid>,
    pub(crate) one_line: String,
    /// 1 to 4.
    pub(crate) score: u8,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct InnovationSaid {
    /// The point's number.
    pub(crate) point: u32,
    pub(crate) sentences: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct UnoriginalSaid {
    /// The point's number.
    pub(crate) point: u32,
    pub(crate) kind: UnoriginalKind,
    pub(crate) sentences: Vec<String>,
    /// One sentence.
    pub(crate) suggestion: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ValidatedSaid {
    pub(crate) claims: Vec<ClaimJudged>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ClaimJudged {
    /// The claim's number.
    pub(crate) claim: u32,
    pub(crate) verdict: Judgement,
    #[serde(default)]
    pub(crate) reason: String,
    #[serde(default)]
    pub(crate) correction: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Judgement {
    Correct,
    Incorrect,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct RewordedSaid {
    pub(crate) lines: Vec<LineReworded>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct LineReworded {
    /// The number of the line or sentence.
    pub(crate) number: u32,
    pub(crate) text: String,
}
