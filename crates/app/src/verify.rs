//! Checks quotes against their source.

use std::fmt;

use precedent_engine::domain::{Location, Place, Span};
use precedent_engine::text::{AlteredReason, Border, CutOff, Edit, Gap, Surroundings, surroundings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AppError, Input, Observer, OpenedText};

/// Quotes, and the source that they are checked against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyRequest {
    /// The source: a file in any supported format, or a text.
    pub source: Input,
    /// The quotes.
    pub quotes: Vec<QuoteQuery>,
}

/// A quote to check.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct QuoteQuery {
    /// Its id in the answer.
    pub id: QuoteId,
    /// The quote: at least 5 words.
    pub quote: String,
}

impl QuoteQuery {
    /// A quote with the id 1.
    #[must_use]
    pub fn new(quote: impl Into<String>) -> Self {
        Self {
            id: QuoteId::Natural(1),
            quote: quote.into(),
        }
    }
}

/// Id of a quote: a string or an integer of up to 64 bits, returned unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Id")]
pub enum QuoteId {
    /// A string.
    Text(String),
    /// An integer of 0 or more.
    Natural(u64),
    /// A negative integer.
    Whole(i64),
}

impl fmt::Display for QuoteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Natural(number) => number.fmt(f),
            Self::Whole(number) => number.fmt(f),
        }
    }
}

/// Result for one quote: a line of `precedent verify --json`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Answer")]
pub struct VerifyAnswer {
    /// The `id` of the quote as given; 1 for `--quote`.
    pub id: QuoteId,
    /// The outcome of the check.
    pub outcome: Outcome,
    /// Whether the quote is verified: true for `exact`, `close` and `stitched`. Of a stitched quote, only the pieces are in the source.
    pub verified: bool,
    /// The confidence of OpenNovelty's appendix C.4, 0 to 1: the share of the quote's words that match. Whether the other words change the meaning is
    /// shown by `outcome` only.
    pub score: f64,
    /// Byte range `[start, end]` of the quote or of each of its pieces, excluding the end. It refers to the file if the source is a text file (.txt,
    /// .md; UTF-8, UTF-16 or Windows-1252), otherwise to the text that `precedent read` prints. Empty if not found.
    pub ranges: Vec<Span>,
    /// The source text in the ranges, with pieces joined by ` […] `.
    pub text: Option<String>,
    /// The source text between the pieces of a stitched quote, in order.
    pub left_out: Vec<LeftOut>,
    /// Negating or limiting words just before the quote, in its first sentence; null if there are none.
    pub cut_off_before: Option<Cut>,
    /// Negating or limiting words just after the quote, in its last sentence; null if there are none.
    pub cut_off_after: Option<Cut>,
    /// The text from the start of the sentence to the quote, if the quote starts inside a sentence; null otherwise, or if there is only a citation or
    /// a list mark before it.
    pub sentence_before: Option<Rest>,
    /// The text from the quote to the end of the sentence, if the quote ends inside a sentence; null otherwise.
    pub sentence_after: Option<Rest>,
    /// The words ending in a colon that introduce the list or paragraph where the quote starts; null if there are none.
    pub lead_in: Option<Rest>,
    /// Number of places where the quote's words occur, at most 1000; 1 for a close or stitched quote, 0 for one that is not verified.
    pub occurrences: usize,
    /// Differences between source and quote, in order.
    pub edits: Vec<Edit>,
    /// Why an altered quote is not verified.
    pub reasons: Vec<AlteredReason>,
    /// Explanation of the outcome, if needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The line where the quote starts, from 1: in the file if it is a text file, otherwise in the text that `precedent read` prints; null if not
    /// found.
    pub line: Option<usize>,
    /// Page and section where the first range starts.
    #[serde(flatten)]
    pub place: Place,
}

/// Outcome of checking a quote against a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The source contains the quote word for word.
    Exact,
    /// The source contains the quote with small edits that do not change the meaning. Each edit is listed.
    Close,
    /// The passage is in the source, but the differences change the meaning. Not verified.
    Altered,
    /// The pieces between the quote's ellipses are in the source, in order. The omitted text may change the meaning.
    Stitched,
    /// The source does not contain the quote.
    Absent,
    /// Too short or too common in the source to be meaningful. Not checked.
    TooShort,
}

/// Text that a stitched quote omits between two pieces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// Byte range, as in `ranges`.
    pub range: Span,
    /// Number of words.
    pub words: usize,
    /// The source text.
    pub text: String,
    /// The widest boundary that it crosses; null if both pieces are in one sentence.
    pub crosses: Option<Border>,
    /// Negating or limiting words in it, in order.
    pub limits: Vec<String>,
}

/// Words of the source that a quote omits at its start or end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cut {
    /// Byte range from the negating or limiting word to the quote, or from the quote to that word, as in `ranges`.
    pub range: Span,
    /// The source text.
    pub text: String,
    /// The negating or limiting word.
    pub word: String,
}

/// A sentence, or part of one, that is not in the quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rest {
    /// Byte range, as in `ranges`.
    pub range: Span,
    /// The source text.
    pub text: String,
}

/// A piece of a stitched quote in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotePiece {
    /// Page and section where it starts.
    pub place: Place,
    /// The line where it starts, from 1.
    pub line: usize,
    /// The source text.
    pub text: String,
}

/// Minimum requirements for a quote.
const SHORTEST: &str = "a quote needs at least 5 words and 20 letters; with fewer than 8 words it must contain more than \
    function words and occur in at most 5 places in the source";

/// Note on stitched quotes.
const STITCHED: &str = "only the pieces are in the source, in this order; read the omitted text between them";

/// Checks the quotes of a request.
pub(crate) fn verify(request: &VerifyRequest, observer: &dyn Observer) -> Result<Vec<VerifyAnswer>, AppError> {
    let source = OpenedText::open(&request.source, observer)?;
    Ok(request.quotes.iter().map(|quote| source.verify(quote)).collect())
}

impl OpenedText {
    /// Checks a quote.
    #[must_use]
    pub fn verify(&self, query: &QuoteQuery) -> VerifyAnswer {
        let QuoteQuery { id, quote } = query;
        let location = self.quotable.locate(quote);
        let (outcome, spans, score, edits, reasons) = match &location {
            Location::Exact { span, score, .. } => (Outcome::Exact, vec![*span], *score, vec![], vec![]),
            Location::Close { span, score, edits, .. } => (Outcome::Close, vec![*span], *score, edits.clone(), vec![]),
            Location::Altered {
                span,
                score,
                edits,
                reasons,
                ..
            } => (Outcome::Altered, vec![*span], *score, edits.clone(), reasons.clone()),
            Location::Stitched {
                spans, score, edits, ..
            } => (Outcome::Stitched, spans.clone(), *score, edits.clone(), vec![]),
            Location::TooShort => (Outcome::TooShort, vec![], 0.0, vec![], vec![]),
            Location::Absent { best_score, .. } => (Outcome::Absent, vec![], *best_score, vec![], vec![]),
            _ => (Outcome::Absent, vec![], 0.0, vec![], vec![]),
        };
        let gaps: &[Gap] = match &location {
            Location::Stitched { gaps, .. } => gaps,
            _ => &[],
        };
        let parts: Vec<&str> = spans.iter().filter_map(|span| self.slice(*span)).collect();
        let Surroundings {
            cut_off_before,
            cut_off_after,
            sentence_before,
            sentence_after,
            lead_in,
            occurrences,
            ..
        } = surroundings(self.quotable.source(), quote, &location);
        VerifyAnswer {
            id: id.clone(),
            outcome,
            verified: location.verified(),
            score,
            text: (!parts.is_empty()).then(|| parts.join(" […] ")),
            left_out: gaps.iter().filter_map(|gap| self.left_out(gap)).collect(),
            cut_off_before: cut_off_before.map(|cut| self.cut(cut)),
            cut_off_after: cut_off_after.map(|cut| self.cut(cut)),
            sentence_before: sentence_before.and_then(|span| self.rest(span)),
            sentence_after: sentence_after.and_then(|span| self.rest(span)),
            lead_in: lead_in.and_then(|span| self.rest(span)),
            occurrences,
            line: spans.first().map(|span| self.line_of(*span)),
            place: spans
                .first()
                .map(|span| self.document().place(*span))
                .unwrap_or_default(),
            ranges: spans.iter().map(|span| self.in_file(*span)).collect(),
            edits,
            reasons,
            note: match outcome {
                Outcome::TooShort => Some(SHORTEST.to_owned()),
                Outcome::Stitched => Some(STITCHED.to_owned()),
                _ => None,
            },
        }
    }

    fn left_out(&self, gap: &Gap) -> Option<LeftOut> {
        Some(LeftOut {
            range: self.in_file(gap.span),
            words: gap.words,
            text: self.slice(gap.span)?.to_owned(),
            crosses: gap.crosses,
            limits: gap.limits.clone(),
        })
    }

    fn cut(&self, cut: CutOff) -> Cut {
        Cut {
            range: self.in_file(cut.span),
            text: cut.text,
            word: cut.word,
        }
    }

    fn rest(&self, span: Span) -> Option<Rest> {
        Some(Rest {
            range: self.in_file(span),
            text: self.slice(span)?.to_owned(),
        })
    }

    /// Each piece of a stitched quote, in order. Empty for any other quote.
    #[must_use]
    pub fn pieces(&self, quote: &str) -> Vec<QuotePiece> {
        let Location::Stitched { spans, .. } = self.quotable.locate(quote) else {
            return Vec::new();
        };
        let piece = |span: Span| {
            Some(QuotePiece {
                place: self.document().place(span),
                line: self.line_of(span),
                text: self.slice(span)?.to_owned(),
            })
        };
        spans.into_iter().filter_map(piece).collect()
    }
}
