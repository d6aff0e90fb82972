use precedent_domain::{PointClass, UnoriginalKind};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PointsReadReply {
    /// 3 to 7 sentences.
    pub(crate) summary: Vec<String>,
    /// At most five.
    pub(crate) points: Vec<PointReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PointReply {
    /// At most 15 words.
    pub(crate) name: String,
    pub(crate) kind: ClassReply,
    /// Copied from the paper, at most 40 words.
    pub(crate) author_claim_text: String,
    /// At most 60 words.
    pub(crate) how: Option<String>,
    /// At most 40 words.
    pub(crate) evidence: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClassReply {
    Methodological,
    Theoretical,
    System,
    Dataset,
    Empirical,
    Task,
}

impl From<ClassReply> for PointClass {
    fn from(reply: ClassReply) -> Self {
        match reply {
            ClassReply::Methodological => Self::Methodological,
            ClassReply::Theoretical => Self::Theoretical,
            ClassReply::System => Self::System,
            ClassReply::Dataset => Self::Dataset,
            ClassReply::Empirical => Self::Empirical,
            ClassReply::Task => Self::Task,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct PointQueriesReply {
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
pub(crate) struct ComparedReply {
    pub(crate) claimed: Vec<SentenceReply>,
    pub(crate) similarities: Vec<SentenceReply>,
    pub(crate) differences: Vec<SentenceReply>,
    pub(crate) details: Vec<SentenceReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct SentenceReply {
    /// One sentence.
    pub(crate) text: String,
    /// At most two.
    #[serde(default)]
    pub(crate) cites: Vec<CiteReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct CiteReply {
    /// The passage's number.
    pub(crate) passage: u32,
    /// Copied from the passage.
    pub(crate) words: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ConcludedReply {
    pub(crate) character: Vec<String>,
    pub(crate) innovations: Vec<InnovationReply>,
    pub(crate) unoriginal: Vec<UnoriginalReply>,
    pub(crate) one_line: String,
    /// 1 to 4.
    pub(crate) score: u8,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct InnovationReply {
    /// The point's number.
    pub(crate) point: u32,
    pub(crate) sentences: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct UnoriginalReply {
    /// The point's number.
    pub(crate) point: u32,
    pub(crate) kind: UnoriginalKind,
    pub(crate) sentences: Vec<String>,
    /// One sentence.
    pub(crate) suggestion: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct ValidatedReply {
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
pub(crate) struct RewordedReply {
    pub(crate) lines: Vec<LineReworded>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct LineReworded {
    /// The number of the line or sentence.
    pub(crate) number: u32,
    pub(crate) text: String,
}
