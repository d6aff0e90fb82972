//! Parses model answers: strictly first, then with repairs that drop or close text but never invent a value.

mod mend;
mod shape;
mod truncated;

#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The repair that was needed to parse an answer, from least to most invasive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mending {
    /// No repair.
    None,
    /// A Markdown fence around the JSON was removed.
    Unfenced,
    /// Other text around the JSON was removed.
    Cut,
    /// The end was missing. Everything complete before that point was kept.
    Truncated,
    /// Curly quotes around strings were straightened, commas before a closing bracket removed, or line ends in strings escaped.
    Punctuation,
    /// Values of another form were converted: `"3"` or `3.0` for 3, one item for a list of one, an object inside an object.
    Shape,
}

/// Parses a `T`, whose JSON Schema is `schema`, from a model's answer. Text in which a model thinks before it answers is left out.
///
/// # Errors
/// If no repair makes it parse. The text describes the error of the closest attempt so that a model can act on it.
pub fn read_answer<T: DeserializeOwned>(text: &str, schema: &Value) -> Result<(T, Mending), String> {
    let text = after_thoughts(text.trim().trim_start_matches('\u{feff}')).trim();
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    let strict = parsed::<T>(text);
    let complaint = match strict {
        Ok(value) => return Ok((value, Mending::None)),
        Err(error) => error,
    };
    let unfenced = unfenced(text);
    let cut = braced(unfenced.unwrap_or(text));
    let mended = mend::punctuation(unfenced.unwrap_or(text));
    let closed = |text: &str, otherwise: Mending| match truncated::closed(text) {
        Some((closed, true)) => (Some(closed), Mending::Truncated),
        Some((whole, false)) => (Some(whole), otherwise),
        None => (None, otherwise),
    };
    let mut closest = complaint;
    let candidates = [
        (Some(text.to_owned()), Mending::None),
        (unfenced.map(str::to_owned), Mending::Unfenced),
        (cut.map(str::to_owned), Mending::Cut),
        (last_value(text).map(str::to_owned), Mending::Cut),
        closed(text, Mending::Cut),
        (mended.clone(), Mending::Punctuation),
        closed(mended.as_deref().unwrap_or_default(), Mending::Punctuation),
    ];
    for (candidate, mending) in &candidates {
        match candidate.as_deref().map(parsed::<T>) {
            Some(Ok(value)) => return Ok((value, *mending)),
            // A candidate that is JSON of the wrong shape is more informative than one that is not JSON.
            Some(Err(error)) if error.is_data() || !closest.is_data() => closest = error,
            _ => {}
        }
    }
    for (candidate, mending) in &candidates {
        let value = candidate.as_deref().and_then(|text| parsed::<Value>(text).ok());
        let shaped = value.map(|value| serde_json::from_value::<T>(shape::shaped(value, schema)));
        if let Some(Ok(value)) = shaped {
            // What is missing at the end matters more than the form of what is there.
            return Ok((
                value,
                if *mending == Mending::Truncated {
                    *mending
                } else {
                    Mending::Shape
                },
            ));
        }
    }
    // A serde message can quote the offending value at any length.
    let closest_said = shortened(&closest.to_string());
    Err(match closest.is_data() {
        true => format!("it does not match the schema: {closest_said}"),
        false => format!("it is not valid JSON: {closest_said}"),
    })
}

/// Parses JSON. Line ends and tabs in strings become spaces, because a paragraph with one would not be printed.
fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    let strict = serde_json::from_str::<T>(text)?;
    if !["\\n", "\\r", "\\t"].iter().any(|escape| text.contains(escape)) {
        return Ok(strict);
    }
    let mut value: Value = serde_json::from_str(text)?;
    fold_lines(&mut value);
    serde_json::from_value(value)
}

/// Whether a line end or tab in prose is before this text. `> …` would be a quotation in Markdown, and `eq` the rest of `\neq` without an escaped
/// backslash: such a text stays as it is, and fails the checks of texts.
fn continues_prose(after: &str) -> bool {
    let first = after.trim_start().chars().next();
    let is_prose = first.is_none_or(|first| first.is_alphabetic() || "(\"'“‘[".contains(first));
    is_prose && !after.starts_with(char::is_lowercase)
}

fn fold_lines(value: &mut Value) {
    const BREAKS: [char; 3] = ['\n', '\r', '\t'];
    match value {
        Value::String(text) if text.contains(BREAKS) && text.split(BREAKS).skip(1).all(continues_prose) => {
            let parts = text.split(BREAKS).map(str::trim);
            *text = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        }
        Value::Array(items) => items.iter_mut().for_each(fold_lines),
        Value::Object(fields) => fields.values_mut().for_each(fold_lines),
        _ => {}
    }
}

/// Tags around the text in which open models think before they answer, where the server does not separate it.
const THOUGHTS: [&str; 4] = ["think", "thinking", "reasoning", "thought"];

/// The text after a thought that it begins with. A thought that does not end has no answer after it. A tag further on may be part of a quote.
pub(crate) fn after_thoughts(text: &str) -> &str {
    let text = text.trim_start();
    let begun = THOUGHTS.iter().find(|tag| text.starts_with(&format!("<{tag}>")));
    match begun {
        Some(tag) => text.split_once(&format!("</{tag}>")).map_or("", |(_, rest)| rest),
        None => text,
    }
}

/// Brackets that open nothing, such as in prose, before the search for values ends. Each may cost a pass over the text.
const MOST_STRAY: usize = 16;

/// The last complete JSON object or list in a text, from its own opening bracket.
fn last_value(text: &str) -> Option<&str> {
    let mut from = 0;
    let mut stray = 0;
    let mut last = None;
    while stray < MOST_STRAY
        && let Some(at) = text.get(from..).and_then(|rest| rest.find(['{', '[']))
    {
        let rest = text.get(from + at..)?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(_)) => {
                last = rest.get(..values.byte_offset());
                from += at + values.byte_offset();
            }
            _ => {
                from += at + 1;
                stray += 1;
            }
        }
    }
    last
}

/// Maximum length of an error message in characters. The expected type is at its end, so the middle is cut.
const COMPLAINT: usize = 300;

fn shortened(complaint: &str) -> String {
    let length = complaint.chars().count();
    if length <= COMPLAINT {
        return complaint.to_owned();
    }
    let head: String = complaint.chars().take(COMPLAINT / 2).collect();
    let tail: String = complaint.chars().skip(length - COMPLAINT / 2).collect();
    format!("{head} … {tail}")
}

/// The text between the first fence and the last, if there is one.
fn unfenced(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("```")?;
    let (language, body) = rest.split_once('\n')?;
    if language.contains(['{', '[']) {
        return None;
    }
    let body = body.rsplit_once("```").map_or(body, |(body, _)| body);
    Some(body.trim())
}

/// Whether an answer has no text besides thoughts, or JSON that breaks off: its first bracket is never closed, and no other ends the text. A text that
/// ends with a bracket may be malformed, but it is not unfinished.
pub(crate) fn is_unfinished(text: &str) -> bool {
    let text = after_thoughts(text.trim()).trim().trim_end_matches('`').trim_end();
    let json = text.find(['{', '[']).and_then(|start| text.get(start..));
    let (mut depth, mut in_string, mut is_escaped) = (0_u32, false, false);
    for c in json.unwrap_or_default().chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => depth += 1,
            '}' | ']' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return false;
                }
            }
            _ => {}
        }
    }
    text.is_empty() || json.is_some() && !text.ends_with(['}', ']'])
}

/// The text from the first opening bracket to the last closing one of its kind.
fn braced(text: &str) -> Option<&str> {
    let start = text.find(['{', '['])?;
    let close = if text.get(start..)?.starts_with('{') { '}' } else { ']' };
    let end = text.rfind(close)?;
    text.get(start..=end)
}
