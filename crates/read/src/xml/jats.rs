use precedent_domain::{DateOrigin, ParagraphKind, PartialDate, PublicationDate, SectionKind};
use roxmltree::Node;

use super::parse::{attribute, children, find, formula, text_in, text_of, with_document};
use super::people::jats_authors;
use super::reference::{jats_reference, take_identifier};
use crate::draft::{Block, Draft};
use crate::format::{FormatError, fold_space};
use crate::markup::Flow;

const FORMAT: &str = "JATS XML";

/// Maximum nesting of elements; deeper ones are read as plain text.
const DEPTH: usize = 150;

/// Reads a JATS (or NLM) article. Of a file with several articles, only the first is read; attached review reports are skipped.
///
/// # Errors
/// If it is not well-formed XML, or contains no article or an empty one.
pub(crate) fn read_jats(text: &str) -> Result<Draft, FormatError> {
    with_document(text, FORMAT, |document| {
        let article =
            find(document.root(), "article").ok_or_else(|| FormatError::not(FORMAT, "it has no article element"))?;
        let mut reader = JatsReader { flow: Flow::new() };
        if let Some(front) = children(article, "front").next() {
            reader.front(front);
        }
        for name in ["body", "floats-group", "back"] {
            for part in children(article, name) {
                reader.blocks(part, 0, 0);
            }
        }
        reader.flow.finish()
    })
}

struct JatsReader {
    flow: Flow,
}

impl JatsReader {
    fn front(&mut self, front: Node<'_, '_>) {
        let meta = children(front, "article-meta").next().unwrap_or(front);
        if let Some(title) = find(meta, "article-title") {
            let mut words = self.inline_text(title);
            if let Some(subtitle) = children(title.parent().unwrap_or(meta), "subtitle").next() {
                words = format!("{}: {}", words.trim_end_matches(':'), self.inline_text(subtitle));
            }
            if !words.is_empty() {
                self.flow.print_title(words);
            }
        }
        for group in children(meta, "contrib-group") {
            for contributor in children(group, "contrib") {
                if attribute(contributor, "contrib-type").is_none_or(|kind| kind == "author") {
                    let mut authors = jats_authors(contributor);
                    authors.truncate(1);
                    self.flow.draft.authors.append(&mut authors);
                }
            }
        }
        self.flow.print_authors();
        for id in children(meta, "article-id") {
            take_identifier(
                &mut self.flow.draft.identifiers,
                &text_of(id),
                attribute(id, "pub-id-type").unwrap_or_default(),
            );
        }
        self.dates(meta);
        for summary in children(meta, "abstract") {
            let other = attribute(summary, "abstract-type")
                .is_some_and(|kind| matches!(kind, "graphical" | "teaser" | "toc" | "precis" | "web-summary"));
            if !other {
                self.summary(summary);
            }
        }
    }

    fn dates(&mut self, meta: Node<'_, '_>) {
        let mut dates: Vec<PartialDate> = children(meta, "pub-date").filter_map(date_of).collect();
        dates.sort_by(|a, b| a.sort_order(*b));
        self.flow.draft.dates = dates
            .into_iter()
            .map(|date| PublicationDate {
                date,
                origin: DateOrigin::FrontMatter,
            })
            .collect();
    }

    fn summary(&mut self, summary: Node<'_, '_>) {
        let title = children(summary, "title")
            .next()
            .map(text_of)
            .filter(|title| !title.is_empty());
        // A digest for lay readers is not the abstract.
        let kind = match attribute(summary, "abstract-type") {
            None | Some("") | Some("structured") => SectionKind::Abstract,
            _ => SectionKind::Other,
        };
        self.flow.heading(title.as_deref().unwrap_or("Abstract"), 1, Some(kind));
        self.summary_parts(summary, 0);
        self.flow.end_abstract();
    }

    /// Each part of a structured abstract begins its paragraph with the part's heading.
    fn summary_parts(&mut self, node: Node<'_, '_>, depth: usize) {
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "title" | "object-id" | "label" => {}
                "sec" if depth < DEPTH => {
                    if let Some(title) = children(child, "title").next() {
                        let words = text_of(title);
                        if !words.is_empty() {
                            self.flow.lead(&format!("{}:", words.trim_end_matches(['.', ':'])));
                        }
                    }
                    self.summary_parts(child, depth + 1);
                }
                _ => self.block(child, depth + 1, 1),
            }
        }
    }

    /// The children of an element that contains blocks.
    fn blocks(&mut self, node: Node<'_, '_>, depth: usize, level: u8) {
        for child in node.children() {
            self.block(child, depth + 1, level);
        }
        self.flow.flush();
    }

    fn block(&mut self, node: Node<'_, '_>, depth: usize, level: u8) {
        if depth > DEPTH {
            self.flow.put(&text_of(node));
            return;
        }
        if node.is_text() {
            self.flow.put(node.text().unwrap_or_default());
            return;
        }
        if !node.is_element() {
            return;
        }
        match node.tag_name().name() {
            "sec" | "app" | "notes" | "glossary" => self.section(node, depth, level, None),
            "ack" => self.section(node, depth, level, Some(SectionKind::Acknowledgements)),
            "app-group" => {
                let outer = self.flow.section.replace(SectionKind::Appendix);
                self.blocks(node, depth, level);
                self.flow.section = outer;
            }
            "ref-list" => self.references(node, level),
            "title" => {
                let words = self.inline_text(node);
                self.flow.heading(&words, level.max(1), None);
            }
            "p" => {
                self.flow.flush();
                self.inline(node, depth);
                self.flow.flush();
            }
            "fn-group" | "fn" | "table-wrap-foot" => self.footnotes(node, depth),
            "sub-article" | "response" | "label" | "object-id" | "sec-meta" | "alt-text" | "permissions"
            | "graphic" | "media" | "processing-meta" => {}
            _ => self.inline_element(node, depth),
        }
    }

    fn section(&mut self, node: Node<'_, '_>, depth: usize, level: u8, kind: Option<SectionKind>) {
        let appendix = node.tag_name().name() == "app";
        let outer = self.flow.section;
        if appendix {
            self.flow.section = Some(SectionKind::Appendix);
        }
        let label = children(node, "label").next().map(text_of).unwrap_or_default();
        let title = children(node, "title").next().map(|title| self.inline_text(title));
        let title = match (title, kind) {
            (None, Some(SectionKind::Acknowledgements)) => "Acknowledgements".to_owned(),
            (title, _) => title.unwrap_or_default(),
        };
        let words = fold_space(&format!("{label} {title}"));
        self.flow.flush();
        if !words.is_empty() {
            self.flow.heading(&words, (level + 1).min(9), kind);
        }
        for child in node.children().filter(|child| child.tag_name().name() != "title") {
            self.block(child, depth + 1, (level + 1).min(9));
        }
        self.flow.flush();
        self.flow.section = outer;
    }

    fn references(&mut self, node: Node<'_, '_>, level: u8) {
        let title = children(node, "title")
            .next()
            .map(text_of)
            .filter(|title| !title.is_empty());
        self.flow.heading(
            title.as_deref().unwrap_or("References"),
            (level + 1).min(9),
            Some(SectionKind::References),
        );
        for entry in node
            .descendants()
            .filter(|inner| inner.tag_name().name() == "ref")
            .take(20_000)
        {
            let (text, hint) = jats_reference(entry);
            self.flow.reference(&text, hint);
        }
    }

    fn footnotes(&mut self, node: Node<'_, '_>, depth: usize) {
        self.flow.flush();
        let outer = std::mem::replace(&mut self.flow.kind, ParagraphKind::Footnote);
        for child in node.children() {
            self.block(child, depth + 1, 1);
        }
        self.flow.flush();
        self.flow.kind = outer;
    }

    fn inline_text(&mut self, node: Node<'_, '_>) -> String {
        let kept = std::mem::replace(&mut self.flow, Flow::new());
        self.inline(node, 0);
        let mut inner = std::mem::replace(&mut self.flow, kept);
        inner.apart_text()
    }

    fn inline(&mut self, node: Node<'_, '_>, depth: usize) {
        for child in node.children() {
            if child.is_text() {
                self.flow.put(child.text().unwrap_or_default());
            } else if child.is_element() && depth < DEPTH {
                self.inline_element(child, depth + 1);
            } else if child.is_element() {
                self.flow.put(&text_of(child));
            }
        }
    }

    fn inline_element(&mut self, node: Node<'_, '_>, depth: usize) {
        match node.tag_name().name() {
            "xref" => self.cross_reference(node, depth),
            "fig"
            | "fig-group"
            | "table-wrap"
            | "table-wrap-group"
            | "boxed-text"
            | "supplementary-material"
            | "statement"
            | "media" => self.float(node, depth),
            "disp-formula" | "disp-formula-group" => {
                let outer = self.flow.kind;
                self.flow.flush();
                self.flow.push(Block::new(ParagraphKind::DisplayMath, formula(node)));
                self.flow.kind = outer;
            }
            "inline-formula" | "tex-math" | "math" => {
                let text = formula(node);
                self.flow.put(&text.replace('\n', " "));
            }
            "list" | "def-list" => {
                self.flow.flush();
                self.list(node, depth);
            }
            "disp-quote" | "verse-group" => {
                self.flow.flush();
                let outer = std::mem::replace(&mut self.flow.kind, ParagraphKind::BlockQuote);
                self.blocks(node, depth, 1);
                self.flow.kind = outer;
            }
            "preformat" | "code" => {
                let code: String = node
                    .descendants()
                    .filter(Node::is_text)
                    .filter_map(|text| text.text())
                    .collect();
                if code.contains('\n') {
                    self.flow.flush();
                    self.flow
                        .push(Block::new(ParagraphKind::Code, code.trim_matches('\n').trim_end()));
                } else {
                    self.flow.put(&code);
                }
            }
            "fn" => self.flow_footnote(node, depth),
            "table" => self.table(node),
            "sup" if self.flow.tail().ends_with(|c: char| c.is_ascii_digit()) => {
                self.flow.put("^");
                self.inline(node, depth);
            }
            "break" => self.flow.put(" "),
            "graphic" | "inline-graphic" | "alt-text" | "object-id" | "label" | "long-desc" | "permissions"
            | "index-term" => {}
            "p" | "sec" | "title" | "ack" | "app" | "app-group" | "ref-list" | "fn-group" | "notes" | "glossary" => {
                self.block(node, depth, 1)
            }
            _ => self.inline(node, depth),
        }
    }

    fn flow_footnote(&mut self, node: Node<'_, '_>, depth: usize) {
        let kept = std::mem::replace(&mut self.flow, Flow::new());
        self.inline(node, depth);
        let inner = std::mem::replace(&mut self.flow, kept).apart_text();
        self.flow.beside(ParagraphKind::Footnote, |flow| flow.put(&inner));
    }

    fn cross_reference(&mut self, node: Node<'_, '_>, depth: usize) {
        if attribute(node, "ref-type").is_none_or(|kind| kind != "bibr") {
            self.inline(node, depth);
            return;
        }
        let keys: Vec<String> = attribute(node, "rid")
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let raised =
            find(node, "sup").is_some() || node.ancestors().take(3).any(|outer| outer.tag_name().name() == "sup");
        let text = text_of(node);
        // A superscript number is put in brackets, because `word12` would be another word.
        let bare = raised && !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        if bare && self.flow.tail().ends_with('^') {
            self.flow.drop_last();
        }
        let start = self.flow.length();
        let space = if bare && !self.flow.tail().ends_with([' ', '(', '[']) {
            " "
        } else {
            ""
        };
        let text = if bare { format!("{space}[{text}]") } else { text };
        self.flow.put(&text);
        self.flow.cite_since(start, keys);
    }

    fn float(&mut self, node: Node<'_, '_>, depth: usize) {
        let label = children(node, "label").next().map(text_of).unwrap_or_default();
        let mut words = String::new();
        if let Some(caption) = children(node, "caption").next() {
            let kept = std::mem::replace(&mut self.flow, Flow::new());
            for part in caption.children().filter(Node::is_element) {
                self.inline(part, depth + 1);
                self.flow.put(" ");
            }
            words = std::mem::replace(&mut self.flow, kept).apart_text();
        }
        let caption = [label.trim_end_matches([':', '.']), &words]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(": ");
        let mut inner = Flow::new();
        std::mem::swap(&mut inner, &mut self.flow);
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "label" | "caption" | "object-id" | "alternatives" if find(child, "table").is_none() => {}
                _ if depth < DEPTH => self.block(child, depth + 1, 2),
                _ => {}
            }
        }
        self.flow.flush();
        std::mem::swap(&mut inner, &mut self.flow);
        self.flow.beside(ParagraphKind::Caption, |flow| {
            flow.put(&caption);
            flow.flush();
            for block in inner.draft.blocks {
                flow.push(block);
            }
        });
    }

    fn list(&mut self, node: Node<'_, '_>, depth: usize) {
        let outer = std::mem::replace(&mut self.flow.kind, ParagraphKind::ListItem);
        for item in node.children().filter(Node::is_element) {
            if depth > DEPTH {
                break;
            }
            match item.tag_name().name() {
                "def-item" => {
                    if let Some(term) = children(item, "term").next() {
                        self.inline(term, depth + 1);
                        self.flow.put(": ");
                    }
                    if let Some(definition) = children(item, "def").next() {
                        for part in definition.children().filter(Node::is_element) {
                            self.inline(part, depth + 1);
                            self.flow.put(" ");
                        }
                    }
                    self.flow.flush();
                }
                _ => self.blocks(item, depth + 1, 1),
            }
        }
        self.flow.flush();
        self.flow.kind = outer;
    }

    fn table(&mut self, node: Node<'_, '_>) {
        let mut rows = Vec::new();
        for row in node
            .descendants()
            .filter(|inner| inner.tag_name().name() == "tr")
            .take(5_000)
        {
            let cells: Vec<String> = row.children().filter(Node::is_element).map(text_of).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                rows.push(cells.join(" | "));
            }
        }
        let kind = self.flow.kind;
        self.flow.flush();
        self.flow.kind = kind;
        self.flow.push(Block::new(ParagraphKind::Table, rows.join("\n")));
    }
}

fn date_of(node: Node<'_, '_>) -> Option<PartialDate> {
    if let Some(date) = attribute(node, "iso-8601-date").and_then(|date| date.parse().ok()) {
        return Some(date);
    }
    let year: u16 = text_in(node, "year")?.parse().ok()?;
    let month: Option<u8> = text_in(node, "month").and_then(|month| month.parse().ok());
    let day: Option<u8> = text_in(node, "day").and_then(|day| day.parse().ok());
    PartialDate::new(year, month, day.filter(|_| month.is_some())).ok()
}
