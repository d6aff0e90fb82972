use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Decodes a text file. A byte order mark decides; else UTF-8 if it is valid, else UTF-16 if every other byte is zero, else Windows-1252 (Latin-1
/// plus typographic quotes). Line ends become `\n`; NUL characters are dropped.
pub(crate) fn decode(bytes: &[u8]) -> String {
    decode_as(bytes, None)
}

/// Like [`decode`], but uses the character set that an HTML page declares in its first kilobytes.
pub(crate) fn decode_html(bytes: &[u8]) -> String {
    decode_as(bytes, declared(bytes, b"charset="))
}

/// Like [`decode`], but uses the encoding named in an XML declaration.
pub(crate) fn decode_xml(bytes: &[u8]) -> String {
    let is_declaration = bytes.trim_ascii_start().starts_with(b"<?xml");
    decode_as(bytes, is_declaration.then(|| declared(bytes, b"encoding=")).flatten())
}

fn decode_as(bytes: &[u8], declared: Option<&'static Encoding>) -> String {
    let text = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding.decode(bytes).0,
        None => match (std::str::from_utf8(bytes), declared) {
            // A page that declares Latin-1 but is valid UTF-8 beyond ASCII is UTF-8: real Latin-1 text is never valid UTF-8 by chance.
            (Ok(text), _) if !looks_like_utf16(bytes) => text.into(),
            (Err(_), Some(encoding)) if encoding != UTF_8 => encoding.decode_without_bom_handling(bytes).0,
            _ => guess(bytes).decode_without_bom_handling(bytes).0,
        },
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.contains(['\r', '\0']) {
        text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "")
    } else {
        text.to_owned()
    }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    if looks_like_utf16(bytes) {
        let zero_first = bytes
            .chunks_exact(2)
            .take(64)
            .filter(|pair| pair.first() == Some(&0))
            .count();
        return if zero_first > 16 { UTF_16BE } else { UTF_16LE };
    }
    // A mostly valid UTF-8 file with a few broken bytes (such as a truncated download) stays UTF-8; invalid bytes become U+FFFD.
    let good = bytes.utf8_chunks().filter(|chunk| !chunk.valid().is_ascii()).count();
    let bad = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    if good > 0 && bad <= 2 { UTF_8 } else { WINDOWS_1252 }
}

fn looks_like_utf16(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(128)).unwrap_or_default();
    let zeros = |skip: usize| head.iter().skip(skip).step_by(2).filter(|&&byte| byte == 0).count();
    let pairs = head.len() / 2;
    pairs >= 8 && (zeros(0) * 10 > pairs * 8) != (zeros(1) * 10 > pairs * 8)
}

fn declared(bytes: &[u8], word: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(4_096))?;
    let at = head
        .windows(word.len())
        .position(|window| window.eq_ignore_ascii_case(word))?;
    let value: Vec<u8> = head
        .iter()
        .skip(at + word.len())
        .skip_while(|byte| matches!(byte, b'"' | b'\'' | b' '))
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
        .copied()
        .collect();
    Encoding::for_label(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_encodings() {
        assert_eq!(decode("Köhler\r\nβ".as_bytes()), "Köhler\nβ");
        assert_eq!(decode(b"\xef\xbb\xbfplain"), "plain");
        assert_eq!(decode(b"K\xf6hler \x93quoted\x94"), "Köhler “quoted”");
        let utf16: Vec<u8> = "Grüße an alle hier".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&utf16), "Grüße an alle hier");
        let marked: Vec<u8> = [0xfe, 0xff]
            .into_iter()
            .chain("Grüße".encode_utf16().flat_map(u16::to_be_bytes))
            .collect();
        assert_eq!(decode(&marked), "Grüße");
        assert_eq!(decode(b""), "");
    }

    #[test]
    fn a_declared_character_set_counts_when_utf8_does_not_fit() {
        let page = b"<html><meta charset=\"iso-8859-2\"><p>\xa3\xf3d\xbc";
        assert!(decode_html(page).ends_with("Łódź"));
        let xml = b"<?xml version='1.0' encoding='ISO-8859-1'?><p>caf\xe9</p>";
        assert!(decode_xml(xml).contains("café"));
        assert!(decode_xml("<?xml version='1.0' encoding='ISO-8859-1'?><p>café</p>".as_bytes()).contains("café"));
    }

    #[test]
    fn a_cut_utf8_file_stays_utf8() {
        let bytes = "größer und schöner".as_bytes();
        let cut = decode(bytes.get(..bytes.len() - 4).unwrap());
        assert!(cut.starts_with("größer und sch"), "{cut}");
    }
}
