//! Access to JSON from services.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::Unreadable;

/// Parses `body` as an object.
///
/// # Errors
/// Describes what it is instead.
pub(crate) fn object(body: &str) -> Result<Map<String, Value>, Unreadable> {
    match parsed(body)? {
        Value::Object(object) => Ok(object),
        _ => Err(other_shape()),
    }
}

/// Parses `body` as a list.
///
/// # Errors
/// Describes what it is instead.
pub(crate) fn array(body: &str) -> Result<Vec<Value>, Unreadable> {
    match parsed(body)? {
        Value::Array(items) => Ok(items),
        _ => Err(other_shape()),
    }
}

fn other_shape() -> Unreadable {
    Unreadable("it is JSON, but not in the documented form".to_owned())
}

fn parsed(body: &str) -> Result<Value, Unreadable> {
    match serde_json::from_str(body) {
        Ok(value) => Ok(value),
        Err(_) if looks_like_html(body) => Err(Unreadable("it is a web page where JSON was expected".to_owned())),
        Err(error) if error.is_eof() => Err(Unreadable("it ends in the middle".to_owned())),
        Err(error) => Err(Unreadable(format!(
            "it is not valid JSON (line {}, column {})",
            error.line(),
            error.column()
        ))),
    }
}

/// Whether `body` ends early: it is empty, JSON that stops in the middle, or XML without the end tag of its root element.
pub(crate) fn ends_early(body: &str) -> bool {
    let body = body.trim();
    match body.chars().next() {
        None => true,
        Some('{' | '[') => serde_json::from_str::<IgnoredAny>(body).is_err_and(|error| error.is_eof()),
        Some('<') if !looks_like_html(body) => {
            let elements = body.split('<').skip(1);
            let root = elements.map(|tag| tag.split([' ', '>', '/', '\n', '\t', '\r']).next().unwrap_or_default());
            let mut root = root.filter(|name| name.starts_with(char::is_alphabetic));
            root.next().is_none_or(|root| !body.ends_with(&format!("</{root}>")))
        }
        Some(_) => false,
    }
}

pub(crate) fn looks_like_html(body: &str) -> bool {
    let head: String = body
        .trim_start()
        .chars()
        .take(100)
        .collect::<String>()
        .to_ascii_lowercase();
    head.starts_with("<!doctype html") || head.starts_with("<html")
}

/// The string or number at `path` (a JSON pointer) as text. Of a list, the first; `None` if blank.
pub(crate) fn string(value: &Value, path: &str) -> Option<String> {
    let text = match value.pointer(path)? {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => items.first()?.as_str()?.to_owned(),
        _ => return None,
    };
    Some(text).filter(|text| !text.trim().is_empty())
}

/// The count at `path`.
pub(crate) fn count(value: &Value, path: &str) -> Option<u32> {
    value.pointer(path)?.as_u64().and_then(|count| count.try_into().ok())
}

/// The items of the list at `path`. A single value counts as a list of one.
pub(crate) fn list<'v>(value: &'v Value, path: &str) -> &'v [Value] {
    match value.pointer(path) {
        Some(Value::Array(items)) => items,
        Some(Value::Null) | None => &[],
        Some(alone) => std::slice::from_ref(alone),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_ends_early_is_recognised_and_a_body_of_another_kind_is_not() {
        for cut in [
            "",
            " \n",
            "{\"results\": [",
            "[{\"a\": 1}",
            "<?xml version=\"1.0\"?><feed><entry><title>Ro",
            "<feed xmlns=\"x\"><entry></entry>",
            "<?xml version=\"1.0\"",
        ] {
            assert!(ends_early(cut), "{cut}");
        }
        for whole in [
            "{}",
            "[]\n",
            "{\"a\": }",
            "null",
            "Rate exceeded.",
            "<!DOCTYPE html><html><body>",
            "<?xml version=\"1.0\"?>\n<feed xmlns=\"x\"><entry/></feed>\n",
        ] {
            assert!(!ends_early(whole), "{whole}");
        }
    }
}
