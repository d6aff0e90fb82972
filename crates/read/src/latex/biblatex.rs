use std::collections::BTreeMap;

use super::bib::BibEntry;
use super::bibliography::Entry;
use super::reader::LatexReader;

impl LatexReader<'_> {
    /// The entries of a `.bbl` written by biber, which contains fields rather than printed text.
    pub(super) fn biblatex_entries(&mut self) -> Vec<Entry> {
        let texts: Vec<std::rc::Rc<str>> = self.files.with_extension("bbl").map(|(_, text)| text).collect();
        let Some(text) = texts.iter().find(|text| text.contains("\\entry{")) else {
            return Vec::new();
        };
        let mut entries = Vec::new();
        for piece in text.split("\\entry{").skip(1).take(20_000) {
            let piece = piece.split("\\endentry").next().unwrap_or_default();
            let mut entry = BibEntry {
                key: piece.split('}').next().unwrap_or_default().to_owned(),
                fields: BTreeMap::new(),
            };
            for line in piece.lines().map(str::trim) {
                if let Some((name, value)) = line.strip_prefix("\\field{").and_then(|rest| rest.split_once("}{")) {
                    entry
                        .fields
                        .insert(name.to_owned(), value.strip_suffix('}').unwrap_or(value).to_owned());
                }
            }
            if let Some(people) = piece
                .split("\\name{author}")
                .nth(1)
                .or_else(|| piece.split("\\name{editor}").nth(1))
            {
                entry.fields.insert("author".to_owned(), people_of(people));
            }
            for name in ["doi", "eprint", "url"] {
                let value = piece
                    .split(&format!("\\verb{{{name}}}"))
                    .nth(1)
                    .and_then(|rest| rest.split("\\verb ").nth(1));
                if let Some(value) = value.and_then(|value| value.lines().next()) {
                    entry
                        .fields
                        .entry(name.to_owned())
                        .or_insert_with(|| value.trim().to_owned());
                }
            }
            if let Some(publisher) = piece
                .split("\\list{publisher}")
                .nth(1)
                .and_then(|rest| rest.split("{%").nth(1))
            {
                let publisher = publisher
                    .trim()
                    .trim_start_matches('{')
                    .split('}')
                    .next()
                    .unwrap_or_default();
                entry.fields.insert("publisher".to_owned(), publisher.to_owned());
            }
            entries.push(self.entry_of(&entry));
        }
        entries
    }
}

/// `Family, Given and …` from the name list of one entry.
fn people_of(text: &str) -> String {
    let mut people = Vec::new();
    let mut family: Option<String> = None;
    for line in text.lines().map(str::trim) {
        let value = |name: &str| {
            let rest = line.split_once(&format!("{name}={{"))?.1;
            let mut depth = 0usize;
            let end = rest.char_indices().find(|(_, c)| {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => return true,
                    '}' => depth -= 1,
                    _ => {}
                }
                false
            });
            rest.get(..end?.0).map(str::to_owned)
        };
        if let Some(found) = value("family") {
            people.extend(family.take());
            family = Some(found);
        }
        if let Some(given) = value("given") {
            people.extend(family.take().map(|family| format!("{family}, {given}")));
        }
        if line.starts_with("\\strng") || line.starts_with("\\field") || line.starts_with("\\list") {
            break;
        }
    }
    people.extend(family);
    people.join(" and ")
}
