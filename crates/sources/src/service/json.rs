//! Looking into JSON that somebody else wrote.

use serde_json::{Map, Value};

use super::Unreadable;

/// The object that `body` is.
///
/// # Errors
/// When it is something else; what, in words.
pub(crate) fn object(body: &str) -> Result<Map<String, Value>, Unreadable> {
    match parsed(body)? {
        Value::Object(object) => Ok(object),
        _ => Err(other_shape()),
    }
}

/// The list that `body` is.
///
/// # Errors
/// When it is something else; what, in words.
pub(crate) fn array(body: &str) -> Result<Vec<Value>, Unreadable> {
    match parsed(body)? {
        Value::Array(items) => Ok(items),
        _ => Err(other_shape()),
    }
}

fn other_shape() -> Unreadable {
    Unreadable("it is JSON of another shape than documented".to_owned())
}

fn parsed(body: &str) -> Result<Value, Unreadable> {
    match serde_json::from_str(body) {
        Ok(value) => Ok(value),
        Err(_) if looks_like_html(body) => Err(Unreadable("it is a web page where JSON was expected".to_owned())),
        Err(error) if error.is_eof() => Err(Unreadable("it ends in the middle".to_owned())),
        Err(error) => Err(Unreadable(format!(
            "it is no JSON (line {}, column {})",
            error.line(),
            error.column()
        ))),
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

/// A string or number at `path` (a JSON pointer), as text; of a list the first; blank text is none.
pub(crate) fn string(value: &Value, path: &str) -> Option<String> {
    let text = match value.pointer(path)? {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => items.first()?.as_str()?.to_owned(),
        _ => return None,
    };
    Some(text).filter(|text| !text.trim().is_empty())
}

/// The items of the list at `path`; one that stands alone is a list of one.
pub(crate) fn list<'v>(value: &'v Value, path: &str) -> &'v [Value] {
    match value.pointer(path) {
        Some(Value::Array(items)) => items,
        Some(Value::Null) | None => &[],
        Some(alone) => std::slice::from_ref(alone),
    }
}
