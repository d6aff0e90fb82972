use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/search" || asked.get("format") != Some("json") {
        return None;
    }
    let query = asked.get("query")?;
    if let Some(number) = query.strip_prefix("EXT_ID:") {
        let found = library.of_key(number.trim_end_matches(" AND SRC:MED"));
        let shown: Vec<Value> = found.iter().map(|record| result(record, library.nulls)).collect();
        let body = json!({"version": "6.9", "hitCount": shown.len(), "resultList": {"result": shown}});
        return Some(Answer::json(200, &body));
    }
    let (wording, until) = match query.split_once(" AND FIRST_PDATE:[1800-01-01 TO ") {
        Some((wording, day)) => (wording.trim_matches(['(', ')']), Some(day.trim_end_matches(']'))),
        None => (query, None),
    };
    let words: Vec<&str> = wording
        .split(' ')
        .filter(|word| !matches!(*word, "AND" | "OR"))
        .collect();
    let found = library.search(&words.join(" "), !wording.contains(" OR "), until);
    let shown: Vec<Value> = page(&found, 0, asked.number("pageSize", 25))
        .iter()
        .map(|record| result(record, library.nulls))
        .collect();
    let body = json!({"version": "6.9", "hitCount": found.len(), "nextCursorMark": "AoIIP", "request": {"queryString": query, "resultType": "core"},
        "resultList": {"result": shown}});
    Some(Answer::json(200, &body))
}

fn result(record: &LibraryRecord, nulls: bool) -> Value {
    if nulls {
        return json!({"id": record.key, "source": "MED", "title": record.title});
    }
    let names = record.authors.iter().map(|(given, family)| json!({"fullName": format!("{family} {}", given.get(..1).unwrap_or_default()), "firstName": given, "lastName": family}));
    json!({"id": record.key, "source": "MED", "pmid": record.key, "pmcid": if record.pmc.is_empty() { Value::Null } else { json!(record.pmc) }, "doi": record.doi, "title": format!("{}.", record.title), "authorString": "not read",
        "authorList": {"author": names.collect::<Vec<_>>()}, "journalInfo": {"journal": {"title": record.venue}, "yearOfPublication": 2020},
        "pubYear": record.year(), "abstractText": format!("<h4>Background</h4>{}", record.summary), "firstPublicationDate": record.day, "isOpenAccess": "N", "citedByCount": record.citations()})
}
