//! Entries of reference lists.

use ego_tree::NodeRef;
use precedent_text::pattern;
use scraper::{ElementRef, Node};

use super::elements::{DEPTH, is_block, is_dropped, is_furniture, text_of};
use super::meta::has_class;
use super::reader::HtmlReader;
use crate::draft::ReferenceHint;
use crate::format::fold_space;
use crate::text::label_of;

impl HtmlReader {
    /// The text of a reference entry, whatever elements it is in.
    pub(super) fn inline_only(&mut self, node: NodeRef<'_, Node>, depth: usize) {
        match node.value() {
            Node::Text(text) => self.flow.put(text),
            Node::Element(element) if depth < DEPTH && !is_dropped(element.name()) => {
                if let Some(inner) = ElementRef::wrap(node)
                    && !is_furniture(&inner)
                {
                    for child in inner.children() {
                        self.inline_only(child, depth + 1);
                    }
                    if is_block(element.name()) {
                        self.flow.put(" ");
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn end_reference(&mut self, element: ElementRef<'_>, number: Option<u32>) {
        let text = fold_space(self.flow.tail());
        // Links that search for the work elsewhere belong to the page, not to the reference list.
        let links = pattern!(
            r"(?:\s*[\[(|]?\s*(?:Cross[Rr]ef|Google Scholar|PubMed(?: Central)?|Web of Science|MathSciNet|CAS|ADS|Scopus|DOI|View (?:Article|Record)|Full Text|Free Full Text|Download citation)\s*[\])]?)+$"
        );
        let text = links.replace(&text, "").into_owned();
        self.flow.clear();
        if text.is_empty() {
            return;
        }
        let id = element
            .value()
            .id()
            .or_else(|| element.descendent_elements().find_map(|inner| inner.value().id()));
        let hint = ReferenceHint {
            key: id.map(str::to_owned),
            label: label_of(&text)
                .map(|(label, _)| label.to_owned())
                .or_else(|| number.map(|number| number.to_string())),
            ..ReferenceHint::default()
        };
        self.flow.reference(&text, hint);
    }

    pub(super) fn latexml_reference(&mut self, element: ElementRef<'_>) {
        let part = |class: &'static str| {
            element
                .descendent_elements()
                .filter(move |inner| has_class(inner, class) && !has_class(inner, "ltx_bib_cited"))
        };
        let label = part("ltx_tag_bibitem").next().map(|tag| text_of(tag));
        let blocks: Vec<String> = part("ltx_bibblock").map(|block| text_of(block)).collect();
        let marked = part("ltx_bib_title").next().map(|title| text_of(title));
        // Most styles print authors, title and venue in three blocks.
        let second = blocks
            .get(1)
            .filter(|_| blocks.len() >= 3)
            .map(|title| title.trim_end_matches(['.', ',']).to_owned());
        let title = marked
            .or(second)
            .filter(|title| title.split_whitespace().count() >= 2 && !title.starts_with("In "));
        let text = if blocks.is_empty() {
            text_of(element)
        } else {
            fold_space(&blocks.join(" "))
        };
        let label = label
            .map(|label| label.trim_matches(['[', ']', ' ']).to_owned())
            .filter(|label| !label.is_empty());
        let hint = ReferenceHint {
            key: element.value().id().map(str::to_owned),
            // A label of names and year is the citation mark itself, not a list label.
            label: label.filter(|label| !label.contains(' ') && !label.contains('(')),
            title,
            ..ReferenceHint::default()
        };
        self.flow.reference(&text, hint);
    }
}
