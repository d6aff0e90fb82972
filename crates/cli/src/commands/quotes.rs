//! Quotes to check, as JSON Lines. Invalid lines are reported with their numbers and the others are checked.

use std::io::Read;
use std::path::Path;

use precedent_app::decoded::decode;
use precedent_app::verify::QuoteId;
use precedent_app::{AppError, QuoteQuery};
use serde::Deserialize;

use super::input;

/// Expected form of a line.
pub(super) const SHAPE: &str = r#"{"id": …, "quote": "…"}"#;

#[derive(Deserialize)]
struct QuoteRecord {
    id: serde_json::Value,
    quote: String,
}

/// A non-blank line with its number, from 1: a quote, or why the line is invalid.
pub(super) type Line = (usize, Result<QuoteQuery, String>);

/// The lines of a file; `-` reads stdin.
pub(super) fn lines(path: &Path) -> Result<Vec<Line>, AppError> {
    if path.as_os_str() != "-" {
        return Ok(parse(&input::bytes(path)?));
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| input::cannot_read(path, error))?;
    Ok(parse(&bytes))
}

fn parse(bytes: &[u8]) -> Vec<Line> {
    // Some editors write UTF-16. In other encodings each line is checked on its own.
    if bytes.contains(&0)
        && let Some(decoded) = decode(bytes)
    {
        return each(decoded.text.as_bytes());
    }
    each(bytes)
}

fn each(bytes: &[u8]) -> Vec<Line> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let filled = lines.filter(|(_, line)| !line.iter().all(u8::is_ascii_whitespace));
    filled.map(|(number, line)| (number, query(line))).collect()
}

fn query(line: &[u8]) -> Result<QuoteQuery, String> {
    let Ok(line) = std::str::from_utf8(line) else {
        return Err("invalid UTF-8".to_owned());
    };
    let line = line.trim();
    if !line.starts_with('{') {
        // An array has no field names, so the meaning of its values would be a guess.
        let what = match serde_json::from_str(line) {
            Ok(serde_json::Value::Array(_)) => "expected an object, found an array",
            Ok(_) => "not an object",
            Err(_) => "invalid JSON",
        };
        return Err(what.to_owned());
    }
    let record: QuoteRecord = serde_json::from_str(line).map_err(|error| {
        let message = error.to_string();
        let bare = message.split(" at line ").next().unwrap_or_default();
        format!("{bare} (column {})", error.column())
    })?;
    Ok(QuoteQuery {
        id: id(record.id)?,
        quote: record.quote,
    })
}

fn id(value: serde_json::Value) -> Result<QuoteId, String> {
    let what = match &value {
        serde_json::Value::String(text) => return Ok(QuoteId::Text(text.clone())),
        serde_json::Value::Number(number) => {
            if let Some(natural) = number.as_u64() {
                return Ok(QuoteId::Natural(natural));
            }
            if let Some(whole) = number.as_i64() {
                return Ok(QuoteId::Whole(whole));
            }
            "not a 64-bit integer"
        }
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "true or false",
        serde_json::Value::Array(_) => "an array",
        serde_json::Value::Object(_) => "an object",
    };
    Err(format!("`id` is {what}; expected a string or an integer"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_lines_are_reported_and_the_others_are_parsed() {
        let file = b"\xef\xbb\xbf{\"id\": \"a\", \"quote\": \"The buoy drifts.\"}\r\n\n[\"b\", \"The buoy drifts.\"]\n\
            {\"id\": 12345678901234567890123, \"quote\": \"x\"}\n{\"id\": 18446744073709551615, \"quote\": \"x\"}\n\
            {\"id\": -4, \"quote\": \"x\", \"more\": [1]}\n{bad\n\"c\"\n{\"id\": 1.5, \"quote\": \"x\"}\n{\"id\": 1}\n\
            {\"id\": null, \"quote\": \"x\"}\n{\"id\": 7, \"quote\": \"\xff\"}\n{\"id\": 1, \"quote\": null}\n{\"id\": 1, \"id\": 2, \"quote\": \"x\"}\nnot json";
        let lines = parse(file);
        let parsed: Vec<(usize, String)> = lines
            .iter()
            .map(|(number, line)| match line {
                Ok(query) => (*number, format!("ok {}", query.id)),
                Err(why) => (*number, why.clone()),
            })
            .collect();
        let expected = [
            (1, "ok a"),
            (3, "expected an object, found an array"),
            (4, "`id` is not a 64-bit integer; expected a string or an integer"),
            (5, "ok 18446744073709551615"),
            (6, "ok -4"),
            (7, "key must be a string (column 2)"),
            (8, "not an object"),
            (9, "`id` is not a 64-bit integer; expected a string or an integer"),
            (10, "missing field `quote` (column 9)"),
            (11, "`id` is null; expected a string or an integer"),
            (12, "invalid UTF-8"),
            (13, "invalid type: null, expected a string (column 23)"),
            (14, "duplicate field `id` (column 14)"),
            (15, "invalid JSON"),
        ];
        let expected: Vec<(usize, String)> = expected
            .iter()
            .map(|(number, text)| (*number, (*text).to_owned()))
            .collect();
        assert_eq!(parsed, expected);
    }

    #[test]
    fn utf16_files_are_read() {
        let text = "{\"id\": \"a\", \"quote\": \"Die Boje treibt.\"}\n";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(matches!(parse(&bytes).as_slice(), [(1, Ok(_))]));
        assert!(parse(b"\n \r\n").is_empty());
    }
}
