use roxmltree::Document;

use super::package::{ZipPackage, resolve};
use crate::budget::{ReadBudget, TEXT_BYTES};
use crate::decode::decode_html;
use crate::draft::Draft;
use crate::format::FormatError;
use crate::html::read_html;
use crate::xml::{attribute, children, find, text_of, with_document};

const FORMAT: &str = "an EPUB book";

/// Maximum chapters.
const CHAPTERS: usize = 2_000;
/// Maximum style sheets. Books have one to five.
const STYLE_SHEETS: usize = 50;

/// What the package file of a book states.
#[derive(Debug, Default)]
struct Book {
    title: Option<String>,
    authors: Vec<String>,
    date: Option<String>,
    /// The names of the chapters in reading order.
    chapters: Vec<String>,
    /// The names of the style sheets, which may hide text.
    style_sheets: Vec<String>,
}

/// Reads an EPUB: its chapters in reading order, as one HTML page.
///
/// # Errors
/// If the list of chapters is missing or no chapter has text.
pub(crate) fn read_epub(package: &mut ZipPackage<'_>, budget: &ReadBudget) -> Result<Draft, FormatError> {
    let missing = |what: &str| FormatError::not(FORMAT, format!("it has no {what}"));
    let container = package
        .text("META-INF/container.xml")
        .ok_or_else(|| missing("META-INF/container.xml"))?;
    let place = with_document(&container, FORMAT, |document| {
        let place = find(document.root(), "rootfile")
            .and_then(|file| attribute(file, "full-path"))
            .map(str::to_owned);
        place.ok_or_else(|| missing("package file"))
    })?;
    let listing = package.text(&place).ok_or_else(|| missing("package file"))?;
    let book = with_document(&listing, FORMAT, |document| Ok(read_book(document, &place)))?;
    let mut head = book.head();
    for name in book.style_sheets.iter().take(STYLE_SHEETS) {
        let sheet = package.text(name).unwrap_or_default();
        head.push_str(&format!("<style>{}</style>", sheet.replace("</", "")));
    }
    let mut body = String::new();
    for chapter in book.chapters.iter().take(CHAPTERS) {
        let Some(bytes) = package.bytes(chapter) else { continue };
        let text = decode_html(&bytes);
        let (before, inner) = split_body(&text);
        head.push_str(&styles_in(before));
        body.push_str(inner);
        if body.len() > TEXT_BYTES {
            break;
        }
    }
    read_html(
        &format!("<html><head>{head}</head><body><article>{body}</article></body></html>"),
        budget,
    )
}

fn read_book(document: &Document<'_>, place: &str) -> Book {
    let root = document.root_element();
    let mut book = Book::default();
    if let Some(metadata) = children(root, "metadata").next() {
        let values = |name| children(metadata, name).map(text_of).filter(|value| !value.is_empty());
        book.title = values("title").next();
        book.authors = values("creator").collect();
        book.date = values("date").next();
    }
    let listed = || children(root, "manifest").flat_map(|manifest| children(manifest, "item"));
    let is_sheet = |kind: &str| kind == "text/css";
    book.style_sheets = listed()
        .filter(|item| attribute(*item, "media-type").is_some_and(is_sheet))
        .filter_map(|item| Some(resolve(place, attribute(item, "href")?)))
        .collect();
    let items: Vec<(&str, &str)> = listed()
        .filter(|item| {
            !attribute(*item, "properties").is_some_and(|properties| properties.split(' ').any(|one| one == "nav"))
        })
        .filter(|item| attribute(*item, "media-type").is_some_and(|kind| kind.contains("html")))
        .filter_map(|item| Some((attribute(item, "id")?, attribute(item, "href")?)))
        .collect();
    for chapter in children(root, "spine").flat_map(|spine| children(spine, "itemref")) {
        let found = attribute(chapter, "idref").and_then(|id| items.iter().find(|(known, _)| *known == id));
        if let Some((_, href)) = found.filter(|_| attribute(chapter, "linear") != Some("no")) {
            book.chapters.push(resolve(place, href));
        }
    }
    book
}

impl Book {
    /// The metadata as scholarly pages state them.
    fn head(&self) -> String {
        let stated = self.title.iter().map(|title| ("citation_title", title));
        let stated = stated.chain(self.authors.iter().map(|author| ("citation_author", author)));
        let stated = stated.chain(self.date.iter().map(|date| ("citation_date", date)));
        stated
            .map(|(name, value)| format!("<meta name=\"{name}\" content=\"{}\">", escaped(value)))
            .collect()
    }
}

fn escaped(value: &str) -> String {
    value
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The text before the body, and what is between its tags.
fn split_body(text: &str) -> (&str, &str) {
    let Some((start, inner)) = text
        .find("<body")
        .and_then(|at| Some((at, at + text.get(at..)?.find('>')? + 1)))
    else {
        return ("", text);
    };
    let before = text.get(..start).unwrap_or_default();
    let inner = text.get(inner..).unwrap_or_default();
    (
        before,
        inner.rfind("</body").and_then(|end| inner.get(..end)).unwrap_or(inner),
    )
}

/// The style elements of a chapter's head.
fn styles_in(head: &str) -> String {
    let mut styles = String::new();
    for piece in head.split("<style").skip(1) {
        let inner = piece.split_once('>').map_or("", |(_, inner)| inner);
        let sheet = inner.split("</style").next().unwrap_or_default();
        styles.push_str(&format!("<style>{sheet}</style>"));
    }
    styles
}
