use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// `text` in NFKC and lower case, with accents of Latin, Greek and Cyrillic letters removed.
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkc().flat_map(char::to_lowercase) {
        match c {
            // Soft hyphens and zero-width marks are invisible, so they do not change a word.
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => {}
            '’' | 'ʼ' => folded.push('\''),
            _ if c.is_ascii() => folded.push(c),
            _ if is_accented_script(c) => {
                let mut base = None;
                decompose_canonical(c, |part| base = base.or(Some(part)));
                folded.push(base.unwrap_or(c));
            }
            // A combining mark that NFKC could not compose with its letter.
            '\u{300}'..='\u{36f}' => {}
            _ => folded.push(c),
        }
    }
    Cow::Owned(folded)
}

/// Letters and digits of any script, and the combining marks of Indic and other scripts.
pub(super) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || (!c.is_ascii() && is_combining_mark(c))
}

/// Whether `c` belongs to a script without spaces between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17FF | 0x3040..=0x312F | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

fn is_accented_script(c: char) -> bool {
    matches!(u32::from(c), 0xC0..=0x24F | 0x370..=0x52F | 0x1E00..=0x1FFF)
}
