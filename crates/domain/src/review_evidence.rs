use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{IdeaPart, Quote};

/// How a document relates to a part of the idea.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grounding {
    /// The part.
    pub part: IdeaPart,
    /// The document: its number in the knowledge of the review.
    pub piece: u32,
    /// The numbers of the statements of that part that it concerns.
    pub statements: Vec<u32>,
    /// The quotes, located in the document; never empty.
    pub evidence: Vec<Evidence>,
    /// How it relates to the part, in a model's words; empty without one.
    pub analysis: String,
    /// Strength of the relation as judged by a model, 0 to 10; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Share of the part's words, weighted by rarity, that appear in the evidence: 0 to 1.
    pub shared: f64,
    /// The matcher's probability that the document makes one of the part's statements, the highest of them. `None` if it can assess none of them.
    /// Missing in reviews of schema 1.4 and rankings of 1.5, and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Whether the matcher finds the document similar enough to one of the statements to need review. Missing in reviews of schema 1.4 and rankings
    /// of 1.5, and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similar: Option<bool>,
}

/// A quote from a document about the idea.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Its stance.
    pub stance: Stance,
    /// The quote, located in the document.
    pub quote: Quote,
    /// The number of the statement that the quote makes nearly word for word, as the program found. Missing in reviews of schema 1.4 and rankings of
    /// 1.5, and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u32>,
}

/// The stance of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// It supports the statement.
    Supports,
    /// It contradicts the statement.
    Contradicts,
    /// Its words are similar; the stance needs a human reader. All evidence without a model.
    SpeaksOf,
}

impl Grounding {
    /// How relevant the document is to the part, 0 to 10. It is 10 if the document makes a statement nearly word for word.
    /// Otherwise it is the model's score, or the share of words.
    #[must_use]
    pub fn relevance(&self) -> f64 {
        match self.repeated().next() {
            Some(_) => 10.0,
            None => self.score.unwrap_or(self.shared * 10.0),
        }
    }

    /// The same with the matcher's probability, which is 1 for a statement that is made nearly word for word, and whether it finds the document similar.
    #[must_use]
    pub fn with_match(mut self, probability: Option<f64>, similar: bool) -> Self {
        let is_repeated = self.repeated().next().is_some();
        self.probability = if is_repeated { Some(1.0) } else { probability };
        self.similar = Some(similar || is_repeated);
        self
    }

    /// The numbers of the statements that the document makes nearly word for word.
    pub fn repeated(&self) -> impl Iterator<Item = u32> {
        self.evidence.iter().filter_map(|one| one.repeats)
    }
}
