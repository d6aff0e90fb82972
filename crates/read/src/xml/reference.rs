use precedent_domain::{Author, Identifiers};
use roxmltree::Node;

use super::parse::{attribute, children, find, text_in, text_of};
use crate::draft::ReferenceHint;

/// An entry of a JATS reference list: what it prints, and what its markup says.
pub(super) fn jats_reference(node: Node<'_, '_>) -> (String, ReferenceHint) {
    let citation = ["mixed-citation", "element-citation", "nlm-citation", "citation"]
        .iter()
        .find_map(|name| find(node, name))
        .unwrap_or(node);
    let mut hint = ReferenceHint {
        key: attribute(node, "id").map(str::to_owned),
        label: children(node, "label")
            .next()
            .map(text_of)
            .map(|label| label.trim_matches(['[', ']', '.', ' ']).to_owned()),
        title: text_in(citation, "article-title")
            .or_else(|| text_in(citation, "chapter-title"))
            .or_else(|| text_in(citation, "data-title")),
        authors: names(citation),
        year: text_in(citation, "year").and_then(|year| year.get(..4).and_then(|year| year.parse().ok())),
        identifiers: Identifiers::default(),
    };
    if hint.title.is_none() && attribute(citation, "publication-type").is_some_and(|kind| kind == "book") {
        hint.title = text_in(citation, "source");
    }
    for id in citation
        .descendants()
        .filter(|inner| matches!(inner.tag_name().name(), "pub-id" | "ext-link" | "object-id"))
    {
        take_identifier(
            &mut hint.identifiers,
            &text_of(id),
            attribute(id, "pub-id-type").unwrap_or_default(),
        );
        if let Some(target) = attribute(id, "href") {
            take_identifier(&mut hint.identifiers, target, "");
        }
    }
    // Where the parts stand without punctuation between them, they are printed in the plainest order.
    let printed = citation.tag_name().name() == "mixed-citation"
        || citation
            .children()
            .any(|child| child.is_text() && child.text().is_some_and(|text| text.contains([',', '.'])));
    let text = if printed {
        printed_text(node, citation)
    } else {
        plain_text(citation, &hint)
    };
    (text, hint)
}

pub(super) fn take_identifier(identifiers: &mut Identifiers, text: &str, kind: &str) {
    let text = text.trim();
    if identifiers.doi.is_none() && (kind == "doi" || text.contains("doi.org/") || text.starts_with("10.")) {
        identifiers.doi = text.parse().ok();
    }
    if identifiers.arxiv.is_none() && (kind.eq_ignore_ascii_case("arxiv") || text.to_lowercase().contains("arxiv")) {
        identifiers.arxiv = text.parse().ok();
    }
}

fn printed_text(node: Node<'_, '_>, citation: Node<'_, '_>) -> String {
    if citation == node {
        // Without a citation element the label is left out by hand.
        let parts: Vec<String> = node
            .children()
            .filter(|child| child.tag_name().name() != "label")
            .map(text_of)
            .collect();
        return parts.join(" ");
    }
    text_of(citation)
}

fn plain_text(citation: Node<'_, '_>, hint: &ReferenceHint) -> String {
    let names: Vec<&str> = hint.authors.iter().map(|author| author.name.as_str()).collect();
    let part = |name: &str| text_in(citation, name).unwrap_or_default();
    let mut place = part("source");
    if hint.title.as_deref() == Some(place.as_str()) {
        place.clear();
    }
    let volume = part("volume");
    if !volume.is_empty() {
        place.push_str(&format!(" {volume}"));
    }
    let (first, last) = (part("fpage"), part("lpage"));
    if !first.is_empty() {
        place.push_str(&format!(":{first}"));
        if !last.is_empty() {
            place.push_str(&format!("–{last}"));
        }
    }
    let publisher = part("publisher-name");
    let year = part("year");
    let year = if year.is_empty() {
        String::new()
    } else {
        format!("({year})")
    };
    let doi = hint
        .identifiers
        .doi
        .as_ref()
        .map(|doi| format!("doi:{}", doi.as_str()))
        .unwrap_or_default();
    let head = [names.join(", "), year]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let parts = [
        head,
        hint.title.clone().unwrap_or_default(),
        place.trim().to_owned(),
        publisher,
        doi,
    ];
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| part.trim_end_matches('.'))
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() {
        text_of(citation)
    } else {
        format!("{}.", parts.join(". "))
    }
}

/// The people a JATS element names, in order: `<name>`, `<string-name>`, `<collab>`; editors left out.
pub(super) fn names(node: Node<'_, '_>) -> Vec<Author> {
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
        if !is_author(&inner) || authors.len() >= 5_000 {
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
        // Of several forms of one name the first counts.
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
