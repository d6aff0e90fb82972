use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord, unescaped};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if let Some(refusal) = unknown_field(asked) {
        return Some(refusal);
    }
    let path = unescaped(&asked.path);
    match path.as_str() {
        "/graph/v1/paper/search" => search(asked, library),
        "/graph/v1/paper/search/match" => Some(titled(asked, library)),
        "/graph/v1/snippet/search" => snippets(asked, library),
        "/graph/v1/paper/batch" => Some(batch(asked, library)),
        "/recommendations/v1/papers/" => Some(recommended(positives(asked), asked, library)),
        other => {
            if let Some(id) = other.strip_prefix("/recommendations/v1/papers/forpaper/") {
                // Recommendations for one paper cover only computer science, so papers outside it are missing.
                return Some(recommended(vec![id.to_owned()], asked, library));
            }
            let rest = other.strip_prefix("/graph/v1/paper/")?;
            if let Some(id) = rest.strip_suffix("/references") {
                return Some(references(id, asked, library));
            }
            if let Some(id) = rest.strip_suffix("/citations") {
                return Some(citations(id, asked, library));
            }
            Some(match of(rest, library) {
                Some(record) => Answer::json(200, &paper(record, library.nulls)),
                None => unknown(rest),
            })
        }
    }
}

fn unknown_field(asked: &Asked) -> Option<Answer> {
    let fields = asked.get("fields").unwrap_or_default();
    let known = [
        "",
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
        "citationCount",
        "references.paperId",
    ];
    let unknown = fields.split(',').find(|field| !known.contains(field))?;
    Some(Answer::json(
        400,
        &json!({"error": format!("Unrecognized or unsupported fields: [{unknown}]")}),
    ))
}

fn search(asked: &Asked, library: &Library) -> Option<Answer> {
    let (start, size) = (asked.number("offset", 0), asked.number("limit", 100));
    if size > 100 {
        return Some(Answer::json(400, &json!({"error": "limit must be at most 100"})));
    }
    let found = library.search(asked.get("query")?, false, until(asked));
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

fn until(asked: &Asked) -> Option<&str> {
    let range = asked.get("publicationDateOrYear");
    range.and_then(|range| range.strip_prefix(':'))
}

/// The best title match. The service has two ways to report that there is none.
fn titled(asked: &Asked, library: &Library) -> Answer {
    let query = asked.get("query").unwrap_or_default();
    match library.titled(query) {
        Some(record) => {
            let mut paper = paper(record, library.nulls);
            if let Some(object) = paper.as_object_mut() {
                object.insert("matchScore".to_owned(), json!(178.263));
            }
            Answer::json(200, &json!({"data": [paper]}))
        }
        None if query.len().is_multiple_of(2) => Answer::json(404, &json!({"error": "Title match not found"})),
        None => Answer::json(200, &json!({"data": []})),
    }
}

/// Two passages per work, with its number as a string and without a date.
fn snippets(asked: &Asked, library: &Library) -> Option<Answer> {
    let found = library.search(asked.get("query")?, false, until(asked));
    let size = asked.number("limit", 10);
    if size > 1_000 {
        return Some(Answer::json(400, &json!({"error": "limit must be at most 1000"})));
    }
    let snippet = |record: &&LibraryRecord| {
        let names: Vec<String> = record.names().collect();
        let paper = match library.nulls {
            true => {
                json!({"corpusId": record.number().to_string(), "title": record.title, "authors": null, "openAccessInfo": null})
            }
            false => {
                json!({"corpusId": record.number().to_string(), "title": record.title, "authors": names, "openAccessInfo": {"license": "CCBY", "status": "HYBRID"}})
            }
        };
        json!({"snippet": {"text": record.summary, "snippetKind": "body", "section": "Method", "snippetOffset": {"start": 24506, "end": 25694},
            "annotations": {"sentences": [{"start": 0, "end": 120}], "refMentions": null}}, "score": 0.89, "paper": paper})
    };
    let twice = found.iter().flat_map(|record| [snippet(record), snippet(record)]);
    let data: Vec<Value> = twice.take(size).collect();
    Some(Answer::json(200, &json!({"data": data, "retrievalVersion": "v1.0.0"})))
}

/// In request order; null for unknown works.
fn batch(asked: &Asked, library: &Library) -> Answer {
    let question: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    let ids = strings(&question, "ids");
    if ids.is_empty() || ids.len() > 500 {
        return Answer::json(400, &json!({"error": "ids must hold 1 to 500 paper ids"}));
    }
    let lists = asked.get("fields") == Some("references.paperId");
    let found: Vec<Option<&LibraryRecord>> = ids.iter().map(|id| of(id, library)).collect();
    if found.iter().all(Option::is_none) {
        return Answer::json(400, &json!({"error": "No valid paper ids given"}));
    }
    let entry = |record: &LibraryRecord| match (lists, library.nulls) {
        (false, nulls) => paper(record, nulls),
        (true, true) => json!({"paperId": id_of(record), "references": null}),
        (true, false) => {
            let mut cited: Vec<Value> = library
                .cited_by(record)
                .into_iter()
                .map(|one| json!({"paperId": id_of(one)}))
                .collect();
            cited.push(json!({"paperId": null}));
            json!({"paperId": id_of(record), "references": cited})
        }
    };
    let body: Vec<Value> = found
        .into_iter()
        .map(|record| record.map_or(Value::Null, entry))
        .collect();
    Answer::json(200, &Value::Array(body))
}

fn references(id: &str, asked: &Asked, library: &Library) -> Answer {
    let Some(record) = of(id, library) else {
        return unknown(id);
    };
    if library.nulls {
        return Answer::json(200, &json!({"offset": 0, "data": null}));
    }
    let cited = library.cited_by(record);
    let (start, size) = (asked.number("offset", 0), asked.number("limit", 100));
    let mut data: Vec<Value> = page(&cited, start, size)
        .iter()
        .map(|one| json!({"citedPaper": {"paperId": id_of(one), "title": one.title}}))
        .collect();
    data.push(json!({"citedPaper": {"paperId": null, "title": "A work that it has no record of"}}));
    Answer::json(200, &json!({"offset": start, "data": data}))
}

fn citations(id: &str, asked: &Asked, library: &Library) -> Answer {
    let Some(record) = of(id, library) else {
        return unknown(id);
    };
    let citing = library.citing(record);
    let (start, size) = (asked.number("offset", 0), asked.number("limit", 100));
    let data: Vec<Value> = page(&citing, start, size)
        .iter()
        .map(|one| json!({"citingPaper": paper(one, library.nulls)}))
        .collect();
    let mut body = json!({"offset": start, "data": data});
    if start + size < citing.len()
        && let Some(object) = body.as_object_mut()
    {
        object.insert("next".to_owned(), json!(start + size));
    }
    Answer::json(200, &body)
}

fn positives(asked: &Asked) -> Vec<String> {
    let question: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    strings(&question, "positivePaperIds")
}

/// Works that share words with the titles of the given ones, excluding those.
fn recommended(ids: Vec<String>, asked: &Asked, library: &Library) -> Answer {
    let given: Vec<&LibraryRecord> = ids.iter().filter_map(|id| of(id, library)).collect();
    if given.is_empty() {
        return unknown(ids.first().map_or("", String::as_str));
    }
    let titles: Vec<&str> = given.iter().map(|one| one.title.as_str()).collect();
    let found = library.search(&titles.join(" "), false, None);
    let others = found
        .into_iter()
        .filter(|one| given.iter().all(|own| own.key != one.key));
    let papers: Vec<Value> = others
        .take(asked.number("limit", 100))
        .map(|record| paper(record, library.nulls))
        .collect();
    Answer::json(200, &json!({"recommendedPapers": papers}))
}

fn unknown(id: &str) -> Answer {
    Answer::json(404, &json!({"error": format!("Paper with id {id} not found")}))
}

fn strings(question: &Value, name: &str) -> Vec<String> {
    let items = question.get(name).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|id| id.as_str().map(str::to_owned)).collect()
}

fn id_of(record: &LibraryRecord) -> String {
    format!("{:0>40}", record.key)
}

/// The work with this hash, `CorpusId:`, `ARXIV:` or `DOI:`.
fn of<'l>(id: &str, library: &'l Library) -> Option<&'l LibraryRecord> {
    let is = |record: &&LibraryRecord| match id.split_once(':') {
        Some(("CorpusId", number)) => record.number().to_string() == number,
        Some(("ARXIV", arxiv)) => record.arxiv == arxiv,
        Some(("ACL", acl)) => !record.acl.is_empty() && record.acl == acl,
        Some(("DOI", doi)) => !record.doi.is_empty() && record.doi.eq_ignore_ascii_case(doi),
        _ => id_of(record) == id,
    };
    library.records.iter().find(is)
}

fn paper(record: &LibraryRecord, nulls: bool) -> Value {
    let id = id_of(record);
    if nulls {
        return json!({"paperId": id, "externalIds": null, "title": record.title, "abstract": null, "year": null, "publicationDate": null, "venue": "",
            "authors": [{"authorId": null, "name": null}], "openAccessPdf": null, "url": null});
    }
    let mut ids = json!({"CorpusId": record.number()});
    let central = record.pmc.trim_start_matches("PMC").to_owned();
    for (name, value) in [
        ("DOI", &record.doi),
        ("ArXiv", &record.arxiv),
        ("ACL", &record.acl),
        ("PubMedCentral", &central),
    ] {
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
        "authors": names, "openAccessPdf": {"url": "", "status": null}, "citationCount": record.citations() + 2, "url": format!("https://www.semanticscholar.org/paper/{id}")})
}
