use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    list(asked, library, "/datasets/list", |record, nulls| {
        let name = format!("rope-lab/rope-{}", record.key);
        match nulls {
            true => json!({"ref": name, "title": record.title, "subtitle": null, "lastUpdated": null, "tags": []}),
            false => {
                json!({"id": record.number(), "ref": name, "title": record.title, "subtitle": record.summary, "url": "http://127.0.0.1/elsewhere",
                "licenseName": "CC0-1.0", "totalBytes": 123_456, "lastUpdated": changed(record), "downloadCount": 5, "voteCount": 3, "usabilityRating": 0.9,
                "ownerName": "Rope Lab", "tags": [{"name": "ropes"}]})
            }
        }
    })
}

pub(super) fn play_notebooks(asked: &Asked, library: &Library) -> Option<Answer> {
    list(asked, library, "/kernels/list", |record, nulls| {
        let name = format!("rope-lab/rope-{}", record.key);
        match nulls {
            true => json!({"ref": name, "title": record.title, "author": null, "lastRunTime": null}),
            false => {
                json!({"ref": name, "title": record.title, "author": "Rope Lab", "slug": format!("rope-{}", record.key),
                "lastRunTime": changed(record), "language": "python", "kernelType": "notebook", "totalVotes": 3})
            }
        }
    })
}

fn list(asked: &Asked, library: &Library, path: &str, item: impl Fn(&LibraryRecord, bool) -> Value) -> Option<Answer> {
    if asked.path != path || asked.stranger(&["search", "page", "pageSize"]).is_some() {
        return Some(Answer::json(404, &json!({"code": 404, "message": "Not found"})));
    }
    let (size, at) = (asked.number("pageSize", 20), asked.number("page", 1));
    let found = library.search(asked.get("search")?, false, None);
    let shown = page(&found, at.saturating_sub(1) * size, size);
    let items: Vec<Value> = shown.iter().map(|record| item(record, library.nulls)).collect();
    Some(Answer::json(200, &Value::Array(items)))
}

/// The last change, on the date of the work.
fn changed(record: &LibraryRecord) -> Value {
    match record.day.as_str() {
        "" => Value::Null,
        day => json!(format!("{day}T08:00:00.123Z")),
    }
}
