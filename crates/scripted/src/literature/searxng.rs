use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

/// Results per page; set by the engines.
const PAGE: usize = 4;

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/search" {
        return None;
    }
    if asked.get("format") != Some("json") {
        return Some(Answer::text(200, "text/html", "<!DOCTYPE html><title>SearXNG</title>"));
    }
    let query = asked.get("q")?;
    let found = library.search(query, false, None);
    let shown = page(&found, asked.number("pageno", 1).saturating_sub(1) * PAGE, PAGE);
    let results: Vec<Value> = shown.iter().map(|record| result(record, library.nulls)).collect();
    // A single work without a title means that all engines are unresponsive.
    let silent = match library.records.as_slice() {
        [alone] if alone.title.is_empty() => json!([["google", "Suspended: CAPTCHA"], ["bing", "timeout"]]),
        _ => json!([]),
    };
    let body = json!({"query": query, "number_of_results": 0, "results": results, "answers": [], "corrections": [], "infoboxes": [], "suggestions": [],
        "unresponsive_engines": silent});
    Some(Answer::json(200, &body))
}

fn result(record: &LibraryRecord, nulls: bool) -> Value {
    if nulls {
        return json!({"url": record.page(), "title": record.title, "content": "", "publishedDate": null, "engine": "bing", "engines": ["bing"]});
    }
    let date = match record.day.as_str() {
        "" => Value::Null,
        day => json!(format!("{day}T00:00:00")),
    };
    json!({"url": record.page(), "title": record.title, "content": record.summary, "publishedDate": date, "engine": "google", "template": "default.html",
        "parsed_url": ["https", "pages.example", "/", "", "", ""], "engines": ["google", "bing"], "positions": [1], "score": 2.0, "category": "general"})
}
