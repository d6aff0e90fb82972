//! Opens a PDF: with its cross references as they are, or rebuilt if they are broken.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId};

use super::content::{find, is_space};
use super::error::PdfError;
use super::matrix::Rect;
use super::objects::Pdf;
use super::unpack::STREAM_LIMIT;
use super::{packed_objects, tables};

/// A page to read.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageEntry {
    /// Page number, counting from 1.
    pub(super) number: u32,
    pub(super) id: ObjectId,
    pub(super) page_box: Rect,
    pub(super) rotation: i32,
}

/// US letter, for pages without a size.
pub(super) const LETTER: Rect = Rect {
    x0: 0.0,
    y0: 0.0,
    x1: 612.0,
    y1: 792.0,
};

/// Opens the file with this password, and repairs it if needed.
pub(super) fn open(bytes: &[u8], password: Option<&str>) -> Result<Pdf, PdfError> {
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let Some(start) = find(head, b"%PDF-") else {
        return Err(PdfError::Damaged {
            detail: "no PDF header".to_owned(),
        });
    };
    let bytes = bytes.get(start..).unwrap_or_default();
    let first = load(bytes, password);
    if let Ok(document) = &first
        && document.page_iter().next().is_some()
    {
        return first.map(Pdf::new).map_err(|detail| PdfError::Damaged { detail });
    }
    let encrypted = first.as_ref().is_ok_and(Document::is_encrypted);
    if encrypted || is_encrypted(bytes) {
        return Err(match password {
            Some(_) => PdfError::WrongPassword,
            None => PdfError::Encrypted,
        });
    }
    // Avoids keeping two documents of a large file in memory.
    let first = first.map(|_| ());
    let repaired = repair(bytes).map(|bytes| load(&bytes, password));
    match (repaired, first) {
        (Some(Ok(document)), _) if document.page_iter().next().is_some() => Ok(Pdf::new(document)),
        (Some(Ok(mut document)), _) => {
            adopt_orphans(&mut document);
            if document.page_iter().next().is_some() {
                Ok(Pdf::new(document))
            } else {
                Err(PdfError::NoPages)
            }
        }
        (_, Ok(_)) => Err(PdfError::NoPages),
        (_, Err(detail)) => Err(PdfError::Damaged { detail }),
    }
}

/// Whether a file says that it is encrypted. Its dictionary of encryption is never compressed.
pub(crate) fn is_encrypted(bytes: &[u8]) -> bool {
    find(bytes, b"/Encrypt").is_some()
}

fn load(bytes: &[u8], password: Option<&str>) -> Result<Document, String> {
    tables::check(bytes)?;
    let options = LoadOptions {
        password: password.map(str::to_owned),
        filter: Some(packed_objects::hold_back),
        ..LoadOptions::default()
    };
    match catch_unwind(AssertUnwindSafe(|| Document::load_mem_with_options(bytes, options))) {
        Ok(Ok(mut document)) => packed_objects::unpack_all(&mut document).map(|()| document),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("its structure is invalid".to_owned()),
    }
}

/// The file with a new cross-reference table appended, built by searching for every `n g obj`.
fn repair(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut objects: BTreeMap<u32, (usize, u16)> = BTreeMap::new();
    let mut from = 0;
    while let Some(at) = bytes.get(from..).and_then(|tail| find(tail, b"obj")) {
        let at = from + at;
        from = at + 3;
        if let Some((number, generation, offset)) = object_header(bytes, at) {
            // The last one wins, because later revisions come later in the file.
            objects.insert(number, (offset, generation));
        }
        if objects.len() > 1_000_000 {
            return None;
        }
    }
    let root = root_reference(bytes, &objects)?;
    let size = objects.keys().next_back()?.checked_add(1)?;
    let mut out = bytes.to_vec();
    out.extend_from_slice(b"\n");
    let table = out.len();
    out.extend_from_slice(b"xref\n0 1\n0000000000 65535 f \n");
    for (number, (offset, generation)) in &objects {
        out.extend_from_slice(format!("{number} 1\n{offset:010} {generation:05} n \n").as_bytes());
    }
    out.extend_from_slice(
        format!("trailer\n<< /Size {size} /Root {root} 0 R >>\nstartxref\n{table}\n%%EOF\n").as_bytes(),
    );
    Some(out)
}

/// Reads backwards from `obj`: number, generation and the offset of the number.
fn object_header(bytes: &[u8], obj: usize) -> Option<(u32, u16, usize)> {
    let number_before = |end: usize| {
        let head = bytes.get(..end)?;
        let end = head.iter().rposition(|byte| !is_space(*byte))? + 1;
        let start = head
            .get(..end)?
            .iter()
            .rposition(|byte| !byte.is_ascii_digit())
            .map_or(0, |at| at + 1);
        let digits = std::str::from_utf8(head.get(start..end)?).ok()?;
        Some((digits.parse::<u32>().ok()?, start))
    };
    if bytes.get(obj.checked_sub(1)?).is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let (generation, generation_start) = number_before(obj)?;
    let (number, start) = number_before(generation_start)?;
    (start < generation_start).then_some((number, u16::try_from(generation).ok()?, start))
}

fn root_reference(bytes: &[u8], objects: &BTreeMap<u32, (usize, u16)>) -> Option<u32> {
    let mut root = None;
    let mut from = 0;
    while let Some(at) = bytes.get(from..).and_then(|tail| find(tail, b"/Root")) {
        from += at + 5;
        let digits: String = bytes
            .get(from..)?
            .iter()
            .skip_while(|byte| is_space(**byte))
            .take_while(|byte| byte.is_ascii_digit())
            .map(|byte| char::from(*byte))
            .collect();
        root = digits.parse().ok().or(root);
    }
    root.or_else(|| {
        objects
            .iter()
            .find(|(_, (offset, _))| {
                let window = bytes.get(*offset..bytes.len().min(offset.saturating_add(400)));
                window.is_some_and(|window| find(window, b"/Catalog").is_some())
            })
            .map(|(number, _)| *number)
            .or_else(|| objects.keys().next().copied())
    })
}

/// For a document without a usable page tree: collects all page objects, in order of their number, under a new root.
fn adopt_orphans(document: &mut Document) {
    let pages: Vec<ObjectId> = document
        .objects
        .iter()
        .filter(|(_, object)| object.as_dict().is_ok_and(|dictionary| dictionary.has_type(b"Page")))
        .map(|(id, _)| *id)
        .collect();
    if pages.is_empty() {
        return;
    }
    let mut tree = Dictionary::new();
    tree.set("Type", Object::Name(b"Pages".to_vec()));
    tree.set(
        "Kids",
        Object::Array(pages.into_iter().map(Object::Reference).collect()),
    );
    let tree = document.add_object(tree);
    let mut catalog = Dictionary::new();
    catalog.set("Type", Object::Name(b"Catalog".to_vec()));
    catalog.set("Pages", Object::Reference(tree));
    let catalog = document.add_object(catalog);
    document.trailer.set("Root", Object::Reference(catalog));
}

/// The pages in order, at most `limit`, and the total number (counted up to ten times the limit).
pub(super) fn pages(pdf: &Pdf, limit: usize) -> (Vec<PageEntry>, usize) {
    let mut entries = Vec::new();
    let mut count = 0;
    for id in pdf.document.page_iter().take(limit.saturating_mul(200)) {
        count += 1;
        if entries.len() < limit
            && let Ok(page) = pdf.document.get_dictionary(id)
        {
            entries.push(PageEntry {
                number: u32::try_from(count).unwrap_or(u32::MAX),
                id,
                page_box: page_box(pdf, page),
                rotation: rotation(pdf, page),
            });
        }
    }
    (entries, count)
}

/// An entry of the page or of its closest ancestor that has it.
fn inherited<'a, T>(pdf: &'a Pdf, page: &'a Dictionary, read: impl Fn(&'a Dictionary) -> Option<T>) -> Option<T> {
    let mut node = page;
    for _ in 0..32 {
        if let Some(found) = read(node) {
            return Some(found);
        }
        node = pdf.dictionary(node, b"Parent")?;
    }
    None
}

fn page_box(pdf: &Pdf, page: &Dictionary) -> Rect {
    let media = inherited(pdf, page, |node| pdf.rect(node, b"MediaBox")).unwrap_or(LETTER);
    let crop = inherited(pdf, page, |node| pdf.rect(node, b"CropBox")).map_or(media, |crop| crop.intersect(media));
    let fits = !crop.is_empty() && crop.width() < 20_000.0 && crop.height() < 20_000.0;
    if fits { crop } else { LETTER }
}

fn rotation(pdf: &Pdf, page: &Dictionary) -> i32 {
    let degrees = inherited(pdf, page, |node| pdf.number(node, b"Rotate")).unwrap_or(0.0);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float cast saturates, and only 90, 180 and 270 count"
    )]
    let degrees = degrees as i32;
    degrees
}

/// The resources of a page.
pub(super) fn resources<'a>(pdf: &'a Pdf, page: &'a Dictionary) -> Option<&'a Dictionary> {
    inherited(pdf, page, |node| pdf.dictionary(node, b"Resources"))
}

/// The content of a page: all its streams joined.
pub(super) fn content(pdf: &Pdf, page: &Dictionary) -> Vec<u8> {
    let streams: Vec<&Object> = match pdf.get(page, b"Contents") {
        Some(Object::Array(streams)) => streams.iter().map(|stream| pdf.resolve(stream)).collect(),
        Some(stream) => vec![stream],
        None => Vec::new(),
    };
    let mut content = Vec::new();
    for stream in streams.into_iter().take(10_000) {
        if content.len() > STREAM_LIMIT {
            break;
        }
        if let Some(bytes) = stream.as_stream().ok().and_then(|stream| pdf.unpack(stream)) {
            content.extend_from_slice(&bytes);
            content.push(b'\n');
        }
    }
    content
}

/// Optional content groups that are switched off when the document is opened.
pub(super) fn switched_off(pdf: &Pdf) -> Vec<ObjectId> {
    let properties = pdf
        .document
        .catalog()
        .ok()
        .and_then(|catalog| pdf.dictionary(catalog, b"OCProperties"));
    let Some(properties) = properties else {
        return Vec::new();
    };
    let configuration = pdf.dictionary(properties, b"D");
    let list = |dictionary: Option<&Dictionary>, key: &[u8]| -> Vec<ObjectId> {
        dictionary
            .and_then(|dictionary| pdf.array(dictionary, key))
            .unwrap_or_default()
            .iter()
            .filter_map(|group| group.as_reference().ok())
            .collect()
    };
    let base_off = configuration.and_then(|configuration| pdf.name(configuration, b"BaseState")) == Some(b"OFF");
    let mut off = list(configuration, b"OFF");
    if base_off {
        let on = list(configuration, b"ON");
        off.extend(
            list(Some(properties), b"OCGs")
                .into_iter()
                .filter(|group| !on.contains(group)),
        );
    }
    off
}
