use precedent_app::{AppError, ErrorKind};
use precedent_engine::domain::{Location, Place, QuotableDocument, Span};
use precedent_engine::text::{AlteredReason, Border, CutOff, Edit, Gap, Surroundings, surroundings};
use schemars::JsonSchema;
use serde::Serialize;

use super::input::{self, SourceText};
use super::quotes::{self, Asked, Id};
use super::verify_shown::{readable, summary};
use crate::ExitCode;
use crate::args::VerifyArguments;
use crate::console::Console;
use crate::printer::{Printer, counted};

/// Result for one quote: a line of `precedent verify --json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The `id` of the quote as given; 1 for `--quote`.
    pub(super) id: Id,
    /// The outcome of the check.
    pub(super) outcome: Outcome,
    /// Whether the quote is verified: true for `exact`, `close` and `stitched`. Of a stitched quote, only the pieces are in the source.
    pub(super) verified: bool,
    /// The confidence of OpenNovelty's appendix C.4, 0 to 1: the share of the quote's words that match. Whether the other words change the meaning is
    /// shown by `outcome` only.
    pub(super) score: f64,
    /// Byte range `[start, end]` of the quote or of each of its pieces, excluding the end. It refers to the file if the source is a text file (.txt,
    /// .md; UTF-8, UTF-16 or Windows-1252), otherwise to the text that `precedent read` prints. Empty if not found.
    pub(super) ranges: Vec<Span>,
    /// The source text in the ranges, with pieces joined by ` […] `.
    pub(super) text: Option<String>,
    /// The source text between the pieces of a stitched quote, in order.
    pub(super) left_out: Vec<LeftOut>,
    /// Negating or limiting words just before the quote, in its first sentence; null if there are none.
    pub(super) cut_off_before: Option<Cut>,
    /// Negating or limiting words just after the quote, in its last sentence; null if there are none.
    pub(super) cut_off_after: Option<Cut>,
    /// The text from the start of the sentence to the quote, if the quote starts inside a sentence; null otherwise, or if there is only a citation or
    /// a list mark before it.
    pub(super) sentence_before: Option<Rest>,
    /// The text from the quote to the end of the sentence, if the quote ends inside a sentence; null otherwise.
    pub(super) sentence_after: Option<Rest>,
    /// The words ending in a colon that introduce the list or paragraph where the quote starts; null if there are none.
    pub(super) lead_in: Option<Rest>,
    /// Number of places where the quote's words occur, at most 1000; 1 for a close or stitched quote, 0 for one that is not verified.
    pub(super) occurrences: usize,
    /// Differences between source and quote, in order.
    pub(super) edits: Vec<Edit>,
    /// Why an altered quote is not verified.
    pub(super) reasons: Vec<AlteredReason>,
    /// Explanation of the outcome, if needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    /// The line where the quote starts, from 1: in the file if it is a text file, otherwise in the text that `precedent read` prints; null if not
    /// found.
    pub(super) line: Option<usize>,
    /// Page and section where the first range starts.
    #[serde(flatten)]
    pub(super) place: Place,
}

/// Outcome of checking a quote against a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
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
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LeftOut {
    /// Byte range, as in `ranges`.
    pub(super) range: Span,
    /// Number of words.
    pub(super) words: usize,
    /// The source text.
    pub(super) text: String,
    /// The widest boundary that it crosses; null if both pieces are in one sentence.
    pub(super) crosses: Option<Border>,
    /// Negating or limiting words in it, in order.
    pub(super) limits: Vec<String>,
}

/// Words of the source that a quote omits at its start or end.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cut {
    /// Byte range from the negating or limiting word to the quote, or from the quote to that word, as in `ranges`.
    pub(super) range: Span,
    /// The source text.
    pub(super) text: String,
    /// The negating or limiting word.
    pub(super) word: String,
}

/// A sentence, or part of one, that is not in the quote.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Rest {
    /// Byte range, as in `ranges`.
    pub(super) range: Span,
    /// The source text.
    pub(super) text: String,
}

/// Minimum requirements for a quote.
pub(super) const SHORTEST: &str = "a quote needs at least 5 words and 20 letters; with fewer than 8 words it must contain more than \
                                   function words and occur in at most 5 places in the source";

/// `precedent verify`.
pub(super) fn run(typed: &VerifyArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let lines = match (&typed.quote, &typed.quotes) {
        (Some(quote), _) => vec![(
            1,
            Ok(Asked {
                id: Id::Natural(1),
                quote: quote.clone(),
            }),
        )],
        (None, Some(path)) => quotes::lines(path)?,
        (None, None) => Vec::new(),
    };
    let source = Prepared::new(input::source_text(&typed.source, &Console::new(printer))?);
    let file = typed
        .quotes
        .as_deref()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    if lines.is_empty() {
        let message = format!("{file} contains no quotes; nothing was checked");
        if typed.strict {
            return Err(AppError::with_message(ErrorKind::Input, message));
        }
        printer.warning(&message);
        return Ok(ExitCode::Done);
    }
    let mut outcomes = Vec::new();
    let (all, single) = (lines.len(), typed.quote.is_some());
    for (number, line) in lines {
        let asked = match line {
            Ok(asked) => asked,
            Err(why) => {
                printer.warning(&format!("line {number} of {file}: {why}"));
                continue;
            }
        };
        let answer = source.answer(asked.id, &asked.quote);
        outcomes.push(answer.outcome);
        if typed.json {
            printer.json(&answer)?;
        } else {
            printer.line(&readable(&answer, &asked.quote, single, &source, printer));
        }
    }
    if !single && !outcomes.is_empty() {
        printer.note(&summary(&outcomes, &typed.source.display().to_string()));
    }
    if outcomes.len() < all {
        let message = format!("failed to read {} of {all} lines of {file}", all - outcomes.len());
        return Err(AppError::with_message(ErrorKind::Input, message).hint(format!(
            "each line must be {}; the other lines were checked",
            quotes::SHAPE
        )));
    }
    if typed.strict {
        return every_quote_is_exact(&outcomes, &typed.source.display().to_string());
    }
    Ok(ExitCode::Done)
}

/// The check of `--strict`. `Close` fails too, because CI jobs rely on the exact words.
fn every_quote_is_exact(outcomes: &[Outcome], source: &str) -> Result<ExitCode, AppError> {
    let failed = outcomes.iter().filter(|outcome| **outcome != Outcome::Exact).count();
    if failed == 0 {
        return Ok(ExitCode::Done);
    }
    let message = format!(
        "{failed} of {} failed the check against {source}",
        counted(outcomes.len(), "quote")
    );
    Err(AppError::with_message(ErrorKind::NotVerbatim, message)
        .hint("--strict accepts only the outcome `exact`; without it the exit code is 0"))
}

/// The line where a range of a text starts, from 1.
pub(super) fn line_of(text: &str, span: Span) -> usize {
    let before = text.as_bytes().get(..span.start).unwrap_or_default();
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

/// A source to search, and the mapping from its text to the file.
pub(super) struct Prepared {
    document: QuotableDocument,
    places: precedent_app::decoded::Places,
}

impl Prepared {
    fn new(source: SourceText) -> Self {
        Self {
            document: QuotableDocument::new(source.document),
            places: source.places,
        }
    }

    fn answer(&self, id: Id, quote: &str) -> Answer {
        let location = self.document.locate(quote);
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
        let document = self.document.document();
        let parts: Vec<&str> = spans.iter().filter_map(|span| document.slice(*span)).collect();
        let Surroundings {
            cut_off_before,
            cut_off_after,
            sentence_before,
            sentence_after,
            lead_in,
            occurrences,
            ..
        } = surroundings(self.document.source(), quote, &location);
        Answer {
            id,
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
            line: spans.first().map(|span| self.line(*span)),
            place: spans.first().map(|span| document.place(*span)).unwrap_or_default(),
            ranges: spans.iter().map(|span| self.places.in_file(*span)).collect(),
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
            range: self.places.in_file(gap.span),
            words: gap.words,
            text: self.document.document().slice(gap.span)?.to_owned(),
            crosses: gap.crosses,
            limits: gap.limits.clone(),
        })
    }

    fn cut(&self, cut: CutOff) -> Cut {
        Cut {
            range: self.places.in_file(cut.span),
            text: cut.text,
            word: cut.word,
        }
    }

    fn rest(&self, span: Span) -> Option<Rest> {
        Some(Rest {
            range: self.places.in_file(span),
            text: self.document.document().slice(span)?.to_owned(),
        })
    }

    fn line(&self, span: Span) -> usize {
        line_of(self.document.source().text(), span)
    }

    /// Page and section, line and text of each piece.
    pub(super) fn pieces(&self, quote: &str) -> Vec<(Place, usize, String)> {
        let Location::Stitched { spans, .. } = self.document.locate(quote) else {
            return Vec::new();
        };
        let document = self.document.document();
        spans
            .iter()
            .filter_map(|span| {
                Some((
                    document.place(*span),
                    self.line(*span),
                    document.slice(*span)?.to_owned(),
                ))
            })
            .collect()
    }
}

/// Note on stitched quotes.
const STITCHED: &str = "only the pieces are in the source, in this order; read the omitted text between them";
