use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/search" {
        return None;
    }
    let question: Value = serde_json::from_str(&asked.body).ok()?;
    let query = question.get("q").and_then(Value::as_str)?;
    let number = |name: &str, usual: u64| question.get(name).and_then(Value::as_u64).unwrap_or(usual);
    let (size, at) = (number("num", 10), number("page", 1));
    let until = question.get("tbs").and_then(Value::as_str).map(day);
    if size > 100 || at == 0 || until.as_ref().is_some_and(Option::is_none) {
        return Some(Answer::json(
            400,
            &json!({"message": "Invalid request", "statusCode": 400}),
        ));
    }
    let found = library.search(query, false, until.flatten().as_deref());
    let places = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown = page(&found, places((at - 1) * size), places(size));
    let organic: Vec<Value> = (1_u32..)
        .zip(shown)
        .map(|(place, record)| result(place, record, library.nulls))
        .collect();
    let body = json!({"searchParameters": {"q": query, "type": "search", "num": size, "page": at, "engine": "google"}, "organic": organic, "credits": 1});
    Some(Answer::json(200, &body))
}

fn result(place: u32, record: &LibraryRecord, nulls: bool) -> Value {
    let mut result = json!({"title": record.title, "link": record.page(), "position": place});
    if let Some(object) = result.as_object_mut()
        && !nulls
    {
        object.insert("snippet".to_owned(), json!(record.summary));
        let date = match record.day.as_str() {
            "" => "3 days ago".to_owned(),
            _ => record.day_in_words(),
        };
        object.insert("date".to_owned(), json!(date));
    }
    result
}

/// The last day in `cdr:1,cd_max:5/17/2025`.
fn day(range: &str) -> Option<String> {
    let mut parts = range
        .strip_prefix("cdr:1,cd_max:")?
        .split('/')
        .map(|part| part.parse::<u16>().ok());
    let (month, day, year) = (parts.next()??, parts.next()??, parts.next()??);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}
