use std::io::BufRead;

use roxmltree::{Document, Node};

use super::BadRecord;
use super::kind::{Items, Kind};
use super::lines::{Line, Lines};
use super::work_builder::WorkBuilder;
use crate::Record;

/// The XML files of the ACL Anthology (`acl-org/acl-anthology`, `data/xml`).
pub(super) const KIND: Kind = Kind {
    name: "acl-xml",
    title: "ACL Anthology XML",
    adds_to_others: false,
    recognises: |head| head.text().starts_with('<') && head.text().contains("<collection id="),
    open: |input| Box::new(AclXml::new(input)),
};

/// Maximum size in bytes of a line or an element.
const LONGEST: usize = 4 << 20;

/// Papers of a collection, parsed one element at a time, so that a broken one affects only itself.
struct AclXml<R> {
    lines: Lines<R>,
    /// Text read but not yet consumed, and the line where it starts.
    rest: String,
    at: u64,
    collection: String,
    volume: Volume,
    /// The tag that `rest` starts with, if found, and how far its end was searched.
    open: Option<&'static str>,
    searched: usize,
    ended: bool,
}

/// Metadata shared by the papers of a volume.
#[derive(Default)]
struct Volume {
    id: String,
    title: Option<String>,
    date: Option<String>,
}

/// The start tags that are parsed.
const TAGS: [&str; 4] = ["<collection", "<volume", "<meta>", "<paper"];

impl<R: BufRead> AclXml<R> {
    fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input, LONGEST),
            rest: String::new(),
            at: 1,
            collection: String::new(),
            volume: Volume::default(),
            open: None,
            searched: 0,
            ended: false,
        }
    }

    /// The next parsed element: its first line and its text. `meta` and `paper` are returned whole, others as their start tag only.
    fn element(&mut self) -> Option<Result<(u64, String), BadRecord>> {
        loop {
            if let Some(found) = self.cut() {
                return Some(found);
            }
            if self.ended {
                let cut_short = self.open.take().is_some();
                self.rest.clear();
                return cut_short.then(|| Err(BadRecord::new(self.at, None, "the file ends inside the element")));
            }
            match self.lines.next() {
                Ok(Some((_, Line::Text(line)))) => {
                    self.rest.push_str(&line);
                    self.rest.push('\n');
                }
                Ok(Some((number, _))) => {
                    self.rest.push('\n');
                    return Some(Err(BadRecord::new(number, None, "the line is too long or not UTF-8")));
                }
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    self.rest.clear();
                    self.open = None;
                    return Some(Err(BadRecord::broken_off(&error)));
                }
            }
        }
    }

    /// Cuts the next element from the buffer if it is complete. Text is searched only once.
    fn cut(&mut self) -> Option<Result<(u64, String), BadRecord>> {
        if self.open.is_none() {
            let Some((tag, start)) = first_tag(&self.rest) else {
                // No element starts here; tags do not span lines.
                self.pass(self.rest.len());
                return None;
            };
            self.pass(start);
            self.open = Some(tag);
            self.searched = 0;
        }
        let tag = self.open?;
        let close = match tag {
            "<paper" => "</paper>",
            "<meta>" => "</meta>",
            _ => ">",
        };
        let from = self.searched;
        if let Some(end) = self.rest.get(from..)?.find(close).map(|end| from + end + close.len()) {
            let line = self.at;
            let element = self.rest.get(..end).unwrap_or_default().to_owned();
            self.pass(end);
            self.open = None;
            return Some(Ok((line, element)));
        }
        // Closing tags do not span lines either, and the buffer ends with a line end.
        self.searched = self.rest.len();
        if self.rest.len() > LONGEST {
            let bad = BadRecord::new(self.at, None, "the element is longer than 4 MiB");
            self.pass(self.rest.len());
            self.open = None;
            return Some(Err(bad));
        }
        None
    }

    fn pass(&mut self, bytes: usize) {
        let passed = self.rest.get(..bytes).unwrap_or_default();
        self.at += passed.bytes().filter(|&byte| byte == b'\n').count() as u64;
        self.rest.drain(..bytes.min(self.rest.len()));
    }

    /// Stores the metadata that the following papers share.
    fn shared(&mut self, element: &str) {
        if element.starts_with("<collection") {
            self.collection = attribute(element, "id").unwrap_or_default();
        } else if element.starts_with("<volume") {
            self.volume = Volume {
                id: attribute(element, "id").unwrap_or_default(),
                ..Volume::default()
            };
        } else if let Ok(meta) = Document::parse(element) {
            let part = |name: &str| child(meta.root_element(), name).map(|node| text(node));
            self.volume.title = part("booktitle").or_else(|| part("journal-title"));
            self.volume.date = part("year").map(|year| {
                let month = part("month").filter(|month| !month.is_empty());
                month.map_or(year.clone(), |month| format!("{month} {year}"))
            });
        }
    }

    fn record(&self, line: u64, element: &str) -> Result<Record, BadRecord> {
        let parsed = Document::parse(element)
            .map_err(|error| BadRecord::new(line, None, format!("it is not well-formed XML: {error}")))?;
        let paper = parsed.root_element();
        let part = |name: &str| {
            child(paper, name)
                .map(|node| text(node))
                .filter(|text| !text.is_empty())
        };
        let people = |role: &str| -> Vec<String> {
            let nodes = paper.children().filter(|node| node.has_tag_name(role));
            nodes.map(person).filter(|name| !name.is_empty()).collect()
        };
        let mut authors = people("author");
        if authors.is_empty() {
            authors = people("editor");
        }
        let id = self.id(&paper, part("url"));
        let title = part("title").unwrap_or_default();
        let builder = WorkBuilder {
            id: id.as_ref().map(|id| format!("acl:{id}")),
            title,
            summary: part("abstract"),
            authors,
            venue: part("booktitle").or_else(|| self.volume.title.clone()),
            dates: self.volume.date.iter().cloned().collect(),
            urls: id.iter().map(|id| format!("https://aclanthology.org/{id}/")).collect(),
            doi: part("doi"),
            acl: id.clone(),
            ..WorkBuilder::default()
        };
        builder
            .build()
            .map_err(|reason| BadRecord::new(line, id.as_deref(), reason))
    }

    /// `2020.acl-main.1`; in old collections `P06-1001`, with one digit for the volume and three for the paper, or two and two in workshops.
    fn id(&self, paper: &Node<'_, '_>, url: Option<String>) -> Option<String> {
        if let Some(url) = url.filter(|url| url.parse::<precedent_domain::AclId>().is_ok()) {
            return url.parse().ok().map(|id: precedent_domain::AclId| id.to_string());
        }
        let number = paper.attribute("id")?;
        let (collection, volume) = (&self.collection, &self.volume.id);
        let id = if collection.len() == 3 {
            let (volume, number): (u32, u32) = (volume.parse().ok()?, number.parse().ok()?);
            if collection.starts_with('W') || matches!(collection.as_str(), "C69" | "D19") && volume >= 5 {
                format!("{collection}-{volume:02}{number:02}")
            } else {
                format!("{collection}-{volume}{number:03}")
            }
        } else {
            format!("{collection}-{volume}.{number}")
        };
        id.parse::<precedent_domain::AclId>().ok().map(|id| id.to_string())
    }
}

impl<R: BufRead> Iterator for AclXml<R> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.element()? {
                Err(bad) => return Some(Err(bad)),
                Ok((line, element)) if element.starts_with("<paper") => return Some(self.record(line, &element)),
                Ok((_, element)) => self.shared(&element),
            }
        }
    }
}

impl<R: BufRead + Send> Items for AclXml<R> {}

/// The first parsed tag and its position.
fn first_tag(text: &str) -> Option<(&'static str, usize)> {
    let starts = TAGS.iter().filter_map(|&tag| {
        let mut from = 0;
        while let Some(at) = text.get(from..)?.find(tag).map(|at| at + from) {
            let after = text.as_bytes().get(at + tag.len());
            if tag.ends_with('>') || after.is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'>') {
                return Some((tag, at));
            }
            from = at + tag.len();
        }
        None
    });
    starts.min_by_key(|&(_, at)| at)
}

/// An attribute of a start tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, after) = tag.split_once(&format!(" {name}="))?;
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    after.get(1..)?.split(quote).next().map(str::to_owned)
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

/// The text of an element without its markup.
fn text(node: Node<'_, '_>) -> String {
    let parts = node.descendants().filter(Node::is_text).filter_map(|part| part.text());
    parts
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn person(node: Node<'_, '_>) -> String {
    let part = |name: &str| child(node, name).map(|part| text(part)).unwrap_or_default();
    format!("{} {}", part("first"), part("last")).trim().to_owned()
}
