use precedent_domain::Assessment;
use serde_json::{Map, Value, json};

use super::entry::Entry;
use super::exporter::{Exporter, Selection, entries};
use super::name::Person;
use super::venue::Kind;

/// CSL-JSON, read by citation processors such as Zotero, Pandoc and Quarto.
pub(super) struct CslExporter;

impl Exporter for CslExporter {
    fn format(&self) -> &'static str {
        "csl"
    }

    fn export(&self, assessment: &Assessment, which: Selection) -> String {
        let items: Vec<Value> = entries(assessment, which).iter().map(item).collect();
        // Serializing these values cannot fail.
        format!("{}\n", serde_json::to_string_pretty(&items).unwrap_or_default())
    }
}

fn item(entry: &Entry) -> Value {
    let (kind, venue) = match entry.kind {
        Kind::Article => ("article-journal", "container-title"),
        Kind::Conference => ("paper-conference", "container-title"),
        Kind::Thesis => ("thesis", "publisher"),
        Kind::Report => ("report", "publisher"),
        Kind::Preprint => ("article", "publisher"),
        Kind::Other => ("document", "publisher"),
    };
    let mut item = Map::new();
    let mut add = |name: &str, value: Value| drop(item.insert(name.to_owned(), value));
    add("id", json!(entry.key));
    add("type", json!(kind));
    add("title", json!(entry.title));
    if !entry.people.is_empty() {
        add("author", entry.people.iter().map(person).collect());
    }
    if let Some(date) = entry.date {
        let mut parts = vec![json!(date.year())];
        parts.extend(date.month().map(|month| json!(month)));
        parts.extend(date.day().map(|day| json!(day)));
        add("issued", json!({"date-parts": [parts]}));
    }
    for (name, value) in [
        (venue, &entry.venue),
        ("DOI", &entry.doi),
        ("URL", &entry.url),
        ("abstract", &entry.summary),
    ] {
        if let Some(value) = value {
            add(name, json!(value));
        }
    }
    let mut notes: Vec<String> = entry.note.iter().cloned().collect();
    if entry.note.is_some() {
        add("status", json!("retracted"));
    }
    if let Some(id) = &entry.arxiv {
        match entry.kind {
            Kind::Preprint | Kind::Other => {
                add("archive", json!("arXiv"));
                add("number", json!(format!("arXiv:{id}")));
            }
            // Archive and number would be those of the publication.
            _ => notes.push(format!("Preprint: arXiv:{id}")),
        }
        if entry.url.is_none() {
            add("URL", json!(format!("https://arxiv.org/abs/{id}")));
        }
    }
    if !notes.is_empty() {
        add("note", json!(notes.join("; ")));
    }
    add("keyword", json!(entry.keywords.join(", ")));
    Value::Object(item)
}

fn person(person: &Person) -> Value {
    if person.given.is_empty() && person.particle.is_empty() && person.suffix.is_empty() {
        return json!({"literal": person.family});
    }
    let mut parts = Map::new();
    for (name, value) in [
        ("family", &person.family),
        ("given", &person.given),
        ("non-dropping-particle", &person.particle),
        ("suffix", &person.suffix),
    ] {
        if !value.is_empty() {
            parts.insert(name.to_owned(), json!(value));
        }
    }
    Value::Object(parts)
}
