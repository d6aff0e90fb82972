use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/search/publ/api" || asked.get("format") != Some("json") {
        return None;
    }
    let query = asked.get("q")?;
    // It searches only titles.
    let titles = Library {
        records: library
            .records
            .iter()
            .map(|record| LibraryRecord {
                summary: String::new(),
                ..record.clone()
            })
            .collect(),
        nulls: false,
        texts: Vec::new(),
    };
    let found = titles.search(&query.replace('|', " "), !query.contains('|'), None);
    let (start, size) = (asked.number("f", 0), asked.number("h", 30));
    let shown: Vec<Value> = page(&found, start, size)
        .iter()
        .map(|record| hit(record, library.nulls))
        .collect();
    let mut hits = json!({"@total": found.len().to_string(), "@computed": found.len().to_string(), "@sent": shown.len().to_string(), "@first": start.to_string()});
    if let Some(object) = hits.as_object_mut()
        && !shown.is_empty()
    {
        object.insert("hit".to_owned(), Value::Array(shown));
    }
    let body = json!({"result": {"query": query, "status": {"@code": "200", "text": "OK"}, "time": {"@unit": "msecs", "text": "1.2"},
        "completions": {"@total": "0", "@computed": "0", "@sent": "0"}, "hits": hits}});
    Some(Answer::json(200, &body))
}

fn hit(record: &LibraryRecord, nulls: bool) -> Value {
    let key = format!("journals/x/{}", record.key);
    if nulls {
        return json!({"@score": "1", "@id": "1", "info": {"title": record.title, "key": key}, "url": "URL#1"});
    }
    let mut names: Vec<Value> = record
        .names()
        .map(|name| json!({"@pid": "1/1", "text": format!("{name} 0001")}))
        .collect();
    // A single author is an object instead of a list.
    let author = if names.len() == 1 {
        names.remove(0)
    } else {
        Value::Array(names)
    };
    json!({"@score": "5", "@id": "1", "info": {"authors": {"author": author}, "title": format!("{}.", record.title.replace('&', "&amp;")), "venue": [record.venue, "CoRR"],
        "year": record.year(), "type": "Journal Articles", "access": "open", "key": key, "doi": record.doi, "ee": format!("https://doi.org/{}", record.doi),
        "url": format!("https://dblp.org/rec/{key}")}, "url": "URL#1"})
}
