use std::cell::RefCell;
use std::collections::BTreeMap;

use roxmltree::Node;

use super::look::Look;
use super::manuscript::Manuscript;
use super::omml::formula;
use super::paragraph::Paragraph;
use super::style_sheet::StyleSheet;
use crate::xml::{attribute, children};

/// Maximum nesting of links, fields and insertions in a paragraph.
const DEPTH: usize = 100;

/// The footnotes or endnotes that no mark has named so far, by their ids.
type OpenNotes = RefCell<BTreeMap<String, String>>;

/// Footnotes and endnotes. The first mark of a note takes it, so that many marks do not copy it.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) footnotes: OpenNotes,
    pub(super) endnotes: OpenNotes,
    /// What is hidden in them.
    pub(super) hidden: Manuscript,
}

/// Reads the runs of one paragraph.
pub(super) struct RunReader<'d, 'n, 'i> {
    styles: &'d StyleSheet,
    notes: &'d Notes,
    base: Look,
    paragraph: Paragraph,
    hidden: Manuscript,
    /// The notes whose marks are in this paragraph.
    noted: Vec<String>,
    /// Text boxes that are anchored in this paragraph.
    boxes: Vec<Node<'n, 'i>>,
}

impl<'d, 'n, 'i> RunReader<'d, 'n, 'i> {
    /// Goes on with `paragraph`.
    pub(super) fn new(styles: &'d StyleSheet, notes: &'d Notes, base: Look, paragraph: Paragraph) -> Self {
        Self {
            styles,
            notes,
            base,
            paragraph,
            hidden: Manuscript::default(),
            noted: Vec::new(),
            boxes: Vec::new(),
        }
    }

    /// The paragraph, its notes, its text boxes and its hidden text.
    pub(super) fn finish(mut self) -> (Paragraph, Vec<String>, Vec<Node<'n, 'i>>, Manuscript) {
        self.hidden.end_hidden();
        (self.paragraph, self.noted, self.boxes, self.hidden)
    }

    /// Reads the children of a paragraph, a link or an insertion.
    pub(super) fn read(&mut self, node: Node<'n, 'i>, depth: usize) {
        if depth > DEPTH {
            return;
        }
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "r" => self.run(child),
                "hyperlink" | "smartTag" | "ins" | "moveTo" | "fldSimple" | "sdt" | "sdtContent" | "customXml"
                | "dir" | "bdo" => {
                    self.read(child, depth + 1);
                }
                "AlternateContent" => {
                    if let Some(choice) = children(child, "Choice").next() {
                        self.read(choice, depth + 1);
                    }
                }
                "oMathPara" => {
                    self.paragraph.is_formula = self.paragraph.text.trim().is_empty();
                    self.show(&formula(child), &self.base.clone());
                }
                "oMath" => self.show(&formula(child), &self.base.clone()),
                // Deleted text (`del`, `moveFrom`), comments and bookmarks.
                _ => {}
            }
        }
    }

    fn run(&mut self, run: Node<'n, 'i>) {
        let look = run_look(run, self.styles, &self.base);
        for child in run.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "t" => self.show(child.text().unwrap_or_default(), &look),
                "tab" | "ptab" => self.show(" ", &look),
                "br" | "cr" => self.show("\n", &look),
                "noBreakHyphen" => self.show("-", &look),
                "footnoteReference" => self.note(child, &self.notes.footnotes),
                "endnoteReference" => self.note(child, &self.notes.endnotes),
                "drawing" | "pict" | "object" | "AlternateContent" => self.find_boxes(child),
                // Field codes (`instrText`), deleted text (`delText`), page numbers.
                _ => {}
            }
        }
    }

    fn show(&mut self, text: &str, look: &Look) {
        match look.hides() {
            Some(reason) if !text.trim().is_empty() => self.hidden.hide(reason, text),
            Some(_) => self.paragraph.put(" ", &Look::default()),
            None => self.paragraph.put(text, look),
        }
    }

    fn note(&mut self, mark: Node<'_, '_>, notes: &OpenNotes) {
        let taken = attribute(mark, "id").and_then(|id| notes.borrow_mut().remove(id));
        self.noted.extend(taken);
    }

    /// Word stores a text box twice. The second form is for older programs.
    fn find_boxes(&mut self, node: Node<'n, 'i>) {
        let is_repeated = |inner: &Node<'_, '_>| inner.ancestors().any(|outer| outer.tag_name().name() == "Fallback");
        let is_inner = |inner: &Node<'_, '_>| {
            inner
                .ancestors()
                .skip(1)
                .take_while(|outer| *outer != node)
                .any(|outer| outer.tag_name().name() == "txbxContent")
        };
        let found = node
            .descendants()
            .filter(|inner| inner.tag_name().name() == "txbxContent")
            .filter(|inner| !is_repeated(inner) && !is_inner(inner));
        self.boxes.extend(found);
    }
}

/// The properties of the letters of a run.
pub(super) fn run_look(run: Node<'_, '_>, styles: &StyleSheet, base: &Look) -> Look {
    let Some(properties) = children(run, "rPr").next() else {
        return base.clone();
    };
    let style = children(properties, "rStyle")
        .next()
        .and_then(|style| attribute(style, "val"));
    Look::of_run(properties).over(&styles.look(style)).over(base)
}
