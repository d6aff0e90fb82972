use precedent_domain::Assessment;

use super::entry::Entry;
use super::exporter::{Exporter, Selection, entries};
use super::name::Person;
use super::venue::Kind;

/// RIS with the tags that Zotero, EndNote and Mendeley read.
pub(super) struct RisExporter;

impl Exporter for RisExporter {
    fn format(&self) -> &'static str {
        "ris"
    }

    fn export(&self, assessment: &Assessment, which: Selection) -> String {
        let all: String = entries(assessment, which).iter().map(written).collect();
        match all.is_empty() {
            // Empty lines separate records, so this is still a valid file.
            true => "\r\n".to_owned(),
            false => all,
        }
    }
}

fn written(entry: &Entry) -> String {
    let (kind, venue) = match entry.kind {
        Kind::Article => ("JOUR", "T2"),
        Kind::Conference => ("CONF", "T2"),
        Kind::Thesis => ("THES", "PB"),
        Kind::Report => ("RPRT", "PB"),
        // Zotero imports it as a manuscript of the type given in M3.
        Kind::Preprint => ("MANSCPT", "PB"),
        Kind::Other => ("GEN", "PB"),
    };
    let mut lines: Vec<(&str, String)> = vec![("TY", kind.to_owned()), ("TI", entry.title.clone())];
    lines.extend(entry.people.iter().map(|one| ("AU", person(one))));
    if let Some(date) = entry.date {
        lines.push(("PY", date.year().to_string()));
        if let Some(month) = date.month() {
            let day = date.day().map(|day| format!("{day:02}")).unwrap_or_default();
            lines.push(("DA", format!("{}/{month:02}/{day}/", date.year())));
        }
    }
    let mut add = |tag: &'static str, value: Option<&String>| lines.extend(value.map(|value| (tag, value.clone())));
    add(venue, entry.venue.as_ref());
    add("AB", entry.summary.as_ref());
    add("N1", entry.note.as_ref());
    add("DO", entry.doi.as_ref());
    add("UR", entry.url.as_ref());
    if let Some(id) = &entry.arxiv {
        add("AN", Some(&format!("arXiv:{id}")));
        let page = format!("https://arxiv.org/abs/{id}");
        add("UR", Some(&page).filter(|page| entry.url.as_ref() != Some(*page)));
    }
    if entry.kind == Kind::Preprint {
        lines.push(("M3", "preprint".to_owned()));
    }
    lines.extend(entry.keywords.iter().map(|word| ("KW", (*word).to_owned())));
    lines.push(("ID", entry.key.clone()));
    lines.push(("ER", String::new()));
    // Each value is on one line, so it cannot start another tag.
    lines
        .iter()
        .map(|(tag, value)| format!("{tag}  - {value}\r\n"))
        .collect::<String>()
        + "\r\n"
}

/// `Family, Given, Suffix`. A comma in a name would split it in the wrong place.
fn person(person: &Person) -> String {
    let family = format!("{} {}", person.particle, person.family);
    let parts = [family.as_str(), &person.given, &person.suffix];
    let parts = parts.map(|part| part.replace(',', " ").trim().to_owned());
    let text: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    text.join(", ")
}
