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
    /// What speaks against it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
}

/// What speaks against a work.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Doubt {
    /// It was retracted. What it says was said all the same, and a report says that it was retracted.
    Retracted {
        /// Names of the sources that have it so.
        by: Vec<String>,
    },
    /// Records that agree on an identifier disagree on what it names. Such a work takes no claim's novelty away by itself.
    Disputed {
        /// `title`, `authors`, `year`.
        on: Vec<String>,
        /// Names of the sources.
        between: Vec<String>,
    },
    /// Sources disagree on whether it appeared before the paper, and no two of them agree that it did. It does not count as earlier.
    Date {
        /// Names of the sources that date it before the paper.
        earlier: Vec<String>,
        /// Names of the sources that date it later than those.
        later: Vec<String>,
    },
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

    /// Whether it was retracted.
    #[must_use]
    pub fn is_retracted(&self) -> bool {
        self.doubts.iter().any(|doubt| matches!(doubt, Doubt::Retracted { .. }))
    }

    /// Whether sources disagree on what it is.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        self.doubts.iter().any(|doubt| matches!(doubt, Doubt::Disputed { .. }))
    }

    /// Takes over what speaks against another record of it.
    pub fn doubt_with(&mut self, other: Vec<Doubt>) {
        for doubt in other {
            match doubt {
                Doubt::Retracted { by } => match self.doubts.iter_mut().find_map(retracted_by) {
                    Some(known) => join(known, by),
                    None => self.doubts.push(Doubt::Retracted { by }),
                },
                Doubt::Disputed { on, between } => match self.doubts.iter_mut().find_map(disputed_on) {
                    Some((known, sources)) => {
                        join(known, on);
                        join(sources, between);
                    }
                    None => self.doubts.push(Doubt::Disputed { on, between }),
                },
                Doubt::Date { earlier, later } => match self.doubts.iter_mut().find_map(dated_by) {
                    Some((known, others)) => {
                        join(known, earlier);
                        join(others, later);
                    }
                    None => self.doubts.push(Doubt::Date { earlier, later }),
                },
            }
        }
        self.doubts.sort();
    }

    /// The year of [`Work::earliest`].
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        self.earliest().map(|dated| dated.date.year())
    }
}

fn retracted_by(doubt: &mut Doubt) -> Option<&mut Vec<String>> {
    match doubt {
        Doubt::Retracted { by } => Some(by),
        Doubt::Disputed { .. } | Doubt::Date { .. } => None,
    }
}

fn disputed_on(doubt: &mut Doubt) -> Option<(&mut Vec<String>, &mut Vec<String>)> {
    match doubt {
        Doubt::Disputed { on, between } => Some((on, between)),
        Doubt::Retracted { .. } | Doubt::Date { .. } => None,
    }
}

fn dated_by(doubt: &mut Doubt) -> Option<(&mut Vec<String>, &mut Vec<String>)> {
    match doubt {
        Doubt::Date { earlier, later } => Some((earlier, later)),
        Doubt::Retracted { .. } | Doubt::Disputed { .. } => None,
    }
}

fn join(known: &mut Vec<String>, more: Vec<String>) {
    known.extend(more);
    known.sort();
    known.dedup();
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
            doubts: Vec::new(),
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
