use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/search/repositories" {
        return Some(Answer::json(
            404,
            &json!({"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"}),
        ));
    }
    let query = asked.get("q")?;
    let (size, at) = (asked.number("per_page", 30), asked.number("page", 1));
    let (qualifiers, words): (Vec<&str>, Vec<&str>) = query.split(' ').partition(|part| part.contains(':'));
    let known = |one: &&str| one.starts_with("in:") || one.starts_with("created:<=");
    if size > 100
        || size * at > 1_000
        || words.is_empty()
        || !qualifiers.iter().all(known)
        || query.chars().count() > 256
    {
        return Some(Answer::json(
            422,
            &json!({"message": "Validation Failed", "errors": [{"resource": "Search", "field": "q", "code": "invalid"}], "status": "422"}),
        ));
    }
    let until = qualifiers.iter().find_map(|one| one.strip_prefix("created:<="));
    let mut found = library.search(&words.join(" "), true, None);
    found.retain(|record| until.is_none_or(|until| created(record) <= until));
    let items: Vec<Value> = page(&found, at.saturating_sub(1) * size, size)
        .iter()
        .map(|record| item(record, library.nulls))
        .collect();
    let body = json!({"total_count": found.len(), "incomplete_results": false, "items": items});
    Some(
        Answer::json(200, &body)
            .with_head("x-ratelimit-limit: 30")
            .with_head("x-ratelimit-remaining: 29")
            .with_head("x-ratelimit-reset: 1800000000")
            .with_head("x-ratelimit-resource: search"),
    )
}

/// A repository was created when the preprint appeared, and last changed on the date of the work.
fn created(record: &LibraryRecord) -> &str {
    record.preprint.as_deref().unwrap_or(&record.day)
}

fn item(record: &LibraryRecord, nulls: bool) -> Value {
    let name = format!("rope-lab/rope-{}", record.key);
    if nulls {
        return json!({"id": 1, "full_name": name, "html_url": null, "description": null, "created_at": null, "pushed_at": null, "topics": [], "license": null, "language": null});
    }
    let description = format!("{}. {}", record.title, record.summary);
    json!({"id": record.number(), "full_name": name, "html_url": "http://127.0.0.1/elsewhere", "description": description, "created_at": format!("{}T00:31:50Z", created(record)),
        "updated_at": "2029-01-01T00:00:00Z", "pushed_at": format!("{}T08:00:00Z", record.day), "stargazers_count": 1, "language": "Python", "topics": ["ropes"],
        "license": {"spdx_id": "MIT"}, "fork": false, "archived": false, "default_branch": "main", "score": 1.0})
}
