use std::collections::BTreeMap;
use std::io::BufRead;

use roxmltree::{Document, Node};

use super::BadRecord;
use super::kind::{Items, Kind};
use super::lines::{Line, Lines};
use super::work_builder::WorkBuilder;
use crate::Record;

/// Zotero's RDF/XML export.
pub(super) const KIND: Kind = Kind {
    name: "zotero-rdf",
    title: "Zotero RDF",
    adds_to_others: false,
    recognises: |head| head.text().starts_with('<') && head.text().contains("<rdf:RDF"),
    open: |input| Box::new(ZoteroRdf::new(input)),
};

/// Maximum size in bytes of a line or an element.
const LONGEST: usize = 4 << 20;
/// Maximum number of remembered journals and books that contain items.
const MOST_PLACES: usize = 200_000;

/// Items of an export, parsed one element at a time. Each child of the root element must be on lines of its own, indented like the first one (Zotero:
/// four spaces). A journal follows the first item that names it, so an item is returned once the next element is known.
struct ZoteroRdf<R> {
    lines: Lines<R>,
    /// The start tag of the root element, with its namespaces.
    outermost: String,
    /// Indentation of the children of the root element, once known.
    indent: Option<String>,
    places: BTreeMap<String, String>,
    waiting: Option<Waiting>,
    ended: bool,
}

/// An item, and the journal it refers to.
struct Waiting {
    line: u64,
    builder: WorkBuilder,
    place: Option<String>,
}

/// A child of the root element.
enum Element {
    Item(Box<WorkBuilder>, Option<String>),
    Place(String, String),
    /// A file, a note, or a collection.
    Other,
}

impl<R: BufRead> ZoteroRdf<R> {
    fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input, LONGEST),
            outermost: String::new(),
            indent: None,
            places: BTreeMap::new(),
            waiting: None,
            ended: false,
        }
    }

    /// The next element: its first line and its text.
    fn element(&mut self) -> Option<Result<(u64, String), BadRecord>> {
        let (mut text, mut first, mut close) = (String::new(), 0, String::new());
        loop {
            let (number, line) = match self.lines.next() {
                Ok(Some((number, Line::Text(line)))) => (number, line),
                Ok(Some((number, _))) => {
                    return Some(Err(BadRecord::new(number, None, "the line is too long or not UTF-8")));
                }
                // A file whose elements are not on lines of their own is reported, not skipped.
                Ok(None) if self.indent.is_none() && self.holds_more_than_itself() && !self.ended => {
                    self.ended = true;
                    let reason = "its items are not on lines of their own";
                    return Some(Err(BadRecord::new(1, None, reason)));
                }
                Ok(None) => {
                    let cut_short = !close.is_empty();
                    let error = || BadRecord::new(first, None, "the file ends inside the element");
                    return cut_short.then(|| Err(error()));
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BadRecord::broken_off(&error)));
                }
            };
            if close.is_empty() {
                match self.opened(&line) {
                    Some(tag) => {
                        let tag = tag.to_owned();
                        let name: String = tag
                            .chars()
                            .take_while(|&c| c.is_alphanumeric() || matches!(c, ':' | '_' | '-'))
                            .collect();
                        first = number;
                        close = format!("</{name}>");
                        if line.trim_end().ends_with("/>") {
                            return Some(Ok((number, line)));
                        }
                    }
                    None if self.places.is_empty() && self.waiting.is_none() && self.outermost.len() < LONGEST => {
                        self.outermost.push_str(&line);
                        self.outermost.push('\n');
                    }
                    None => {}
                }
            }
            if !close.is_empty() {
                text.push_str(&line);
                text.push('\n');
                if text.len() > LONGEST {
                    return Some(Err(BadRecord::new(first, None, "the element is longer than 4 MiB")));
                }
                let indent = self.indent.as_deref().unwrap_or_default();
                let ends = line.strip_prefix(indent).is_some_and(|line| line.trim_end() == close);
                if ends || number == first && line.trim_end().ends_with(&close) {
                    return Some(Ok((first, text)));
                }
            }
        }
    }

    /// Whether there are elements on the lines of the root element itself.
    fn holds_more_than_itself(&self) -> bool {
        let opens = |(at, _): &(usize, &str)| {
            let rest = self.outermost.get(at + 1..).unwrap_or_default();
            rest.starts_with(|c: char| c.is_ascii_alphabetic())
        };
        self.outermost.contains("<rdf:RDF") && self.outermost.match_indices('<').filter(opens).count() > 1
    }

    /// The rest of a line that opens a child of the root element, after its `<`.
    fn opened<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        if self.indent.is_none() && self.outermost.contains("<rdf:RDF") {
            let bare = line.trim_start();
            if bare.starts_with('<') {
                self.indent = line.strip_suffix(bare).map(str::to_owned);
            }
        }
        let rest = line.strip_prefix(self.indent.as_deref()?)?.strip_prefix('<')?;
        rest.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(rest)
    }

    fn parsed(&self, text: &str) -> Result<Element, String> {
        let start = self.outermost.find("<rdf:RDF").and_then(|at| self.outermost.get(at..));
        let tag = start
            .and_then(|rest| rest.split_once('>'))
            .map_or("<rdf:RDF", |(tag, _)| tag);
        let whole = format!("{tag}>\n{text}</rdf:RDF>");
        let document = Document::parse(&whole).map_err(|error| format!("it cannot be parsed: {error}"))?;
        let Some(node) = document.root_element().first_element_child() else {
            return Ok(Element::Other);
        };
        let kind = child(node, "itemType").and_then(|node| node.text()).unwrap_or_default();
        if matches!(node.tag_name().name(), "Attachment" | "Memo" | "Collection")
            || matches!(kind, "attachment" | "note")
        {
            return Ok(Element::Other);
        }
        if kind.is_empty() {
            let about = node.attributes().find(|attribute| attribute.name() == "about");
            let title = child(node, "title").map(words);
            return Ok(match about.zip(title) {
                Some((about, title)) => Element::Place(about.value().to_owned(), title),
                None => Element::Other,
            });
        }
        Ok(item(node))
    }
}

fn item(node: Node<'_, '_>) -> Element {
    let mut builder = WorkBuilder {
        title: child(node, "title").map(words).unwrap_or_default(),
        summary: child(node, "abstract").map(words),
        ..WorkBuilder::default()
    };
    builder.dates.extend(child(node, "date").map(words));
    let people = child(node, "authors").or_else(|| child(node, "editors"));
    for person in people.into_iter().flat_map(|people| people.descendants()) {
        if person.tag_name().name() == "Person" {
            let part = |name| child(person, name).map(words).unwrap_or_default();
            let (given, family) = (part("givenName"), part("surname"));
            builder.authors.push(format!("{given} {family}").trim().to_owned());
        }
    }
    builder.fields.extend(
        node.children()
            .filter(|child| child.tag_name().name() == "subject")
            .map(words),
    );
    let about = node.attributes().find(|attribute| attribute.name() == "about");
    builder.urls.extend(
        about
            .map(|about| about.value().to_owned())
            .filter(|about| about.starts_with("http")),
    );
    // The identifiers of a journal article are in the journal's own element.
    for identifier in node.descendants().filter(|node| node.tag_name().name() == "identifier") {
        let text = words(identifier);
        match text.strip_prefix("DOI ") {
            Some(doi) => builder.doi = Some(doi.trim().to_owned()),
            None if text.starts_with("http") => builder.urls.push(text),
            None => {}
        }
    }
    let part_of = child(node, "isPartOf");
    let place = part_of.and_then(|part| part.attributes().find(|attribute| attribute.name() == "resource"));
    builder.venue = part_of
        .and_then(|part| part.descendants().find(|node| node.tag_name().name() == "title"))
        .map(words);
    Element::Item(Box::new(builder), place.map(|place| place.value().to_owned()))
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| child.tag_name().name() == name)
}

/// All text in an element.
fn words(node: Node<'_, '_>) -> String {
    let text: String = node
        .descendants()
        .filter_map(|node| if node.is_text() { node.text() } else { None })
        .collect();
    text.trim().to_owned()
}

impl Waiting {
    fn record(mut self, places: &BTreeMap<String, String>) -> Result<Record, BadRecord> {
        let place = self.place.and_then(|place| places.get(&place).cloned());
        self.builder.venue = self.builder.venue.or(place);
        let name = Some(self.builder.title.clone()).filter(|title| !title.is_empty());
        self.builder
            .build()
            .map_err(|reason| BadRecord::new(self.line, name.as_deref(), reason))
    }
}

impl<R: BufRead> Iterator for ZoteroRdf<R> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let (line, text) = match self.element() {
                Some(Ok(found)) => found,
                Some(Err(bad)) => return Some(Err(bad)),
                None => {
                    self.ended = true;
                    break;
                }
            };
            match self.parsed(&text) {
                Ok(Element::Item(builder, place)) => {
                    let fresh = Waiting {
                        line,
                        builder: *builder,
                        place,
                    };
                    if let Some(before) = self.waiting.replace(fresh) {
                        return Some(before.record(&self.places));
                    }
                }
                Ok(Element::Place(about, title)) => {
                    if self.places.len() < MOST_PLACES {
                        self.places.insert(about, title);
                    }
                }
                Ok(Element::Other) => {}
                Err(reason) => return Some(Err(BadRecord::new(line, None, reason))),
            }
        }
        self.waiting.take().map(|waiting| waiting.record(&self.places))
    }
}

impl<R: BufRead + Send> Items for ZoteroRdf<R> {}
