use precedent_domain::{Assessment, MONTH_NAMES};

use super::entry::Entry;
use super::exporter::{Exporter, Selection, entries};
use super::name::Person;
use super::venue::Kind;

/// BibTeX with fields that classic styles, biblatex and Zotero all support.
pub(super) struct BibTexExporter;

impl Exporter for BibTexExporter {
    fn format(&self) -> &'static str {
        "bibtex"
    }

    fn export(&self, assessment: &Assessment, which: Selection) -> String {
        let all: Vec<String> = entries(assessment, which).iter().map(written).collect();
        match all.is_empty() {
            // Text outside entries is a comment, so this is still a valid file.
            true => "% no papers\n".to_owned(),
            false => all.join("\n"),
        }
    }
}

fn written(entry: &Entry) -> String {
    let (kind, venue) = match entry.kind {
        Kind::Article => ("article", "journal"),
        Kind::Conference => ("inproceedings", "booktitle"),
        Kind::Thesis => ("phdthesis", "school"),
        Kind::Report => ("techreport", "institution"),
        Kind::Preprint | Kind::Other => ("misc", "howpublished"),
    };
    let mut fields: Vec<(&str, String)> = vec![("title", format!("{{{}}}", title(&entry.title)))];
    let people: Vec<String> = entry.people.iter().map(person).collect();
    if !people.is_empty() {
        fields.push(("author", format!("{{{}}}", people.join(" and "))));
    }
    let mut add = |name: &'static str, text: Option<&String>| {
        if let Some(text) = text {
            fields.push((name, format!("{{{}}}", escaped(text))));
        }
    };
    add(venue, entry.venue.as_ref());
    add("abstract", entry.summary.as_ref());
    add("note", entry.note.as_ref());
    add("keywords", Some(&entry.keywords.join(", ")));
    // Addresses are not TeX, so braces and backslashes are percent-encoded.
    for (name, verbatim) in [("doi", &entry.doi), ("eprint", &entry.arxiv), ("url", &entry.url)] {
        if let Some(verbatim) = verbatim {
            fields.push((name, format!("{{{}}}", address(verbatim))));
        }
    }
    if entry.arxiv.is_some() {
        fields.push(("archiveprefix", "{arXiv}".to_owned()));
    }
    if let Some(date) = entry.date {
        fields.push(("year", format!("{{{}}}", date.year())));
        let month = date
            .month()
            .and_then(|month| MONTH_NAMES.get(usize::from(month).checked_sub(1)?)?.get(..3));
        fields.extend(month.map(|month| ("month", month.to_owned())));
        fields.extend(date.day().map(|day| ("day", format!("{{{day}}}"))));
    }
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("  {name} = {value},\n"))
        .collect();
    format!("@{kind}{{{},\n{}}}\n", entry.key, fields.concat())
}

/// `von Last, Jr, First`. A name of one word, or one that contains a separator, is put in braces as a whole.
fn person(person: &Person) -> String {
    let whole = [&person.given, &person.particle, &person.family, &person.suffix];
    let parts = whole.iter().flat_map(|part| part.split_whitespace());
    let is_divided = parts
        .clone()
        .any(|word| word.eq_ignore_ascii_case("and") || word.contains(','));
    if is_divided || person.given.is_empty() && person.particle.is_empty() {
        return format!("{{{}}}", escaped(&parts.collect::<Vec<_>>().join(" ")));
    }
    let last = [&person.particle, &person.family].map(|part| escaped(part)).join(" ");
    let suffix = match person.suffix.is_empty() {
        true => String::new(),
        false => format!(", {}", escaped(&person.suffix)),
    };
    format!("{}{suffix}, {}", last.trim(), escaped(&person.given))
}

/// A title with braces around words whose capitals styles would remove (LLM, SimWorld).
fn title(text: &str) -> String {
    let word = |word: &str| {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        let kept = inner.chars().skip(1).any(char::is_uppercase);
        if kept {
            format!("{{{}}}", escaped(word))
        } else {
            escaped(word)
        }
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The text escaped for TeX. Braces count even after a backslash, so they are written as commands.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' => {
                out.push('\\');
                out.push(c);
            }
            '{' => out.push_str("\\textbraceleft{}"),
            '}' => out.push_str("\\textbraceright{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            _ => out.push(c),
        }
    }
    out
}

fn address(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '{' => out.push_str("%7B"),
            '}' => out.push_str("%7D"),
            '\\' => out.push_str("%5C"),
            _ => out.push(c),
        }
    }
    out
}
