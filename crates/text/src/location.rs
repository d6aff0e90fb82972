use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Span;

/// Where a quote stands in a source, and how faithfully.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Location {
    /// Word for word, and sign for sign where a sign carries meaning: what differs can only be print (spacing, ligatures, kinds of dashes and
    /// quotation marks, commas and full stops, the case of a first letter).
    Exact {
        /// Where.
        span: Span,
        /// The paper's confidence, 0 to 1.
        score: f64,
    },
    /// The same passage with small edits, each listed.
    Close {
        /// Where.
        span: Span,
        /// The paper's confidence, 0 to 1.
        score: f64,
        /// What differs, in order.
        edits: Vec<Edit>,
    },
    /// The passage is there, but what differs changes what it says. **Not** verification.
    Altered {
        /// Where the nearest passage stands.
        span: Span,
        /// The paper's confidence, 0 to 1; never 1.
        score: f64,
        /// What differs, in order.
        edits: Vec<Edit>,
        /// Why the edits are more than small.
        reasons: Vec<AlteredReason>,
    },
    /// Parts that are all there, in order and in one place, with a gap that the quote itself marks. Each part stands in the source; that they
    /// belong together is for the reader to judge, from the gaps.
    Stitched {
        /// The parts, in order.
        spans: Vec<Span>,
        /// The paper's confidence, 0 to 1.
        score: f64,
        /// What differs within the parts, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        edits: Vec<Edit>,
        /// What was left out between each part and the next: one fewer than parts.
        #[serde(default)]
        gaps: Vec<Gap>,
    },
    /// Not there.
    Absent {
        /// The best confidence any place reached.
        best_score: f64,
    },
    /// Too short, or too common in the source, to mean anything.
    TooShort,
}

impl Location {
    /// Whether the quote may be shown as standing in the source.
    #[must_use]
    pub fn verified(&self) -> bool {
        matches!(self, Self::Exact { .. } | Self::Close { .. } | Self::Stitched { .. })
    }
}

/// What a quote with an ellipsis left out between two of its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// The source's characters between the two parts.
    pub span: Span,
    /// How many words that is.
    pub words: usize,
    /// The widest border that the gap runs over; absent where both parts stand in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crosses: Option<Border>,
    /// The words among those left out that deny or limit, as the source writes them, in order; the first sixteen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
}

/// A border in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Border {
    /// Between two sentences.
    Sentence,
    /// Between two paragraphs.
    Paragraph,
}

/// One difference between a quote and its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edit {
    /// What was done.
    pub kind: EditKind,
    /// The source's words (empty for an insertion).
    pub source: String,
    /// The quote's words (empty for a deletion).
    pub quote: String,
    /// What kind of difference it is, where it is no plain matter of words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<EditNote>,
}

/// A difference that is no plain matter of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EditNote {
    /// The quote has a citation where the source has none.
    CitationNotInSource,
    /// A sign or an operator came, went or changed.
    Sign,
    /// What was raised or lowered stands on the line, or the other way round.
    Layout,
    /// Capitals where the source has small letters, or the other way round, beyond a first letter.
    LetterCase,
    /// A statement for a question, or the other way round.
    Punctuation,
    /// The quote holds characters that nobody sees: direction marks, characters of no width.
    InvisibleCharacters,
    /// A remark in brackets is left out.
    Parenthesis,
    /// Another form of the same word: a plural, a tense, a spelling.
    WordForm,
    /// One function word for another that says much the same: `the` for `a`.
    FunctionWord,
    /// The same number written otherwise: in words, with its thousands apart.
    NumberForm,
    /// Letters of another alphabet that look the same.
    LookAlikes,
}

/// What the quote did to the source's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditKind {
    /// Words the source does not have.
    Inserted,
    /// Words the quote leaves out.
    Deleted,
    /// Other words in their place.
    Replaced,
}

/// Why an edit changes what a passage says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AlteredReason {
    /// A negation came or went.
    Negation,
    /// A number or a unit differs.
    Number,
    /// A comparison or an antonym was turned.
    Comparison,
    /// A name differs.
    Name,
    /// A quantifier or a modal differs.
    Quantifier,
    /// A content word was put in, left out, or exchanged for another.
    ContentWords,
    /// A true part is joined to a foreign one.
    ForeignPart,
    /// The same words in another order.
    Order,
    /// Parts stand apart and the quote does not say so.
    UnmarkedGap,
    /// A sign or an operator came, went or changed, or a letter of a formula.
    Sign,
}
