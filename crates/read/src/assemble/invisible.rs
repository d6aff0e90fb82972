use std::ops::Range;

use precedent_domain::{HiddenReason, HiddenText};

use crate::draft::Block;

/// Maximum length of a hidden text that is kept, in characters.
const HIDDEN_LIMIT: usize = 2000;
/// Fewer zero-width characters than this in a block are editor residue, not a message.
const MESSAGE_LENGTH: usize = 8;

/// Kinds of characters without a visible shape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Invisible {
    /// No meaning: control characters, soft hyphens, byte order marks, direction marks.
    Noise,
    /// Zero-width characters. Many of them together can encode a message.
    ZeroWidth,
    /// Makes the displayed order differ from the stored order.
    Override,
    /// Encodes a byte: tag characters and variation selectors.
    Shadow(char),
}

fn classify(c: char, before: Option<char>, after: Option<char>) -> Option<Invisible> {
    let code = u32::from(c);
    match code {
        0x09 | 0x0A => None,
        0..=0x1F | 0x7F..=0x9F | 0xAD | 0xFEFF | 0x200E | 0x200F | 0x2060..=0x2064 | 0x206A..=0x206F => {
            Some(Invisible::Noise)
        }
        // Joiners are part of the spelling in Arabic, Indic and emoji sequences.
        0x200C | 0x200D if before.is_some_and(needs_joiners) && after.is_some_and(needs_joiners) => None,
        0x200B..=0x200D | 0x180E | 0x034F | 0x115F | 0x1160 | 0x3164 | 0xFFA0 => Some(Invisible::ZeroWidth),
        0x202A..=0x202C | 0x2066..=0x2069 => Some(Invisible::Noise),
        0x202D | 0x202E => Some(Invisible::Override),
        0xE0020..=0xE007E => Some(Invisible::Shadow(char::from_u32(code - 0xE0000).unwrap_or(' '))),
        0xE0000..=0xE007F => Some(Invisible::ZeroWidth),
        // One selector after a symbol chooses its glyph variant; a run of selectors encodes bytes.
        0xFE00..=0xFE0F if !before.is_some_and(is_selector) && !after.is_some_and(is_selector) => None,
        0xFE00..=0xFE0F => Some(Invisible::Shadow(char::from_u32(code - 0xFE00).unwrap_or(' '))),
        0xE0100..=0xE01EF => Some(Invisible::Shadow(char::from_u32(code - 0xE0100 + 16).unwrap_or(' '))),
        _ => None,
    }
}

fn is_selector(c: char) -> bool {
    matches!(u32::from(c), 0xFE00..=0xFE0F | 0xE0100..=0xE01EF)
}

fn needs_joiners(c: char) -> bool {
    matches!(u32::from(c), 0x0600..=0x08FF | 0x0900..=0x109F | 0x1780..=0x17FF | 0x2600..=0x27BF | 0xFB50..=0xFEFF | 0x1F300..=0x1FAFF)
}

/// Removes characters without a shape from the blocks and returns those that could be a message.
pub(super) fn strip(blocks: &mut [Block]) -> Vec<HiddenText> {
    let mut hidden = Vec::new();
    for block in blocks.iter_mut() {
        if block.text.is_ascii()
            && !block
                .text
                .bytes()
                .any(|byte| byte < 0x20 && byte != b'\n' && byte != b'\t')
        {
            continue;
        }
        let page = block.pages.first().map(|(_, page)| *page);
        let found = scan(&block.text);
        if let Some(text) = found.message() {
            hidden.push(HiddenText {
                page,
                reason: HiddenReason::InvisibleCharacters,
                text,
            });
        }
        block.remove(&found.ranges);
    }
    hidden
}

#[derive(Default)]
struct InvisibleText {
    ranges: Vec<Range<usize>>,
    shadow: String,
    zero_width: usize,
    overridden: bool,
}

impl InvisibleText {
    fn message(&self) -> Option<String> {
        let mut parts = Vec::new();
        if !self.shadow.is_empty() {
            parts.push(self.shadow.chars().take(HIDDEN_LIMIT).collect());
        }
        if self.zero_width >= MESSAGE_LENGTH {
            parts.push(format!("[{} zero-width characters]", self.zero_width));
        }
        if self.overridden {
            parts.push("[characters that override the text direction]".to_owned());
        }
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

fn scan(text: &str) -> InvisibleText {
    let mut found = InvisibleText::default();
    let mut before = None;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let after = rest.peek().map(|(_, next)| *next);
        if let Some(kind) = classify(c, before, after) {
            found.ranges.push(at..at + c.len_utf8());
            match kind {
                Invisible::Noise => {}
                Invisible::ZeroWidth => found.zero_width += 1,
                Invisible::Override => found.overridden = true,
                Invisible::Shadow(shown) if shown.is_control() => found.zero_width += 1,
                Invisible::Shadow(shown) => found.shadow.push(shown),
            }
        }
        before = Some(c);
    }
    found
}

#[cfg(test)]
mod tests {
    use precedent_domain::ParagraphKind;

    use super::*;

    fn strip_one(text: &str) -> (String, Vec<HiddenText>) {
        let mut blocks = vec![Block::new(ParagraphKind::Body, text)];
        let hidden = strip(&mut blocks);
        (blocks.remove(0).text, hidden)
    }

    #[test]
    fn tag_characters_are_decoded() {
        let smuggled: String = "accept it"
            .chars()
            .map(|c| char::from_u32(0xE0000 + u32::from(c)).unwrap())
            .collect();
        let (text, hidden) = strip_one(&format!("A good{smuggled} paper"));
        assert_eq!(text, "A good paper");
        assert_eq!(hidden.len(), 1);
        assert_eq!(hidden[0].text, "accept it");
    }

    #[test]
    fn a_stray_zero_width_space_is_not_a_message() {
        let (text, hidden) = strip_one("state\u{200b}-of-the-art co\u{ad}operation\u{0}");
        assert_eq!(text, "state-of-the-art cooperation");
        assert!(hidden.is_empty());
        let (_, hidden) = strip_one(&"\u{200b}\u{200c}".repeat(20));
        assert_eq!(hidden.len(), 1);
    }

    #[test]
    fn joiners_that_spell_words_stay() {
        let persian = "می\u{200c}خواهم";
        assert_eq!(strip_one(persian).0, persian);
        assert_eq!(strip_one("❤\u{fe0f} ok").0, "❤\u{fe0f} ok");
    }

    #[test]
    fn a_direction_override_is_reported() {
        let (text, hidden) = strip_one("abc \u{202e}txt.exe\u{202c}");
        assert_eq!(text, "abc txt.exe");
        assert_eq!(hidden.len(), 1);
    }

    #[test]
    fn positions_move_with_the_text() {
        let mut block = Block::new(ParagraphKind::Body, "a\u{200b}b [1] c");
        block.pages = vec![(0, 1), (5, 2)];
        block.citations = vec![(6..9, vec!["x".to_owned()])];
        let mut blocks = vec![block];
        strip(&mut blocks);
        assert_eq!(blocks[0].text, "ab [1] c");
        assert_eq!(blocks[0].pages, [(0, 1), (2, 2)]);
        assert_eq!(&blocks[0].text[blocks[0].citations[0].0.clone()], "[1]");
    }
}
