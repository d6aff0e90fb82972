use precedent_engine::domain::{Location, Place, QuotableDocument, Span};
use precedent_engine::text::{AlteredReason, Border, CutOff, Edit, Gap, Surroundings, surroundings};
use schemars::JsonSchema;
use serde::Serialize;

use super::input::{self, SourceText};
use super::quotes::{self, Asked, Id};
use super::verify_shown::{readable, summary};
use crate::ExitCode;
use crate::args::VerifyArguments;
use crate::exit::Failure;
use crate::printer::Printer;

/// What became of one quote: a line of `precedent verify --json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The `id` of the quote as it was given; 1 for `--quote`.
    pub(super) id: Id,
    /// How the quote stands in the source.
    pub(super) outcome: Outcome,
    /// Whether the quote may be shown as standing there: true for `exact`, `close` and `stitched`. Of a stitched quote only the pieces stand there.
    pub(super) verified: bool,
    /// The confidence of OpenNovelty's appendix C.4, 0 to 1: how much of the quote's words agree at the place. It says nothing of what the others
    /// do; only `outcome` does.
    pub(super) score: f64,
    /// Where the quote, or each of its pieces, stands: `[start, end]` in bytes, the end not included. Bytes of the file where the source is a text
    /// file (.txt, .md; UTF-8, UTF-16 or Windows-1252), else of the text that `precedent read` prints. Empty if nowhere.
    pub(super) ranges: Vec<Span>,
    /// The source's own characters at the ranges, pieces joined by ` […] `.
    pub(super) text: Option<String>,
    /// What stands in the source between neighbouring pieces of a stitched quote, in order; the quote says nothing of it but `…`.
    pub(super) left_out: Vec<LeftOut>,
    /// Words just before the quote, in its first sentence, that deny or limit what it says; null where there are none.
    pub(super) cut_off_before: Option<Cut>,
    /// Words just after the quote, in its last sentence, that deny or limit what it says; null where there are none.
    pub(super) cut_off_after: Option<Cut>,
    /// What stands between the beginning of the sentence and the quote, where the quote begins inside a sentence; null where it does not, or where
    /// only a citation or a list mark stands before it.
    pub(super) sentence_before: Option<Rest>,
    /// What stands between the quote and the end of the sentence, where it ends inside one; null where it does not.
    pub(super) sentence_after: Option<Rest>,
    /// The words ending in a colon that lead in the list or the paragraph the quote begins in; null where there are none.
    pub(super) lead_in: Option<Rest>,
    /// In how many places the quote's words stand, at most 1000; 1 where they stand only nearly or in pieces, 0 where they are not verified.
    pub(super) occurrences: usize,
    /// What differs between source and quote, in order.
    pub(super) edits: Vec<Edit>,
    /// Why an altered quote is not verified.
    pub(super) reasons: Vec<AlteredReason>,
    /// What the outcome does not say by itself, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    /// The line it starts on, counting from 1: of the file where that is a text file, else of the text that `precedent read` prints; null where it
    /// stands nowhere.
    pub(super) line: Option<usize>,
    /// Page and section where the first range starts.
    #[serde(flatten)]
    pub(super) place: Place,
}

/// How a quote stands in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// Word for word.
    Exact,
    /// With small edits that change nothing it says; each is listed.
    Close,
    /// The passage is there, and what differs changes what it says. Not verified.
    Altered,
    /// The pieces between the quote's own ellipses stand there, in order. What was left out may change what they say together.
    Stitched,
    /// It does not stand there.
    Absent,
    /// Too short, or too common in the source, to mean anything. Not looked for.
    TooShort,
}

/// What a stitched quote leaves out between two of its pieces.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LeftOut {
    /// Where it stands, counted as in `ranges`.
    pub(super) range: Span,
    /// How many words it has.
    pub(super) words: usize,
    /// The source's own characters.
    pub(super) text: String,
    /// The widest border it runs over; null where both pieces stand in one sentence.
    pub(super) crosses: Option<Border>,
    /// The words in it that deny or limit, in order.
    pub(super) limits: Vec<String>,
}

/// Words of the source that a quote leaves out at its border.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cut {
    /// From the word that denies or limits to the quote, or from the quote to that word; counted as in `ranges`.
    pub(super) range: Span,
    /// The source's own characters.
    pub(super) text: String,
    /// The word that denies or limits.
    pub(super) word: String,
}

/// A part of a sentence, or a sentence, that the quote does not give.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Rest {
    /// Where it stands, counted as in `ranges`.
    pub(super) range: Span,
    /// The source's own characters.
    pub(super) text: String,
}

/// What a quote must have to be looked for at all.
pub(super) const SHORTEST: &str = "a quote needs at least 5 words and 20 letters; with fewer than 8 words it must hold more than \
                                   function words, and stand in no more than 5 places of the source";

/// `precedent verify`.
pub(super) fn run(typed: &VerifyArguments, printer: Printer) -> Result<ExitCode, Failure> {
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
    let source = Prepared::new(input::source_text(&typed.source, printer)?);
    let file = typed
        .quotes
        .as_deref()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    if lines.is_empty() {
        printer.warning(&format!("{file} holds no quotes; nothing was looked for"));
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
        return Err(Failure::said(ExitCode::Input, message)
            .hint(format!("each line is {}; the other lines were answered", quotes::SHAPE)));
    }
    Ok(ExitCode::Done)
}

/// The line that a range of a text starts on, counting from 1.
pub(super) fn line_of(text: &str, span: Span) -> usize {
    let before = text.as_bytes().get(..span.start).unwrap_or_default();
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

/// A source to look in, and the way from its text to the file.
pub(super) struct Prepared {
    document: QuotableDocument,
    places: super::decoded::Places,
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

/// What a stitched quote does not promise.
const STITCHED: &str = "only the pieces stand in the source, in this order; read what was left out between them";
