//! Metadata of the file. It is often wrong: a placeholder title, or the date of the file instead of the paper.

use lopdf::Object;
use precedent_domain::{DateOrigin, Doi, PartialDate, PublicationDate};
use precedent_text::pattern;

use super::objects::Pdf;
use super::xmp;

/// Title, authors and dates from the file's metadata.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    /// The DOI from the publisher's metadata.
    pub(super) doi: Option<Doi>,
    pub(super) dates: Vec<PublicationDate>,
}

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

/// Folds white space. Returns `None` for values that are empty or too long.
pub(super) fn clean(text: &str) -> Option<String> {
    let text = precedent_text::one_line(text);
    (!text.is_empty() && text.len() < 2_000).then_some(text)
}

/// `D:20240517093000+02'00'`.
pub(super) fn file_date(text: &str) -> Option<PublicationDate> {
    let found = pattern!(r"^(?:D:)?\s?(\d{4})-?(\d{2})?-?(\d{2})?").captures(text)?;
    let part = |at: usize| found.get(at).map(|part| part.as_str());
    let year: u16 = part(1)?.parse().ok()?;
    // Clocks that were never set show 1970 or 1904.
    if !(1985..=2999).contains(&year) {
        return None;
    }
    let month = part(2).and_then(|month| month.parse().ok());
    let day = part(3).and_then(|day| day.parse().ok());
    let date = PartialDate::new(year, month, day)
        .or_else(|_| PartialDate::new(year, month, None))
        .or_else(|_| PartialDate::new(year, None, None))
        .ok()?;
    Some(PublicationDate {
        date,
        origin: DateOrigin::FileMetadata,
    })
}
