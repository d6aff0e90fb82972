use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::CorpusError;
use crate::store::Snapshot;

/// Venues listed.
const TOP_VENUES: usize = 20;

/// What a corpus holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusStats {
    /// Works.
    pub works: u64,
    /// Works with an abstract or a full text.
    pub with_abstract: u64,
    /// Works with full text.
    pub with_full_text: u64,
    /// Passages that the full texts are searched by.
    pub passages: u64,
    /// Works with a date of any kind.
    pub dated: u64,
    /// Works dated to the day.
    pub dated_to_day: u64,
    /// Works dated to the month.
    pub dated_to_month: u64,
    /// Works by the year of their earliest date, oldest first.
    pub years: Vec<YearCount>,
    /// The most frequent venues, most frequent first; of equal ones by name.
    pub venues: Vec<VenueCount>,
    /// Number of different venues.
    pub venue_count: u64,
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
    /// As printed.
    pub venue: String,
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
        let mut venues: BTreeMap<String, u64> = BTreeMap::new();
        for segment in &snapshot.segments {
            let mut by_venue: BTreeMap<u64, u64> = BTreeMap::new();
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
                if let Some(ord) = segment.venues.as_ref().and_then(|venues| venues.ords().first(doc)) {
                    *by_venue.entry(ord).or_default() += 1;
                }
            }
            if let Some(column) = &segment.venues {
                for (ord, works) in by_venue {
                    let mut name = String::new();
                    column.ord_to_str(ord, &mut name).map_err(CorpusError::index("read"))?;
                    *venues.entry(name).or_default() += works;
                }
            }
        }
        stats.years = years
            .into_iter()
            .map(|(year, works)| YearCount { year, works })
            .collect();
        stats.venue_count = venues.len() as u64;
        stats.venues = venues
            .into_iter()
            .map(|(venue, works)| VenueCount { venue, works })
            .collect();
        stats
            .venues
            .sort_by(|a, b| b.works.cmp(&a.works).then_with(|| a.venue.cmp(&b.venue)));
        stats.venues.truncate(TOP_VENUES);
        Ok(stats)
    }
}
