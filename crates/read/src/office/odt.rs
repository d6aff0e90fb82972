use std::collections::BTreeMap;

use precedent_domain::HiddenReason;
use roxmltree::{Document, Node};

use super::look::Look;
use super::manuscript::{Manuscript, Properties};
use super::package::ZipPackage;
use super::paragraph::{Paragraph, Part};
use super::roles::Role;
use super::style_sheet::StyleSheet;
use crate::budget::{ReadBudget, ReadResource};
use crate::draft::Draft;
use crate::format::FormatError;
use crate::xml::{attribute, children, find, formula, text_in, with_document};

const FORMAT: &str = "an OpenDocument text";
/// Maximum nesting of tables, lists and sections.
const DEPTH: usize = 100;
/// Maximum formulas. A mathematical thesis has 5,000.
const FORMULAS: usize = 20_000;

/// Reads an OpenDocument text.
///
/// # Errors
/// If it needs a password, or its content is missing, not well-formed XML, or has no text.
pub(crate) fn read_odt(package: &mut ZipPackage<'_>, budget: &ReadBudget) -> Result<Draft, FormatError> {
    let manifest = package.text("META-INF/manifest.xml")?.unwrap_or_default();
    if manifest.contains("encryption-data") {
        return Err(FormatError::Encrypted);
    }
    let text = package
        .text("content.xml")?
        .ok_or_else(|| FormatError::not(FORMAT, "it has no content.xml"))?;
    let mut styles = StyleSheet::default();
    package.xml("styles.xml", FORMAT, |document| styles.add_odt(document))?;
    // It only helps to find the front matter.
    let stated = package.xml("meta.xml", FORMAT, properties).ok().flatten();
    let formulas = formulas(package)?;
    let manuscript = with_document(&text, FORMAT, |document| {
        styles.add_odt(document);
        let body = find(document.root(), "text").ok_or_else(|| FormatError::not(FORMAT, "it has no text"))?;
        let mut reader = OdtReader {
            styles: &styles,
            formulas: &formulas,
            budget,
            out: Manuscript::default(),
            dark_cell: None,
        };
        reader.blocks(body, 0, None);
        Ok(reader.out)
    })?;
    manuscript.into_draft(&stated.unwrap_or_default())
}

/// The formulas, which are documents of their own in the package.
fn formulas(package: &mut ZipPackage<'_>) -> Result<BTreeMap<String, String>, FormatError> {
    let mut formulas = BTreeMap::new();
    for name in package.names() {
        let Some(folder) = name.strip_suffix("/content.xml") else {
            continue;
        };
        let Some(content) = package.text(&name)?.filter(|content| content.contains("math")) else {
            continue;
        };
        let text = with_document(&content, FORMAT, |document| Ok(formula(document.root())));
        formulas.extend(
            text.ok()
                .filter(|text| !text.is_empty())
                .map(|text| (folder.to_owned(), text)),
        );
        if formulas.len() >= FORMULAS {
            break;
        }
    }
    Ok(formulas)
}

fn properties(document: &Document<'_>) -> Properties {
    let root = document.root_element();
    Properties {
        title: text_in(root, "title"),
        creators: text_in(root, "initial-creator")
            .into_iter()
            .chain(text_in(root, "creator"))
            .collect(),
        saved: text_in(root, "date"),
    }
}

struct OdtReader<'d> {
    styles: &'d StyleSheet,
    /// The texts of the formulas by the names of their folders in the package.
    formulas: &'d BTreeMap<String, String>,
    budget: &'d ReadBudget,
    out: Manuscript,
    dark_cell: Option<bool>,
}

impl OdtReader<'_> {
    /// Reads paragraphs, lists and tables. `number` is that of the list item around them.
    fn blocks(&mut self, node: Node<'_, '_>, depth: usize, number: Option<u32>) {
        if depth > DEPTH {
            return;
        }
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "p" | "h" => self.paragraph(child, number),
                "list" => {
                    for (item, number) in children(child, "list-item").zip(1..) {
                        self.blocks(item, depth + 1, Some(number));
                    }
                }
                "table" => self.table(child, depth),
                "section" if is_hidden(child) => {
                    let mut section = self.apart(child, depth);
                    self.out.hide(HiddenReason::HiddenByStyle, &section.line());
                    self.out.end_hidden();
                    self.out.take_hidden(&mut section);
                }
                "section" | "index-body" | "bibliography" | "list-header" | "frame" | "text-box" => {
                    self.blocks(child, depth + 1, number)
                }
                // Deleted text (`tracked-changes`), tables of contents, forms.
                _ => {}
            }
        }
    }

    fn paragraph(&mut self, node: Node<'_, '_>, number: Option<u32>) {
        let style = attribute(node, "style-name");
        let mut base = self.styles.look(style);
        base.on_dark = base.on_dark.or(self.dark_cell);
        let mut inner = Inline::default();
        self.inline(node, &base, &mut inner, 0);
        self.out.end_hidden();
        let mut paragraph = inner.paragraph;
        paragraph.role = match node.tag_name().name() {
            "h" => {
                let level = attribute(node, "outline-level").and_then(|level| level.parse().ok());
                Role::Heading(level.unwrap_or(1))
            }
            _ => self.styles.role(style),
        };
        paragraph.centred = self.styles.is_centred(style);
        paragraph.number = number;
        self.out.push(Part::Paragraph(paragraph));
        for note in inner.notes {
            self.out.push(Part::Footnote(note));
        }
        for mut part in inner.boxes {
            self.out.take_hidden(&mut part);
            for part in part.parts {
                self.out.push(part);
            }
        }
    }

    fn inline(&mut self, node: Node<'_, '_>, look: &Look, inner: &mut Inline, depth: usize) {
        if depth > DEPTH {
            return;
        }
        for child in node.children() {
            if child.is_text() {
                self.show(&child.text().unwrap_or_default().replace('\n', " "), look, inner);
                continue;
            }
            match child.tag_name().name() {
                "span" => {
                    let own = self.styles.look(attribute(child, "style-name")).over(look);
                    self.inline(child, &own, inner, depth + 1);
                }
                "s" | "tab" => self.show(" ", look, inner),
                "line-break" => self.show("\n", look, inner),
                "note" => {
                    if let Some(body) = children(child, "note-body").next() {
                        let mut note = self.apart(body, depth);
                        inner.notes.push(note.line());
                        self.out.take_hidden(&mut note);
                    }
                }
                "frame" if self.formula_in(child).is_some() => {
                    let text = self.formula_in(child).unwrap_or_default().to_owned();
                    self.show(&text, look, inner);
                }
                "frame" | "text-box" => {
                    let boxed = self.apart(child, depth);
                    inner.boxes.push(boxed);
                }
                "hidden-text" | "hidden-paragraph" | "annotation" | "annotation-end" | "ruby-text" => {}
                // Links, fields, citation marks.
                _ => self.inline(child, look, inner, depth + 1),
            }
        }
    }

    /// The text of a formula that is placed by this frame.
    fn formula_in(&self, frame: Node<'_, '_>) -> Option<&str> {
        let object = children(frame, "object").next()?;
        let folder = attribute(object, "href")?
            .trim_start_matches("./")
            .trim_end_matches('/');
        self.formulas.get(folder).map(String::as_str)
    }

    fn show(&mut self, text: &str, look: &Look, inner: &mut Inline) {
        // Many frames may place the same formula.
        if !self.budget.spend(ReadResource::LineBytes, text.len()) {
            return;
        }
        match look.hides() {
            Some(reason) if !text.trim().is_empty() => self.out.hide(reason, text),
            Some(_) => {}
            None => inner.paragraph.put(text, look),
        }
    }

    /// Reads a note or a text box apart from the running text.
    fn apart(&mut self, node: Node<'_, '_>, depth: usize) -> Manuscript {
        let mut reader = OdtReader {
            styles: self.styles,
            formulas: self.formulas,
            budget: self.budget,
            out: Manuscript::default(),
            dark_cell: self.dark_cell,
        };
        reader.blocks(node, depth + 1, None);
        reader.out
    }

    fn table(&mut self, node: Node<'_, '_>, depth: usize) {
        let mut rows = Vec::new();
        let mut cells = Vec::new();
        let all = node.descendants().filter(|row| row.tag_name().name() == "table-row");
        let own = |row: &Node<'_, '_>| row.ancestors().find(|outer| outer.tag_name().name() == "table") == Some(node);
        for row in all.filter(own) {
            let mut texts = Vec::new();
            for cell in children(row, "table-cell") {
                let outer = self.dark_cell;
                self.dark_cell = self.styles.look(attribute(cell, "style-name")).on_dark.or(outer);
                let mut inner = self.apart(cell, depth);
                self.dark_cell = outer;
                self.out.take_hidden(&mut inner);
                texts.push(inner.line());
                cells.push(inner);
            }
            rows.push(texts);
        }
        self.out.push_table(rows, cells);
    }
}

/// Whether a section is hidden, always or by its condition.
fn is_hidden(section: Node<'_, '_>) -> bool {
    match attribute(section, "display") {
        Some("none") => true,
        Some("condition") => attribute(section, "is-hidden") == Some("true"),
        _ => false,
    }
}

/// The parts of a paragraph.
#[derive(Debug, Default)]
struct Inline {
    paragraph: Paragraph,
    notes: Vec<String>,
    boxes: Vec<Manuscript>,
}
