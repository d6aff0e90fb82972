use std::collections::HashMap;

use ego_tree::NodeId;
use scraper::{ElementRef, Html};

use super::meta::has_class;

/// The element that contains the paper: LaTeXML's document, the abstract of an abstract page, or the element with the most running text.
pub(super) fn content(page: &Html) -> ElementRef<'_> {
    let root = page.root_element();
    let all = || root.descendent_elements();
    // arXiv's notices have the same class, so take the element with the most text.
    let length = |element: &ElementRef<'_>| element.text().map(str::len).sum::<usize>();
    if let Some(document) = all()
        .filter(|element| has_class(element, "ltx_document"))
        .take(20)
        .max_by_key(length)
    {
        return document;
    }
    if let Some(main) =
        all().find(|element| element.value().id() == Some("main-container") || element.value().id() == Some("abs"))
    {
        // ACL Anthology and arXiv abstract pages.
        return main;
    }
    let best = best_text(root);
    // An enclosing article or main element also contains the title and the references.
    let around = best.ancestors().filter_map(ElementRef::wrap).filter(|element| {
        matches!(element.value().name(), "article" | "main") || element.value().attr("role") == Some("main")
    });
    around.last().unwrap_or(best)
}

/// The element whose paragraphs have the most words outside links. Each ancestor gets a good part of the score because sections split one article.
fn best_text(root: ElementRef<'_>) -> ElementRef<'_> {
    let mut scores: HashMap<NodeId, usize> = HashMap::new();
    for paragraph in root
        .descendent_elements()
        .filter(|element| element.value().name() == "p")
        .take(20_000)
    {
        let text: usize = paragraph.text().map(|text| text.trim().len()).sum();
        let links: usize = paragraph
            .descendent_elements()
            .filter(|element| element.value().name() == "a")
            .map(|link| link.text().map(|text| text.trim().len()).sum::<usize>())
            .sum();
        let mut share = text.saturating_sub(links * 2) * 4;
        for ancestor in paragraph.ancestors().filter_map(ElementRef::wrap).take(5) {
            if matches!(ancestor.value().name(), "body" | "html" | "nav" | "footer" | "aside") {
                break;
            }
            *scores.entry(ancestor.id()).or_default() += share;
            share = share * 9 / 10;
        }
    }
    let body = root
        .child_elements()
        .find(|element| element.value().name() == "body")
        .unwrap_or(root);
    // In document order, so that the outer one of equals comes first.
    let mut best = (400, body);
    for element in root.descendent_elements() {
        if let Some(score) = scores.get(&element.id()).filter(|score| **score > best.0) {
            best = (*score, element);
        }
    }
    best.1
}
