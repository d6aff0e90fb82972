//! Splits text into tokens in one pass, then resolves line-end hyphens with the text's own vocabulary.
//!
//! Long because every rule about a character is next to the one pass that applies it.

use std::hash::Hasher;

use rustc_hash::{FxHashSet, FxHasher};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::token::{Entry, TokenKind, Tokens};

/// How a character affects the current token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Part of a word.
    Letter,
    /// A decimal digit.
    Digit,
    /// A mark that belongs to the preceding character.
    Mark,
    /// A word of its own, in scripts without spaces.
    Ideograph,
    /// A number of its own: superscripts, fractions, circled digits.
    LoneNumber,
    /// A sign that is compared.
    Symbol,
    /// Ignored: soft hyphens, zero-width characters, direction marks.
    Invisible,
    /// Apostrophes: ignored inside a word, a break elsewhere.
    Apostrophe,
    /// Everything else: spaces and punctuation.
    Break,
}

const fn classify_ascii(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        b'%' | b'<' | b'>' | b'=' | b'+' | b'$' | b'&' => Class::Symbol,
        b'\'' => Class::Apostrophe,
        _ => Class::Break,
    }
}

fn classify(character: char) -> Class {
    if let Ok(byte @ 0..0x80) = u8::try_from(character) {
        return classify_ascii(byte);
    }
    match character {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
            Class::Invisible
        }
        '\u{fe00}'..='\u{fe0f}' => Class::Invisible,
        '\u{2018}' | '\u{2019}' | '\u{2bc}' | '\u{2b9}' | '\u{2032}' | '\u{ff07}' => Class::Apostrophe,
        // Minus, asterisk, bullet and dot operators, the ratio colon, and the slash, bars and tilde of formulas, treated like their ASCII
        // equivalents.
        '\u{2212}' | '\u{2215}' | '\u{2217}' | '\u{2219}' | '\u{2223}' | '\u{2225}' | '\u{2236}' | '\u{223c}'
        | '\u{22c5}' => Class::Break,
        '\u{2190}'..='\u{22ff}' | '\u{27c0}'..='\u{27ff}' | '\u{2900}'..='\u{2aff}' | '\u{20a0}'..='\u{20cf}' => {
            Class::Symbol
        }
        '¬' | '±' | '×' | '÷' | '°' | '£' | '¥' | '¢' | '‰' | '\u{207a}' | '\u{208a}' => Class::Symbol,
        '\u{fe62}'..='\u{fe66}' | '\u{ff05}' | '\u{ff0b}' | '\u{ff1c}'..='\u{ff1e}' => Class::Symbol,
        _ if is_unspaced(character) => Class::Ideograph,
        _ if is_combining_mark(character) => Class::Mark,
        '\u{ff10}'..='\u{ff19}' | '\u{1d7ce}'..='\u{1d7ff}' => Class::Digit,
        _ if character.is_numeric() && std::iter::once(character).nfkc().ne(std::iter::once(character)) => {
            Class::LoneNumber
        }
        _ if character.is_numeric() => Class::Digit,
        _ if character.is_alphabetic() => Class::Letter,
        _ => Class::Break,
    }
}

/// Scripts without spaces between words: Han, kana, Thai, Lao, Myanmar, Khmer, and Tibetan (which separates syllables).
fn is_unspaced(character: char) -> bool {
    character.is_alphabetic()
        && matches!(character,
            '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
            | '\u{20000}'..='\u{3ffff}' | '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{2e80}'..='\u{2fdf}')
        && !is_combining_mark(character)
}

fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}' | '\u{2011}' | '\u{2}' | '\u{ad}')
}

/// The Latin letter that a lower-case Cyrillic or Greek letter looks like.
fn looks_like(character: char) -> Option<char> {
    Some(match character {
        'а' => 'a',
        'е' => 'e',
        'о' | 'ο' => 'o',
        'р' => 'p',
        'с' => 'c',
        'у' => 'y',
        'х' => 'x',
        'і' => 'i',
        'ј' => 'j',
        'ѕ' => 's',
        'һ' => 'h',
        _ => return None,
    })
}

/// Whether a word mixes Latin letters with look-alikes of another alphabet, which no language does.
pub(crate) fn mixes_alphabets(raw: &str) -> bool {
    raw.bytes().any(|byte| byte.is_ascii_alphabetic())
        && raw
            .chars()
            .flat_map(char::to_lowercase)
            .any(|character| looks_like(character).is_some())
}

/// Appends the compared form of `raw` to `norm`.
fn normalise(raw: &str, norm: &mut String) {
    if raw.is_ascii() {
        norm.extend(
            raw.bytes()
                .filter(|byte| *byte != b'\'')
                .map(|byte| char::from(byte.to_ascii_lowercase())),
        );
        return;
    }
    let mixed = mixes_alphabets(raw);
    // Decomposed, stripped of Latin, Greek and Cyrillic accents, and composed again. Other scripts keep their marks.
    let folded = raw
        .nfkd()
        .filter(|character| !matches!(character, '\u{300}'..='\u{36f}'));
    for character in folded.nfc() {
        match classify(character) {
            Class::Invisible | Class::Apostrophe => {}
            Class::Break if character == '\u{2044}' => norm.push('/'),
            Class::Break => {}
            _ => {
                for lower in character.to_lowercase() {
                    match lower {
                        'ß' => norm.push_str("ss"),
                        'ø' => norm.push('o'),
                        'ł' => norm.push('l'),
                        'đ' => norm.push('d'),
                        'ħ' => norm.push('h'),
                        'ŧ' => norm.push('t'),
                        'ı' => norm.push('i'),
                        'æ' => norm.push_str("ae"),
                        'œ' => norm.push_str("oe"),
                        'ς' => norm.push('σ'),
                        '\u{300}'..='\u{36f}' => {}
                        _ if mixed => norm.push(looks_like(lower).unwrap_or(lower)),
                        _ => norm.push(lower),
                    }
                }
            }
        }
    }
}

fn symbol(raw: &str, norm: &mut String) {
    match raw {
        "≤" | "⩽" | "≦" => norm.push_str("<="),
        "≥" | "⩾" | "≧" => norm.push_str(">="),
        "&" => norm.push_str("and"),
        "%" | "％" => norm.push_str("percent"),
        _ => norm.extend(raw.nfkc()),
    }
}

pub(crate) fn key_of(norm: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(norm.as_bytes());
    hasher.finish()
}

/// A token boundary at a line break after a hyphen: token `left` may continue in token `left + 1`.
struct LineBreakHyphen {
    left: usize,
}

/// The tokens of `text`, up to its first 4 GiB.
pub(crate) fn tokenize(text: &str) -> Tokens {
    let text = match text.get(..(u32::MAX as usize).min(text.len())) {
        Some(fitting) => fitting,
        None => return Tokens::default(),
    };
    let mut reader = TokenReader {
        text,
        tokens: Tokens {
            entries: Vec::with_capacity(text.len() / 6 + 1),
            norm: String::with_capacity(text.len()),
        },
        hyphens: Vec::new(),
    };
    reader.read();
    let TokenReader {
        mut tokens, hyphens, ..
    } = reader;
    if !hyphens.is_empty() {
        join_hyphens(text, &mut tokens, &hyphens);
    }
    tokens
}

struct TokenReader<'a> {
    text: &'a str,
    tokens: Tokens,
    hyphens: Vec<LineBreakHyphen>,
}

impl TokenReader<'_> {
    fn read(&mut self) {
        let mut at = 0;
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' => {
                    at = self.word(at);
                    continue;
                }
                b' ' | b'\n' | b',' => {
                    at += 1;
                    continue;
                }
                _ => {}
            }
            let Some(character) = self.char_at(at) else { break };
            let next = at + character.len_utf8();
            at = match classify(character) {
                Class::Letter => self.word(at),
                Class::Digit => self.number(at),
                Class::Ideograph | Class::LoneNumber => self.with_marks(at, next),
                Class::Symbol => self.symbol(at, next),
                Class::Break if character == '.' => self.leading_point(at, next),
                _ => next,
            };
        }
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    /// End of the run of letters, digits and marks that starts at `at`; apostrophes count between letters.
    fn run_end(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let plain = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        match rest.get(plain) {
            Some(b'\'' | 0x80..) => self.run_end_of_any(at + plain),
            _ => at + plain,
        }
    }

    fn run_end_of_any(&self, at: usize) -> usize {
        let mut end = at;
        let Some(rest) = self.text.get(at..) else { return at };
        let mut characters = rest.char_indices().peekable();
        while let Some((offset, character)) = characters.next() {
            match classify(character) {
                Class::Letter | Class::Digit | Class::Mark => end = at + offset + character.len_utf8(),
                Class::Invisible => {}
                Class::Apostrophe => {
                    let inside = characters
                        .peek()
                        .is_some_and(|(_, next)| classify(*next) == Class::Letter);
                    if !inside {
                        break;
                    }
                }
                _ => break,
            }
        }
        end
    }

    fn word(&mut self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let plain = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if plain > 1 && !matches!(rest.get(plain), Some(b'\'' | 0x80..)) {
            return self.plain_word(at, at + plain);
        }
        let mut end = self.run_end(at);
        // Names of programming languages: C++, C#, F#.
        if end - at == 1 {
            let rest = self.text.get(end..).unwrap_or_default();
            let suffix = ["++", "#"].into_iter().find(|suffix| rest.starts_with(suffix));
            end += suffix.map_or(0, str::len);
        }
        self.push(at, end, TokenKind::Word);
        self.note_hyphen(end);
        end
    }

    /// A word of several ASCII letters and digits, and nothing else.
    fn plain_word(&mut self, at: usize, end: usize) -> usize {
        let norm_start = self.tokens.norm.len();
        self.tokens.norm.push_str(self.text.get(at..end).unwrap_or_default());
        if let Some(word) = self.tokens.norm.get_mut(norm_start..) {
            word.make_ascii_lowercase();
        }
        self.finish(at, end, norm_start, TokenKind::Word);
        self.note_hyphen(end);
        end
    }

    /// A number with its decimal point and thousands, and the letters glued to it.
    fn number(&mut self, at: usize) -> usize {
        let mut end = self.run_end(at);
        let plain = |from: usize, to: usize, text: &str| {
            text.get(from..to)
                .is_some_and(|run| !run.is_empty() && run.chars().all(|c| classify(c) == Class::Digit))
        };
        let mut whole = plain(at, end, self.text);
        let mut first = true;
        while whole {
            let Some(mark @ ('.' | ',' | '\u{b7}' | '\u{2044}')) = self.char_at(end) else {
                break;
            };
            let after = end + mark.len_utf8();
            let run = self.run_end(after);
            if run == after || !self.char_at(after).is_some_and(|c| classify(c) == Class::Digit) {
                break;
            }
            let thousands = plain(after, run, self.text) && run - after == 3;
            if mark == ',' && !(thousands && (!first || end - at <= 3)) {
                break;
            }
            whole = plain(after, run, self.text);
            end = run;
            first = false;
        }
        self.push(at, end, if whole { TokenKind::Number } else { TokenKind::Word });
        end
    }

    /// `.05` is `0.05`; any other full stop is punctuation.
    fn leading_point(&mut self, at: usize, next: usize) -> usize {
        let opens = self
            .text
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_none_or(|before| {
                before.is_whitespace()
                    || classify(before) == Class::Symbol
                    || matches!(before, '(' | '[' | '∼' | '~' | '-' | '−' | '–' | '/' | '*' | '·')
            });
        if !opens || !self.char_at(next).is_some_and(|c| c.is_ascii_digit()) {
            return next;
        }
        let end = self.run_end(next);
        self.push(at, end, TokenKind::Number);
        end
    }

    fn with_marks(&mut self, at: usize, next: usize) -> usize {
        let mut end = next;
        while let Some(mark) = self.char_at(end).filter(|c| matches!(classify(*c), Class::Mark)) {
            end += mark.len_utf8();
        }
        let lone = self.char_at(at).is_some_and(|c| classify(c) == Class::LoneNumber);
        self.push(at, end, if lone { TokenKind::Number } else { TokenKind::Ideograph });
        end
    }

    fn symbol(&mut self, at: usize, next: usize) -> usize {
        let mut end = next;
        while let Some(mark) = self.char_at(end).filter(|c| classify(*c) == Class::Mark) {
            end += mark.len_utf8();
        }
        let norm_start = self.tokens.norm.len();
        symbol(self.text.get(at..end).unwrap_or_default(), &mut self.tokens.norm);
        self.finish(at, end, norm_start, TokenKind::Symbol);
        end
    }

    fn push(&mut self, at: usize, end: usize, kind: TokenKind) {
        let norm_start = self.tokens.norm.len();
        let raw = self.text.get(at..end).unwrap_or_default();
        if raw.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            self.tokens.norm.push_str(raw);
            if let Some(added) = self.tokens.norm.get_mut(norm_start..) {
                added.make_ascii_lowercase();
            }
            self.finish(at, end, norm_start, kind);
            return;
        }
        if kind == TokenKind::Number {
            let before = self.tokens.norm.len();
            if raw.starts_with('.') {
                self.tokens.norm.push('0');
            }
            for part in raw.split_inclusive('.') {
                let (digits, point) = part.strip_suffix('.').map_or((part, false), |digits| (digits, true));
                normalise_number(digits, &mut self.tokens.norm);
                if point {
                    self.tokens.norm.push('.');
                }
            }
            if self.tokens.norm.len() == before {
                return;
            }
        } else {
            match raw.split_once('.') {
                Some((whole, rest)) => {
                    normalise(whole, &mut self.tokens.norm);
                    self.tokens.norm.push('.');
                    normalise(rest, &mut self.tokens.norm);
                }
                None => normalise(raw, &mut self.tokens.norm),
            }
            if raw.ends_with("++") || raw.ends_with('#') {
                let keep = raw.trim_start_matches(|c: char| c != '+' && c != '#');
                if !self.tokens.norm.ends_with(keep) {
                    self.tokens.norm.push_str(keep);
                }
            }
        }
        self.finish(at, end, norm_start, kind);
    }

    fn finish(&mut self, at: usize, end: usize, norm_start: usize, kind: TokenKind) {
        let norm = self.tokens.norm.get(norm_start..).unwrap_or_default();
        if norm.is_empty() {
            return;
        }
        // All offsets fit, because the text was cut to 4 GiB. The compared form can be longer; such a text ends early.
        let (Ok(start), Ok(stop), Ok(norm_from), Ok(norm_to)) = (
            u32::try_from(at),
            u32::try_from(end),
            u32::try_from(norm_start),
            u32::try_from(self.tokens.norm.len()),
        ) else {
            return;
        };
        self.tokens.entries.push(Entry {
            key: key_of(norm),
            start,
            end: stop,
            norm_start: norm_from,
            norm_end: norm_to,
            kind,
        });
    }

    /// Records a hyphen at `at` that ends its line if a lower-case letter starts the next line.
    fn note_hyphen(&mut self, at: usize) {
        // Hyphens are `-`, U+0002 and multi-byte characters.
        if !matches!(self.text.as_bytes().get(at), Some(b'-' | 2 | 0x80..)) {
            return;
        }
        let Some(rest) = self.text.get(at..) else { return };
        let mut characters = rest.chars();
        if !characters.next().is_some_and(is_hyphen) {
            return;
        }
        let mut lines = 0;
        for character in characters {
            match character {
                '\n' => lines += 1,
                _ if character.is_whitespace() || is_hyphen(character) && character != '-' => {}
                _ => {
                    if lines == 1 && character.is_lowercase() {
                        self.hyphens.push(LineBreakHyphen {
                            left: self.tokens.entries.len().saturating_sub(1),
                        });
                    }
                    return;
                }
            }
            if lines > 1 {
                return;
            }
        }
    }
}

fn normalise_number(raw: &str, norm: &mut String) {
    for character in raw.nfkc() {
        match character {
            ',' => {}
            // The decimal point of British medical print.
            '\u{b7}' => norm.push('.'),
            '\u{2044}' => norm.push('/'),
            _ => norm.extend(character.to_lowercase()),
        }
    }
}

/// Maximum length of a word that a line end may break, in bytes.
const LONGEST_JOINED: u32 = 64;

/// Joins a word broken at a line end, unless the text itself writes the two halves separately.
fn join_hyphens(text: &str, tokens: &mut Tokens, hyphens: &[LineBreakHyphen]) {
    let broken: FxHashSet<usize> = hyphens.iter().map(|hyphen| hyphen.left).collect();
    let mut words: FxHashSet<u64> = FxHashSet::default();
    let mut compounds: FxHashSet<(u64, u64)> = FxHashSet::default();
    let mut previous: Option<(usize, &Entry)> = None;
    for (index, entry) in tokens.entries.iter().enumerate() {
        let part_of_break = broken.contains(&index) || index > 0 && broken.contains(&(index - 1));
        if !part_of_break {
            words.insert(entry.key);
        }
        if let Some((left, before)) = previous
            && !broken.contains(&left)
        {
            let between = text.get(before.end as usize..entry.start as usize).unwrap_or_default();
            let mut characters = between.chars();
            if characters.next().is_some_and(is_hyphen) && characters.next().is_none() {
                compounds.insert((before.key, entry.key));
            }
        }
        previous = Some((index, entry));
    }
    let old = std::mem::take(&mut tokens.entries);
    let mut entries: Vec<Entry> = Vec::with_capacity(old.len());
    let mut join_next = false;
    for (index, entry) in old.iter().enumerate() {
        if join_next
            && let Some(last) = entries.last_mut()
            && entry.norm_end - last.norm_start <= LONGEST_JOINED
        {
            // The compared forms of adjacent tokens are contiguous in `norm`.
            last.end = entry.end;
            last.norm_end = entry.norm_end;
            last.key = key_of(
                tokens
                    .norm
                    .get(last.norm_start as usize..last.norm_end as usize)
                    .unwrap_or_default(),
            );
        } else {
            entries.push(*entry);
        }
        join_next = broken.contains(&index)
            && old
                .get(index + 1)
                .is_some_and(|right| plausible(tokens, entry, right, &words, &compounds));
    }
    tokens.entries = entries;
}

fn plausible(
    tokens: &Tokens,
    left: &Entry,
    right: &Entry,
    words: &FxHashSet<u64>,
    compounds: &FxHashSet<(u64, u64)>,
) -> bool {
    let adjacent = left.norm_end == right.norm_start;
    let whole = tokens
        .norm
        .get(left.norm_start as usize..right.norm_end as usize)
        .unwrap_or_default();
    if !adjacent || right.kind != TokenKind::Word {
        return false;
    }
    if words.contains(&key_of(whole)) {
        return true;
    }
    let both_stand_alone = words.contains(&left.key) && words.contains(&right.key);
    !compounds.contains(&(left.key, right.key)) && !both_stand_alone
}

#[cfg(test)]
#[path = "tokenize_tests.rs"]
mod tests;
