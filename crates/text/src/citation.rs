//! Recognizes text between the words of a passage that is not part of it: citation marks, footnote digits, page furniture.

use crate::lexicon::{Critical, critical};
use crate::terms::is_stopword;
use crate::token::{TokenKind, Tokens};

/// What a token that is missing on one side is, relative to the passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aside {
    /// `[12]`, `(Smith et al., 2020)`, a footnote digit.
    Citation,
    /// In round or square brackets, with the whole group left out.
    Parenthesis,
    /// On a line of its own between two halves of a sentence: page number, running head, caption.
    Furniture,
}

/// For each of the tokens `from..to`, which are between two kept tokens: its kind, if it is not part of the passage.
pub(crate) fn asides(text: &str, tokens: &Tokens, from: usize, to: usize) -> Vec<Option<Aside>> {
    let mut found = vec![None; to.saturating_sub(from)];
    if found.is_empty() {
        return found;
    }
    let region_start = from.checked_sub(1).map_or(0, |before| tokens.span(before).end);
    let region_end = if to < tokens.len() {
        tokens.span(to).start
    } else {
        text.len()
    };
    mark_brackets(text, tokens, from, (region_start, region_end), &mut found);
    mark_footnotes(text, tokens, from, &mut found);
    if found.iter().any(Option::is_none) && is_furniture(text, tokens, (from, to), (region_start, region_end)) {
        for slot in found.iter_mut().filter(|slot| slot.is_none()) {
            *slot = Some(Aside::Furniture);
        }
    }
    found
}

/// Maximum distance to a bracket that opened before or closes after, in bytes.
const BRACKET_REACH: usize = 300;

/// Marks the tokens inside brackets. A group must be entirely between the kept tokens, unless it is a citation.
fn mark_brackets(text: &str, tokens: &Tokens, from: usize, region: (usize, usize), found: &mut [Option<Aside>]) {
    let floor = text.floor_char_boundary(region.0.saturating_sub(BRACKET_REACH));
    let ceiling = text.ceil_char_boundary(region.1.saturating_add(BRACKET_REACH).min(text.len()));
    let Some(around) = text.get(floor..ceiling) else { return };
    let mut open: Vec<usize> = Vec::new();
    let may_be = |byte: &u8| matches!(byte, b'(' | b')' | b'[' | b']' | 0x88..=0x91);
    // Most ranges of this length contain no bracket. This check needs no branch per byte.
    let offsets = around
        .as_bytes()
        .chunks(32)
        .enumerate()
        .filter(|(_, chunk)| chunk.iter().fold(false, |held, byte| held | may_be(byte)))
        .flat_map(|(number, chunk)| (32 * number..).zip(chunk))
        .filter(|(_, byte)| may_be(byte));
    for (offset, &byte) in offsets {
        let at = floor + offset;
        // ASCII brackets, and wide East Asian brackets identified by their last byte.
        let wide = |last: u8| {
            byte == last
                && text
                    .get(at.saturating_sub(2)..=at)
                    .is_some_and(|c| "（）【】".contains(c))
        };
        match byte {
            b'(' | b'[' => open.push(at),
            0x88 | 0x90 if wide(byte) => open.push(at - 2),
            b')' | b']' | 0x89 | 0x91 if byte < 0x80 || wide(byte) => {
                let Some(start) = open.pop() else { continue };
                let end = at + 1;
                let within = region.0 <= start && end <= region.1;
                let touches = start < region.1 && region.0 < end;
                if !touches || !within && end - start > BRACKET_REACH {
                    continue;
                }
                let citation = is_citation(text.get(start..end).unwrap_or_default());
                let aside = if citation { Aside::Citation } else { Aside::Parenthesis };
                if !citation && !within {
                    continue;
                }
                for (index, slot) in found.iter_mut().enumerate() {
                    let span = tokens.span(from + index);
                    if start <= span.start && span.end <= end && *slot != Some(Aside::Citation) {
                        *slot = Some(aside);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a bracketed group, brackets included, is a citation: numbers, a year alone or with a name, or "et al.".
pub(crate) fn is_citation(group: &str) -> bool {
    let square = group.starts_with(['[', '【']);
    let inside = group.trim_matches(['(', ')', '[', ']', '（', '）', '【', '】', ' ']);
    if inside.is_empty() || inside.len() > 1000 {
        return false;
    }
    let numeric = inside.chars().all(|c| {
        c.is_ascii_digit() || c.is_whitespace() || matches!(c, ',' | ';' | '-' | '–' | '—' | '[' | ']' | '‐' | '‑')
    });
    if numeric {
        let longest = inside
            .split(|c: char| !c.is_ascii_digit())
            .map(str::len)
            .max()
            .unwrap_or(0);
        return longest >= 1
            && (square && longest <= 4 || longest <= 3 || inside.split(|c: char| !c.is_ascii_digit()).any(is_year));
    }
    let words = inside
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let denies = |word: &str| {
        let word = word.to_lowercase();
        critical(&word) == Some(Critical::Negation) && is_stopword(&word)
    };
    if words.clone().any(denies) {
        return false;
    }
    if words
        .clone()
        .zip(words.clone().skip(1))
        .any(|pair| pair == ("et", "al"))
    {
        return true;
    }
    let has_year = words.clone().any(is_year);
    let has_name = inside.chars().any(char::is_uppercase);
    if has_year && has_name && !inside.contains(['%', '=', '<', '>', '±']) {
        return true;
    }
    // Alphabetic keys: [ABC+20], [Knu97b].
    let key = |word: &str| {
        let letters = word.chars().take_while(|c| c.is_alphabetic() || *c == '+').count();
        let digits = word.chars().skip(letters).take_while(char::is_ascii_digit).count();
        letters >= 1 && digits == 2 && word.chars().count() <= letters + digits + 1
    };
    square && inside.split([',', ';', ' ']).filter(|word| !word.is_empty()).all(key)
}

fn is_year(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    digits.len() == 4
        && word.len() <= 5
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(digits.get(..2), Some("15" | "16" | "17" | "18" | "19" | "20"))
}

/// Marks whole numbers glued to the end of a word or a sentence: footnote and citation digits.
fn mark_footnotes(text: &str, tokens: &Tokens, from: usize, found: &mut [Option<Aside>]) {
    let mut chained = false;
    for (index, slot) in found.iter_mut().enumerate() {
        let at = from + index;
        if tokens.kind(at) != TokenKind::Number {
            chained = false;
            continue;
        }
        let span = tokens.span(at);
        let raw = span.slice(text).unwrap_or_default();
        let before = text.get(..span.start).unwrap_or_default();
        let mut back = before.chars().rev();
        let last = back.next();
        let second = back.next();
        let whole = raw.chars().count() <= 3 && !raw.contains('.');
        let superscript = whole && !raw.is_ascii() && !raises(text, tokens, at);
        let glued = match last {
            Some(mark @ ('.' | ',' | ';' | ':' | ')' | ']' | '”' | '"' | '’' | '?' | '!')) => {
                second.is_some_and(|c| c.is_alphabetic() || is_quote_or_bracket(c)) || mark == '”'
            }
            _ => false,
        };
        let follows = text.get(span.end..).and_then(|rest| rest.chars().next());
        let ends = follows.is_none_or(|c| !c.is_alphanumeric() && c != '%');
        let continues = chained && matches!(last, Some(',' | '-' | '–'));
        let mark = whole && ends && (superscript || glued || continues);
        if mark {
            *slot = Some(Aside::Citation);
        }
        chained = mark;
    }
}

/// Whether a superscript digit belongs to what precedes it: a digit, a letter of a formula, a unit. After a word it is a footnote.
fn raises(text: &str, tokens: &Tokens, at: usize) -> bool {
    let Some(left) = at.checked_sub(1) else { return false };
    let (before, here) = (tokens.span(left), tokens.span(at));
    let between = text.get(before.end..here.start).unwrap_or_default();
    if !between.is_empty()
        && between
            .chars()
            .any(|c| !matches!(c, '\u{207a}'..='\u{207e}' | ')' | ']'))
    {
        return false;
    }
    let word = tokens.text(left);
    let letters = word.chars().count();
    let measured = || {
        let number = left
            .checked_sub(1)
            .is_some_and(|number| tokens.kind(number) == TokenKind::Number);
        letters <= 3
            && (number
                || text
                    .get(..before.start)
                    .is_some_and(|text| text.ends_with(['/', '·', '\u{22c5}'])))
    };
    tokens.kind(left) != TokenKind::Word || letters == 1 || word.starts_with(|c: char| c.is_numeric()) || measured()
}

fn is_quote_or_bracket(character: char) -> bool {
    matches!(character, ')' | ']' | '”' | '"' | '’' | '\'')
}

/// Whether the tokens are on lines of their own and interrupt a sentence: bare numbers, or paragraphs in the middle of it.
fn is_furniture(text: &str, tokens: &Tokens, (from, to): (usize, usize), region: (usize, usize)) -> bool {
    let (first, last) = (tokens.span(from).start, tokens.span(to.saturating_sub(1)).end);
    let before = text.get(region.0..first).unwrap_or_default();
    let after = text.get(last..region.1).unwrap_or_default();
    if !before.contains('\n') || !after.contains('\n') {
        return false;
    }
    if (from..to).all(|at| tokens.kind(at) == TokenKind::Number) {
        return true;
    }
    let own_paragraph = blank_line(before) && blank_line(after);
    let interrupted = !before.trim_end().ends_with(['.', '!', '?', ':', ';']) && !before.contains(['.', '!', '?']);
    own_paragraph && interrupted && to - from <= 60
}

fn blank_line(between: &str) -> bool {
    between.matches('\n').count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_distinguished_from_remarks() {
        for group in [
            "[1]",
            "[12, 14–17]",
            "(3)",
            "(2019)",
            "(Smith, 2020)",
            "(see Li et al., in press)",
            "[ABC+20, Kn97]",
            "(MUC-6 1995)",
        ] {
            assert!(is_citation(group), "{group}");
        }
        for group in [
            "()",
            "(not Smith, 2020)",
            "(one can get all hits)",
            "(37%)",
            "(n = 1200)",
            "(In short)",
            "[sic]",
            "(0.93)",
        ] {
            assert!(!is_citation(group), "{group}");
        }
    }
}
