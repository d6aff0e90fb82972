use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/scholar" {
        return None;
    }
    let question: Value = serde_json::from_str(&asked.body).ok()?;
    let query = question.get("q").and_then(Value::as_str)?;
    let number = |name: &str, usual: u64| question.get(name).and_then(Value::as_u64).unwrap_or(usual);
    let (size, at) = (number("num", 10), number("page", 1));
    // It filters by none of these.
    if size > 20 || at == 0 || question.get("tbs").is_some() {
        return Some(Answer::json(
            400,
            &json!({"message": "Invalid request", "statusCode": 400}),
        ));
    }
    let found = library.search(query, false, None);
    let places = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown = page(&found, places((at - 1) * size), places(size));
    let organic: Vec<Value> = shown.iter().map(|record| result(record, library.nulls)).collect();
    let body = json!({"searchParameters": {"q": query, "type": "scholar", "num": size, "page": at, "engine": "google-scholar"}, "organic": organic, "credits": 1});
    Some(Answer::json(200, &body))
}

fn result(record: &LibraryRecord, nulls: bool) -> Value {
    if nulls {
        return json!({"title": record.title, "link": record.page(), "publicationInfo": null, "snippet": null, "year": null, "citedBy": null});
    }
    let initials =
        |(given, family): &(String, String)| format!("{} {family}", given.chars().take(1).collect::<String>());
    let names: Vec<String> = record.authors.iter().map(initials).collect();
    let mut result = json!({"title": record.title, "link": record.page(), "snippet": record.summary, "citedBy": record.citations(), "id": format!("gsAAAJ{}", record.key),
        "publicationInfo": format!("{} - {}, {} - pages.example", names.join(", "), record.venue, record.year())});
    if let Some(object) = result.as_object_mut() {
        if let Ok(year) = record.year().parse::<u16>() {
            object.insert("year".to_owned(), json!(year));
        }
        if !record.arxiv.is_empty() {
            object.insert(
                "pdfUrl".to_owned(),
                json!(format!("https://arxiv.org/pdf/{}", record.arxiv)),
            );
        }
    }
    result
}
