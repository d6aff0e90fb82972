//! Compares a quote with the place it was aligned to, word by word, and classifies how each difference affects the meaning.
//!
//! Long because the whitelist of harmless differences is one list, and each entry is judged together with the others.

use std::ops::Range;

use crate::citation::{Aside, asides};
use crate::lexicon::{
    Critical, FORMS_OF_A_VERB, critical, dispensable, interchange_sets, interchangeable, is_content, is_function_word,
    number_word, opposed, relates, variant,
};
use crate::numbers::{number_like, same_number, thousands_apart, times, value};
use crate::token::{Side, TokenKind, Tokens};
use crate::{AlteredReason, Edit, EditKind, EditNote, Span};

/// Effect of a difference on the meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// None: the same letters, divided differently.
    None,
    /// Negligible: citation marks, an article, an ending.
    Slight,
    /// A content word is left out.
    Omission,
    /// It changes the meaning.
    Changes(AlteredReason),
}

/// One difference.
#[derive(Debug, Clone)]
pub(crate) struct Difference {
    pub(crate) source: Range<usize>,
    pub(crate) quote: Range<usize>,
    pub(crate) effect: Effect,
    /// Spans of source and quote to show if the tokens agree but their printed form differs.
    pub(crate) shown: Option<(Span, Span)>,
    pub(crate) note: Option<EditNote>,
    /// Whether it omits a citation mark or page furniture.
    pub(crate) beside: bool,
}

impl Difference {
    pub(crate) fn edit(&self, source: Side<'_>, quote: Side<'_>) -> Edit {
        if let Some((here, there)) = self.shown {
            let slice = |side: Side<'_>, span: Span| span.slice(side.text).unwrap_or_default().to_owned();
            return Edit {
                kind: if here.is_empty() {
                    EditKind::Inserted
                } else {
                    EditKind::Replaced
                },
                source: slice(source, here),
                quote: slice(quote, there),
                note: self.note,
            };
        }
        let slice = |side: Side<'_>, range: &Range<usize>| {
            let span = side.tokens.range_span(range.start, range.end);
            if range.is_empty() {
                String::new()
            } else {
                with_brackets(side.text, span)
            }
        };
        Edit {
            kind: match (self.source.is_empty(), self.quote.is_empty()) {
                (true, _) => EditKind::Inserted,
                (_, true) => EditKind::Deleted,
                _ => EditKind::Replaced,
            },
            source: slice(source, &self.source),
            quote: slice(quote, &self.quote),
            note: self.note,
        }
    }
}

/// The text at `span`, with the brackets directly around it.
fn with_brackets(text: &str, span: Span) -> String {
    let pairs = [('(', ')'), ('[', ']'), ('（', '）')];
    for (open, close) in pairs {
        let opens = text.get(..span.start).is_some_and(|before| before.ends_with(open));
        let closes = text.get(span.end..).is_some_and(|after| after.starts_with(close));
        if opens && closes {
            let widened = Span::new(span.start - open.len_utf8(), span.end + close.len_utf8());
            return widened.slice(text).unwrap_or_default().to_owned();
        }
    }
    span.slice(text).unwrap_or_default().to_owned()
}

/// Maximum product of both sides' lengths for a word-by-word comparison.
const LARGEST_PAIRING: usize = 4096;
/// An unmarked omission of at least this many words is a gap.
const GAP_WORDS: usize = 6;

/// Analyzes one range in which the two sides do not agree.
pub(crate) fn differences(source: Side<'_>, quote: Side<'_>, s: Range<usize>, q: Range<usize>) -> Vec<Difference> {
    if s.is_empty() && q.is_empty() {
        return Vec::new();
    }
    let omitted = asides(source.text, source.tokens, s.start, s.end);
    let added = asides(quote.text, quote.tokens, q.start, q.end);
    let mut found = if s.len().saturating_mul(q.len()) <= LARGEST_PAIRING {
        pair_up(source, quote, &s, &q, (&omitted, &added))
    } else {
        vec![Difference {
            source: s.clone(),
            quote: q.clone(),
            effect: Effect::Changes(AlteredReason::ForeignPart),
            shown: None,
            note: None,
            beside: false,
        }]
    };
    let citations_both_ways = omitted.contains(&Some(Aside::Citation)) && added.contains(&Some(Aside::Citation));
    let mut missing = 0;
    for difference in &mut found {
        difference.effect = effect(source, quote, difference, (&omitted, s.start), (&added, q.start));
        if citations_both_ways
            && difference.effect == Effect::Slight
            && difference.source.len() != difference.quote.len()
        {
            difference.effect = Effect::Changes(AlteredReason::Number);
        }
        let cited = difference.source.is_empty()
            && difference.effect == Effect::Slight
            && added.get(difference.quote.start - q.start).copied().flatten() == Some(Aside::Citation);
        difference.note = if cited {
            Some(EditNote::CitationNotInSource)
        } else {
            note(source, quote, difference, (&omitted, s.start))
        };
        difference.beside = difference.quote.is_empty()
            && matches!(
                omitted.get(difference.source.start - s.start).copied().flatten(),
                Some(Aside::Citation | Aside::Furniture)
            );
        let counted = difference.quote.is_empty()
            && difference.source.clone().any(|at| {
                let aside = omitted.get(at - s.start).copied().flatten();
                aside.is_none() && source.tokens.kind(at) != TokenKind::Symbol
            });
        missing += usize::from(counted);
    }
    if missing >= GAP_WORDS && q.len() * 2 < missing {
        for difference in &mut found {
            if difference.quote.is_empty() && difference.effect == Effect::Omission {
                difference.effect = Effect::Changes(AlteredReason::UnmarkedGap);
            }
        }
    }
    found.retain(|difference| difference.effect != Effect::None);
    found
}

const DROP_ASIDE: u32 = 1;
const DROP_SIGN: u32 = 4;
const DROP_WORD: u32 = 10;
const REPLACE: u32 = 14;
const REPLACE_LIKE: u32 = 3;

/// The cheapest way to turn one side into the other by deleting, inserting, replacing, joining and splitting words.
#[expect(
    clippy::indexing_slicing,
    reason = "table walk; rows and columns stay below the sizes it was created with"
)]
fn pair_up(
    source: Side<'_>,
    quote: Side<'_>,
    s: &Range<usize>,
    q: &Range<usize>,
    (omitted, added): (&[Option<Aside>], &[Option<Aside>]),
) -> Vec<Difference> {
    let (rows, columns) = (s.len(), q.len());
    let width = columns + 1;
    let sets_of = |side: Side<'_>, range: &Range<usize>| -> Vec<u32> {
        range.clone().map(|at| interchange_sets(side.tokens.text(at))).collect()
    };
    let numbers_of = |side: Side<'_>, range: &Range<usize>| -> Vec<Option<f64>> {
        range.clone().map(|at| value(side.tokens.text(at))).collect()
    };
    let sets = (sets_of(source, s), sets_of(quote, q));
    let numbers = (numbers_of(source, s), numbers_of(quote, q));
    // For each cell: the minimum cost to reach it, and the previous cell.
    let mut cells: Vec<(u32, (usize, usize))> = vec![(u32::MAX, (0, 0)); (rows + 1) * width];
    cells[0].0 = 0;
    for row in 0..=rows {
        for column in 0..=columns {
            let here = cells[row * width + column].0;
            if here == u32::MAX {
                continue;
            }
            let mut reach = |to_row: usize, to_column: usize, cost: u32| {
                let cell = &mut cells[to_row * width + to_column];
                if here + cost < cell.0 {
                    *cell = (here + cost, (row, column));
                }
            };
            if row < rows {
                reach(row + 1, column, drop_cost(source, s.start + row, omitted[row]));
            }
            if column < columns {
                reach(row, column + 1, drop_cost(quote, q.start + column, added[column]));
            }
            if row < rows && column < columns {
                let (at, to) = (s.start + row, q.start + column);
                let (left, right) = (source.tokens.text(at), quote.tokens.text(to));
                let like = source.tokens.kind(at) == quote.tokens.kind(to);
                let cost = if left == right {
                    0
                } else if sets.0[row] & sets.1[column] != 0
                    || times(source, at) && times(quote, to)
                    || same_number(numbers.0[row], numbers.1[column])
                    || variant(left, right)
                {
                    REPLACE_LIKE
                } else if like && matches!(source.tokens.kind(at), TokenKind::Number | TokenKind::Symbol) {
                    DROP_ASIDE
                } else {
                    REPLACE
                };
                reach(row + 1, column + 1, cost);
                if let Some((sources, quotes)) = same_letters(source, quote, at..s.end, to..q.end) {
                    reach(row + sources, column + quotes, 0);
                }
                if let Some(sources) = thousands_apart(source, at..s.end, right) {
                    reach(row + sources, column + 1, REPLACE_LIKE);
                }
                if let Some(quotes) = thousands_apart(quote, to..q.end, left) {
                    reach(row + 1, column + quotes, REPLACE_LIKE);
                }
            }
        }
    }
    let mut found = Vec::new();
    let (mut row, mut column) = (rows, columns);
    while row > 0 || column > 0 {
        let (from_row, from_column) = cells[row * width + column].1;
        found.push(Difference {
            source: s.start + from_row..s.start + row,
            quote: q.start + from_column..q.start + column,
            effect: Effect::Slight,
            shown: None,
            note: None,
            beside: false,
        });
        (row, column) = (from_row, from_column);
    }
    found.reverse();
    merge_asides(found, s.start, q.start, omitted, added)
}

/// Merges omitted words of one citation or one bracket into one difference.
fn merge_asides(
    found: Vec<Difference>,
    s_start: usize,
    q_start: usize,
    omitted: &[Option<Aside>],
    added: &[Option<Aside>],
) -> Vec<Difference> {
    let kind = |difference: &Difference| match (difference.source.len(), difference.quote.len()) {
        (1.., 0) => omitted
            .get(difference.source.start - s_start)
            .copied()
            .flatten()
            .map(|aside| (aside, true)),
        (0, 1..) => added
            .get(difference.quote.start - q_start)
            .copied()
            .flatten()
            .map(|aside| (aside, false)),
        _ => None,
    };
    let mut merged: Vec<Difference> = Vec::with_capacity(found.len());
    for difference in found {
        if let Some(last) = merged.last_mut()
            && kind(last).is_some()
            && kind(last) == kind(&difference)
        {
            last.source.end = difference.source.end;
            last.quote.end = difference.quote.end;
        } else {
            merged.push(difference);
        }
    }
    merged
}

fn drop_cost(side: Side<'_>, at: usize, aside: Option<Aside>) -> u32 {
    match (aside, side.tokens.kind(at)) {
        (Some(_), _) => DROP_ASIDE,
        (_, TokenKind::Symbol) => DROP_SIGN,
        _ => DROP_WORD,
    }
}

const LIGATURES: &[&str] = &["ffi", "ffl", "ff", "fi", "fl", "ti", "tt"];

/// Number of tokens on each side that spell the same letters when divided differently. A ligature lost at a division is tolerated.
fn same_letters(here: Side<'_>, there: Side<'_>, s: Range<usize>, q: Range<usize>) -> Option<(usize, usize)> {
    let (source, quote) = (here.tokens, there.tokens);
    let (mut s_used, mut q_used) = (1, 1);
    let (mut left, mut right) = (source.text(s.start), quote.text(q.start));
    if left.as_bytes().first() != right.as_bytes().first() {
        return None;
    }
    let mut fresh = (false, false);
    loop {
        let shared = left
            .chars()
            .zip(right.chars())
            .take_while(|(left, right)| left == right)
            .map(|(character, _)| character.len_utf8())
            .sum::<usize>();
        let (left_rest, right_rest) = (left.get(shared..)?, right.get(shared..)?);
        match (left_rest.is_empty(), right_rest.is_empty()) {
            (true, true) => break,
            (false, false) => {
                if shared > 0 {
                    return None;
                }
                // One side has just begun a new word, and the other continues with a ligature that was lost there.
                let (one, other) = if fresh.0 {
                    (left_rest, right_rest)
                } else {
                    (right_rest, left_rest)
                };
                if !fresh.0 && !fresh.1 {
                    return None;
                }
                let rest = LIGATURES
                    .iter()
                    .filter_map(|ligature| other.strip_prefix(ligature))
                    .find(|rest| rest.chars().next() == one.chars().next())?;
                (left, right) = if fresh.0 { (one, rest) } else { (rest, one) };
                fresh = (false, false);
            }
            (true, false) => {
                (left, right) = (
                    next_word(source, s.start + s_used, s.end, left, &mut s_used)?,
                    right_rest,
                );
                fresh = (true, false);
            }
            (false, true) => {
                (left, right) = (
                    left_rest,
                    next_word(quote, q.start + q_used, q.end, right, &mut q_used)?,
                );
                fresh = (false, true);
            }
        }
        if s_used > 24 || q_used > 24 {
            return None;
        }
    }
    // "not able" is not "notable". But "non-linear" is "nonlinear", and a hyphen at a line end does not divide.
    let denies = |side: Side<'_>, range: Range<usize>| {
        let word = side.tokens.text(range.start);
        let (from, to) = (
            side.tokens.span(range.start).end,
            side.tokens.span(range.start + 1).start,
        );
        range.len() > 1
            && word != "non"
            && critical(word) == Some(Critical::Negation)
            && !side
                .text
                .get(from..to)
                .is_some_and(|between| between.contains(['-', '\u{2010}', '\u{2011}']))
    };
    if denies(here, s.start..s.start + s_used) || denies(there, q.start..q.start + q_used) {
        return None;
    }
    (s_used > 1 || q_used > 1).then_some((s_used, q_used))
}

/// The word at `at`, unless joining it to `before` would merge two numbers.
fn next_word<'a>(tokens: &'a Tokens, at: usize, end: usize, before: &str, used: &mut usize) -> Option<&'a str> {
    if at >= end {
        return None;
    }
    let word = tokens.text(at);
    let joins_numbers =
        before.ends_with(|c: char| c.is_ascii_digit()) && word.starts_with(|c: char| c.is_ascii_digit());
    if joins_numbers {
        return None;
    }
    *used += 1;
    Some(word)
}

fn effect(
    source: Side<'_>,
    quote: Side<'_>,
    difference: &Difference,
    (omitted, s_start): (&[Option<Aside>], usize),
    (added, q_start): (&[Option<Aside>], usize),
) -> Effect {
    let (s, q) = (&difference.source, &difference.quote);
    match (s.len(), q.len()) {
        (0, 0) => Effect::None,
        (_, 0) => {
            let aside = omitted.get(s.start - s_start).copied().flatten();
            dropped(source, s, aside)
        }
        (0, _) => {
            let aside = added.get(q.start - q_start).copied().flatten();
            inserted(quote, q, aside)
        }
        (1, 1) => replaced(source, quote, s.start, q.start),
        (1, _) | (_, 1) if source.tokens.kind(s.start) == TokenKind::Number => Effect::Slight,
        _ if difference.effect == Effect::Slight => Effect::None,
        _ => difference.effect,
    }
}

/// The named category of a small difference, if it has one.
fn note(
    source: Side<'_>,
    quote: Side<'_>,
    difference: &Difference,
    (omitted, s_start): (&[Option<Aside>], usize),
) -> Option<EditNote> {
    let (s, q) = (&difference.source, &difference.quote);
    if difference.effect != Effect::Slight || s.is_empty() {
        return None;
    }
    if q.is_empty() {
        let aside = omitted.get(s.start - s_start).copied().flatten();
        return (aside == Some(Aside::Parenthesis)).then_some(EditNote::Parenthesis);
    }
    let (left, right) = (source.tokens.text(s.start), quote.tokens.text(q.start));
    let number = |side: Side<'_>, range: &Range<usize>| side.tokens.kind(range.start) == TokenKind::Number;
    if times(source, s.start) {
        Some(EditNote::Sign)
    } else if number(source, s) || number(quote, q) {
        Some(EditNote::NumberForm)
    } else {
        let sets = interchange_sets(left) & interchange_sets(right);
        if variant(left, right) || sets & FORMS_OF_A_VERB != 0 {
            Some(EditNote::WordForm)
        } else {
            (sets != 0).then_some(EditNote::FunctionWord)
        }
    }
}

fn reason_of(critical: Critical) -> AlteredReason {
    match critical {
        Critical::Negation => AlteredReason::Negation,
        Critical::Quantifier => AlteredReason::Quantifier,
        Critical::Comparison => AlteredReason::Comparison,
    }
}

/// The first word in a range that must not be omitted or added.
fn untouchable(side: Side<'_>, range: &Range<usize>) -> Option<AlteredReason> {
    range.clone().find_map(|at| {
        let word = side.tokens.text(at);
        critical(word).map(reason_of)
    })
}

fn dropped(source: Side<'_>, range: &Range<usize>, aside: Option<Aside>) -> Effect {
    match aside {
        Some(Aside::Citation | Aside::Furniture) => return Effect::Slight,
        Some(Aside::Parenthesis) => {
            return untouchable(source, range).map_or(Effect::Slight, Effect::Changes);
        }
        None => {}
    }
    if let Some(reason) = untouchable(source, range) {
        return Effect::Changes(reason);
    }
    let (mut omits, mut layout) = (false, true);
    for at in range.clone() {
        if let Some(reason) = missed(source, at) {
            return Effect::Changes(reason);
        }
        omits |= source.tokens.kind(at) != TokenKind::Symbol && is_content(source.tokens.text(at));
        layout &= source.tokens.text(at) == "$";
    }
    match (omits, layout) {
        (true, _) => Effect::Omission,
        (_, true) => Effect::None,
        _ => Effect::Slight,
    }
}

/// Why the token at `at` cannot be left out unmarked: digits, signs, the letters of formulas, names, adverbs, and all function words except
/// dispensable ones. Content words are handled by [`dropped`].
fn missed(source: Side<'_>, at: usize) -> Option<AlteredReason> {
    let word = source.tokens.text(at);
    match source.tokens.kind(at) {
        TokenKind::Number => Some(AlteredReason::Number),
        TokenKind::Symbol => sign(source, at),
        _ if word.starts_with(|c: char| c.is_ascii_digit()) || number_word(word).is_some() => {
            Some(AlteredReason::Number)
        }
        _ if word.len() > 4 && word.ends_with("ly") => Some(AlteredReason::Quantifier),
        _ => passing(source, at)
            .err()
            .filter(|reason| *reason != AlteredReason::ContentWords || is_function_word(word)),
    }
}

/// Whether a word may be added or removed without changing the meaning; if not, why.
fn passing(side: Side<'_>, at: usize) -> Result<(), AlteredReason> {
    let word = side.tokens.text(at);
    if is_letter(side, at) {
        return Err(AlteredReason::Sign);
    }
    if turns_quantity(side, at) {
        return Err(AlteredReason::Quantifier);
    }
    if dispensable(word) {
        return Ok(());
    }
    if !is_function_word(word) && is_name(side, at) {
        return Err(AlteredReason::Name);
    }
    Err(AlteredReason::ContentWords)
}

/// Effect of adding or removing a sign. The dollar signs around a formula do not count, and `&` is a word.
fn sign(side: Side<'_>, at: usize) -> Option<AlteredReason> {
    let word = side.tokens.text(at);
    if dispensable(word) || word == "$" && bounds_formula(side, at) {
        return None;
    }
    let span = side.tokens.span(at);
    let before = side.text.get(..span.start)?.chars().next_back();
    let after = side.text.get(span.end..)?.chars().next();
    let digit = |neighbour: Option<char>| neighbour.is_some_and(|c| c.is_ascii_digit());
    if word == "percent" || digit(before) || digit(after) {
        return Some(AlteredReason::Number);
    }
    match (word, before) {
        ("+", Some(c)) if c.is_alphabetic() || c == '+' => Some(AlteredReason::Name),
        _ => Some(AlteredReason::Sign),
    }
}

/// Maximum length of a formula between dollar signs, in bytes.
const LONGEST_FORMULA: usize = 200;

/// Whether a dollar sign opens or closes a formula, as in LaTeX: its counterpart is on the same line, and neither precedes an amount of money.
fn bounds_formula(side: Side<'_>, at: usize) -> bool {
    let span = side.tokens.span(at);
    let closes = |close: usize| {
        let before = side.text.get(..close).and_then(|text| text.chars().next_back());
        let after = side.text.get(close + 1..).and_then(|text| text.chars().next());
        before.is_some_and(|c| !c.is_whitespace()) && after.is_none_or(|c| !c.is_alphanumeric())
    };
    let floor = side
        .text
        .floor_char_boundary(span.start.saturating_sub(LONGEST_FORMULA));
    let ceiling = side
        .text
        .ceil_char_boundary((span.end + LONGEST_FORMULA).min(side.text.len()));
    let back = side
        .text
        .get(floor..span.start)
        .and_then(|text| text.rsplit('\n').next()?.rfind('$'));
    let on = side
        .text
        .get(span.end..ceiling)
        .and_then(|text| text.lines().next()?.find('$'));
    closes(span.start) && back.is_some() || on.is_some_and(|on| closes(span.end + on))
}

/// Whether a token is a letter of a formula: a single letter that is not an article before a word.
fn is_letter(side: Side<'_>, at: usize) -> bool {
    let word = side.tokens.text(at);
    if word.chars().nth(1).is_some() || side.tokens.kind(at) != TokenKind::Word {
        return false;
    }
    if !is_function_word(word) {
        return true;
    }
    let span = side.tokens.span(at);
    let raw = span.slice(side.text).unwrap_or_default();
    let before = side.text.get(..span.start).unwrap_or_default();
    let between = side
        .text
        .get(span.end..side.tokens.span(at + 1).start)
        .unwrap_or_default();
    let next = side.tokens.text(at + 1);
    let leads = at + 1 < side.tokens.len()
        && next.chars().nth(1).is_some()
        && between.starts_with(char::is_whitespace)
        && between
            .chars()
            .all(|c| c.is_whitespace() || matches!(c, '"' | '“' | '‘' | '\'' | '(' | '*' | '_' | '`' | '$'));
    let opens = before.trim_end().is_empty() || !before.ends_with(['/', '|', '^', '_', '-', '\u{2212}', '=', '{']);
    // `A` in the middle of a sentence is a name.
    let label = raw.starts_with(char::is_uppercase) && word == "a" && {
        let before = before.trim_end();
        before.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == ',')
    };
    !(leads && opens) && word != "i" || label
}

/// Quantity words that an article changes: `few` means hardly any, `a few` means some.
const TURNED_BY_ARTICLE: &[&str] = &["few", "little"];

pub(crate) fn turns_quantity(side: Side<'_>, at: usize) -> bool {
    side.tokens.text(at) == "a" && at + 1 < side.tokens.len() && TURNED_BY_ARTICLE.contains(&side.tokens.text(at + 1))
}

fn inserted(quote: Side<'_>, range: &Range<usize>, aside: Option<Aside>) -> Effect {
    if aside == Some(Aside::Citation) || is_sic(quote, range) {
        return Effect::Slight;
    }
    let mut effect = Effect::Slight;
    let mut layout = true;
    for at in range.clone() {
        let word = quote.tokens.text(at);
        let reason = if let Some(critical) = critical(word) {
            Some(reason_of(critical))
        } else if quote.tokens.kind(at) == TokenKind::Symbol {
            sign(quote, at)
        } else if quote.tokens.kind(at) == TokenKind::Number || number_word(word).is_some() {
            Some(AlteredReason::Number)
        } else if relates(word) {
            Some(AlteredReason::ContentWords)
        } else {
            passing(quote, at).err()
        };
        layout &= word == "$";
        if let Some(reason) = reason
            && effect == Effect::Slight
        {
            effect = Effect::Changes(reason);
        }
    }
    if layout && effect == Effect::Slight {
        Effect::None
    } else {
        effect
    }
}

/// `[sic]`, with which the quoter confirms that the source says so.
fn is_sic(quote: Side<'_>, range: &Range<usize>) -> bool {
    let span = quote.tokens.range_span(range.start, range.end);
    range.len() == 1
        && quote.tokens.text(range.start) == "sic"
        && quote.text.get(..span.start).is_some_and(|before| before.ends_with('['))
        && quote.text.get(span.end..).is_some_and(|after| after.starts_with(']'))
}

fn replaced(source: Side<'_>, quote: Side<'_>, at: usize, to: usize) -> Effect {
    let (left, right) = (source.tokens.text(at), quote.tokens.text(to));
    if left == right {
        return Effect::None;
    }
    let (left_class, right_class) = (critical(left), critical(right));
    if number_like(left, right) {
        return Effect::Slight;
    }
    let is_number = |side: Side<'_>, at: usize| {
        side.tokens.kind(at) == TokenKind::Number || number_word(side.tokens.text(at)).is_some()
    };
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    if is_number(source, at)
        || is_number(quote, to)
        || digits(left) != digits(right) && is_measure(left) && is_measure(right)
    {
        return Effect::Changes(AlteredReason::Number);
    }
    let class = [left_class, right_class]
        .into_iter()
        .flatten()
        .min_by_key(|class| match class {
            Critical::Negation => 0,
            Critical::Comparison => 1,
            Critical::Quantifier => 2,
        });
    if let Some(class) = class {
        return Effect::Changes(reason_of(class));
    }
    if times(source, at) && times(quote, to) {
        return Effect::Slight;
    }
    if other_voice(left, right) {
        return Effect::Changes(AlteredReason::ContentWords);
    }
    let footnote =
        footnote_digits(left, right) && is_small(source, at) || footnote_digits(right, left) && is_small(quote, to);
    let letters = is_letter(source, at) || is_letter(quote, to);
    if footnote || !letters && interchangeable(left, right) || digits(left) == digits(right) && variant(left, right) {
        return Effect::Slight;
    }
    if opposed(left, right) && !(is_name(source, at) && is_name(quote, to)) {
        return Effect::Changes(AlteredReason::Comparison);
    }
    let unit = at
        .checked_sub(1)
        .is_some_and(|before| source.tokens.kind(before) == TokenKind::Number);
    if unit && left.chars().count() <= 4 && right.chars().count() <= 4 {
        return Effect::Changes(AlteredReason::Number);
    }
    let signs = [source.tokens.kind(at), quote.tokens.kind(to)].contains(&TokenKind::Symbol);
    if signs || letters {
        let at_figure = sign(source, at).or_else(|| sign(quote, to));
        return Effect::Changes(at_figure.filter(|_| signs).unwrap_or(AlteredReason::Sign));
    }
    if is_name(source, at) || is_name(quote, to) {
        return Effect::Changes(AlteredReason::Name);
    }
    Effect::Changes(AlteredReason::ContentWords)
}

/// `attacking` for `attacked`: the actor or the completion differs.
fn other_voice(left: &str, right: &str) -> bool {
    let turned = |one: &str, other: &str| one.ends_with("ing") && other.ends_with("ed");
    (turned(left, right) || turned(right, left)) && variant(left, right)
}

fn is_measure(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// `model1` for `model`: a footnote digit glued to a lower-case word.
fn footnote_digits(long: &str, short: &str) -> bool {
    long.strip_prefix(short).is_some_and(|digits| {
        !digits.is_empty()
            && digits.len() <= 2
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && short.chars().count() >= 4
            && short.chars().all(char::is_alphabetic)
    })
}

fn is_small(side: Side<'_>, at: usize) -> bool {
    let raw = side.tokens.span(at).slice(side.text).unwrap_or_default();
    !raw.chars().any(char::is_uppercase)
}

/// Whether a token is written like a name: a capital not at the start of a sentence, several capitals, letters with digits.
fn is_name(side: Side<'_>, at: usize) -> bool {
    let raw = side.tokens.span(at).slice(side.text).unwrap_or_default();
    let capitals = raw.chars().filter(|c| c.is_uppercase()).count();
    let mixed = raw.chars().any(|c| c.is_ascii_digit()) && raw.chars().any(char::is_alphabetic);
    if capitals > 1 || mixed {
        return true;
    }
    let head = side
        .text
        .get(..side.tokens.span(at).start)
        .is_none_or(|before| before.trim_end().is_empty() || before.trim_end().ends_with(['.', '!', '?', '\n']));
    capitals == 1 && !head
}
