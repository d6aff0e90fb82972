use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use super::docx_runs::{Notes, RunReader};
use super::look::shade;
use super::manuscript::{CREATORS, Manuscript, Properties};
use super::package::{ZipPackage, resolve};
use super::paragraph::{Paragraph, Part};
use super::roles::Role;
use super::style_sheet::StyleSheet;
use crate::draft::Draft;
use crate::format::{FormatError, fold_space};
use crate::xml::{attribute, children, find, text_in, with_document};

const FORMAT: &str = "a Word document";
/// Maximum nesting of tables, text boxes and content controls. Deeper ones are left out.
const DEPTH: usize = 100;

/// Reads a Word document.
///
/// # Errors
/// If its main part is missing, not well-formed XML, or has no text.
pub(crate) fn read_docx(package: &mut ZipPackage<'_>) -> Result<Draft, FormatError> {
    let main = main_part(package)?;
    let text = package
        .text(&main)?
        .ok_or_else(|| FormatError::not(FORMAT, format!("it has no {main}")))?;
    let linked = links(package, &main)?;
    let part = |kind: &str, usual: &str| linked.get(kind).cloned().unwrap_or_else(|| resolve(&main, usual));
    let styles = package
        .xml(&part("styles", "styles.xml"), FORMAT, StyleSheet::of_word)?
        .unwrap_or_default();
    let mut notes = Notes::default();
    for (kind, usual) in [("footnotes", "footnotes.xml"), ("endnotes", "endnotes.xml")] {
        let read = |document: &Document<'_>| read_notes(document, &styles);
        if let Some((texts, mut hidden)) = package.xml(&part(kind, usual), FORMAT, read)? {
            let known = if kind == "footnotes" {
                &mut notes.footnotes
            } else {
                &mut notes.endnotes
            };
            *known.get_mut() = texts;
            notes.hidden.take_hidden(&mut hidden);
        }
    }
    // They only help to find the front matter.
    let properties = package.xml("docProps/core.xml", FORMAT, properties).ok().flatten();
    let manuscript = with_document(&text, FORMAT, |document| {
        let body = find(document.root(), "body").ok_or_else(|| FormatError::not(FORMAT, "it has no body"))?;
        let mut reader = BlockReader::new(&styles, &notes);
        reader.blocks(body, 0);
        reader.end_paragraph();
        Ok(reader.out)
    });
    let mut manuscript = manuscript?;
    manuscript.take_hidden(&mut notes.hidden);
    manuscript.into_draft(&properties.unwrap_or_default())
}

/// The name of the part with the text.
fn main_part(package: &mut ZipPackage<'_>) -> Result<String, FormatError> {
    let linked = links(package, "")?.remove("officeDocument");
    Ok(linked.unwrap_or_else(|| "word/document.xml".to_owned()))
}

/// The parts that a part links to, by the last word of their type.
fn links(package: &mut ZipPackage<'_>, part: &str) -> Result<BTreeMap<String, String>, FormatError> {
    let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
    let name = resolve(&format!("{folder}/x"), &format!("_rels/{file}.rels"));
    let read = |document: &Document<'_>| {
        children(document.root_element(), "Relationship")
            .filter(|link| attribute(*link, "TargetMode") != Some("External"))
            .filter_map(|link| {
                let kind = attribute(link, "Type")?.rsplit('/').next()?;
                Some((kind.to_owned(), resolve(part, attribute(link, "Target")?)))
            })
            .collect()
    };
    let linked = package.xml(name.trim_start_matches('/'), FORMAT, read)?;
    Ok(linked.unwrap_or_default())
}

fn properties(document: &Document<'_>) -> Properties {
    let root = document.root_element();
    let creators = text_in(root, "creator").unwrap_or_default();
    Properties {
        title: text_in(root, "title"),
        creators: creators
            .split([';', ','])
            .map(fold_space)
            .filter(|name| !name.is_empty())
            .take(CREATORS)
            .collect(),
        saved: text_in(root, "modified"),
    }
}

/// The texts of footnotes or endnotes by their ids, and what is hidden in them.
fn read_notes(document: &Document<'_>, styles: &StyleSheet) -> (BTreeMap<String, String>, Manuscript) {
    let none = Notes::default();
    let mut texts = BTreeMap::new();
    let mut hidden = Manuscript::default();
    for note in document.root_element().children().filter(Node::is_element) {
        // Separators are notes of another type.
        let is_text = attribute(note, "type").is_none_or(|kind| kind == "normal");
        let Some(id) = attribute(note, "id").filter(|_| is_text) else {
            continue;
        };
        let mut reader = BlockReader::new(styles, &none);
        reader.blocks(note, 0);
        reader.end_paragraph();
        let text = reader.out.line();
        if !text.is_empty() {
            texts.insert(id.to_owned(), text);
        }
        hidden.take_hidden(&mut reader.out);
    }
    (texts, hidden)
}

/// Reads paragraphs and tables.
struct BlockReader<'d> {
    styles: &'d StyleSheet,
    notes: &'d Notes,
    out: Manuscript,
    /// The running paragraph. It goes on in the next element if its end was deleted.
    paragraph: Option<Paragraph>,
    /// The numbers of the current items, by list and level.
    counters: BTreeMap<(String, String), u32>,
    /// Whether the cell around the text has a dark background.
    dark_cell: Option<bool>,
}

impl<'d> BlockReader<'d> {
    fn new(styles: &'d StyleSheet, notes: &'d Notes) -> Self {
        Self {
            styles,
            notes,
            out: Manuscript::default(),
            paragraph: None,
            counters: BTreeMap::new(),
            dark_cell: None,
        }
    }

    fn blocks(&mut self, node: Node<'_, '_>, depth: usize) {
        if depth > DEPTH {
            return;
        }
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "p" => self.paragraph(child, depth),
                "tbl" => self.table(child, depth),
                "sdt" if is_contents(child) => {}
                "sdt" | "sdtContent" | "customXml" | "smartTag" | "ins" | "moveTo" => self.blocks(child, depth + 1),
                "AlternateContent" => {
                    if let Some(choice) = children(child, "Choice").next() {
                        self.blocks(choice, depth + 1);
                    }
                }
                // Deleted text (`del`, `moveFrom`), bookmarks and page settings.
                _ => {}
            }
        }
    }

    fn paragraph(&mut self, node: Node<'_, '_>, depth: usize) {
        let properties = children(node, "pPr").next();
        let property = |name| properties.and_then(|properties| children(properties, name).next());
        let value = |name| property(name).and_then(|found| attribute(found, "val"));
        let style = value("pStyle");
        let mut base = self.styles.paragraph_look(style);
        base.on_dark = property("shd").and_then(shade).or(base.on_dark).or(self.dark_cell);
        let mut runs = RunReader::new(self.styles, self.notes, base, self.paragraph.take().unwrap_or_default());
        runs.read(node, 0);
        let (mut paragraph, notes, boxes, mut hidden) = runs.finish();
        self.out.take_hidden(&mut hidden);
        let outline = value("outlineLvl")
            .and_then(|level| level.parse::<u8>().ok())
            .filter(|level| *level < 9);
        let role = self.styles.role(style);
        paragraph.role = match outline {
            Some(level) if role == Role::Body => Role::Heading(level + 1),
            _ => role,
        };
        paragraph.centred = value("jc").map_or_else(|| self.styles.is_centred(style), |side| side == "center");
        paragraph.number = property("numPr")
            .and_then(|list| self.number(list))
            .or(paragraph.number);
        self.paragraph = Some(paragraph);
        let mark = property("rPr");
        if mark.is_none_or(|mark| children(mark, "del").next().is_none()) {
            self.end_paragraph();
        }
        for note in notes {
            self.out.push(Part::Footnote(note));
        }
        for inner in boxes {
            self.blocks(inner, depth + 1);
        }
    }

    fn end_paragraph(&mut self) {
        if let Some(paragraph) = self.paragraph.take() {
            self.out.push(Part::Paragraph(paragraph));
        }
    }

    /// The number of an item of an automatic list. `None` for lists that are switched off.
    fn number(&mut self, list: Node<'_, '_>) -> Option<u32> {
        let value = |name| children(list, name).next().and_then(|child| attribute(child, "val"));
        let id = value("numId").filter(|id| *id != "0")?;
        let counter = self
            .counters
            .entry((id.to_owned(), value("ilvl").unwrap_or("0").to_owned()))
            .or_default();
        *counter = counter.saturating_add(1);
        Some(*counter)
    }

    fn table(&mut self, node: Node<'_, '_>, depth: usize) {
        self.end_paragraph();
        let mut rows = Vec::new();
        let mut cells = Vec::new();
        for row in unwrapped(node, "tr", 0) {
            let properties = children(row, "trPr").next();
            if properties.is_some_and(|properties| children(properties, "del").next().is_some()) {
                continue;
            }
            let mut texts = Vec::new();
            for cell in unwrapped(row, "tc", 0) {
                let mut inner = self.cell(cell, depth);
                self.out.take_hidden(&mut inner);
                texts.push(inner.line());
                cells.push(inner);
            }
            rows.push(texts);
        }
        self.out.push_table(rows, cells);
    }

    fn cell(&mut self, cell: Node<'_, '_>, depth: usize) -> Manuscript {
        let shading = children(cell, "tcPr")
            .flat_map(|properties| children(properties, "shd"))
            .next();
        let mut inner = BlockReader::new(self.styles, self.notes);
        inner.dark_cell = shading.and_then(shade).or(self.dark_cell);
        std::mem::swap(&mut inner.counters, &mut self.counters);
        inner.blocks(cell, depth + 1);
        inner.end_paragraph();
        self.counters = inner.counters;
        inner.out
    }
}

/// The rows or cells in a node, also those in content controls and insertions.
fn unwrapped<'a, 'i>(node: Node<'a, 'i>, name: &str, depth: usize) -> Vec<Node<'a, 'i>> {
    let mut found = Vec::new();
    if depth > DEPTH {
        return found;
    }
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            own if own == name => found.push(child),
            "sdt" | "sdtContent" | "customXml" | "smartTag" | "ins" | "moveTo" => {
                found.extend(unwrapped(child, name, depth + 1));
            }
            _ => {}
        }
    }
    found
}

/// Whether a content control is the table of contents.
fn is_contents(control: Node<'_, '_>) -> bool {
    let gallery = find(control, "docPartGallery").and_then(|gallery| attribute(gallery, "val"));
    gallery.is_some_and(|gallery| gallery.starts_with("Table of"))
}
