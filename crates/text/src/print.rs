//! Compares how agreeing tokens are printed: signs, capitals, invisible characters.

use crate::Span;
use crate::align::Run;
use crate::edits::{Difference, Effect, turns_quantity};
use crate::lexicon::{critical, denying_prefix};
use crate::neighbours::is_dash;
use crate::signs::{Verdict, marks};
use crate::terms::is_stopword;
use crate::token::Side;
use crate::token::TokenKind;
use crate::tokenize::mixes_alphabets;
use crate::{AlteredReason, EditNote};

/// Joins (quote, source) token pairs into runs.
pub(crate) fn runs_of(pairs: &[(usize, usize)]) -> Vec<Run> {
    let follows = |left: &(usize, usize), right: &(usize, usize)| left.0 + 1 == right.0 && left.1 + 1 == right.1;
    pairs
        .chunk_by(follows)
        .filter_map(|chunk| {
            let (quote, source) = *chunk.first()?;
            Some(Run {
                quote,
                source,
                length: chunk.len(),
            })
        })
        .collect()
}

/// Differences in print between the tokens of `runs`, which agree and increase on both sides.
pub(crate) fn printed_otherwise(source: Side<'_>, quote: Side<'_>, runs: &[Run]) -> Vec<Difference> {
    let mut found: Vec<Difference> = Vec::new();
    for run in runs {
        let here = source.tokens.range_span(run.source, run.source + run.length);
        let there = quote.tokens.range_span(run.quote, run.quote + run.length);
        if here.slice(source.text) != there.slice(quote.text) {
            run_printed_otherwise(source, quote, *run, &mut found);
        }
    }
    if let (Some(first), Some(last)) = (runs.first(), runs.last()) {
        let last = (last.quote + last.length - 1, last.source + last.length - 1);
        ends(source, quote, (first.quote, first.source), last, &mut found);
    }
    found
}

fn run_printed_otherwise(source: Side<'_>, quote: Side<'_>, run: Run, found: &mut Vec<Difference>) {
    let mut capitals: Option<bool> = None;
    let mut before: Option<(usize, usize)> = None;
    let pairs = (run.quote..run.quote + run.length).zip(run.source..);
    for (at, position) in pairs {
        let (here, there) = (source.tokens.span(position), quote.tokens.span(at));
        if let Some((left, left_position)) = before
            && bytes(source.text, here.start, here.end) == bytes(quote.text, there.start, there.end)
            && plain(bytes(source.text, source.tokens.span(left_position).end, here.start))
            && plain(bytes(quote.text, quote.tokens.span(left).end, there.start))
        {
            before = Some((at, position));
            continue;
        }
        let (raw, asked) = (
            here.slice(source.text).unwrap_or_default(),
            there.slice(quote.text).unwrap_or_default(),
        );
        if raw != asked && *capitals.get_or_insert_with(|| has_small_letters(quote.text)) {
            let effect = capitals_differ((source, position, raw), (quote, at, asked));
            if effect != Effect::None {
                let new = difference((position, at), (here, there), effect, EditNote::LetterCase);
                add(found, new);
            }
        }
        if !(raw.is_ascii() && asked.is_ascii()) && mixes_alphabets(raw) != mixes_alphabets(asked) {
            let new = difference((position, at), (here, there), Effect::Slight, EditNote::LookAlikes);
            add(found, new);
        }
        if let Some((left, left_position)) = before {
            let (from, asked_from) = (source.tokens.span(left_position), quote.tokens.span(left));
            let between = source.text.get(from.end..here.start).unwrap_or_default();
            let asked_between = quote.text.get(asked_from.end..there.start).unwrap_or_default();
            if !(plain(between.as_bytes()) && plain(asked_between.as_bytes()) && raw.is_ascii() == asked.is_ascii())
                && (between != asked_between || raw != asked)
            {
                let verdict = marks(source.text, from.end, first_end(source.text, here)).compare(&marks(
                    quote.text,
                    asked_from.end,
                    first_end(quote.text, there),
                ));
                if let Some((effect, note)) = effect_of(verdict) {
                    let spans = (Span::new(from.start, here.end), Span::new(asked_from.start, there.end));
                    let mut new = difference((left_position, left), spans, effect, note);
                    new.source.end = position + 1;
                    new.quote.end = at + 1;
                    add(found, new);
                }
            }
        }
        before = Some((at, position));
    }
}

/// End of the first character of a token: a superscript belongs to what precedes it.
fn first_end(text: &str, span: Span) -> usize {
    let first = text.get(span.start..span.end).and_then(|token| token.chars().next());
    span.start + first.map_or(0, char::len_utf8)
}

fn bytes(text: &str, from: usize, to: usize) -> &[u8] {
    text.as_bytes().get(from..to).unwrap_or_default()
}

/// Whether there is only white space and punctuation that is never a sign.
fn plain(between: &[u8]) -> bool {
    between
        .iter()
        .all(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',' | b'.' | b';' | b'"'))
}

fn effect_of(verdict: Verdict) -> Option<(Effect, EditNote)> {
    match verdict {
        Verdict::Same => None,
        Verdict::Layout => Some((Effect::Slight, EditNote::Layout)),
        Verdict::Doubtful => Some((Effect::Slight, EditNote::Sign)),
        Verdict::Changed => Some((Effect::Changes(AlteredReason::Sign), EditNote::Sign)),
    }
}

/// Whether tokens that spell the same letters but are divided differently contain the same signs.
pub(crate) fn divided_otherwise(source: Side<'_>, quote: Side<'_>, spans: (Span, Span)) -> Option<(Effect, EditNote)> {
    let (here, there) = spans;
    effect_of(marks(source.text, here.start, here.end).compare_moved(&marks(quote.text, there.start, there.end)))
}

fn difference((position, at): (usize, usize), shown: (Span, Span), effect: Effect, note: EditNote) -> Difference {
    Difference {
        source: position..position + 1,
        quote: at..at + 1,
        effect,
        shown: Some(shown),
        note: Some(note),
        beside: false,
    }
}

/// Adds a difference, and merges it with the last one if it continues it.
fn add(found: &mut Vec<Difference>, new: Difference) {
    if let Some(last) = found.last_mut()
        && let (Some(shown), Some(more)) = (&mut last.shown, new.shown)
        && new.source.start < last.source.end
    {
        *shown = (
            Span::new(shown.0.start.min(more.0.start), shown.0.end.max(more.0.end)),
            Span::new(shown.1.start.min(more.1.start), shown.1.end.max(more.1.end)),
        );
        last.source.end = last.source.end.max(new.source.end);
        last.quote.end = last.quote.end.max(new.quote.end);
        if matches!(new.effect, Effect::Changes(_)) && !matches!(last.effect, Effect::Changes(_)) {
            last.effect = new.effect;
            last.note = new.note;
        }
    } else {
        found.push(new);
    }
}

/// The signs that the quote's border cuts off or adds: `5` of `-5`, `10` of `10%`, a statement made of a question.
fn ends(
    source: Side<'_>,
    quote: Side<'_>,
    (first, position): (usize, usize),
    (last, last_position): (usize, usize),
    found: &mut Vec<Difference>,
) {
    if first == 0 {
        let (here, there) = (source.tokens.span(position), quote.tokens.span(first));
        if position > 0 && first == 0 && turns_quantity(source, position - 1) {
            let before = source.tokens.span(position - 1);
            let shown = (Span::new(before.start, here.end), there);
            let effect = Effect::Changes(AlteredReason::Quantifier);
            found.insert(
                0,
                Difference {
                    note: None,
                    ..difference((position, first), shown, effect, EditNote::Sign)
                },
            );
        }
        if cut_compound(source.text, source.tokens.text(position.wrapping_sub(1)), here.start)
            && !quote
                .text
                .get(..there.start)
                .is_some_and(|before| before.ends_with(is_dash))
        {
            let left = source.tokens.span(position.saturating_sub(1));
            let shown = (Span::new(left.start, here.end), there);
            let effect = Effect::Changes(AlteredReason::Negation);
            found.insert(
                0,
                Difference {
                    note: None,
                    ..difference((position, first), shown, effect, EditNote::Sign)
                },
            );
        }
        let (head, asked) = (
            sign_before(source.text, here.start),
            sign_before(quote.text, there.start),
        );
        if (head < here.start || asked < there.start) && quote.tokens.kind(first) != TokenKind::Symbol {
            let signs = marks(source.text, head, first_end(source.text, here));
            let asked_signs = marks(quote.text, asked, first_end(quote.text, there));
            let turned = signs.turns_beyond(&asked_signs) || asked_signs.turns_beyond(&signs);
            let (denied, asked_denied) = (
                denies(source.text, head, here.start),
                denies(quote.text, asked, there.start),
            );
            if turned || denied != asked_denied {
                let shown = (Span::new(head, here.end), Span::new(asked, there.end));
                let effect = Effect::Changes(AlteredReason::Sign);
                found.insert(0, difference((position, first), shown, effect, EditNote::Sign));
            }
        }
    }
    if last + 1 == quote.tokens.len() {
        let (here, there) = (source.tokens.span(last_position), quote.tokens.span(last));
        let (tail, asked) = (after(source.text, here.end), after(quote.text, there.end));
        let unit = |c: Option<char>| c.filter(|c| matches!(c, '%' | '‰' | '°' | '^' | '²' | '³'));
        let figure = source.tokens.kind(last_position) == TokenKind::Number || here.len() <= 2;
        if let Some(sign) = unit(tail).filter(|sign| figure && asked != Some(*sign)) {
            let shown = (Span::new(here.start, here.end + sign.len_utf8()), there);
            found.push(difference((last_position, last), shown, Effect::Slight, EditNote::Sign));
        }
        let (asks, asked) = (stop(source.text, here.end), stop(quote.text, there.end));
        if (asks.1 == Some('?')) != (asked.1 == Some('?')) {
            let shown = (Span::new(here.start, asks.0), Span::new(there.start, asked.0));
            found.push(difference(
                (last_position, last),
                shown,
                Effect::Slight,
                EditNote::Punctuation,
            ));
        }
    }
}

/// Start byte of the signs directly before `at`.
fn sign_before(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let signs = before
        .chars()
        .rev()
        .take(4)
        .take_while(|c| is_dash(*c) || matches!(c, '~' | '\u{223c}' | '¬' | '±' | '{'));
    at - signs.map(char::len_utf8).sum::<usize>()
}

/// Whether the quote starts inside a compound whose first part negates the rest: `linear` of `non-linear`.
fn cut_compound(text: &str, left: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let stem = before.trim_end_matches(is_dash);
    stem.len() < before.len() && stem.ends_with(char::is_alphabetic) && denying_prefix(left)
}

fn denies(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|signs| signs.contains('¬'))
}

fn after(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The sentence-ending mark directly after `at`, ignoring closing quotation marks and brackets, and its end offset.
fn stop(text: &str, at: usize) -> (usize, Option<char>) {
    let rest = text.get(at..).unwrap_or_default();
    let mut end = at;
    for character in rest.chars().take(6) {
        end += character.len_utf8();
        match character {
            '?' | '？' => return (end, Some('?')),
            '.' | '!' | '。' => return (end, Some('.')),
            '"' | '”' | '’' | '\'' | ')' | ']' | '»' => {}
            _ => break,
        }
    }
    (at, None)
}

fn has_small_letters(text: &str) -> bool {
    text.chars().any(char::is_lowercase)
}

/// Effect of different capitals in two words with the same letters. Any word may have a capital first letter at the start of a sentence.
fn capitals_differ(
    (source, position, raw): (Side<'_>, usize, &str),
    (quote, at, asked): (Side<'_>, usize, &str),
) -> Effect {
    let differing = raw
        .chars()
        .zip(asked.chars())
        .enumerate()
        .filter(|(_, (left, right))| left != right && left.to_lowercase().eq(right.to_lowercase()));
    let mut places = differing.map(|(place, _)| place);
    let (Some(first), second) = (places.next(), places.next()) else {
        return Effect::None;
    };
    if raw.chars().count() != asked.chars().count() {
        return Effect::None;
    }
    let letters = raw.chars().filter(|c| c.is_alphabetic()).count();
    if all_caps_run(source, position) != all_caps_run(quote, at) {
        // Set in capitals: a heading.
        return Effect::None;
    }
    let measured = position > 0
        && source.tokens.kind(position - 1) == TokenKind::Number
        && source.tokens.kind(position) == TokenKind::Word;
    let figure = raw.starts_with(|c: char| c.is_numeric());
    if letters <= 2 && (measured || figure) {
        return Effect::Changes(AlteredReason::Number);
    }
    if letters == 1 {
        return letter_differs((source, position), (quote, at));
    }
    let rest_small = raw
        .chars()
        .skip(1)
        .zip(asked.chars().skip(1))
        .all(|(left, right)| left == right);
    let head = first == 0 && second.is_none() && rest_small;
    if head && !raw.chars().skip(1).any(char::is_uppercase) {
        return if measured && letters <= 4 {
            Effect::Slight
        } else {
            Effect::None
        };
    }
    let lower = source.tokens.text(position);
    if is_stopword(lower) || critical(lower).is_some() {
        // `US` is not `us`.
        return Effect::Changes(AlteredReason::Name);
    }
    Effect::Slight
}

/// `N` for `n` in a formula. At the start of a sentence, or in a word such as `T-cell`, the case is only typography.
fn letter_differs((source, position): (Side<'_>, usize), (quote, at): (Side<'_>, usize)) -> Effect {
    let prose = |side: Side<'_>, at: usize| {
        let next = side.tokens.span(at + 1);
        let between = side.text.get(side.tokens.span(at).end..next.start).unwrap_or_default();
        let word = side.tokens.kind(at + 1) == TokenKind::Word
            && next.slice(side.text).is_some_and(|raw| raw.chars().count() > 1);
        (word && between.chars().all(is_dash), word && between.trim().is_empty())
    };
    let ((hyphened, spaced), heads) = (prose(source, position), heads(source, position) || heads(quote, at));
    if hyphened && at + 1 < quote.tokens.len() {
        return Effect::None;
    }
    match (heads, spaced) {
        (true, true) => Effect::None,
        (true, false) => Effect::Slight,
        _ if spaced && matches!(source.tokens.text(position), "a" | "i") => Effect::None,
        _ => Effect::Changes(AlteredReason::Sign),
    }
}

/// Whether the token starts its text or a sentence.
fn heads(side: Side<'_>, at: usize) -> bool {
    let before = side.text.get(..side.tokens.span(at).start).unwrap_or_default();
    let before = before
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '“' | '‘' | '\'' | '(' | '*' | '_' | '#'));
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '。'])
}

/// Whether the token and a neighbour, both with several letters, are in capitals.
fn all_caps_run(side: Side<'_>, at: usize) -> bool {
    let capitals = |at: usize| {
        let raw = side.tokens.span(at).slice(side.text).unwrap_or_default();
        raw.chars().filter(|c| c.is_uppercase()).count() > 1 && !raw.chars().any(char::is_lowercase)
    };
    let neighbour = |at: Option<usize>| at.is_some_and(|at| at < side.tokens.len() && capitals(at));
    capitals(at) && (neighbour(at.checked_sub(1)) || neighbour(Some(at + 1)))
}

/// The first invisible character of `quote` that is not in the source: a direction mark, or a zero-width character.
pub(crate) fn unseen(quote: &str, is_in_source: impl Fn(char) -> bool) -> Option<Span> {
    // They are all in one Unicode block, except for the byte order mark.
    let may_hold = |three: &[u8]| {
        matches!(
            three,
            [0xe2, 0x80, 0x8b..=0x8f | 0xaa..=0xae] | [0xe2, 0x81, 0xa0..=0xaf] | [0xef, 0xbb, 0xbf]
        )
    };
    if !quote.as_bytes().windows(3).any(may_hold) {
        return None;
    }
    let mut previous: Option<char> = None;
    let mut characters = quote.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let joins = matches!(character, '\u{200c}' | '\u{200d}');
        // Joiners belong to many scripts, but not to any written in ASCII.
        let ascii = previous.is_none_or(|c| c.is_ascii()) && characters.peek().is_none_or(|(_, c)| c.is_ascii());
        let unseen = matches!(
            character,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        ) || joins && ascii;
        if unseen && !is_in_source(character) {
            return Some(Span::new(at, at + character.len_utf8()));
        }
        previous = Some(character);
    }
    None
}
