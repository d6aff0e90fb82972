use serde_json::Value;

use super::json_objects::{Object, ObjectLines, Shape};
use super::kind::Kind;
use super::values::{labels, string};
use super::work_builder::WorkBuilder;

/// Lines of the arXiv metadata snapshot (one JSON object per line, as on Kaggle).
pub(super) const KIND: Kind = Kind {
    name: "arxiv",
    title: "arXiv metadata",
    adds_to_others: false,
    recognises: |head| {
        head.text().starts_with('{')
            && (head.has_key("authors_parsed")
                || ["categories", "versions", "update_date"]
                    .iter()
                    .all(|key| head.has_key(key)))
    },
    open: |input| Box::new(ObjectLines::<_, ArxivRecord>::new(input)),
};

/// `authors_parsed` contains `[family, given, suffix]` and possibly affiliations; `versions` has every version with its date. `update_date` is
/// ignored: it is when the record changed, not when the paper appeared.
struct ArxivRecord;

impl Shape for ArxivRecord {
    const MEMBERS: &'static [&'static str] = &[
        "id",
        "title",
        "abstract",
        "authors",
        "authors_parsed",
        "versions",
        "categories",
        "doi",
        "journal-ref",
    ];

    fn work(line: &Object<Self>) -> Option<WorkBuilder> {
        let id = line.string(&["id"]);
        let of_versions = line.get("versions").and_then(Value::as_array);
        let versions = of_versions.into_iter().flatten().filter_map(|version| {
            let date = string(version.get("created"))?;
            let number = string(version.get("version")).unwrap_or_default();
            Some((date, format!("arXiv {number}").trim_end().to_owned()))
        });
        let categories = line.string(&["categories"]).unwrap_or_default();
        Some(WorkBuilder {
            id: id.as_ref().map(|id| format!("arxiv:{id}")),
            title: line.string(&["title"]).unwrap_or_default(),
            summary: line.string(&["abstract"]),
            authors: authors(line),
            venue: line.string(&["journal-ref"]).or_else(|| Some("arXiv".to_owned())),
            versions: versions.collect(),
            doi: line.string(&["doi"]),
            urls: id.iter().map(|id| format!("https://arxiv.org/abs/{id}")).collect(),
            arxiv: id,
            fields: match line.get("categories") {
                Some(Value::String(_)) => categories.split_whitespace().map(str::to_owned).collect(),
                other => labels(other),
            },
            ..WorkBuilder::default()
        })
    }
}

fn authors(line: &Object<ArxivRecord>) -> Vec<String> {
    let parsed = line.get("authors_parsed").and_then(Value::as_array);
    let names = parsed.into_iter().flatten().filter_map(|author| {
        let part = |at: usize| author.get(at).and_then(Value::as_str).unwrap_or_default().trim();
        let name = [part(1), part(0), part(2)].join(" ");
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        line.names(&["authors"])
    } else {
        names
    }
}
