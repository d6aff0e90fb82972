use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Extent, Identifiers, PublicationDate, WorkId};

/// A person as printed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Author {
    /// The full name in reading order: `Donald E. Knuth`.
    pub name: String,
}

impl Author {
    /// An author of this name; white space is folded.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    /// The family name as far as the printed form tells: before a comma, else the last word that is no suffix.
    #[must_use]
    pub fn family_name(&self) -> &str {
        if let Some((family, _)) = self.name.split_once(',') {
            return family.trim();
        }
        let is_suffix = |word: &str| matches!(word.trim_end_matches('.'), "Jr" | "Sr" | "II" | "III" | "IV");
        self.name
            .split_whitespace()
            .rev()
            .find(|word| !is_suffix(word))
            .unwrap_or(&self.name)
    }
}

/// A piece of prior work as the records know it. Several records of one work are merged into one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// Id inside the corpus or source that gave it.
    pub id: WorkId,
    /// Title.
    pub title: String,
    /// Abstract.
    #[serde(default, rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Authors in order.
    #[serde(default)]
    pub authors: Vec<Author>,
    /// Where it appeared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub venue: Option<String>,
    /// Every date any record gives. The earliest public one counts.
    #[serde(default)]
    pub dates: Vec<PublicationDate>,
    /// Identifiers.
    #[serde(default)]
    pub identifiers: Identifiers,
    /// Where a reader can open it: `http` or `https` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How much of its text is at hand.
    pub extent: Extent,
    /// Ids of the other records merged into this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<WorkId>,
}

impl Work {
    /// The earliest date of the work: the one by whose end it was surely public, for a bare year says nothing against a day within it. Among
    /// dates that end on the same day the finer one.
    #[must_use]
    pub fn earliest(&self) -> Option<&PublicationDate> {
        self.dates.iter().min_by(|a, b| {
            let by_end = a.date.last_day().cmp(&b.date.last_day());
            by_end.then(b.date.first_day().cmp(&a.date.first_day()))
        })
    }

    /// The year of [`Work::earliest`].
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        self.earliest().map(|dated| dated.date.year())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DateOrigin, Identifiers};

    #[test]
    fn a_bare_year_says_nothing_against_a_day_within_it() {
        let work = |dates: &[&str]| Work {
            id: "w".parse().unwrap(),
            title: "T".into(),
            summary: None,
            authors: Vec::new(),
            venue: None,
            dates: dates
                .iter()
                .map(|date| PublicationDate {
                    date: date.parse().unwrap(),
                    origin: DateOrigin::Record("test".into()),
                })
                .collect(),
            identifiers: Identifiers::default(),
            url: None,
            extent: Extent::TitleOnly,
            also: Vec::new(),
        };
        for (dates, earliest) in [
            (&["2017", "2017-06-12"][..], "2017-06-12"),
            (&["2018-01-05", "2017"], "2017"),
            (&["2017-06", "2017-06-30"], "2017-06-30"),
            (&["2018", "2017-06-12", "2017-06"], "2017-06-12"),
        ] {
            assert_eq!(work(dates).earliest().unwrap().date.to_string(), earliest, "{dates:?}");
        }
        assert!(work(&[]).earliest().is_none());
    }
}
