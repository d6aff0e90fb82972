use serde_json::Value;

use super::json::looks_like_html;
use super::{plain, without_tags};

/// The message of an error response in a few plain words; empty if it has none.
pub(crate) fn message_of(body: &str) -> String {
    if looks_like_html(body) {
        return "a web page".to_owned();
    }
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let paths = [
        "/message",
        "/error",
        "/errMsg",
        "/detail",
        "/error/message",
        "/error/detail",
        "/error/root_cause/0/reason",
        "/detail/error",
    ];
    let found = paths
        .iter()
        .find_map(|path| value.pointer(path).and_then(Value::as_str));
    match found {
        Some(text) => plain(&without_tags(text), 200),
        None if value.is_null() => plain(&without_tags(body), 120),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_messages_are_short_and_plain() {
        assert_eq!(message_of(r#"{"message":"Forbidden"}"#), "Forbidden");
        assert_eq!(message_of("Rate exceeded."), "Rate exceeded.");
        assert_eq!(message_of("<!doctype html><title>x</title>"), "a web page");
        assert_eq!(message_of("[1,2]"), "");
        assert!(message_of(&"y".repeat(10_000)).len() <= 200);
        assert_eq!(message_of("{\"message\":\"a\\u001b[31mb\\n\"}"), "a [31mb");
    }
}
