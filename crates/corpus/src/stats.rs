use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tantivy::columnar::StrColumn;

use crate::CorpusError;
use crate::store::{ImportEntry, Segment, Snapshot};

/// Maximum number of venues and of fields listed.
const TOP: usize = 20;

/// Statistics of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusStats {
    /// Number of works.
    pub works: u64,
    /// Works with an abstract or a full text.
    pub with_abstract: u64,
    /// Works with full text.
    pub with_full_text: u64,
    /// Searchable passages of the full texts.
    pub passages: u64,
    /// Works with a date of any precision.
    pub dated: u64,
    /// Works dated to the day.
    pub dated_to_day: u64,
    /// Works dated to the month.
    pub dated_to_month: u64,
    /// Works by the year of their earliest date, oldest first.
    pub years: Vec<YearCount>,
    /// The most frequent venues, most frequent first, ties by name.
    pub venues: Vec<VenueCount>,
    /// Number of distinct venues.
    pub venue_count: u64,
    /// The most frequent fields of study, most frequent first, ties by name. A work may have several.
    pub fields: Vec<FieldCount>,
    /// Number of distinct fields of study.
    pub field_count: u64,
    /// The imports, in order.
    pub imports: Vec<ImportEntry>,
    /// Rejected items of these imports.
    pub rejected: u64,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// The identifier of this state ([`crate::Corpus::revision`]).
    pub revision: String,
}

/// Works of one year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct YearCount {
    /// The year.
    pub year: u16,
    /// Works.
    pub works: u64,
}

/// Works of one venue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VenueCount {
    /// The venue as printed.
    pub venue: String,
    /// Works.
    pub works: u64,
}

/// Works of one field of study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldCount {
    /// The field as named in the records.
    pub field: String,
    /// Works.
    pub works: u64,
}

impl CorpusStats {
    pub(crate) fn of(snapshot: &Snapshot) -> Result<Self, CorpusError> {
        let mut stats = Self {
            works: snapshot.works,
            passages: snapshot.passages,
            ..Self::default()
        };
        let mut years: BTreeMap<u16, u64> = BTreeMap::new();
        let mut venues = BTreeMap::new();
        let mut fields = BTreeMap::new();
        for segment in &snapshot.segments {
            for doc in segment.works() {
                let extent = segment.extent.get_val(doc);
                stats.with_abstract += u64::from(extent >= 1);
                stats.with_full_text += u64::from(extent == 2);
                let granularity = segment.granularity.get_val(doc);
                stats.dated += u64::from(granularity >= 1);
                stats.dated_to_month += u64::from(granularity == 2);
                stats.dated_to_day += u64::from(granularity == 3);
                if let Some(year) = segment.year(doc) {
                    *years.entry(year).or_default() += 1;
                }
            }
            count(segment, segment.venues.as_ref(), &mut venues)?;
            count(segment, segment.studies.as_ref(), &mut fields)?;
        }
        stats.years = years
            .into_iter()
            .map(|(year, works)| YearCount { year, works })
            .collect();
        stats.venue_count = venues.len() as u64;
        stats.venues = top(venues, |venue, works| VenueCount { venue, works });
        stats.field_count = fields.len() as u64;
        stats.fields = top(fields, |field, works| FieldCount { field, works });
        Ok(stats)
    }
}

/// Adds the number of works for each name in a column.
fn count(segment: &Segment, column: Option<&StrColumn>, names: &mut BTreeMap<String, u64>) -> Result<(), CorpusError> {
    let Some(column) = column else { return Ok(()) };
    let mut by_ord: BTreeMap<u64, u64> = BTreeMap::new();
    for doc in segment.works() {
        for ord in column.ords().values_for_doc(doc) {
            *by_ord.entry(ord).or_default() += 1;
        }
    }
    for (ord, works) in by_ord {
        let mut name = String::new();
        column.ord_to_str(ord, &mut name).map_err(CorpusError::index("read"))?;
        *names.entry(name).or_default() += works;
    }
    Ok(())
}

/// The most frequent names, ties by name.
fn top<T>(names: BTreeMap<String, u64>, listed: impl Fn(String, u64) -> T) -> Vec<T> {
    let mut names: Vec<(String, u64)> = names.into_iter().collect();
    // The sort is stable, so ties stay in the order of the map, which is by name.
    names.sort_by_key(|&(_, works)| std::cmp::Reverse(works));
    names.truncate(TOP);
    names.into_iter().map(|(name, works)| listed(name, works)).collect()
}
