//! Numbers with more than one written form.

use std::ops::Range;

use crate::lexicon::number_word;
use crate::token::Side;
use crate::token::TokenKind;

/// Whether two tokens write the same number: `five` and `5`. `2.10` and `2.1` differ, because the digits show the precision of a measurement, or a
/// version.
pub(crate) fn number_like(left: &str, right: &str) -> bool {
    let point = |word: &str| word.split_once('.').map_or(0, |(_, places)| places.len());
    same_number(value(left), value(right)) && point(left) == point(right)
}

/// The number that a token writes, in digits or as a word.
pub(crate) fn value(word: &str) -> Option<f64> {
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return word.parse::<f64>().ok().filter(|value| value.is_finite());
    }
    number_word(word)?.parse().ok()
}

pub(crate) fn same_number(left: Option<f64>, right: Option<f64>) -> bool {
    matches!((left, right), (Some(left), Some(right)) if left.total_cmp(&right).is_eq())
}

/// How many of the tokens in `range` write `whole` with separated thousands: `12 000` for `12000`.
pub(crate) fn thousands_apart(side: Side<'_>, range: Range<usize>, whole: &str) -> Option<usize> {
    let head = side.tokens.text(range.start);
    let digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() < 4 || !(1..=3).contains(&head.len()) || !digits(head) || !whole.starts_with(head) {
        return None;
    }
    let mut rest = whole.get(head.len()..)?;
    for at in range.start + 1..range.end {
        let (before, here) = (side.tokens.span(at - 1), side.tokens.span(at));
        let space = side.text.get(before.end..here.start)?;
        let word = side.tokens.text(at);
        let group = word.split('.').next()?;
        let one_space = space.chars().all(|c| c != '\n' && c.is_whitespace()) && space.chars().count() == 1;
        if !one_space || group.len() != 3 || !digits(group) {
            return None;
        }
        rest = rest.strip_prefix(word)?;
        if rest.is_empty() {
            return Some(at + 1 - range.start);
        }
    }
    None
}

/// A multiplication sign between two numbers: `×`, or the letter used for it.
pub(crate) fn times(side: Side<'_>, at: usize) -> bool {
    let number = |at: Option<usize>| at.is_some_and(|at| side.tokens.kind(at) == TokenKind::Number);
    matches!(side.tokens.text(at), "×" | "x")
        && number(at.checked_sub(1))
        && at + 1 < side.tokens.len()
        && number(Some(at + 1))
}
