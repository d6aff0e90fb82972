use serde_json::Value;

use super::json_objects::{Object, ObjectLines, Shape};
use super::kind::Kind;
use super::values::string;
use super::work_builder::WorkBuilder;

/// Lines of the `works` files of an OpenAlex dump (documented at `docs.openalex.org`, entity `Work`).
pub(super) const KIND: Kind = Kind {
    name: "openalex",
    title: "OpenAlex dump",
    adds_to_others: false,
    recognises: |head| {
        head.text().starts_with('{')
            && (head.has_key("abstract_inverted_index") || head.has_key("authorships") && head.has_key("display_name"))
    },
    open: |input| Box::new(ObjectLines::<_, DumpedWork>::new(input)),
};

/// Maximum number of words of an abstract; longer ones are cut.
const MOST_WORDS: usize = 20_000;
/// Maximum number of locations and of topics read per work.
const MOST_LISTED: usize = 64;

struct DumpedWork;

impl Shape for DumpedWork {
    const MEMBERS: &'static [&'static str] = &[
        "id",
        "doi",
        "ids",
        "title",
        "display_name",
        "publication_date",
        "publication_year",
        "authorships",
        "primary_location",
        "locations",
        "abstract_inverted_index",
        "topics",
        "concepts",
        "cited_by_count",
    ];

    fn work(line: &Object<Self>) -> Option<WorkBuilder> {
        let id = line.string(&["id"]);
        let bare = id.as_deref().and_then(|id| id.rsplit('/').next());
        let dates = [
            line.string(&["publication_date"]).map(|date| without_padding(&date)),
            line.string(&["publication_year"]),
        ];
        let mut urls = Vec::new();
        let locations = line.get("locations").and_then(Value::as_array);
        for location in line
            .get("primary_location")
            .into_iter()
            .chain(locations.into_iter().flatten().take(MOST_LISTED))
        {
            urls.extend(string(location.get("landing_page_url")));
        }
        let source = |location: &Value| string(location.pointer("/source/display_name"));
        Some(WorkBuilder {
            id: bare.map(|id| format!("openalex:{id}")),
            title: line.string(&["title", "display_name"]).unwrap_or_default(),
            summary: line.get("abstract_inverted_index").and_then(summary),
            authors: authors(line),
            venue: line.get("primary_location").and_then(source),
            dates: dates.into_iter().flatten().collect(),
            doi: line
                .string(&["doi"])
                .or_else(|| string(line.get("ids").and_then(|ids| ids.get("doi")))),
            urls,
            fields: fields(line),
            cited_by: line.count(&["cited_by_count"]),
            ..WorkBuilder::default()
        })
    }
}

/// OpenAlex pads dates: the first of a month may mean only the month, and the first of January only the year.
fn without_padding(date: &str) -> String {
    date.strip_suffix("-01-01")
        .or_else(|| date.strip_suffix("-01").filter(|rest| rest.contains('-')))
        .unwrap_or(date)
        .to_owned()
}

fn authors(line: &Object<DumpedWork>) -> Vec<String> {
    let list = line.get("authorships").and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(|one| string(one.pointer("/author/display_name")).or_else(|| string(one.get("raw_author_name"))))
        .collect()
}

/// Fields and subfields of the work's topics; in older dumps the concepts of the top two levels.
fn fields(line: &Object<DumpedWork>) -> Vec<String> {
    let listed = |name: &str| {
        let list = line.get(name).and_then(Value::as_array);
        list.into_iter().flatten().take(MOST_LISTED)
    };
    let of_topics = listed("topics").flat_map(|topic| {
        let part = |path: &str| string(topic.pointer(path));
        [
            part("/field/display_name"),
            part("/subfield/display_name"),
            part("/display_name"),
        ]
    });
    let fields: Vec<String> = of_topics.flatten().collect();
    if !fields.is_empty() {
        return fields;
    }
    let high = |concept: &&Value| {
        concept
            .get("level")
            .and_then(Value::as_u64)
            .is_none_or(|level| level <= 1)
    };
    listed("concepts")
        .filter(high)
        .filter_map(|concept| string(concept.get("display_name")))
        .collect()
}

/// The abstract from its inverted index: an object, in older dumps inside a string or under `InvertedIndex`.
fn summary(index: &Value) -> Option<String> {
    if let Value::String(inside) = index {
        let index: Value = serde_json::from_str(inside).ok().filter(Value::is_object)?;
        return summary(&index);
    }
    let words = index.get("InvertedIndex").unwrap_or(index).as_object()?;
    let mut placed: Vec<(u64, &str)> = Vec::new();
    for (word, places) in words {
        for place in places.as_array().into_iter().flatten().filter_map(Value::as_u64) {
            placed.push((place, word));
        }
    }
    placed.sort_unstable();
    placed.truncate(MOST_WORDS);
    let text: Vec<&str> = placed.into_iter().map(|(_, word)| word).collect();
    Some(text.join(" ")).filter(|text| !text.trim().is_empty())
}
