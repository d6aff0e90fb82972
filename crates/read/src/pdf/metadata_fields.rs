//! The fields of a file's metadata.

use precedent_domain::{DateOrigin, Doi, PartialDate, PublicationDate};
use precedent_text::pattern;

/// Title, authors and dates from the file's metadata.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    /// The DOI from the publisher's metadata.
    pub(super) doi: Option<Doi>,
    pub(super) dates: Vec<PublicationDate>,
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
