//! Walks the tree of a page once.

use ego_tree::NodeRef;
use precedent_domain::{HiddenReason, ParagraphKind, SectionKind};
use scraper::{ElementRef, Node};

use super::content::content;
use super::elements::{DEPTH, is_block, is_dropped, is_furniture, math_of, target, targets, text_of};
use super::hidden;
use super::meta::{has_class, read_meta};
use super::parse::{FORMAT, parse};
use super::styles::inline_styles;
use crate::budget::ReadBudget;
use crate::draft::{Block, Draft};
use crate::format::{FormatError, reads_like_an_instruction};
use crate::markup::{Flow, check_nesting};
use crate::text::is_reference_heading;

/// Reads an HTML page.
///
/// # Errors
/// If there is no markup or no text, or elements nest too deep.
pub(crate) fn read_html(text: &str, budget: &ReadBudget) -> Result<Draft, FormatError> {
    if text.trim().is_empty() {
        return Err(FormatError::Empty);
    }
    if !text.contains('<') {
        return Err(FormatError::not(FORMAT, "it has no elements"));
    }
    check_nesting(text, FORMAT)?;
    let mut page = parse(text, budget)?;
    inline_styles(&mut page, budget);
    let mut reader = HtmlReader {
        flow: Flow::new(),
        in_references: false,
        in_link: false,
        title_printed: false,
        list_numbers: Vec::new(),
    };
    read_meta(&page, &mut reader.flow.draft);
    let content = content(&page);
    reader.front(&page, content);
    reader.children(content, 0);
    reader.flow.flush();
    let has_text = reader
        .flow
        .draft
        .blocks
        .iter()
        .any(|block| block.kind != ParagraphKind::FrontMatter && block.kind != ParagraphKind::Heading);
    if !has_text {
        return Err(FormatError::Empty);
    }
    reader.flow.finish()
}

pub(super) struct HtmlReader {
    pub(super) flow: Flow,
    pub(super) in_references: bool,
    in_link: bool,
    pub(super) title_printed: bool,
    /// Number of the next item, for each open ordered list.
    pub(super) list_numbers: Vec<Option<u32>>,
}

impl HtmlReader {
    pub(super) fn children(&mut self, node: ElementRef<'_>, depth: usize) {
        for child in node.children() {
            self.node(child, depth + 1);
        }
    }

    pub(super) fn node(&mut self, node: NodeRef<'_, Node>, depth: usize) {
        match node.value() {
            Node::Text(text) => self.flow.put(text),
            Node::Comment(comment) if reads_like_an_instruction(comment) => {
                self.flow.draft.hide(HiddenReason::Comment, comment)
            }
            Node::Element(_) if depth < DEPTH => {
                if let Some(element) = ElementRef::wrap(node) {
                    self.element(element, depth);
                }
            }
            _ => {}
        }
    }

    fn element(&mut self, element: ElementRef<'_>, depth: usize) {
        let name = element.value().name();
        if is_dropped(name) || is_furniture(&element) {
            return;
        }
        if let Some(reason) = hidden::reason(&element) {
            let text: String = element.text().collect();
            self.flow.draft.hide(reason, &text);
            return;
        }
        if element.value().attr("aria-hidden") == Some("true") && name != "math" {
            // Visible to most readers, but usually a duplicate (KaTeX) or an icon.
            let text: String = element.text().collect();
            if reads_like_an_instruction(&text) {
                self.flow.draft.hide(HiddenReason::HiddenByStyle, &text);
            }
            return;
        }
        if self.latexml(element, depth) {
            return;
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(element),
            "li" => self.item(element, depth),
            "ol" | "ul" => self.list(element, depth),
            "blockquote" => self.block(element, ParagraphKind::BlockQuote, depth),
            "figcaption" | "caption" => self.caption(element, depth),
            "figure" => self.beside(element, ParagraphKind::Caption, depth),
            "pre" => {
                let code: String = element.text().collect();
                self.flow.flush();
                self.flow
                    .push(Block::new(ParagraphKind::Code, code.trim_matches('\n').trim_end()));
            }
            "table" => self.table(element, depth),
            "math" => self.math(element),
            "br" => self.flow.put(" "),
            "a" => self.link(element, depth),
            "sup" => self.raised(element, depth),
            "cite" => {
                let start = self.flow.length();
                self.children(element, depth);
                let keys = targets(element);
                self.flow.cite_since(start, keys);
            }
            _ if is_block(name) => self.container(element, depth),
            _ => self.children(element, depth),
        }
    }

    pub(super) fn container(&mut self, element: ElementRef<'_>, depth: usize) {
        self.flow.flush();
        self.children(element, depth);
        if self.in_references && element.value().name() == "p" && !self.list_numbers.iter().any(Option::is_some) {
            self.end_reference(element, None);
        }
        self.flow.flush();
    }

    fn block(&mut self, element: ElementRef<'_>, kind: ParagraphKind, depth: usize) {
        self.flow.flush();
        let outer = std::mem::replace(&mut self.flow.kind, kind);
        self.children(element, depth);
        self.flow.flush();
        self.flow.kind = outer;
    }

    fn beside(&mut self, element: ElementRef<'_>, kind: ParagraphKind, depth: usize) {
        let inner = std::mem::replace(&mut self.flow, Flow::new());
        self.flow.kind = kind;
        self.children(element, depth);
        self.flow.flush();
        let mut float = std::mem::replace(&mut self.flow, inner);
        self.flow.draft.hidden.append(&mut float.draft.hidden);
        self.flow.beside(kind, |flow| {
            for block in float.draft.blocks {
                flow.push(block);
            }
        });
    }

    pub(super) fn caption(&mut self, element: ElementRef<'_>, depth: usize) {
        self.block(element, ParagraphKind::Caption, depth);
    }

    fn heading(&mut self, element: ElementRef<'_>) {
        let words = text_of(element);
        let runs_in = element.value().classes().any(|class| {
            matches!(
                class,
                "ltx_runin" | "ltx_title_theorem" | "ltx_title_proof" | "ltx_title_paragraph"
            )
        });
        if runs_in {
            let stop = if words.ends_with(['.', ':']) { "" } else { "." };
            if !words.is_empty() {
                self.flow.lead(&format!("{words}{stop}"));
            }
            return;
        }
        let is_title = self.flow.draft.title.as_ref().is_some_and(|title| *title == words);
        if words.is_empty() || (is_title && !std::mem::replace(&mut self.title_printed, true)) {
            return;
        }
        let level = element
            .value()
            .name()
            .as_bytes()
            .get(1)
            .map_or(2, |digit| digit.saturating_sub(b'0'));
        self.in_references = is_reference_heading(&words);
        let kind = self.in_references.then_some(SectionKind::References);
        // The title has the first level, so sections start at the second.
        self.flow.heading(&words, level.saturating_sub(1).max(1), kind);
    }

    fn list(&mut self, element: ElementRef<'_>, depth: usize) {
        self.flow.flush();
        let start = element
            .value()
            .attr("start")
            .and_then(|start| start.parse().ok())
            .unwrap_or(1);
        self.list_numbers
            .push((element.value().name() == "ol").then_some(start));
        self.children(element, depth);
        self.list_numbers.pop();
        self.flow.flush();
    }

    fn item(&mut self, element: ElementRef<'_>, depth: usize) {
        let number = self.list_numbers.last_mut().and_then(|next| {
            let number = (*next)?;
            *next = number.checked_add(1);
            Some(number)
        });
        if self.in_references && self.list_numbers.len() <= 1 {
            self.flow.flush();
            for child in element.children() {
                self.inline_only(child, depth + 1);
            }
            self.end_reference(element, number);
            return;
        }
        self.block(element, ParagraphKind::ListItem, depth);
    }

    fn math(&mut self, element: ElementRef<'_>) {
        let text = math_of(element);
        if element.value().attr("display") == Some("block") && self.flow.tail().trim().is_empty() {
            self.flow.flush();
            self.flow.push(Block::new(ParagraphKind::DisplayMath, text));
        } else {
            self.flow.put(&text.replace('\n', " "));
        }
    }

    pub(super) fn table(&mut self, element: ElementRef<'_>, depth: usize) {
        let holds = |name: &str| element.descendent_elements().any(|inner| inner.value().name() == name);
        let is_row = |inner: &ElementRef<'_>| inner.value().name() == "tr" || has_class(inner, "ltx_tr");
        let rows: Vec<ElementRef<'_>> = element.descendent_elements().filter(is_row).take(5_000).collect();
        // A layout table is not a data table.
        if holds("p") && rows.iter().all(|row| row.child_elements().count() <= 2) && holds("table") {
            self.container(element, depth);
            return;
        }
        self.flow.flush();
        for caption in element
            .child_elements()
            .filter(|inner| inner.value().name() == "caption")
        {
            self.caption(caption, depth + 1);
        }
        let mut lines = Vec::new();
        for row in rows {
            let cells: Vec<String> = row.child_elements().map(|cell| text_of(cell)).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                lines.push(cells.join(" | "));
            }
        }
        if lines.is_empty() {
            self.container(element, depth);
        } else {
            self.flow.push(Block::new(ParagraphKind::Table, lines.join("\n")));
        }
    }

    fn link(&mut self, element: ElementRef<'_>, depth: usize) {
        let start = self.flow.length();
        let outer = std::mem::replace(&mut self.in_link, true);
        self.children(element, depth);
        self.in_link = outer;
        let keys = target(element).into_iter().collect();
        self.flow.cite_since(start, keys);
    }

    /// A superscript number that links to a reference is a citation mark; after a number it is a power.
    fn raised(&mut self, element: ElementRef<'_>, depth: usize) {
        let keys = targets(element);
        let text = text_of(element);
        let bare = !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | '–' | ' '));
        if !keys.is_empty() && bare {
            let start = self.flow.length();
            let space = if self.flow.tail().ends_with([' ', '(', '[']) {
                ""
            } else {
                " "
            };
            self.flow.put(&format!("{space}[{text}]"));
            self.flow.cite_since(start, keys);
        } else if self.flow.tail().ends_with(|c: char| c.is_ascii_digit()) && bare {
            self.flow.put(&format!("^{text}"));
        } else {
            self.children(element, depth);
        }
    }
}
