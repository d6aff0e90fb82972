use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::alignment::exact_places;
use crate::citation::{Aside, asides};
use crate::lexicon::{conditions, critical, limits, number_word};
use crate::sentence::sentences;
use crate::token::Side;
use crate::token::TokenKind;
use crate::tokenize::tokenize;
use crate::{Location, Source, Span};

/// Context that a reader needs beyond the quoted words: the text around them, and how often they occur.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Surroundings {
    /// Words just before the quote, in its first sentence, that negate or limit it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_off_before: Option<CutOff>,
    /// Words just after the quote, in its last sentence, that negate or limit it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_off_after: Option<CutOff>,
    /// The text between the start of the sentence and the quote, if the quote begins inside a sentence and the text is more than a citation or list
    /// mark. At most [`Surroundings::REACH`] bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentence_before: Option<Span>,
    /// The text between the quote and the end of the sentence, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentence_after: Option<Span>,
    /// The words ending in a colon that introduce the list or paragraph in which the quote begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<Span>,
    /// Number of exact occurrences of the quote's words, at most [`Surroundings::MOST_COUNTED`]. 1 if there is only an inexact match, 0 if there is
    /// none.
    pub occurrences: usize,
    /// The first few occurrences, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Span>,
}

/// Source words next to the quote that it leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CutOff {
    /// From the negating or limiting word to the quote, or from the quote to that word.
    pub span: Span,
    /// The source text of the span.
    pub text: String,
    /// The negating or limiting word.
    pub word: String,
}

impl Surroundings {
    /// Maximum occurrences counted.
    pub const MOST_COUNTED: usize = 1000;
    /// Maximum occurrences listed.
    pub const MOST_PLACES: usize = 5;
    /// Maximum distance around a quote that is read, in bytes.
    pub const REACH: usize = 600;

    /// Whether the quote begins or ends inside a sentence.
    #[must_use]
    pub fn inside_sentence(&self) -> bool {
        self.sentence_before.is_some() || self.sentence_after.is_some()
    }
}

const REACH: usize = Surroundings::REACH;

/// The context of `quote` at `location` in `source`, as found by [`crate::locate`]; empty if the quote is not verified.
///
/// Linear in the source in the worst case.
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
    let sentence_before = rest_before(source, first.start);
    Surroundings {
        cut_off_before: before(source, first.start),
        cut_off_after: after(source, last.end),
        sentence_before,
        sentence_after: rest_after(source, last.end),
        lead_in: lead_in(source.text(), first.start)
            .filter(|lead| sentence_before.is_none_or(|rest| !rest.overlaps(*lead))),
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

/// The tokens of the sentence that contains the byte `at`.
fn sentence_around(source: &Source, at: usize) -> std::ops::Range<usize> {
    sentence_span(source, at).map_or(0..0, |sentence| source.tokens_within(sentence))
}

/// The sentence that contains the byte `at`, within the reading limit.
fn sentence_span(source: &Source, at: usize) -> Option<Span> {
    let text = source.text();
    let from = text.floor_char_boundary(at.saturating_sub(REACH));
    let to = text.ceil_char_boundary((at + REACH).min(text.len()));
    let around = sentences(text.get(from..to).unwrap_or_default());
    around
        .iter()
        .map(|sentence| Span::new(from + sentence.start, from + sentence.end))
        .find(|sentence| sentence.covers(at))
}

/// Whether a line starts a block of its own: a heading, a table row, a list item.
fn opens_block(line: &str) -> bool {
    let line = line.trim_start();
    let marks = ["- ", "* ", "+ ", "• ", "– ", "— "];
    let figures = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = figures.len() < line.len() && (figures.starts_with(". ") || figures.starts_with(") "));
    line.starts_with(['#', '|']) || marks.iter().any(|mark| line.starts_with(mark)) || numbered
}

/// Whether a range contains words besides citations and bare numbers of lists and sections.
fn says_something(source: &Source, span: Span) -> bool {
    let Side { text, tokens } = side(source);
    let within = source.tokens_within(span);
    let marks = asides(text, tokens, within.start, within.end);
    let mut changes = within
        .zip(marks)
        .filter(|(at, mark)| *mark != Some(Aside::Citation) && tokens.kind(*at) != TokenKind::Symbol)
        .map(|(at, _)| tokens.kind(at))
        .peekable();
    let stretch = span.slice(text).unwrap_or_default().trim_end();
    let numbers_only = stretch.ends_with(['.', ')', ']']);
    changes.peek().is_some() && !(numbers_only && changes.all(|kind| kind == TokenKind::Number))
}

/// The range without surrounding white space; `None` if it contains no words.
fn rest(source: &Source, span: Span) -> Option<Span> {
    let stretch = span.slice(source.text())?;
    let start = span.start + (stretch.len() - stretch.trim_start().len());
    let trimmed = Span::new(start, start + stretch.trim().len());
    says_something(source, trimmed).then_some(trimmed)
}

fn rest_before(source: &Source, start: usize) -> Option<Span> {
    let text = source.text();
    let sentence = sentence_span(source, start)?;
    let mut from = sentence.start;
    if from > 0 && from + REACH <= start {
        // The reading limit cut this sentence: continue at a word boundary.
        let cut = text.get(from..start)?;
        from += cut.find(char::is_whitespace)?;
    }
    // A block that starts in between begins a new text, and so does the line after a heading or a table row.
    let mut line = from;
    for (offset, _) in text.get(from..start)?.match_indices('\n') {
        let next = from + offset + 1;
        let closes = text
            .get(line..next)
            .is_some_and(|line| line.trim_start().starts_with(['#', '|']));
        if closes
            || text
                .get(next..)
                .and_then(|rest| rest.lines().next())
                .is_some_and(opens_block)
        {
            from = from.max(next);
        }
        line = next;
    }
    rest(source, Span::new(from, start))
}

fn rest_after(source: &Source, end: usize) -> Option<Span> {
    let text = source.text();
    let inside = text.get(..end)?.char_indices().next_back()?.0;
    let sentence = sentence_span(source, inside)?;
    let stretch = text.get(end..sentence.end)?;
    let head = text
        .get(..end)
        .and_then(|before| before.rsplit('\n').next())
        .unwrap_or_default();
    let mut breaks = stretch.match_indices('\n');
    let closes = |offset: usize| stretch.get(offset + 1..).is_some_and(opens_block);
    let stop = if head.trim_start().starts_with(['#', '|']) {
        breaks.next()
    } else {
        breaks.find(|(offset, _)| closes(*offset))
    };
    rest(
        source,
        Span::new(end, stop.map_or(sentence.end, |(offset, _)| end + offset)),
    )
}

/// Minimum words of a lead-in; shorter ones are headings.
const LEADING_WORDS: usize = 3;

/// The sentence ending in a colon before the paragraph or list that contains the byte `at`.
fn lead_in(text: &str, at: usize) -> Option<Span> {
    let from = text.floor_char_boundary(at.saturating_sub(4 * REACH));
    let mut end = text.get(from..at)?.rfind('\n').map(|offset| from + offset)?;
    let is_item = |line: &str| opens_block(line) && !line.trim_start().starts_with(['#', '|']);
    let own = text
        .get(end + 1..)
        .and_then(|rest| rest.lines().next())
        .unwrap_or_default();
    // About the quote's own block: whether its start was reached, and whether that is a list item.
    let (mut begun, mut listed) = (is_item(own), is_item(own));
    loop {
        let start = text
            .get(from..end)?
            .rfind('\n')
            .map_or(from, |offset| from + offset + 1);
        let line = text.get(start..end)?;
        if line.trim_end().ends_with([':', '：']) {
            break;
        }
        let blank = line.trim().is_empty();
        let item = is_item(line);
        let passes = blank || !begun || listed && (item || line.starts_with("  "));
        if !passes || start == from {
            return None;
        }
        listed |= !begun && item;
        begun |= blank || item;
        end = start - 1;
    }
    let paragraph = text
        .get(from..end)?
        .rfind("\n\n")
        .map_or(from, |offset| from + offset + 2);
    let last = sentences(text.get(paragraph..end)?).pop()?;
    let span = Span::new(paragraph + last.start, paragraph + last.end);
    (span.slice(text)?.split_whitespace().count() >= LEADING_WORDS).then_some(span)
}

/// Maximum tokens between a number and the word that bounds it: `up to`, `no more than`.
const BOUND_REACH: usize = 3;

/// The word that bounds the number at the start of the quote, if the quote leaves it out.
fn bound(source: &Source, start: usize) -> Option<CutOff> {
    let Side { text, tokens } = side(source);
    let first = tokens.entries.partition_point(|entry| (entry.start as usize) < start);
    if tokens.kind(first) != TokenKind::Number && number_word(tokens.text(first)).is_none() {
        return None;
    }
    let near = sentence_around(source, start);
    let (_, span) = (first.saturating_sub(BOUND_REACH).max(near.start)..first)
        .map(|at| (tokens.text(at), tokens.span(at)))
        .find(|(word, span)| {
            let between = text.get(span.end..start).unwrap_or_default();
            critical(word).is_some() && !between.contains([',', ';', ':', ')', '(', '.'])
        })?;
    cut_off(source, span, Span::new(span.start, start))
}

fn cut_off(source: &Source, word: Span, span: Span) -> Option<CutOff> {
    let text = source.text();
    Some(CutOff {
        text: span.slice(text)?.trim().to_owned(),
        word: word.slice(text)?.to_owned(),
        span,
    })
}

/// The last word before the quote, in its sentence, that negates or limits it: either without a clause border in between, or a condition.
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
    let Some((_, span)) = found else {
        return bound(source, start);
    };
    cut_off(source, span, Span::new(span.start, start))
}

/// The first word after the quote, in its sentence, that negates or limits it.
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
