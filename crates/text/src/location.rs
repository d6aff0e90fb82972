use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Span;

/// Where a quote occurs in a source, and how faithful it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Location {
    /// Word for word, and sign for sign where a sign carries meaning. Only typography may differ: spacing, ligatures, kinds of dashes and quotation
    /// marks, commas and full stops, the case of a first letter.
    Exact {
        /// Position in the source.
        span: Span,
        /// Confidence of the published method, 0 to 1.
        score: f64,
    },
    /// The same passage with small edits, each listed.
    Close {
        /// Position in the source.
        span: Span,
        /// Confidence of the published method, 0 to 1.
        score: f64,
        /// The differences, in order.
        edits: Vec<Edit>,
    },
    /// The passage was found, but a difference changes its meaning. **Not** verified.
    Altered {
        /// Position of the most similar passage.
        span: Span,
        /// Confidence of the published method, from 0 to less than 1.
        score: f64,
        /// The differences, in order.
        edits: Vec<Edit>,
        /// Why the edits are not small.
        reasons: Vec<AlteredReason>,
    },
    /// All parts were found, in order and close together, with a gap that the quote itself marks. Each part is in the source; the gaps let the
    /// reader judge whether the parts belong together.
    Stitched {
        /// The parts, in order.
        spans: Vec<Span>,
        /// Confidence of the published method, 0 to 1.
        score: f64,
        /// The differences within the parts, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        edits: Vec<Edit>,
        /// The text left out between each part and the next: one gap fewer than parts.
        #[serde(default)]
        gaps: Vec<Gap>,
    },
    /// Not found.
    Absent {
        /// The highest confidence of any place.
        best_score: f64,
    },
    /// Too short, or too common in the source, to be meaningful.
    TooShort,
}

impl Location {
    /// Whether the quote may be presented as found in the source.
    #[must_use]
    pub fn verified(&self) -> bool {
        matches!(self, Self::Exact { .. } | Self::Close { .. } | Self::Stitched { .. })
    }
}

/// The text that a quote with an ellipsis leaves out between two of its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// The source's characters between the two parts.
    pub span: Span,
    /// Number of words left out.
    pub words: usize,
    /// The widest border inside the gap; absent if both parts are in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crosses: Option<Border>,
    /// The omitted words that negate or limit, as in the source and in order; at most sixteen.
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
    /// Kind of edit.
    pub kind: EditKind,
    /// The source's words (empty for an insertion).
    pub source: String,
    /// The quote's words (empty for a deletion).
    pub quote: String,
    /// A finer category, if the difference is not simply one of words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<EditNote>,
}

/// A difference that is not simply one of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EditNote {
    /// The quote has a citation where the source has none.
    CitationNotInSource,
    /// A sign or an operator was added, removed or changed.
    Sign,
    /// A superscript or subscript is set on the line, or the other way round.
    Layout,
    /// Upper case where the source has lower case, or the other way round, beyond a first letter.
    LetterCase,
    /// A statement instead of a question, or the other way round.
    Punctuation,
    /// The quote contains invisible characters: direction marks, zero-width characters.
    InvisibleCharacters,
    /// A remark in brackets is left out.
    Parenthesis,
    /// Another form of the same word: a plural, a tense, a spelling.
    WordForm,
    /// A function word replaced by an equivalent one: `the` for `a`.
    FunctionWord,
    /// The same number in another form: in words, or with separated thousands.
    NumberForm,
    /// Letters of another alphabet that look the same.
    LookAlikes,
}

/// How the quote changes the source's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditKind {
    /// Words that the source does not have.
    Inserted,
    /// Words the quote leaves out.
    Deleted,
    /// Other words in place of the source's.
    Replaced,
}

/// Why an edit changes the meaning of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AlteredReason {
    /// A negation was added or removed.
    Negation,
    /// A number or a unit differs.
    Number,
    /// A comparison or an antonym was reversed.
    Comparison,
    /// A name differs.
    Name,
    /// A quantifier or a modal differs.
    Quantifier,
    /// A content word was added, left out, or replaced.
    ContentWords,
    /// A true part is joined to one from elsewhere.
    ForeignPart,
    /// The same words in another order.
    Order,
    /// Parts are far apart and the quote does not mark the gap.
    UnmarkedGap,
    /// A sign, an operator or a letter of a formula was added, removed or changed.
    Sign,
}
