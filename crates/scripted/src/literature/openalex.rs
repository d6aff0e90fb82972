use serde_json::{Map, Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

const KNOWN: &[&str] = &[
    "search",
    "search.semantic",
    "filter",
    "select",
    "page",
    "per_page",
    "mailto",
];

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/works" {
        return None;
    }
    if let Some(stranger) = asked.stranger(KNOWN) {
        let message = format!(
            "{stranger} is not a valid parameter. Valid parameters are: {}.",
            KNOWN.join(", ")
        );
        return Some(Answer::json(
            400,
            &json!({"error": "Invalid query parameters error.", "message": message}),
        ));
    }
    let query = asked.get("search").unwrap_or_default();
    if query.contains(['|', '!', '*', '"']) || query.matches(" OR ").count() > 5 {
        return Some(Answer::json(
            400,
            &json!({"error": "Invalid query parameters error.", "message": "bad search"}),
        ));
    }
    let found = match filtered(asked, library, query) {
        Ok(found) => found,
        Err(refusal) => return Some(refusal),
    };
    let (number, size) = (asked.number("page", 1), asked.number("per_page", 25).min(200));
    let results: Vec<Value> = page(&found, (number - 1) * size, size)
        .iter()
        .map(|record| match asked.get("select") {
            Some("id,doi,referenced_works") => lists(record, library),
            _ => work(record, library.nulls),
        })
        .collect();
    let body = json!({
        "meta": {"count": found.len(), "db_response_time_ms": 29, "page": number, "per_page": size, "groups_count": null, "cost_usd": 0.001},
        "group_by": [], "results": results,
    });
    Some(
        Answer::json(200, &body)
            .with_head("X-RateLimit-Limit: 1000")
            .with_head("X-RateLimit-Remaining: 990")
            .with_head("X-RateLimit-Remaining-USD: 0.099")
            .with_head("X-RateLimit-Reset: 4000"),
    )
}

/// The works that match the search and the filters. Commas separate filters; a bar separates their values.
fn filtered<'l>(asked: &Asked, library: &'l Library, query: &str) -> Result<Vec<&'l LibraryRecord>, Answer> {
    let refuse = |message: String| {
        Answer::json(
            400,
            &json!({"error": "Invalid query parameters error.", "message": message}),
        )
    };
    let meaning = asked.get("search.semantic");
    if meaning.is_some_and(|text| text.len() > 1_500) {
        return Err(refuse(
            "semantic queries of the free tier have 1,500 characters".to_owned(),
        ));
    }
    let mut found: Vec<&LibraryRecord> = match (query, meaning) {
        ("", None) => library.records.iter().collect(),
        ("", Some(text)) => library.search(text, false, None),
        (query, _) => library.search(&query.replace(" OR ", " "), !query.contains(" OR "), None),
    };
    for filter in asked.get("filter").into_iter().flat_map(|all| all.split(',')) {
        let (name, value) = filter.split_once(':').unwrap_or((filter, ""));
        let values: Vec<&str> = value.split('|').collect();
        if values.len() > 100 {
            return Err(refuse("Maximum number of values exceeded".to_owned()));
        }
        match name {
            "to_publication_date" if meaning.is_none() => found.retain(|record| record.day.as_str() <= value),
            "publication_year" => {
                let before = value.trim_start_matches('<');
                found.retain(|record| record.year() < before || !value.starts_with('<') && record.year() == before);
            }
            "openalex" => found.retain(|record| values.contains(&format!("W{}", record.key).as_str())),
            "doi" => found.retain(|record| {
                let own = |doi: &&str| !record.doi.is_empty() && record.doi.eq_ignore_ascii_case(doi);
                values.iter().any(own)
            }),
            "cites" => {
                let of = library.of_key(value.trim_start_matches('W'));
                let citing = of.map(|record| library.citing(record)).unwrap_or_default();
                found.retain(|record| citing.iter().any(|one| one.key == record.key));
            }
            "title.search" => {
                let near = library.search(value, true, None);
                found.retain(|record| near.iter().any(|one| one.key == record.key));
            }
            other => return Err(refuse(format!("{other} is not a valid field"))),
        }
    }
    Ok(found)
}

/// A work's ids and its references.
fn lists(record: &LibraryRecord, library: &Library) -> Value {
    let name = |record: &LibraryRecord| format!("https://openalex.org/W{}", record.key);
    if library.nulls {
        return json!({"id": name(record), "doi": null, "referenced_works": []});
    }
    let cited: Vec<String> = library.cited_by(record).into_iter().map(name).collect();
    let doi = match record.doi.as_str() {
        "" => Value::Null,
        doi => json!(format!("https://doi.org/{doi}")),
    };
    json!({"id": name(record), "doi": doi, "referenced_works": cited})
}

fn work(record: &LibraryRecord, nulls: bool) -> Value {
    let id = format!("https://openalex.org/W{}", record.key);
    if nulls {
        return json!({"id": id, "doi": null, "title": record.title, "display_name": record.title, "publication_year": null, "publication_date": null,
            "ids": {}, "primary_location": null, "locations": null, "authorships": [{"author": {"display_name": null}, "raw_author_name": null}],
            "abstract_inverted_index": null});
    }
    let doi = format!("https://doi.org/{}", record.doi);
    let place = json!({"is_oa": false, "landing_page_url": doi, "pdf_url": null, "source": {"display_name": record.venue, "type": "journal"}});
    let mut locations = vec![place.clone()];
    if !record.arxiv.is_empty() {
        locations.push(json!({"is_oa": true, "landing_page_url": format!("https://arxiv.org/abs/{}", record.arxiv), "source": {"display_name": "arXiv"}}));
    }
    let names = record.names().map(|name| json!({"author_position": "middle", "author": {"display_name": name, "orcid": null}, "raw_author_name": name}));
    json!({"id": id, "doi": if record.doi.is_empty() { Value::Null } else { json!(doi) }, "title": record.title, "display_name": record.title,
        "relevance_score": 804.2, "cited_by_count": record.citations(), "is_retracted": record.retracted, "publication_year": record.year().parse::<u16>().ok(), "publication_date": record.day,
        "ids": {"openalex": id}, "primary_location": place, "locations": locations, "authorships": names.collect::<Vec<_>>(),
        "abstract_inverted_index": index(&record.summary)})
}

fn index(summary: &str) -> Value {
    if summary.is_empty() {
        return Value::Null;
    }
    let mut places: Map<String, Value> = Map::new();
    for (at, word) in summary.split(' ').enumerate() {
        if let Some(list) = places.entry(word).or_insert_with(|| json!([])).as_array_mut() {
            list.push(json!(at));
        }
    }
    Value::Object(places)
}
