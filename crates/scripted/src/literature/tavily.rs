use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/search" {
        return None;
    }
    let question: Value = serde_json::from_str(&asked.body).ok()?;
    let query = question.get("query").and_then(Value::as_str)?;
    let most = question.get("max_results").and_then(Value::as_u64).unwrap_or(5);
    if query.chars().count() > 400 || most > 20 || query.contains("site:") {
        return Some(Answer::json(
            400,
            &json!({"detail": {"error": "Query is too long or max_results out of range."}}),
        ));
    }
    let until = question.get("end_date").and_then(Value::as_str);
    let found = library.search(query, false, until);
    let shown = page(&found, 0, usize::try_from(most).unwrap_or_default());
    let results: Vec<Value> = shown.iter().map(|record| result(record, library.nulls)).collect();
    let body = json!({"query": query, "follow_up_questions": null, "answer": null, "images": [], "results": results, "response_time": 1.5});
    Some(Answer::json(200, &body))
}

fn result(record: &LibraryRecord, nulls: bool) -> Value {
    let content = if nulls { Value::Null } else { json!(record.summary) };
    json!({"title": record.title, "url": record.page(), "content": content, "score": 0.99, "raw_content": null})
}
