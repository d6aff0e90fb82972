use serde_json::Value;

use super::full_text::{Part, whole};
use super::json_objects::{Object, ObjectLines, Shape};
use super::kind::Kind;
use super::values::{labels, string};
use super::work_builder::WorkBuilder;

/// JSON Lines in this program's own format and in similar formats of data sets.
pub(super) const KIND: Kind = Kind {
    name: "jsonl",
    title: "JSON Lines",
    adds_to_others: false,
    recognises: |head| matches!(head.ending(), "jsonl" | "ndjson") || head.is_object_on_a_line(),
    open: |input| Box::new(ObjectLines::<_, JsonRecord>::new(input)),
};

/// `id`, `title`, `abstract`, `year` or `date`, `venue`, `authors`, `url`, `doi`, `fields`, `full_text` or `sections`, and the names of data sets for
/// them.
struct JsonRecord;

impl Shape for JsonRecord {
    const MEMBERS: &'static [&'static str] = &[
        "id",
        "_id",
        "paper_id",
        "title",
        "abstract",
        "summary",
        "text",
        "date",
        "publication_date",
        "publicationDate",
        "published",
        "year",
        "venue",
        "journal",
        "booktitle",
        "authors",
        "author",
        "url",
        "doi",
        "DOI",
        "arxiv_id",
        "arxiv",
        "eprint",
        "fields",
        "field",
        "categories",
        "fields_of_study",
        "fieldsOfStudy",
        "full_text",
        "fulltext",
        "body",
        "sections",
        "cited_by",
        "cited_by_count",
        "citationCount",
    ];

    fn work(line: &Object<Self>) -> Option<WorkBuilder> {
        let dates = [
            line.string(&["date", "publication_date", "publicationDate", "published"]),
            line.string(&["year"]),
        ];
        Some(WorkBuilder {
            id: line.string(&["id", "_id", "paper_id"]),
            title: line.string(&["title"]).unwrap_or_default(),
            summary: line.string(&["abstract", "summary", "text"]),
            authors: line.names(&["authors", "author"]),
            venue: line.string(&["venue", "journal", "booktitle"]),
            dates: dates.into_iter().flatten().collect(),
            urls: line.string(&["url"]).into_iter().collect(),
            doi: line.string(&["doi", "DOI"]),
            arxiv: line.string(&["arxiv_id", "arxiv", "eprint"]),
            fields: labels(line.first(&["fields", "categories", "field", "fields_of_study", "fieldsOfStudy"])),
            parts: parts(line),
            cited_by: line.count(&["cited_by", "cited_by_count", "citationCount"]),
            ..WorkBuilder::default()
        })
    }
}

/// The text of a record: its `sections`, else its `full_text`.
fn parts(line: &Object<JsonRecord>) -> Vec<Part> {
    let text = |value: &Value, names: &[&str]| {
        let mut texts = names.iter().filter_map(|name| value.get(name).and_then(Value::as_str));
        texts.next().unwrap_or_default().to_owned()
    };
    match line.get("sections") {
        Some(Value::Array(list)) if !list.is_empty() => list
            .iter()
            .map(|section| match section {
                Value::String(text) => Part {
                    heading: String::new(),
                    text: text.clone(),
                },
                other => Part {
                    heading: text(other, &["heading", "title", "section"]),
                    text: text(other, &["text", "content"]),
                },
            })
            .collect(),
        _ => ["full_text", "fulltext", "body"]
            .iter()
            .find_map(|name| string(line.get(name)))
            .map_or_else(Vec::new, |text| whole(&text)),
    }
}
