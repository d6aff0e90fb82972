//! The XMP packet of a file (ISO 16684-1): XML with title, authors, dates and, from some publishers, the DOI.

use roxmltree::{Document, Node};

use super::metadata_fields::{Metadata, clean, file_date};
use crate::markup::check_nesting;

/// Maximum packet size, in bytes.
const LIMIT: usize = 1 << 20;

/// Properties with publication dates, the most reliable first, followed by file dates.
const DATES: [&str; 5] = [
    "publicationDate",
    "coverDate",
    "coverDisplayDate",
    "CreateDate",
    "created",
];

/// Parses the packet; empty if it is broken or too long.
pub(super) fn read(packet: &[u8]) -> Metadata {
    let text = packet.get(..packet.len().min(LIMIT)).unwrap_or_default();
    let text = String::from_utf8_lossy(text);
    // The padding after the packet and a byte order mark before it are not XML.
    let Some(start) = text.find("<x:xmpmeta").or_else(|| text.find("<rdf:RDF")) else {
        return Metadata::default();
    };
    let Some(end) = ["</x:xmpmeta>", "</rdf:RDF>"]
        .iter()
        .find_map(|tag| Some(text.rfind(tag)? + tag.len()))
    else {
        return Metadata::default();
    };
    let Some(text) = text.get(start..end).filter(|text| check_nesting(text, "XMP").is_ok()) else {
        return Metadata::default();
    };
    let Ok(document) = Document::parse(text) else {
        return Metadata::default();
    };
    let root = document.root();
    let first = |name: &str| values(root, name).into_iter().next();
    let creators = values(root, "creator");
    Metadata {
        title: first("title"),
        author: (!creators.is_empty()).then(|| creators.join(", ")),
        doi: ["doi", "DOI", "identifier"]
            .iter()
            .flat_map(|name| values(root, name))
            .find_map(|value| value.trim_start_matches("doi:").parse().ok()),
        dates: DATES
            .iter()
            .find_map(|name| file_date(&first(name)?))
            .into_iter()
            .collect(),
    }
}

/// The values of a property: an element with text or a list of items, or an attribute.
fn values(root: Node<'_, '_>, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for node in root.descendants().filter(Node::is_element) {
        if node.tag_name().name() == name {
            let mut items = node
                .descendants()
                .filter(|item| item.tag_name().name() == "li")
                .filter_map(|item| clean(item.text()?))
                .take(500)
                .peekable();
            if items.peek().is_some() {
                found.extend(items);
            } else {
                found.extend(node.text().and_then(clean));
            }
        }
        let own = node.attributes().find(|attribute| attribute.name() == name);
        found.extend(own.and_then(|attribute| clean(attribute.value())));
        if found.len() > 500 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: &str = r#"<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:prism="http://prismstandard.org/namespaces/basic/2.1/" xmp:CreateDate="2019-03-02T10:00:00Z">
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Ropes that   age</rdf:li></rdf:Alt></dc:title>
        <dc:creator><rdf:Seq><rdf:li>Ada Example</rdf:li><rdf:li>Ben Muster</rdf:li></rdf:Seq></dc:creator>
        <prism:doi>10.1234/ropes.5</prism:doi></rdf:Description></rdf:RDF></x:xmpmeta>   <?xpacket end="w"?>"#;

    #[test]
    fn title_authors_date_and_doi_are_read_from_the_packet() {
        let metadata = read(PACKET.as_bytes());
        assert_eq!(metadata.title.as_deref(), Some("Ropes that age"));
        assert_eq!(metadata.author.as_deref(), Some("Ada Example, Ben Muster"));
        assert_eq!(metadata.doi.map(String::from).as_deref(), Some("10.1234/ropes.5"));
        let dates: Vec<String> = metadata.dates.iter().map(|dated| dated.date.to_string()).collect();
        assert_eq!(dates, ["2019-03-02"]);
    }

    #[test]
    fn truncated_packets_and_entity_bombs_are_handled() {
        for end in 0..PACKET.len() {
            read(PACKET.as_bytes().get(..end).unwrap());
        }
        let bomb = "<x:xmpmeta><!DOCTYPE a [<!ENTITY b \"&b;&b;\">]><a>&b;</a></x:xmpmeta>";
        assert!(read(bomb.as_bytes()).title.is_none());
        let deep = format!("<x:xmpmeta>{}</x:xmpmeta>", "<a>".repeat(200_000));
        assert!(read(deep.as_bytes()).title.is_none());
    }
}
