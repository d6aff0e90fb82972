use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/web/search" {
        return None;
    }
    let (count, offset) = (asked.number("count", 20), asked.number("offset", 0));
    let until = asked
        .get("freshness")
        .map(|range| range.split_once("to").map_or("", |(_, to)| to));
    let stranger = asked.stranger(&["q", "count", "offset", "freshness"]);
    if count > 20 || offset > 9 || stranger.is_some() || until.is_some_and(|until| until.len() != 10) {
        return Some(error(
            422,
            "VALIDATION",
            "Unable to validate request parameter(s)",
            &json!({}),
        ));
    }
    let query = asked.get("q")?;
    let found = library.search(query, false, until);
    let shown = page(&found, offset * count, count);
    let mut body = json!({"type": "search", "query": {"original": query, "altered": null, "more_results_available": (offset + 1) * count < found.len()}});
    if let Some(object) = body.as_object_mut()
        && !shown.is_empty()
    {
        let results: Vec<Value> = shown.iter().map(|record| result(record, library.nulls)).collect();
        object.insert("web".to_owned(), json!({"type": "search", "results": results}));
    }
    Some(
        Answer::json(200, &body)
            .with_head("X-RateLimit-Limit: 1, 15000")
            .with_head("X-RateLimit-Policy: 1;w=1, 15000;w=2592000")
            .with_head("X-RateLimit-Remaining: 0, 14999")
            .with_head("X-RateLimit-Reset: 1, 1419704"),
    )
}

fn result(record: &LibraryRecord, nulls: bool) -> Value {
    let (title, url) = (&record.title, record.page());
    if nulls {
        return json!({"title": title, "url": url, "description": null, "age": null, "language": null});
    }
    let marked = record
        .summary
        .replacen("stiff", "<strong>stiff</strong>", 1)
        .replace(" & ", " &amp; ");
    let mut result = json!({"title": title, "url": format!("{url}#:~:text=rope"), "description": marked, "language": "en", "extra_snippets": []});
    if let Some(object) = result.as_object_mut() {
        match record.day.as_str() {
            // New pages have only an age.
            "" => object.insert("age".to_owned(), json!("3 days ago")),
            day => {
                object.insert("age".to_owned(), json!(record.day_in_words()));
                object.insert("page_age".to_owned(), json!(format!("{day}T00:00:00")))
            }
        };
    }
    result
}

/// Its error format for an invalid or forbidden request.
pub(super) fn error(status: u16, code: &str, detail: &str, meta: &Value) -> Answer {
    Answer::json(
        status,
        &json!({"type": "ErrorResponse", "error": {"id": "ade84851", "status": status, "code": code, "detail": detail, "meta": meta}, "time": 1_754_364_294}),
    )
}
