use serde_json::Value;

use super::json_objects::{Object, ObjectLines, Shape};
use super::kind::Kind;
use super::values::string;
use super::work_builder::WorkBuilder;

/// Lines of the `papers` files of the Semantic Scholar data sets, and works of its API, one per line.
pub(super) const PAPERS: Kind = Kind {
    name: "semantic-scholar",
    title: "Semantic Scholar papers",
    adds_to_others: false,
    recognises: |head| {
        let id = head.has_key("corpusid") || head.has_key("paperId");
        head.text().starts_with('{') && id && head.has_key("title")
    },
    open: |input| Box::new(ObjectLines::<_, DumpPaper>::new(input)),
};

/// Lines of its `abstracts` files, which complete the papers of the same corpus id.
pub(super) const ABSTRACTS: Kind = Kind {
    name: "semantic-scholar-abstracts",
    title: "Semantic Scholar abstracts",
    adds_to_others: true,
    recognises: |head| {
        head.text().starts_with('{') && head.has_key("corpusid") && head.has_key("abstract") && !head.has_key("title")
    },
    open: |input| Box::new(ObjectLines::<_, Abstract>::new(input)),
};

struct DumpPaper;

impl Shape for DumpPaper {
    const MEMBERS: &'static [&'static str] = &[
        "corpusid",
        "corpusId",
        "paperId",
        "externalids",
        "externalIds",
        "url",
        "title",
        "abstract",
        "authors",
        "venue",
        "journal",
        "year",
        "publicationdate",
        "publicationDate",
        "s2fieldsofstudy",
        "s2FieldsOfStudy",
        "citationcount",
        "citationCount",
    ];

    fn work(line: &Object<Self>) -> Option<WorkBuilder> {
        let outside = line.first(&["externalids", "externalIds"]);
        let id = |name: &str| outside.and_then(|ids| string(ids.get(name)));
        let own = line.string(&["corpusid", "corpusId"]).or_else(|| id("CorpusId"));
        let journal = line.get("journal").and_then(|journal| string(journal.get("name")));
        let dates = [
            line.string(&["publicationdate", "publicationDate"]),
            line.string(&["year"]),
        ];
        let fields = line.first(&["s2fieldsofstudy", "s2FieldsOfStudy"]);
        let fields = fields.and_then(Value::as_array).into_iter().flatten();
        let mut fields: Vec<String> = fields.filter_map(|field| string(field.get("category"))).collect();
        fields.sort();
        fields.dedup();
        Some(WorkBuilder {
            id: own.or_else(|| line.string(&["paperId"])).map(|id| format!("s2:{id}")),
            title: line.string(&["title"]).unwrap_or_default(),
            summary: line.string(&["abstract"]),
            authors: line.names(&["authors"]),
            venue: line.string(&["venue"]).or(journal),
            dates: dates.into_iter().flatten().collect(),
            urls: line.string(&["url"]).into_iter().collect(),
            doi: id("DOI"),
            arxiv: id("ArXiv"),
            acl: id("ACL"),
            fields,
            cited_by: line.count(&["citationcount", "citationCount"]),
            // The papers may be imported again after their abstracts, which must stay.
            completes: true,
            ..WorkBuilder::default()
        })
    }
}

struct Abstract;

impl Shape for Abstract {
    const MEMBERS: &'static [&'static str] = &["corpusid", "abstract"];

    fn work(line: &Object<Self>) -> Option<WorkBuilder> {
        Some(WorkBuilder {
            id: line.string(&["corpusid"]).map(|id| format!("s2:{id}")),
            summary: line.string(&["abstract"]),
            completes: true,
            ..WorkBuilder::default()
        })
    }
}
