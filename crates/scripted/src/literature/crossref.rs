use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/works" {
        return Some(Answer::text(404, "text/plain", "Resource not found."));
    }
    let (start, rows) = (asked.number("offset", 0), asked.number("rows", 20));
    if rows > 1000 || start > 10_000 {
        return Some(Answer::json(
            400,
            &json!({"status": "failed", "message-type": "validation-failure"}),
        ));
    }
    let until = asked
        .get("filter")
        .and_then(|filter| filter.strip_prefix("until-pub-date:"));
    let mut found = library.search(asked.get("query.bibliographic")?, false, until);
    found.retain(|record| !record.doi.is_empty());
    let mut items: Vec<Value> = page(&found, start, rows)
        .iter()
        .map(|record| item(record, library.nulls))
        .collect();
    // The notice of a retracted work comes as a separate record.
    let notices = page(&found, start, rows).iter().filter(|record| record.retracted);
    items.extend(notices.map(|record| notice(record)));
    let body = json!({"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": {"facets": {}, "total-results": found.len(),
        "items": items, "items-per-page": rows, "query": {"start-index": start, "search-terms": null}}});
    Some(
        Answer::json(200, &body)
            .with_head("x-rate-limit-limit: 50")
            .with_head("x-rate-limit-interval: 1s")
            .with_head("x-api-pool: public"),
    )
}

/// The retraction notice of a work.
fn notice(record: &LibraryRecord) -> Value {
    json!({"DOI": format!("{}.n", record.doi), "type": "journal-article", "title": [format!("Notice on {}", record.title)], "container-title": [record.venue],
        "author": [], "issued": {"date-parts": [[2024, 2]]}, "URL": format!("https://doi.org/{}.n", record.doi),
        "update-to": [{"DOI": record.doi, "type": "retraction", "label": "Retraction", "updated": {"date-parts": [[2024, 2, 1]]}}]})
}

fn item(record: &LibraryRecord, nulls: bool) -> Value {
    if nulls {
        return json!({"DOI": record.doi, "title": [record.title], "author": [{"sequence": "first", "affiliation": []}], "container-title": [],
            "issued": {"date-parts": [[null]]}, "abstract": null});
    }
    let mut parts = record.day.split('-').filter_map(|part| part.parse::<u16>().ok());
    // Journals often give only the month.
    let issued = [parts.next(), parts.next()];
    let names = record
        .authors
        .iter()
        .map(|(given, family)| json!({"given": given, "family": family, "sequence": "additional", "affiliation": []}));
    json!({"DOI": record.doi.to_uppercase(), "type": "journal-article", "title": [record.title], "container-title": [record.venue], "is-referenced-by-count": record.citations(),
        "author": names.collect::<Vec<_>>(), "issued": {"date-parts": [issued]},
        "created": {"date-parts": [[2026, 1, 1]], "date-time": "2026-01-01T00:00:00Z", "timestamp": 1_767_225_600_000_u64},
        "abstract": format!("<jats:title>Abstract</jats:title><jats:p>{}</jats:p>", record.summary.replace('&', "&amp;")),
        "URL": format!("https://doi.org/{}", record.doi), "score": 1})
}
