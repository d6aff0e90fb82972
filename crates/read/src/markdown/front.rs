use std::str::FromStr;

use precedent_domain::{Author, DateOrigin, PublicationDate};

use crate::draft::Draft;
use crate::format::fold_space;

/// Splits YAML front matter (`---` … `---`) from the text.
pub(crate) fn split_front(text: &str) -> (Option<&str>, &str) {
    let text = text.trim_start_matches('\u{feff}');
    let Some(rest) = text.strip_prefix("---\n") else {
        return (None, text);
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            let front = rest.get(..at).unwrap_or_default();
            // A rule at the start of a text is not front matter, which has at least one `key:`.
            let has_key = front.lines().any(|line| key_of(line).is_some());
            return if has_key {
                (Some(front), rest.get(at + line.len()..).unwrap_or_default())
            } else {
                (None, text)
            };
        }
        at += line.len();
    }
    (None, text)
}

/// Reads title, authors, date and identifiers from the front matter. Returns the abstract, if any.
///
/// Supports the YAML subset that papers use (scalars, block scalars, lists, lists of maps with a `name`) and ignores everything else.
pub(crate) fn read_front(front: &str, draft: &mut Draft) -> Option<String> {
    let mut summary = None;
    for (key, value) in entries(front) {
        match key.as_str() {
            "title" => {
                draft.title = value
                    .first()
                    .map(|title| fold_space(title))
                    .filter(|title| !title.is_empty())
            }
            "subtitle" => {
                if let (Some(title), Some(subtitle)) = (draft.title.as_mut(), value.first()) {
                    title.push_str(": ");
                    title.push_str(&fold_space(subtitle));
                }
            }
            "author" | "authors" => {
                draft.authors = value
                    .iter()
                    .flat_map(|name| {
                        if value.len() == 1 {
                            split_names(name)
                        } else {
                            vec![name.clone()]
                        }
                    })
                    .map(|name| Author::new(&name))
                    .filter(|author| !author.name.is_empty())
                    .collect();
            }
            "date" | "published" => {
                draft.dates.extend(
                    value
                        .iter()
                        .filter_map(|date| date.parse().ok())
                        .map(|date| PublicationDate {
                            date,
                            origin: DateOrigin::FrontMatter,
                        }),
                );
            }
            "doi" => set(&mut draft.identifiers.doi, &value),
            "arxiv" | "arxiv_id" | "arxivid" | "eprint" => set(&mut draft.identifiers.arxiv, &value),
            "openreview" => set(&mut draft.identifiers.openreview, &value),
            "abstract" => {
                summary = value
                    .first()
                    .map(|text| fold_space(text))
                    .filter(|text| !text.is_empty())
            }
            _ => {}
        }
    }
    summary
}

/// The bibliography files that the front matter of a text names.
pub(crate) fn bibliography_names(text: &str) -> Vec<String> {
    let named = split_front(text).0.map(entries).unwrap_or_default();
    let named = named.into_iter().filter(|(key, _)| key == "bibliography");
    named.flat_map(|(_, names)| names).collect()
}

fn set<T: FromStr>(place: &mut Option<T>, value: &[String]) {
    *place = value.first().and_then(|value| value.parse().ok());
}

fn split_names(names: &str) -> Vec<String> {
    names
        .split(" and ")
        .flat_map(|part| part.split([',', ';', '&']))
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    (plain && (value.is_empty() || value.starts_with([' ', '\t']))).then_some((key, value.trim()))
}

/// The top-level keys with their values: one value for a scalar, one per item for a list.
fn entries(front: &str) -> Vec<(String, Vec<String>)> {
    let mut entries: Vec<(String, Vec<String>)> = Vec::new();
    let mut block = false;
    for line in front.lines().take(2_000) {
        if let Some((key, value)) = key_of(line) {
            block = value.starts_with(['|', '>']);
            let value = if block { Vec::new() } else { values(value) };
            entries.push((key.to_lowercase(), value));
            continue;
        }
        let Some((_, values)) = entries.last_mut() else {
            continue;
        };
        let line = line.trim();
        if line.is_empty() || (line.starts_with('#') && !block) {
            continue;
        }
        match line.strip_prefix("- ").filter(|_| !block) {
            Some(item) => match key_of(item.trim()) {
                Some(("name" | "literal", name)) => values.push(scalar(name)),
                // A map whose name comes later, or that has none.
                Some(_) => {}
                None => values.push(scalar(item)),
            },
            None => match key_of(line).filter(|_| !block) {
                Some(("name" | "literal", name)) => values.push(scalar(name)),
                Some(_) => {}
                None => continue_scalar(values, line),
            },
        }
    }
    entries
}

fn continue_scalar(values: &mut Vec<String>, line: &str) {
    match values.last_mut() {
        Some(last) => {
            last.push(' ');
            last.push_str(line);
        }
        None => values.push(line.to_owned()),
    }
}

fn values(value: &str) -> Vec<String> {
    if let Some(list) = value.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
        return list.split(',').map(scalar).filter(|item| !item.is_empty()).collect();
    }
    let value = scalar(value);
    if value.is_empty() { Vec::new() } else { vec![value] }
}

fn scalar(value: &str) -> String {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote).and_then(|inner| inner.strip_suffix(quote)) {
            return inner.replace("\\\"", "\"").replace("''", "'");
        }
    }
    value.to_owned()
}
