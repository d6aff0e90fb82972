use serde_json::{Map, Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

const KNOWN: &[&str] = &["search", "filter", "select", "page", "per_page", "mailto"];

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
    let until = asked
        .get("filter")
        .and_then(|filter| filter.strip_prefix("to_publication_date:"));
    let found = match query {
        "" => library.records.iter().collect(),
        query => library.search(&query.replace(" OR ", " "), !query.contains(" OR "), until),
    };
    let (number, size) = (asked.number("page", 1), asked.number("per_page", 25).min(200));
    let results: Vec<Value> = page(&found, (number - 1) * size, size)
        .iter()
        .map(|record| work(record, library.nulls))
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
        "relevance_score": 804.2, "publication_year": record.year().parse::<u16>().ok(), "publication_date": record.day,
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
