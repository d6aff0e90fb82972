use precedent_domain::{DateOrigin, ParagraphKind, PublicationDate, SectionKind};
use roxmltree::Node;

use super::parse::{attribute, children, find, formula, text_in, text_of, with_document};
use super::people::tei_authors;
use super::reference::{take_identifier, tei_reference};
use crate::draft::{Block, Draft};
use crate::format::{FormatError, fold_space};
use crate::markup::Flow;

const FORMAT: &str = "TEI XML";
const DEPTH: usize = 150;

/// Reads TEI as written by GROBID and publishers.
///
/// # Errors
/// If it is not well-formed XML, has no TEI element, or is empty.
pub(crate) fn read_tei(text: &str) -> Result<Draft, FormatError> {
    with_document(text, FORMAT, |document| {
        let root = document
            .descendants()
            .find(|node| matches!(node.tag_name().name(), "TEI" | "TEI.2"))
            .ok_or_else(|| FormatError::not(FORMAT, "it has no TEI element"))?;
        let mut reader = TeiReader { flow: Flow::new() };
        if let Some(header) = children(root, "teiHeader").next() {
            reader.header(header);
        }
        if let Some(body) = children(root, "text").next() {
            reader.blocks(body, 0, 1);
        }
        reader.flow.finish()
    })
}

struct TeiReader {
    flow: Flow,
}

impl TeiReader {
    fn header(&mut self, header: Node<'_, '_>) {
        let title = find(header, "titleStmt").and_then(|statement| text_in(statement, "title"));
        let source = find(header, "sourceDesc").unwrap_or(header);
        let title = title.or_else(|| find(source, "analytic").and_then(|part| text_in(part, "title")));
        if let Some(title) = title {
            self.flow.print_title(title);
        }
        let people = find(source, "analytic")
            .or_else(|| find(header, "titleStmt"))
            .unwrap_or(source);
        self.flow.draft.authors = tei_authors(people);
        self.flow.print_authors();
        for id in source.descendants().filter(|inner| inner.tag_name().name() == "idno") {
            take_identifier(
                &mut self.flow.draft.identifiers,
                &text_of(id),
                &attribute(id, "type").unwrap_or_default().to_lowercase(),
            );
        }
        let published = header
            .descendants()
            .find(|inner| inner.tag_name().name() == "date" && attribute(*inner, "type") == Some("published"));
        let when = published.and_then(|date| {
            attribute(date, "when")
                .map(str::to_owned)
                .or_else(|| Some(text_of(date)))
        });
        if let Some(date) = when.and_then(|when| when.parse().ok()) {
            self.flow.draft.dates.push(PublicationDate {
                date,
                origin: DateOrigin::FrontMatter,
            });
        }
        if let Some(summary) = find(header, "abstract").filter(|summary| !text_of(*summary).is_empty()) {
            self.flow.heading("Abstract", 1, Some(SectionKind::Abstract));
            self.blocks(summary, 0, 2);
            self.flow.end_abstract();
        }
    }

    fn blocks(&mut self, node: Node<'_, '_>, depth: usize, level: u8) {
        for child in node.children() {
            if child.is_element() {
                self.block(child, depth + 1, level);
            } else if child.is_text() {
                self.flow.put(child.text().unwrap_or_default());
            }
        }
        self.flow.flush();
    }

    fn block(&mut self, node: Node<'_, '_>, depth: usize, level: u8) {
        if depth > DEPTH {
            self.flow.put(&text_of(node));
            return;
        }
        match node.tag_name().name() {
            "div" | "div1" | "div2" | "div3" => {
                let outer = self.flow.section;
                match attribute(node, "type") {
                    Some("acknowledgement" | "funding") => self.flow.section = Some(SectionKind::Acknowledgements),
                    Some("annex" | "appendix") => self.flow.section = Some(SectionKind::Appendix),
                    Some("references") => self.flow.section = Some(SectionKind::References),
                    _ => {}
                }
                let nested = node
                    .parent()
                    .is_some_and(|outer| outer.tag_name().name().starts_with("div"));
                self.blocks(node, depth, if nested { (level + 1).min(9) } else { level });
                self.flow.section = outer;
            }
            "head" => self.head(node, level),
            "p" | "ab" => {
                self.flow.flush();
                self.inline(node, depth);
                self.flow.flush();
            }
            "figure" => self.figure(node),
            "listBibl" => self.references(node),
            "teiHeader" | "facsimile" | "pb" | "cb" => {}
            _ => self.inline_element(node, depth),
        }
    }

    fn head(&mut self, node: Node<'_, '_>, level: u8) {
        let words = text_of(node);
        let number = attribute(node, "n").unwrap_or_default();
        let dots = number.trim_end_matches('.').matches('.').count();
        let level = level.saturating_add(u8::try_from(dots.min(5)).unwrap_or(0));
        // Some files include the number in the heading text, others in an attribute.
        let words = if words.starts_with(number) {
            words
        } else {
            format!("{number} {words}")
        };
        self.flow.heading(&fold_space(&words), level, None);
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
            "ref" => {
                let start = self.flow.length();
                self.flow.put(&text_of(node));
                let target = attribute(node, "target").unwrap_or_default();
                if attribute(node, "type") == Some("bibr") && !target.is_empty() {
                    let keys = target
                        .split_whitespace()
                        .map(|key| key.trim_start_matches('#').to_owned());
                    self.flow.cite_since(start, keys.collect());
                }
            }
            "formula" => {
                let inline = node.parent().is_some_and(|outer| outer.tag_name().name() == "p")
                    && attribute(node, "rend") == Some("inline");
                if inline {
                    self.flow.put(&formula(node));
                } else {
                    self.flow.flush();
                    self.flow.push(Block::new(ParagraphKind::DisplayMath, formula(node)));
                }
            }
            "note" => {
                let words = text_of(node);
                self.flow.beside(ParagraphKind::Footnote, |flow| flow.put(&words));
            }
            "list" => {
                self.flow.flush();
                let outer = std::mem::replace(&mut self.flow.kind, ParagraphKind::ListItem);
                for item in node.children().filter(Node::is_element) {
                    self.inline(item, depth + 1);
                    self.flow.flush();
                }
                self.flow.kind = outer;
            }
            "quote" if node.parent().is_some_and(|outer| outer.tag_name().name() != "p") => {
                self.flow.flush();
                let outer = std::mem::replace(&mut self.flow.kind, ParagraphKind::BlockQuote);
                self.inline(node, depth);
                self.flow.flush();
                self.flow.kind = outer;
            }
            "lb" => self.flow.put(" "),
            "figure" => self.figure(node),
            "graphic" | "figDesc" | "pb" => {}
            "p" | "div" | "head" | "listBibl" => self.block(node, depth, 1),
            _ => self.inline(node, depth),
        }
    }

    fn figure(&mut self, node: Node<'_, '_>) {
        let head = children(node, "head").next().map(text_of).unwrap_or_default();
        let description = children(node, "figDesc").next().map(text_of).unwrap_or_default();
        let caption = if description.starts_with(&head) {
            description
        } else {
            fold_space(&format!("{head} {description}"))
        };
        let mut rows = Vec::new();
        for row in node
            .descendants()
            .filter(|inner| inner.tag_name().name() == "row")
            .take(5_000)
        {
            let cells: Vec<String> = row.children().filter(Node::is_element).map(text_of).collect();
            rows.push(cells.join(" | "));
        }
        self.flow.beside(ParagraphKind::Caption, |flow| {
            flow.put(&caption);
            flow.flush();
            flow.push(Block::new(ParagraphKind::Table, rows.join("\n").trim().to_owned()));
        });
    }

    fn references(&mut self, node: Node<'_, '_>) {
        let headed = self.flow.draft.blocks.last().is_some_and(|block| {
            block.kind == ParagraphKind::Heading && self.flow.section == Some(SectionKind::References)
        });
        if !headed {
            self.flow.heading("References", 1, Some(SectionKind::References));
        }
        for entry in node
            .children()
            .filter(|inner| matches!(inner.tag_name().name(), "biblStruct" | "bibl" | "biblFull"))
            .take(20_000)
        {
            let (text, hint) = tei_reference(entry);
            self.flow.reference(&text, hint);
        }
    }
}
