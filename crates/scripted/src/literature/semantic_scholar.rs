use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/graph/v1/paper/search" {
        return None;
    }
    let fields = asked.get("fields").unwrap_or_default();
    let known = [
        "paperId",
        "externalIds",
        "title",
        "abstract",
        "year",
        "publicationDate",
        "venue",
        "authors.name",
        "openAccessPdf",
        "url",
    ];
    if let Some(unknown) = fields.split(',').find(|field| !known.contains(field)) {
        return Some(Answer::json(
            400,
            &json!({"error": format!("Unrecognized or unsupported fields: [{unknown}]")}),
        ));
    }
    let (start, size) = (asked.number("offset", 0), asked.number("limit", 100));
    if size > 100 {
        return Some(Answer::json(400, &json!({"error": "limit must be at most 100"})));
    }
    let until = asked
        .get("publicationDateOrYear")
        .and_then(|range| range.strip_prefix(':'));
    let found = library.search(asked.get("query")?, false, until);
    if found.is_empty() {
        return Some(Answer::json(200, &json!({"total": 0, "offset": 0})));
    }
    let data: Vec<Value> = page(&found, start, size)
        .iter()
        .map(|record| paper(record, library.nulls))
        .collect();
    let mut body = json!({"total": found.len(), "offset": start, "data": data});
    if start + size < found.len()
        && let Some(object) = body.as_object_mut()
    {
        object.insert("next".to_owned(), json!(start + size));
    }
    Some(Answer::json(200, &body))
}

fn paper(record: &LibraryRecord, nulls: bool) -> Value {
    let id = format!("{:0>40}", record.key);
    if nulls {
        return json!({"paperId": id, "externalIds": null, "title": record.title, "abstract": null, "year": null, "publicationDate": null, "venue": "",
            "authors": [{"authorId": null, "name": null}], "openAccessPdf": null, "url": null});
    }
    let mut ids = json!({"CorpusId": 19_170_988});
    for (name, value) in [("DOI", &record.doi), ("ArXiv", &record.arxiv)] {
        if let Some(object) = ids.as_object_mut()
            && !value.is_empty()
        {
            object.insert(name.to_owned(), json!(value));
        }
    }
    let names: Vec<Value> = record
        .names()
        .map(|name| json!({"authorId": "1", "name": name}))
        .collect();
    json!({"paperId": id, "externalIds": ids, "title": record.title, "abstract": if record.summary.is_empty() { Value::Null } else { json!(record.summary) },
        "year": record.year().parse::<u16>().ok(), "publicationDate": record.preprint.as_ref().unwrap_or(&record.day), "venue": record.venue,
        "authors": names, "openAccessPdf": {"url": "", "status": null}, "url": format!("https://www.semanticscholar.org/paper/{id}")})
}
