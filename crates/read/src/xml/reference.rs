use precedent_domain::Identifiers;
use roxmltree::Node;

use super::parse::{attribute, children, find, text_in, text_of};
use super::people::{jats_authors, tei_authors};
use crate::draft::ReferenceHint;

/// An entry of a JATS reference list: its printed text and its markup data.
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
        authors: jats_authors(citation),
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
    // If there is no punctuation between the parts, they are printed in a plain order.
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
        // Without a citation element, the label is removed here.
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
    let head = [names.join(", "), year]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let text = written(hint, head, [place.trim().to_owned(), publisher]);
    if text.is_empty() { text_of(citation) } else { text }
}

/// An entry of a TEI reference list.
pub(super) fn tei_reference(entry: Node<'_, '_>) -> (String, ReferenceHint) {
    let analytic = children(entry, "analytic").next();
    let monograph = children(entry, "monogr").next();
    let own_title = analytic.and_then(|part| text_in(part, "title"));
    let venue = monograph.and_then(|part| text_in(part, "title"));
    let mut hint = ReferenceHint {
        key: attribute(entry, "id").map(str::to_owned),
        label: None,
        title: own_title.clone().or_else(|| venue.clone()),
        authors: tei_authors(entry),
        ..ReferenceHint::default()
    };
    let date = entry.descendants().find(|inner| inner.tag_name().name() == "date");
    let when = date
        .and_then(|date| {
            attribute(date, "when")
                .map(str::to_owned)
                .or_else(|| Some(text_of(date)))
        })
        .unwrap_or_default();
    hint.year = when.get(..4).and_then(|year| year.parse().ok());
    for id in entry
        .descendants()
        .filter(|inner| matches!(inner.tag_name().name(), "idno" | "ptr"))
    {
        take_identifier(
            &mut hint.identifiers,
            &text_of(id),
            &attribute(id, "type").unwrap_or_default().to_lowercase(),
        );
        if let Some(target) = attribute(id, "target") {
            take_identifier(&mut hint.identifiers, target, "");
        }
    }
    let raw = entry
        .descendants()
        .find(|inner| inner.tag_name().name() == "note" && attribute(*inner, "type") == Some("raw_reference"));
    if let Some(raw) = raw {
        return (text_of(raw), hint);
    }
    if analytic.is_none() && monograph.is_none() {
        return (text_of(entry), hint);
    }
    let names: Vec<&str> = hint.authors.iter().map(|author| author.name.as_str()).collect();
    let mut place = if own_title.is_some() {
        venue.unwrap_or_default()
    } else {
        String::new()
    };
    for scope in entry
        .descendants()
        .filter(|inner| inner.tag_name().name() == "biblScope")
    {
        let words = match (attribute(scope, "from"), attribute(scope, "to")) {
            (Some(from), Some(to)) => format!("{from}–{to}"),
            _ => text_of(scope),
        };
        if !words.is_empty() {
            place.push_str(&format!(", {words}"));
        }
    }
    if !when.is_empty() {
        place.push_str(&format!(", {when}"));
    }
    let head = names.join(", ");
    (
        written(&hint, head, [place.trim_start_matches(", ").to_owned(), String::new()]),
        hint,
    )
}

/// An entry as a list would print it: authors and year, title, venue, DOI. Empty if nothing is known.
fn written(hint: &ReferenceHint, head: String, [place, publisher]: [String; 2]) -> String {
    let doi = hint.identifiers.doi.as_ref().map(|doi| format!("doi:{}", doi.as_str()));
    let parts = [
        head,
        hint.title.clone().unwrap_or_default(),
        place,
        publisher,
        doi.unwrap_or_default(),
    ];
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| part.trim_end_matches('.'))
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("{}.", parts.join(". "))
    }
}
