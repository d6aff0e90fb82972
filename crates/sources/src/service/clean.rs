//! Cleans text from services: limited length, no markup, one line.

use precedent_http::HttpError;

/// Text of at most `most` characters. Control characters and white space are collapsed to one space, and characters that change the writing direction
/// are removed.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let odd = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fffd}');
    let kept: String = text.chars().filter(|c| !odd(*c)).take(4 * most).collect();
    let words = kept.split(|c: char| c.is_whitespace() || c.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    line.chars().take(most).collect::<String>().trim_end().to_owned()
}

/// Escapes a name for the path of an address, keeping slashes. Nothing in the name can end the path.
///
/// # Errors
/// Returns an error if a segment would lead up. Such segments take effect even if they are escaped.
pub(crate) fn in_path(name: &str) -> Result<String, HttpError> {
    if name.split('/').any(|step| matches!(step, "." | "..")) {
        return Err(HttpError::BadAddress {
            address: name.chars().take(200).collect(),
        });
    }
    let plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'/' | b'(' | b')' | b':' | b';')
    };
    let escape = |byte: u8| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    Ok(name.bytes().map(escape).collect())
}

/// Text without tags and with the common entities decoded. Text that only looks like a tag (`a < b`) stays.
pub(crate) fn without_tags(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (read, length) = if from.starts_with('<') { tag(from) } else { entity(from) };
        out.push_str(&read);
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// An abstract with its headings separated from the text: `<h4>Methods</h4>We…` becomes `Methods. We…`. A heading that only says that it is the
/// abstract is removed.
pub(crate) fn headings_apart(text: &str) -> String {
    const HEADINGS: [&str; 8] = ["h1", "h2", "h3", "h4", "h5", "h6", "jats:title", "title"];
    /// Maximum length of a heading with its end tag, in characters.
    const LONGEST: usize = 120;
    let heading = |from: &str| {
        HEADINGS.iter().find_map(|name| {
            let inner = from.strip_prefix('<')?.strip_prefix(name)?.strip_prefix('>')?;
            let most = inner.char_indices().nth(LONGEST).map_or(inner.len(), |(at, _)| at);
            let end = inner.get(..most)?.find(&format!("</{name}>"))?;
            let read = without_tags(inner.get(..end)?).trim().to_owned();
            Some((read, 2 * name.len() + 5 + end))
        })
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let length = match heading(from) {
            Some((read, length)) => {
                let is_own = ["abstract", "summary", ""].contains(&read.to_lowercase().as_str());
                if !is_own {
                    let end = if read.ends_with(['.', ':', '?', '!']) {
                        " "
                    } else {
                        ". "
                    };
                    out.push_str(&format!(" {read}{end}"));
                }
                length
            }
            None => {
                out.push('<');
                1
            }
        };
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The replacement of the tag at the start of `text`, and its length.
fn tag(text: &str) -> (String, usize) {
    let next = text.chars().nth(1);
    let is_tag = next.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
    let end = text.bytes().take(2000).position(|byte| byte == b'>');
    match end {
        Some(end) if is_tag => {
            let name = text.get(1..end).unwrap_or_default().trim_start_matches('/');
            // A tag inside a word does not split it.
            let inline = ["i", "b", "sub", "sup", "em", "strong", "u", "scp", "tt"];
            let inline = inline.contains(&name.split([' ', '/']).next().unwrap_or_default());
            (if inline { String::new() } else { " ".to_owned() }, end + 1)
        }
        _ => ("<".to_owned(), 1),
    }
}

/// The character of the entity at the start of `text`, and its length.
fn entity(text: &str) -> (String, usize) {
    let Some(end) = text.bytes().take(12).position(|byte| byte == b';') else {
        return ("&".to_owned(), 1);
    };
    let name = text.get(1..end).unwrap_or_default();
    let number = name
        .strip_prefix('#')
        .and_then(|digits| match digits.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => digits.parse().ok(),
        });
    let read = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => number.and_then(char::from_u32),
    };
    match read {
        Some(c) => (c.to_string(), end + 1),
        None => ("&".to_owned(), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markup_is_removed_and_text_that_looks_like_it_stays() {
        for (from, to) in [
            ("<jats:p>Ropes &amp; <i>creep</i></jats:p>", " Ropes & creep "),
            ("a < b and b > c & d", "a < b and b > c & d"),
            ("H<sub>2</sub>O", "H2O"),
            ("&#x41;&#66;&bogus;", "AB&bogus;"),
            ("<unclosed", "<unclosed"),
        ] {
            assert_eq!(without_tags(from), to);
        }
        assert_eq!(plain(" a\n\u{0}b\u{202e} c ", 100), "a b c");
        assert_eq!(plain(&"x".repeat(50), 10).len(), 10);
    }

    #[test]
    fn headings_of_an_abstract_are_separated() {
        for (from, to) in [
            (
                "<h4>Background</h4>Ropes creep. <h4>Methods:</h4>We pull.",
                "Background. Ropes creep. Methods: We pull.",
            ),
            (
                "<jats:title>Abstract</jats:title><jats:p>Ropes creep.</jats:p>",
                "Ropes creep.",
            ),
            ("<title>A &amp; B</title>x", "A & B. x"),
            ("<h4>open <h4></h4>é<", "open. é<"),
            ("a < b", "a < b"),
        ] {
            let read = plain(&without_tags(&headings_apart(from)), 200);
            assert_eq!(read, to, "{from}");
        }
        assert_eq!(headings_apart(&"<h4>".repeat(50_000)).len(), 200_000);
    }

    #[test]
    fn no_name_leaves_its_path() {
        assert_eq!(in_path("10.1000/a?b#c d%2e").unwrap(), "10.1000/a%3Fb%23c%20d%252e");
        for name in ["10.1000/x/../../z", "..", "10.1000/./x", "10.1000/.."] {
            assert!(in_path(name).is_err(), "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_cleaned(text in "\\PC*", most in 0_usize..40) {
            let cleaned = plain(&without_tags(&headings_apart(&text)), most);
            prop_assert!(cleaned.chars().count() <= most && !cleaned.contains('\n'));
        }
    }
}
