use precedent_domain::PartialDate;
use rustc_hash::FxHashSet;
use tantivy::columnar::StrColumn;

use super::SearchOptions;
use crate::CorpusError;
use crate::store::{Fields, Segment};

/// Selects the index documents that may be results.
pub(super) struct Filter<'a> {
    segment: &'a Segment,
    last_day: Option<u64>,
    excluded: FxHashSet<u32>,
    venues: Option<FxHashSet<u64>>,
    studies: Option<FxHashSet<u64>>,
}

impl<'a> Filter<'a> {
    pub(super) fn new(
        segment: &'a Segment,
        fields: &Fields,
        options: &SearchOptions,
        excluded: &FxHashSet<&str>,
    ) -> Result<Self, CorpusError> {
        let mut docs = FxHashSet::default();
        for id in excluded {
            docs.extend(segment.find(fields.id, id).map_err(CorpusError::index("search"))?);
        }
        Ok(Self {
            segment,
            last_day: options.as_of.map(last_day),
            excluded: docs,
            venues: options
                .venue
                .as_deref()
                .map(|venue| ords(segment.venues.as_ref(), venue))
                .transpose()?,
            studies: options
                .field
                .as_deref()
                .map(|field| ords(segment.studies.as_ref(), field))
                .transpose()?,
        })
    }

    pub(super) fn admits(&self, doc: u32) -> bool {
        let segment = self.segment;
        segment.nth.get_val(doc) == 0
            && !segment.reader.is_deleted(doc)
            && self.last_day.is_none_or(|last| segment.first_day.get_val(doc) <= last)
            && !self.excluded.contains(&doc)
            && has_one_of(segment.venues.as_ref(), doc, self.venues.as_ref())
            && has_one_of(segment.studies.as_ref(), doc, self.studies.as_ref())
    }
}

fn last_day(date: PartialDate) -> u64 {
    let (year, month, day) = date.last_day();
    u64::from(year) * 10_000 + u64::from(month) * 100 + u64::from(day)
}

/// Whether the column of a work has one of the wanted names; always true if none are wanted.
fn has_one_of(column: Option<&StrColumn>, doc: u32, wanted: Option<&FxHashSet<u64>>) -> bool {
    wanted.is_none_or(|wanted| {
        column.is_some_and(|column| column.ords().values_for_doc(doc).any(|ord| wanted.contains(&ord)))
    })
}

/// The names of a column that contain `words`, ignoring case.
fn ords(column: Option<&StrColumn>, words: &str) -> Result<FxHashSet<u64>, CorpusError> {
    let wanted = words.trim().to_lowercase();
    let mut ords = FxHashSet::default();
    let Some(column) = column else {
        return Ok(ords);
    };
    let mut names = column.dictionary().stream().map_err(CorpusError::index("read"))?;
    let mut ord = 0;
    while names.advance() {
        if String::from_utf8_lossy(names.key()).to_lowercase().contains(&wanted) {
            ords.insert(ord);
        }
        ord += 1;
    }
    Ok(ords)
}
