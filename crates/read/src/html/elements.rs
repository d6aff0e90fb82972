//! Element classification, and element text outside the main flow.

use std::collections::BTreeSet;

use ego_tree::NodeRef;
use scraper::{ElementRef, Node};

use super::hidden;
use super::meta::has_class;
use crate::format::fold_space;
use crate::latex::math::math_text;

/// Maximum nesting depth of elements.
pub(super) const DEPTH: usize = 400;

/// The text of an element outside the main flow, with formulas but without footnotes and hidden text.
pub(super) fn text_of(element: ElementRef<'_>) -> String {
    let mut text = String::new();
    collect_text(*element, &mut text, 0);
    fold_space(&text)
}

/// Whether an element is boilerplate (menus, headers and the like).
pub(super) fn is_furniture(element: &ElementRef<'_>) -> bool {
    let value = element.value();
    let role = value.attr("role").unwrap_or_default();
    matches!(
        role,
        "navigation" | "banner" | "search" | "dialog" | "menu" | "complementary" | "alert"
    ) || value.classes().any(|class| {
        matches!(
            class,
            "ltx_page_navbar"
                | "ltx_page_footer"
                | "ltx_page_header"
                | "ltx_authors"
                | "ltx_title_document"
                | "ltx_ERROR"
                | "ltx_bib_cited"
                | "ltx_TOC"
                | "ltx_pagination"
                | "sr-only"
                | "visually-hidden"
                | "navbar"
                | "breadcrumb"
                | "share"
                | "cookie-banner"
                | "modal"
                | "endmetadata"
                | "extra-services"
                | "submission-history"
                | "authors"
                | "dateline"
                | "descriptor"
                | "acl-paper-link-block"
                | "references-links"
                | "mw-editsection"
                | "ref-buttons"
        )
    }) || matches!(
        value.id(),
        Some("toc" | "cookie-banner" | "sidebar" | "comments" | "title")
    )
}

fn collect_text(node: NodeRef<'_, Node>, text: &mut String, depth: usize) {
    for child in node.children() {
        match child.value() {
            Node::Text(words) => text.push_str(words),
            Node::Element(_) if depth < DEPTH => {
                let Some(element) = ElementRef::wrap(child) else {
                    continue;
                };
                let name = element.value().name();
                let aside = ["ltx_note", "ltx_note_mark", "ltx_tag_note", "ltx_ERROR", "descriptor"]
                    .iter()
                    .any(|class| has_class(&element, class));
                if aside || is_dropped(name) || hidden::reason(&element).is_some() {
                    continue;
                }
                match name {
                    "math" => text.push_str(&math_of(element)),
                    "br" => text.push(' '),
                    _ => {
                        collect_text(child, text, depth + 1);
                        if is_block(name) {
                            text.push(' ');
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// A formula: its TeX if the page has it, else the characters of its MathML.
pub(super) fn math_of(element: ElementRef<'_>) -> String {
    if let Some(tex) = element.value().attr("alttext") {
        return math_text(tex);
    }
    let annotation = element.descendent_elements().find(|inner| {
        inner.value().name() == "annotation"
            && inner
                .value()
                .attr("encoding")
                .is_some_and(|encoding| encoding.contains("tex"))
    });
    match annotation {
        Some(tex) => math_text(&tex.text().collect::<String>()),
        None => fold_space(&element.text().collect::<String>()),
    }
}

/// The anchor that a link points to.
pub(super) fn target(link: ElementRef<'_>) -> Option<String> {
    let address = link.value().attr("href")?;
    let (_, fragment) = address.split_once('#')?;
    (!fragment.is_empty()).then(|| fragment.to_owned())
}

pub(super) fn targets(element: ElementRef<'_>) -> Vec<String> {
    let mut keys = Vec::new();
    let mut seen = BTreeSet::new();
    for link in element
        .descendent_elements()
        .filter(|inner| inner.value().name() == "a")
    {
        if let Some(key) = target(link).filter(|key| seen.insert(key.clone())) {
            keys.push(key);
        }
    }
    keys
}

pub(super) fn is_dropped(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "noscript"
            | "nav"
            | "footer"
            | "form"
            | "button"
            | "svg"
            | "iframe"
            | "template"
            | "select"
            | "input"
            | "textarea"
            | "object"
            | "canvas"
            | "video"
            | "audio"
            | "head"
            | "link"
            | "meta"
            | "dialog"
            | "aside"
            | "annotation"
            | "annotation-xml"
    )
}

pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "section"
            | "article"
            | "main"
            | "header"
            | "dl"
            | "dt"
            | "dd"
            | "address"
            | "details"
            | "summary"
            | "hr"
            | "tr"
            | "tbody"
            | "thead"
            | "body"
            | "fieldset"
            | "center"
            | "li"
            | "ul"
            | "ol"
            | "table"
            | "td"
            | "th"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
    )
}
