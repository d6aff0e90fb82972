use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::citation::{Aside, asides};
use crate::edits::Side;
use crate::laid::exact_places;
use crate::lexicon::{conditions, critical, limits, number_word};
use crate::sentence::sentences;
use crate::token::TokenKind;
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
    /// What stands between the beginning of the sentence and the quote, where the quote begins inside a sentence and what stands before it is
    /// no mere citation or list mark. At most [`Surroundings::REACH`] bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentence_before: Option<Span>,
    /// What stands between the quote and the end of the sentence, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentence_after: Option<Span>,
    /// The words ending in a colon that lead in the list or the paragraph the quote begins in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<Span>,
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
    /// How far the words around a quote are read, in bytes.
    pub const REACH: usize = 600;

    /// Whether the quote begins or ends inside a sentence.
    #[must_use]
    pub fn inside_sentence(&self) -> bool {
        self.sentence_before.is_some() || self.sentence_after.is_some()
    }
}

const REACH: usize = Surroundings::REACH;

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

/// The tokens of the sentence that holds the byte `at`.
fn sentence_around(source: &Source, at: usize) -> std::ops::Range<usize> {
    sentence_span(source, at).map_or(0..0, |sentence| source.tokens_within(sentence))
}

/// The sentence that holds the byte `at`, as far as it is read.
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

/// Whether a line opens a block of its own: a heading, a row of a table, an item of a list.
fn opens_block(line: &str) -> bool {
    let line = line.trim_start();
    let marks = ["- ", "* ", "+ ", "• ", "– ", "— "];
    let figures = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = figures.len() < line.len() && (figures.starts_with(". ") || figures.starts_with(") "));
    line.starts_with(['#', '|']) || marks.iter().any(|mark| line.starts_with(mark)) || numbered
}

/// The words of a stretch, citations and bare numbers of lists and sections apart.
fn says_something(source: &Source, span: Span) -> bool {
    let Side { text, tokens } = side(source);
    let within = source.tokens_within(span);
    let marks = asides(text, tokens, within.start, within.end);
    let mut said = within
        .zip(marks)
        .filter(|(at, mark)| *mark != Some(Aside::Citation) && tokens.kind(*at) != TokenKind::Symbol)
        .map(|(at, _)| tokens.kind(at))
        .peekable();
    let stretch = span.slice(text).unwrap_or_default().trim_end();
    let numbers_only = stretch.ends_with(['.', ')', ']']);
    said.peek().is_some() && !(numbers_only && said.all(|kind| kind == TokenKind::Number))
}

/// The stretch without white space at its ends; none where it says nothing.
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
        // Cut where the reading began: at a word.
        let cut = text.get(from..start)?;
        from += cut.find(char::is_whitespace)?;
    }
    // A block that opens in between begins anew, and what follows a heading or a row does.
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

/// Fewest words that lead something in; fewer are a heading.
const LEADING_WORDS: usize = 3;

/// The sentence ending in a colon before the paragraph or the list that holds the byte `at`.
fn lead_in(text: &str, at: usize) -> Option<Span> {
    let from = text.floor_char_boundary(at.saturating_sub(4 * REACH));
    let mut end = text.get(from..at)?.rfind('\n').map(|offset| from + offset)?;
    let is_item = |line: &str| opens_block(line) && !line.trim_start().starts_with(['#', '|']);
    let own = text
        .get(end + 1..)
        .and_then(|rest| rest.lines().next())
        .unwrap_or_default();
    // What is known of the quote's own block: whether it is read to its beginning, and whether that begins an item.
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

/// So far before a figure stands what bounds it: `up to`, `no more than`.
const BOUND_REACH: usize = 3;

/// The word that bounds the figure the quote begins with, where the quote leaves it out.
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
    let Some((_, span)) = found else {
        return bound(source, start);
    };
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
