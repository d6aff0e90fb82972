use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::percent_decode_str;
use precedent_domain::{ReadProblem, ReadWarning, ReadWarningKind};
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
    /// The names of the chapters in reading order, at most [`CHAPTERS`].
    chapters: Vec<String>,
    /// The number of chapters that the book lists.
    listed: usize,
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
        .text("META-INF/container.xml")?
        .ok_or_else(|| missing("META-INF/container.xml"))?;
    let place = with_document(&container, FORMAT, |document| {
        let place = find(document.root(), "rootfile")
            .and_then(|file| attribute(file, "full-path"))
            .map(str::to_owned);
        place.ok_or_else(|| missing("package file"))
    })?;
    let listing = package.text(&place)?.ok_or_else(|| missing("package file"))?;
    let book = with_document(&listing, FORMAT, |document| Ok(read_book(document, &place)))?;
    if book.style_sheets.len() > STYLE_SHEETS {
        let reason = format!("it has more than {STYLE_SHEETS} style sheets");
        return Err(FormatError::not(FORMAT, reason));
    }
    let locked = package
        .xml("META-INF/encryption.xml", FORMAT, encrypted_files)?
        .unwrap_or_default();
    if book
        .chapters
        .iter()
        .chain(&book.style_sheets)
        .any(|name| locked.contains(name))
    {
        return Err(FormatError::Encrypted);
    }
    let mut head = book.head();
    for name in &book.style_sheets {
        let sheet = package.text(name)?.unwrap_or_default();
        head.push_str(&style(&sheet));
    }
    let mut body = String::new();
    let mut lost = 0;
    let mut read = 0;
    for chapter in &book.chapters {
        if body.len() > TEXT_BYTES {
            break;
        }
        read += 1;
        let Some(bytes) = package.bytes(chapter)? else {
            lost += 1;
            continue;
        };
        let text = decode_html(&bytes);
        let (before, inner) = split_body(&text);
        head.push_str(&styles_in(before));
        body.push_str(&inner);
    }
    let mut draft = read_html(
        &format!("<html><head>{head}</head><body><article>{body}</article></body></html>"),
        budget,
    )?;
    let mut warn = |kind, problem| draft.warnings.push(ReadWarning::new(kind, problem));
    if lost > 0 {
        warn(ReadWarningKind::PagesLost, ReadProblem::ChaptersLost { lost });
    }
    if read < book.listed {
        let chapters = book.listed;
        warn(
            ReadWarningKind::Truncated,
            ReadProblem::FirstChapters { read, chapters },
        );
    }
    Ok(draft)
}

/// The names of the encrypted files. Fonts are often listed here, because their licences ask for it.
fn encrypted_files(document: &Document<'_>) -> BTreeSet<String> {
    let references = document
        .descendants()
        .filter(|node| node.tag_name().name() == "CipherReference");
    references
        .filter_map(|node| Some(target("", attribute(node, "URI")?)))
        .collect()
}

/// The file that a link in the file `from` names.
fn target(from: &str, link: &str) -> String {
    let path = link.split('#').next().unwrap_or_default();
    resolve(from, &percent_decode_str(path).decode_utf8_lossy())
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
        .filter_map(|item| Some(target(place, attribute(item, "href")?)))
        .collect();
    let items: BTreeMap<&str, &str> = listed()
        .filter(|item| {
            !attribute(*item, "properties").is_some_and(|properties| properties.split(' ').any(|one| one == "nav"))
        })
        .filter(|item| attribute(*item, "media-type").is_some_and(|kind| kind.contains("html")))
        .filter_map(|item| Some((attribute(item, "id")?, attribute(item, "href")?)))
        .collect();
    let mut chapters = children(root, "spine")
        .flat_map(|spine| children(spine, "itemref"))
        .filter(|chapter| attribute(*chapter, "linear") != Some("no"))
        .filter_map(|chapter| items.get(attribute(chapter, "idref")?));
    book.chapters = chapters
        .by_ref()
        .take(CHAPTERS)
        .map(|link| target(place, link))
        .collect();
    book.listed = book.chapters.len() + chapters.count();
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

/// The text before the body, and the body as a `div`, which keeps attributes that hide it.
fn split_body(text: &str) -> (&str, String) {
    let Some((before, inner)) = text.split_once("<body") else {
        return ("", text.to_owned());
    };
    let inner = inner.rsplit_once("</body").map_or(inner, |(inner, _)| inner);
    (before, format!("<div{inner}</div>"))
}

/// The style elements of a chapter's head.
fn styles_in(head: &str) -> String {
    let mut styles = String::new();
    for piece in head.split("<style").skip(1) {
        let inner = piece.split_once('>').map_or("", |(_, inner)| inner);
        let sheet = inner.split("</style").next().unwrap_or_default();
        styles.push_str(&style(sheet));
    }
    styles
}

/// A style sheet as an element. Without `<`, it cannot end the element early.
fn style(sheet: &str) -> String {
    format!("<style>{}</style>", sheet.replace('<', ""))
}
