//! What the file says of itself, which is often wrong: a title for want of a better one, the date it was made.

use lopdf::Object;
use precedent_domain::{DateOrigin, PartialDate, PublicationDate};

use super::objects::Pdf;
use crate::pattern::pattern;

/// Title, authors and dates of the file's own record.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) dates: Vec<PublicationDate>,
}

pub(super) fn metadata(pdf: &Pdf) -> Metadata {
    let Some(info) = pdf.dictionary(&pdf.document.trailer, b"Info") else {
        return Metadata::default();
    };
    let text = |key: &[u8]| {
        let object = pdf.get(info, key)?;
        let Object::String(..) = object else { return None };
        let text = lopdf::decode_text_string(object).ok()?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty() && text.len() < 2_000).then_some(text)
    };
    Metadata {
        title: text(b"Title"),
        author: text(b"Author"),
        dates: text(b"CreationDate")
            .and_then(|date| file_date(&date))
            .into_iter()
            .collect(),
    }
}

/// `D:20240517093000+02'00'`.
fn file_date(text: &str) -> Option<PublicationDate> {
    let found = pattern!(r"^(?:D:)?\s?(\d{4})-?(\d{2})?-?(\d{2})?").captures(text)?;
    let part = |at: usize| found.get(at).map(|part| part.as_str());
    let year: u16 = part(1)?.parse().ok()?;
    // Clocks that were never set say 1970 or 1904.
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
