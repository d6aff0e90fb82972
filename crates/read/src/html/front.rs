//! Title and authors as printed on the page.

use scraper::{ElementRef, Html, Node};

use super::elements::text_of;
use super::meta::{has_class, page_title};
use super::reader::HtmlReader;
use crate::format::fold_space;
use crate::names::names_in_line;

impl HtmlReader {
    /// Title and authors, from the head of the page, LaTeXML's classes or the first heading.
    pub(super) fn front(&mut self, page: &Html, content: ElementRef<'_>) {
        let first = |class: &str| content.descendent_elements().find(|element| has_class(element, class));
        let printed = first("ltx_title_document").or_else(|| {
            content.descendent_elements().find(|element| {
                element.value().name() == "h1"
                    || (element.value().id() == Some("title") && element.value().name() == "h2")
            })
        });
        let printed = printed
            .map(|title| text_of(title))
            .map(|title| title.trim_start_matches("Title:").trim().to_owned());
        let title = match (self.flow.draft.title.take(), printed.filter(|title| !title.is_empty())) {
            (Some(known), _) => Some(known),
            (None, Some(printed)) => Some(printed),
            (None, None) => page_title(page),
        };
        if let Some(title) = title {
            self.flow.print_title(title);
        }
        if self.flow.draft.authors.is_empty() {
            for person in content
                .descendent_elements()
                .filter(|element| has_class(element, "ltx_personname"))
                .take(1_000)
            {
                self.person(person);
            }
        }
        self.flow.print_authors();
    }

    fn person(&mut self, person: ElementRef<'_>) {
        let mut lines = vec![String::new()];
        for node in person.descendants() {
            match node.value() {
                Node::Text(text) => {
                    let raised = node.ancestors().filter_map(ElementRef::wrap).take(6).any(|element| {
                        matches!(element.value().name(), "sup" | "math") || has_class(&element, "ltx_note")
                    });
                    if !raised && let Some(line) = lines.last_mut() {
                        line.push_str(text);
                    }
                }
                Node::Element(element) if element.name() == "br" => lines.push(String::new()),
                _ => {}
            }
        }
        for (at, line) in lines.iter().enumerate() {
            let names = names_in_line(&fold_space(line));
            // After a single name come affiliations, which may look like names.
            if names.is_empty() || (at > 0 && names.len() == 1) {
                continue;
            }
            for author in names {
                if !self.flow.draft.authors.contains(&author) {
                    self.flow.draft.authors.push(author);
                }
            }
        }
    }
}
