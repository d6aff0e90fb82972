use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

/// Answers like an index that `precedent corpus export` filled, as the search API is documented. If a work has no title, a shard fails.
pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/_search" {
        return None;
    }
    let body: Value = serde_json::from_str(&asked.body).ok()?;
    let query = body.get("query")?;
    let number = |name: &str, otherwise: u64| {
        let number = body.get(name).and_then(Value::as_u64).unwrap_or(otherwise);
        usize::try_from(number).unwrap_or_default()
    };
    // Parsers of query strings are what a search must never reach.
    if asked.body.contains("query_string") || !asked.parameters.is_empty() {
        return Some(error(400, "parsing_exception", "unexpected query"));
    }
    let found = match (
        query.get("bool"),
        query.get("knn"),
        query.get("match"),
        query.get("terms"),
    ) {
        (Some(words), _, _, _) => {
            let wording = words.pointer("/should/0/match/title/query")?.as_str()?;
            library.search(wording, false, until(words))
        }
        // The scripted index knows no vectors: every work in time is as close as any other.
        (_, Some(near), _, _) => {
            let near = near.as_object()?.values().next()?;
            near.get("vector")?.as_array().filter(|vector| vector.len() == 256)?;
            let until = until(near);
            let in_time = |one: &&LibraryRecord| until.is_none_or(|until| one.day.as_str() <= until);
            library.records.iter().filter(in_time).collect()
        }
        (_, _, Some(title), _) => library.search(title.pointer("/title/query")?.as_str()?, true, None),
        (_, _, _, Some(terms)) => {
            let (field, values) = terms.as_object()?.iter().next()?;
            let values: Vec<&str> = values.as_array()?.iter().filter_map(Value::as_str).collect();
            let is_one = |one: &&LibraryRecord| {
                let id = id(one);
                values.contains(&match field.as_str() {
                    "id" => id.as_str(),
                    "doi" => one.doi.as_str(),
                    "arxiv" => one.arxiv.as_str(),
                    _ => one.acl.as_str(),
                })
            };
            library.records.iter().filter(is_one).collect()
        }
        _ => return Some(error(400, "parsing_exception", "unknown query")),
    };
    let (lost, found): (Vec<_>, Vec<_>) = found.into_iter().partition(|one| one.title.is_empty());
    let failed = lost.len();
    let failures: Vec<Value> = lost
        .iter()
        .map(|_| {
            json!({"shard": 0, "index": "papers", "node": "n1",
        "reason": {"type": "circuit_breaking_exception", "reason": "[parent] Data too large"}})
        })
        .collect();
    let shown = page(&found, number("from", 0), number("size", 10));
    let hits: Vec<Value> = shown.iter().map(|record| hit(record, library.nulls)).collect();
    let body = json!({"took": 3, "timed_out": false, "_shards": {"total": 5, "successful": 5 - failed, "skipped": 0, "failed": failed, "failures": failures},
        "hits": {"total": {"value": found.len(), "relation": "eq"}, "max_score": null, "hits": hits}});
    Some(Answer::json(200, &body))
}

/// An error in the form of OpenSearch.
pub(super) fn error(status: u16, kind: &str, reason: &str) -> Answer {
    let cause = json!({"type": kind, "reason": reason});
    let body = json!({"error": {"root_cause": [cause], "type": kind, "reason": reason}, "status": status});
    Answer::json(status, &body)
}

fn id(record: &LibraryRecord) -> String {
    format!("library:{}", record.key)
}

fn until(filtered: &Value) -> Option<&str> {
    filtered.pointer("/filter/bool/should/0/range/date/lte")?.as_str()
}

fn hit(record: &LibraryRecord, nulls: bool) -> Value {
    let id = id(record);
    if nulls {
        let source =
            json!({"id": id, "title": record.title, "abstract": null, "date": null, "authors": null, "doi": null});
        return json!({"_index": "papers", "_id": id, "_score": 1.5, "_source": source});
    }
    let known = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
    let dates: Vec<&str> = record
        .preprint
        .as_deref()
        .into_iter()
        .chain([record.day.as_str()])
        .collect();
    let source = json!({"id": id, "title": record.title, "abstract": known(&record.summary), "authors": record.names().collect::<Vec<_>>(),
        "venue": record.venue, "date": dates.first(), "date_precision": "day", "dates": dates, "doi": known(&record.doi), "arxiv": known(&record.arxiv),
        "acl": known(&record.acl), "pmc": known(&record.pmc), "cited_by": record.citations(), "retracted": record.retracted});
    json!({"_index": "papers", "_id": id, "_score": 1.5, "_source": source, "sort": [1.5, id]})
}
