//! Widths of the standard fonts that a PDF need not include, for the characters from space to tilde. From Adobe's published font metrics.

use unicode_normalization::UnicodeNormalization;

/// Standard fonts by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StandardFont {
    Sans,
    SansBold,
    Serif,
    SerifBold,
    SerifItalic,
    SerifBoldItalic,
    Mono,
}

impl StandardFont {
    /// The closest standard font for a name; sans serif if the name does not say.
    pub(super) fn from_name(name: &str, bold: bool) -> Self {
        let name = name.to_ascii_lowercase();
        if name.contains("courier") || name.contains("mono") {
            Self::Mono
        } else if ["times", "serif", "roman", "cmr", "georgia", "palatino"]
            .iter()
            .any(|part| name.contains(part))
            && !name.contains("sans")
        {
            match (bold, name.contains("italic") || name.contains("oblique")) {
                (false, false) => Self::Serif,
                (false, true) => Self::SerifItalic,
                (true, false) => Self::SerifBold,
                (true, true) => Self::SerifBoldItalic,
            }
        } else if bold {
            Self::SansBold
        } else {
            Self::Sans
        }
    }

    /// Width in thousandths of the font size.
    pub(super) fn width(self, character: char) -> f64 {
        let table = match self {
            Self::Sans => &SANS,
            Self::SansBold => &SANS_BOLD,
            Self::Serif => &SERIF,
            Self::SerifBold => &SERIF_BOLD,
            Self::SerifItalic => &SERIF_ITALIC,
            Self::SerifBoldItalic => &SERIF_BOLD_ITALIC,
            Self::Mono => return 600.0,
        };
        let in_table = |character: char| {
            let at = u32::from(character)
                .checked_sub(32)
                .and_then(|at| usize::try_from(at).ok());
            at.and_then(|at| table.get(at)).copied()
        };
        let serif = !matches!(self, Self::Sans | Self::SansBold);
        let width = in_table(character).unwrap_or_else(|| match character {
            '´' | '`' | 'ˆ' | '¨' | '˜' | '¸' | 'ˇ' | '˘' | '¯' | '˝' | '˚' | '˙' => 333,
            '‘' | '’' | '‚' => {
                if serif {
                    333
                } else {
                    222
                }
            }
            '“' | '”' | '„' => match self {
                Self::SerifItalic => 556,
                Self::SerifBoldItalic => 500,
                _ if serif => 444,
                _ => 333,
            },
            'ﬁ' | 'ﬂ' => {
                if serif && self != Self::SerifItalic {
                    556
                } else {
                    500
                }
            }
            'ı' => 278,
            '—' | '…' if self == Self::SerifItalic => 889,
            '—' | '…' | '‰' => 1000,
            '•' => 350,
            'Æ' => {
                if serif {
                    889
                } else {
                    1000
                }
            }
            other => {
                // An accented letter is as wide as its base letter.
                let base = [other].into_iter().nfd().next().and_then(in_table);
                base.unwrap_or(if other.is_uppercase() { 690 } else { 500 })
            }
        });
        f64::from(width)
    }
}

#[rustfmt::skip]
const SANS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 222, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778,
    722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278,
    278, 278, 469, 556, 222, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

#[rustfmt::skip]
const SANS_BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 278, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778,
    722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333,
    278, 333, 584, 556, 278, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
    611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];

#[rustfmt::skip]
const SERIF: [u16; 95] = [
    250, 333, 408, 500, 500, 833, 778, 333, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722,
    722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333,
    278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500,
    500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
];

#[rustfmt::skip]
const SERIF_BOLD: [u16; 95] = [
    250, 333, 555, 500, 500, 1000, 833, 333, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 333, 333, 570, 570, 570, 500, 930, 722, 667, 722, 722, 667, 611, 778,
    778, 389, 500, 778, 667, 944, 722, 778, 611, 778, 722, 556, 667, 722, 722, 1000, 722, 722, 667, 333,
    278, 333, 581, 500, 333, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 556, 278, 833, 556, 500,
    556, 556, 444, 389, 333, 556, 500, 722, 500, 500, 444, 394, 220, 394, 520,
];

#[rustfmt::skip]
const SERIF_ITALIC: [u16; 95] = [
    250, 333, 420, 500, 500, 833, 778, 333, 333, 333, 500, 675, 250, 333, 250, 278, 500, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 333, 333, 675, 675, 675, 500, 920, 611, 611, 667, 722, 611, 611, 722,
    722, 333, 444, 667, 556, 833, 667, 722, 611, 722, 611, 500, 556, 722, 611, 833, 611, 556, 556, 389,
    278, 389, 422, 500, 333, 500, 500, 444, 500, 444, 278, 500, 500, 278, 278, 444, 278, 722, 500, 500,
    500, 500, 389, 389, 278, 500, 444, 667, 444, 444, 389, 400, 275, 400, 541,
];

#[rustfmt::skip]
const SERIF_BOLD_ITALIC: [u16; 95] = [
    250, 389, 555, 500, 500, 833, 778, 333, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 333, 333, 570, 570, 570, 500, 832, 667, 667, 667, 722, 667, 667, 722,
    778, 389, 500, 667, 611, 889, 722, 722, 611, 722, 667, 556, 611, 722, 667, 889, 667, 611, 611, 333,
    278, 333, 570, 500, 333, 500, 500, 444, 500, 444, 333, 500, 556, 278, 278, 500, 278, 778, 556, 500,
    500, 500, 389, 389, 278, 556, 444, 667, 500, 444, 389, 348, 220, 348, 570,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_style_has_widths_of_its_own() {
        let width = |name: &str, character| StandardFont::from_name(name, name.contains("Bold")).width(character);
        let of_a = ["Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"].map(|name| width(name, 'A'));
        assert_eq!(of_a, [722.0, 722.0, 611.0, 667.0]);
        let of_dash = ["Times-Roman", "Times-Italic", "Helvetica"].map(|name| width(name, '—'));
        assert_eq!(of_dash, [1000.0, 889.0, 1000.0]);
        assert_eq!(width("Times-Italic", 'é'), width("Times-Italic", 'e'));
    }
}
