//! Parses author names.

use precedent_domain::Author;
use roxmltree::Node;

use super::parse::{attribute, find, text_in, text_of};

/// Maximum people read from one element.
const PEOPLE: usize = 5_000;

/// The people in a JATS element, in order: `<name>`, `<string-name>`, `<collab>`. Editors are skipped.
pub(super) fn jats_authors(node: Node<'_, '_>) -> Vec<Author> {
    let is_author = |inner: &Node<'_, '_>| {
        inner
            .ancestors()
            .skip(1)
            .take_while(|outer| *outer != node)
            .all(|outer| {
                let group = attribute(outer, "person-group-type").unwrap_or("author");
                (group == "author" || group == "allauthors")
                    && !matches!(outer.tag_name().name(), "string-name" | "collab" | "name-alternatives")
                    || outer.tag_name().name() == "name-alternatives"
            })
    };
    let mut authors: Vec<Author> = Vec::new();
    for inner in node
        .descendants()
        .filter(|inner| matches!(inner.tag_name().name(), "name" | "string-name" | "collab"))
    {
        if !is_author(&inner) || authors.len() >= PEOPLE {
            continue;
        }
        let name = match (inner.tag_name().name(), text_in(inner, "surname")) {
            ("collab", _) => inner
                .children()
                .filter(|child| child.is_text())
                .filter_map(|text| text.text())
                .collect::<String>(),
            (_, Some(surname)) => {
                let suffix = text_in(inner, "suffix")
                    .map(|suffix| format!(" {suffix}"))
                    .unwrap_or_default();
                format!(
                    "{} {surname}{suffix}",
                    text_in(inner, "given-names").unwrap_or_default()
                )
            }
            _ => text_of(inner),
        };
        let author = Author::new(&name);
        // Of several forms of one name, the first counts.
        let alternative = inner.prev_sibling_element().is_some()
            && inner
                .parent()
                .is_some_and(|outer| outer.tag_name().name() == "name-alternatives");
        if !author.name.is_empty() && !alternative {
            authors.push(author);
        }
    }
    authors
}

/// The authors in a TEI element, in order.
pub(super) fn tei_authors(node: Node<'_, '_>) -> Vec<Author> {
    let people = node
        .descendants()
        .filter(|inner| inner.tag_name().name() == "author")
        .take(PEOPLE);
    people
        .filter_map(|author| {
            let name = match find(author, "persName") {
                Some(person) => {
                    let parts: Vec<String> = person
                        .children()
                        .filter(|part| matches!(part.tag_name().name(), "forename" | "surname" | "genName"))
                        .map(text_of)
                        .collect();
                    if parts.is_empty() {
                        text_of(person)
                    } else {
                        parts.join(" ")
                    }
                }
                None if find(author, "affiliation").is_some() => String::new(),
                None => text_of(author),
            };
            Some(Author::new(&name)).filter(|author| !author.name.is_empty())
        })
        .collect()
}
