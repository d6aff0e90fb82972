//! Normalizes characters from fonts to those used in ordinary text.

/// Appends `text` with ligatures expanded, spaces unified, and characters without a shape removed.
pub(super) fn clean_characters(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            'ﬀ' => out.push_str("ff"),
            'ﬁ' => out.push_str("fi"),
            'ﬂ' => out.push_str("fl"),
            'ﬃ' => out.push_str("ffi"),
            'ﬄ' => out.push_str("ffl"),
            'ﬅ' | 'ﬆ' => out.push_str("st"),
            'Ĳ' => out.push_str("IJ"),
            'ĳ' => out.push_str("ij"),
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\t' | '\n' | '\r' => {
                out.push(' ');
            }
            '\u{2010}' | '\u{2011}' | '\u{ad}' => out.push('-'),
            // Bullets of Word's Symbol and Wingdings fonts.
            '\u{f0b7}' | '\u{f0a7}' | '\u{f0d8}' | '\u{f076}' | '\u{f0fc}' => out.push('•'),
            '\u{f020}'..='\u{f07e}' => {
                if let Some(plain) = char::from_u32(u32::from(character) - 0xf000) {
                    out.push(plain);
                }
            }
            '\u{fffd}' | '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' => {}
            // Private use: an unknown shape.
            '\u{e000}'..='\u{f8ff}' => {}
            other if other.is_control() => {}
            other => out.push(other),
        }
    }
}
