use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edits::Side;
use crate::laid::exact_places;
use crate::lexicon::{conditions, limits};
use crate::sentence::sentences;
use crate::tokenize::tokenize;
use crate::{Location, Source, Span};

/// What a reader must know of a place beyond the words quoted: what stands around them, and how often they stand there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Surroundings {
    /// Words just before the quote, in its first sentence, that deny or limit what it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_off_before: Option<CutOff>,
    /// Words just after the quote, in its last sentence, that deny or limit what it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_off_after: Option<CutOff>,
    /// In how many places the quote's words stand, at most [`Surroundings::MOST_COUNTED`]; 1 where they stand only nearly, 0 where nowhere.
    pub occurrences: usize,
    /// The first few of these places, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Span>,
}

/// Words of the source that a quote leaves out at its border.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CutOff {
    /// From the word that denies or limits to the quote, or from the quote to that word.
    pub span: Span,
    /// The source's characters there.
    pub text: String,
    /// The word that denies or limits.
    pub word: String,
}

impl Surroundings {
    /// Places beyond these are not counted.
    pub const MOST_COUNTED: usize = 1000;
    /// So many places are told.
    pub const MOST_PLACES: usize = 5;
}

/// How far the words around a quote are read, in bytes.
const REACH: usize = 600;

/// What stands around `quote` at `location` in `source`, where [`crate::locate`] found it; nothing where it is not verified.
///
/// Linear in the source at worst.
#[must_use]
pub fn surroundings(source: &Source, quote: &str, location: &Location) -> Surroundings {
    let (first, last) = match location {
        Location::Exact { span, .. } | Location::Close { span, .. } => (*span, *span),
        Location::Stitched { spans, .. } => match (spans.first(), spans.last()) {
            (Some(first), Some(last)) => (*first, *last),
            _ => return Surroundings::default(),
        },
        _ => return Surroundings::default(),
    };
    let tokens = tokenize(quote);
    let length = tokens.len();
    let pairs = source.index().pairs(&tokens.entries);
    let starts = exact_places(source, &tokens.entries, &pairs, Surroundings::MOST_COUNTED);
    let places = starts
        .iter()
        .take(Surroundings::MOST_PLACES)
        .map(|start| source.inner_tokens().range_span(*start, start + length))
        .collect();
    Surroundings {
        cut_off_before: before(source, first.start),
        cut_off_after: after(source, last.end),
        occurrences: starts.len().max(1),
        places,
    }
}

fn side(source: &Source) -> Side<'_> {
    Side {
        text: source.text(),
        tokens: source.inner_tokens(),
    }
}

/// The tokens of the sentence that holds the byte `at`.
fn sentence_around(source: &Source, at: usize) -> std::ops::Range<usize> {
    let text = source.text();
    let from = text.floor_char_boundary(at.saturating_sub(REACH));
    let to = text.ceil_char_boundary((at + REACH).min(text.len()));
    let around = sentences(text.get(from..to).unwrap_or_default());
    let holding = around
        .iter()
        .map(|sentence| Span::new(from + sentence.start, from + sentence.end))
        .find(|sentence| sentence.covers(at));
    holding.map_or(0..0, |sentence| source.tokens_within(sentence))
}

fn cut_off(source: &Source, word: Span, span: Span) -> Option<CutOff> {
    let text = source.text();
    Some(CutOff {
        text: span.slice(text)?.trim().to_owned(),
        word: word.slice(text)?.to_owned(),
        span,
    })
}

/// The last word before the quote, in its sentence, that denies or limits it: with no border of a clause in between, or a condition.
fn before(source: &Source, start: usize) -> Option<CutOff> {
    let Side { text, tokens } = side(source);
    let sentence = sentence_around(source, start);
    let found = sentence
        .rev()
        .map(|at| (tokens.text(at), tokens.span(at)))
        .filter(|(_, span)| span.end <= start)
        .find(|(word, span)| {
            let between = text.get(span.end..start).unwrap_or_default();
            conditions(word) || limits(word) && !between.contains([',', ';', ':', ')', '—'])
        });
    let (_, span) = found?;
    cut_off(source, span, Span::new(span.start, start))
}

/// The first word after the quote, in its sentence, that denies or limits it.
fn after(source: &Source, end: usize) -> Option<CutOff> {
    let Side { text, tokens } = side(source);
    let inside = text.get(..end)?.char_indices().next_back()?.0;
    let sentence = sentence_around(source, inside);
    let found = sentence
        .map(|at| (tokens.text(at), tokens.span(at)))
        .filter(|(_, span)| span.start >= end)
        .find(|(word, span)| {
            let between = text.get(end..span.start).unwrap_or_default();
            conditions(word) || limits(word) && !between.contains([';', ':', '(', '—'])
        });
    let (_, span) = found?;
    cut_off(source, span, Span::new(end, span.end))
}

#[cfg(test)]
#[path = "surroundings_tests.rs"]
mod tests;
