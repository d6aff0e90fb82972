//! Metadata of the file. It is often wrong: a placeholder title, or the date of the file instead of the paper.

use lopdf::Object;

use super::metadata_fields::{Metadata, clean, file_date};
use super::objects::Pdf;
use super::xmp;

/// Reads the file's metadata: `Info` first, then XMP. Publishers maintain XMP with more care, word processors with less.
pub(super) fn metadata(pdf: &Pdf) -> Metadata {
    let mut metadata = info(pdf).unwrap_or_default();
    let record = pdf
        .document
        .catalog()
        .ok()
        .and_then(|catalog| pdf.stream(catalog, b"Metadata"))
        .and_then(|stream| pdf.unpack(stream))
        .map(|packet| xmp::read(&packet));
    if let Some(record) = record {
        metadata.title = metadata.title.or(record.title);
        metadata.author = metadata.author.or(record.author);
        metadata.doi = record.doi;
        for date in record.dates {
            if !metadata.dates.contains(&date) {
                metadata.dates.push(date);
            }
        }
    }
    metadata
}

fn info(pdf: &Pdf) -> Option<Metadata> {
    let info = pdf.dictionary(&pdf.document.trailer, b"Info")?;
    let text = |key: &[u8]| {
        let object = pdf.get(info, key)?;
        let Object::String(..) = object else { return None };
        clean(&lopdf::decode_text_string(object).ok()?)
    };
    Some(Metadata {
        title: text(b"Title"),
        author: text(b"Author"),
        doi: None,
        dates: text(b"CreationDate")
            .and_then(|date| file_date(&date))
            .into_iter()
            .collect(),
    })
}
