//! Decodes text files and maps positions in the text to bytes of the file.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use precedent_engine::domain::Span;

/// A decoded file.
#[derive(Debug)]
pub struct Decoded {
    /// Its text.
    pub text: String,
    /// Where the characters are in the file.
    pub places: Places,
}

/// Mapping from positions in a text to bytes of its file.
#[derive(Debug, Default)]
pub struct Places {
    /// Encoding of the file. `None` for valid UTF-8.
    encoding: Option<Written>,
    /// Increasing pairs of a text offset and a file offset. Between them, every character has its usual width.
    steps: Vec<(usize, usize)>,
    /// A copy of the text. Empty if text and file offsets are equal.
    text: String,
}

/// Encoding of a file that is not valid UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// UTF-8 with a few invalid bytes.
    BrokenUtf8,
    Utf16,
    Windows1252,
}

/// Maximum number of characters between two steps.
const STRIDE: usize = 256;

/// Decodes `bytes`; `None` if they are not text. The encoding is given by a byte-order mark, or else is UTF-8 if valid, UTF-16 if every other byte
/// is zero, or Windows-1252 (Latin-1 with typographic quotation marks).
pub fn decode(bytes: &[u8]) -> Option<Decoded> {
    if bytes.starts_with(&[0xff, 0xfe, 0, 0]) || bytes.starts_with(&[0, 0, 0xfe, 0xff]) {
        return None;
    }
    let marked = Encoding::for_bom(bytes).filter(|(encoding, _)| [UTF_16LE, UTF_16BE].contains(encoding));
    if let Some((encoding, mark)) = marked {
        return utf16(bytes, encoding, mark);
    }
    if let Some(encoding) = unmarked_utf16(bytes) {
        return utf16(bytes, encoding, 0);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        // Replacement characters that are already in the file do not make it invalid.
        return is_text(&text.replace(char::REPLACEMENT_CHARACTER, "?")).then(|| Decoded {
            text: text.to_owned(),
            places: Places::default(),
        });
    }
    let broken = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    let beyond_ascii = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if beyond_ascii && broken <= 2 {
        return Some(broken_utf8(bytes));
    }
    let text = WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned();
    is_text(&text).then(|| Decoded::of(text, Written::Windows1252, vec![(0, 0)]))
}

/// Detects UTF-16 without a byte-order mark: other text has no zeros, and letters of most languages have one in the same half of each pair.
fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(1 << 16)).unwrap_or_default();
    let zeros = |skip: usize| head.iter().skip(skip).step_by(2).filter(|byte| **byte == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    let (few, many) = (first.min(second), first.max(second));
    let often = many * 20 >= head.len() || std::str::from_utf8(bytes).is_err();
    (bytes.len().is_multiple_of(2) && many >= 2 && few * 20 <= many && often).then_some(if first > second {
        UTF_16BE
    } else {
        UTF_16LE
    })
}

fn utf16(bytes: &[u8], encoding: &'static Encoding, mark: usize) -> Option<Decoded> {
    let text = encoding.decode_without_bom_handling(bytes.get(mark..)?).0.into_owned();
    is_text(&text).then(|| Decoded::of(text, Written::Utf16, vec![(0, mark)]))
}

/// Replaces invalid UTF-8 with replacement characters.
fn broken_utf8(bytes: &[u8]) -> Decoded {
    let mut text = String::with_capacity(bytes.len());
    let mut steps = vec![(0, 0)];
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        at += chunk.valid().len() + chunk.invalid().len();
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            steps.push((text.len(), at));
        }
    }
    Decoded::of(text, Written::BrokenUtf8, steps)
}

/// Whether a text has almost no control or replacement characters.
fn is_text(text: &str) -> bool {
    let (mut odd, mut all) = (0, 0);
    for c in text.chars() {
        let blank = matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1a}');
        odd += usize::from(c.is_control() && !blank || c == char::REPLACEMENT_CHARACTER);
        all += 1;
    }
    odd <= 2 || odd * 50 <= all
}

impl Written {
    /// Number of bytes of a character in the file.
    fn width(self, character: char) -> usize {
        match self {
            Self::BrokenUtf8 => character.len_utf8(),
            Self::Utf16 => 2 * character.len_utf16(),
            Self::Windows1252 => 1,
        }
    }
}

impl Decoded {
    fn of(text: String, encoding: Written, mut steps: Vec<(usize, usize)>) -> Self {
        if encoding != Written::BrokenUtf8 {
            let mut file = steps.first().map_or(0, |step| step.1);
            for (number, (at, character)) in text.char_indices().enumerate() {
                if number % STRIDE == 0 && number > 0 {
                    steps.push((at, file));
                }
                file += encoding.width(character);
            }
        }
        Self {
            places: Places {
                encoding: Some(encoding),
                steps,
                text: text.clone(),
            },
            text,
        }
    }
}

impl Places {
    /// Name of the encoding, if not valid UTF-8.
    pub fn encoding_name(&self) -> Option<&'static str> {
        self.encoding.map(|encoding| match encoding {
            Written::BrokenUtf8 => "UTF-8 with broken bytes",
            Written::Utf16 => "UTF-16",
            Written::Windows1252 => "Windows-1252 (Latin-1)",
        })
    }

    /// The byte range in the file of the characters at `span`.
    pub fn in_file(&self, span: Span) -> Span {
        Span::new(self.byte(span.start), self.byte(span.end))
    }

    fn byte(&self, at: usize) -> usize {
        let Some(encoding) = self.encoding else { return at };
        let before = self.steps.partition_point(|step| step.0 <= at);
        let (from, file) = before
            .checked_sub(1)
            .and_then(|index| self.steps.get(index))
            .copied()
            .unwrap_or_default();
        let between = self.text.get(from..at).unwrap_or_default();
        file + between
            .chars()
            .map(|character| encoding.width(character))
            .sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Der Tidenhub — “groß” — trägt 𝕏 Bojen, naïve Ärzte übersähen das.\r\nNoch eine Zeile.\n";

    fn utf16_of(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes_of).collect()
    }

    /// Checks that every slice of the text, mapped to the file and decoded, is the same slice.
    fn maps_back(bytes: &[u8], text: &str, decode_slice: impl Fn(&[u8]) -> String) {
        let found = decode(bytes).unwrap();
        assert_eq!(found.text, text);
        let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(7).collect();
        for pair in cuts.windows(2) {
            let span = found.places.in_file(Span::new(pair[0], pair[1]));
            assert_eq!(decode_slice(&bytes[span.start..span.end]), text[pair[0]..pair[1]]);
        }
        assert_eq!(found.places.in_file(Span::new(text.len(), text.len())).end, bytes.len());
    }

    #[test]
    fn positions_map_to_bytes_of_the_file_in_any_encoding() {
        let long = TEXT.repeat(40);
        maps_back(long.as_bytes(), &long, |slice| {
            String::from_utf8(slice.to_vec()).unwrap()
        });
        for (encoding, bytes_of) in [
            (UTF_16LE, u16::to_le_bytes as fn(u16) -> [u8; 2]),
            (UTF_16BE, u16::to_be_bytes as fn(u16) -> [u8; 2]),
        ] {
            let back = |slice: &[u8]| encoding.decode_without_bom_handling(slice).0.into_owned();
            let bare = utf16_of(&long, bytes_of);
            maps_back(&bare, &long, back);
            let marked = [utf16_of("\u{feff}", bytes_of), bare].concat();
            maps_back(&marked, &long, back);
        }
        let western = long.replace('𝕏', "X");
        let bytes = WINDOWS_1252.encode(&western).0.into_owned();
        maps_back(&bytes, &western, |slice| WINDOWS_1252.decode(slice).0.into_owned());
    }

    #[test]
    fn a_file_with_invalid_bytes_stays_utf8_with_correct_positions() {
        let mut bytes = TEXT.as_bytes().to_vec();
        bytes.splice(3..3, [0xc3]);
        let found = decode(&bytes).unwrap();
        assert!(found.text.starts_with("Der\u{fffd} Tidenhub"));
        let at = found.text.find("groß").unwrap();
        let span = found.places.in_file(Span::new(at, at + "groß".len()));
        assert_eq!(&bytes[span.start..span.end], "groß".as_bytes());
        assert_eq!(found.places.encoding_name(), Some("UTF-8 with broken bytes"));
    }

    #[test]
    fn east_asian_utf16_without_a_byte_order_mark_is_detected_by_its_few_zeros() {
        let text = "潮汐による係留索の張力を測定した。\n結果は三つの港で同じだった。\n次の冬にも測定する。\n";
        maps_back(&utf16_of(text, u16::to_le_bytes), text, |slice| {
            UTF_16LE.decode_without_bom_handling(slice).0.into_owned()
        });
    }

    #[test]
    fn binary_data_is_rejected() {
        assert!(decode(&[0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]).is_none());
        let noise: Vec<u8> = (0..4000_u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        assert!(decode(&noise).is_none());
        let zeros: Vec<u8> = (0..400).map(|n| if n % 3 == 0 { 0 } else { b'a' }).collect();
        assert!(decode(&zeros).is_none());
        // One stray zero does not make a text UTF-16.
        assert_eq!(
            decode(b"a plain text\0 of words").unwrap().text,
            "a plain text\0 of words"
        );
    }
}
