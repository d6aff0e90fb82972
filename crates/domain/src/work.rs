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
            name: precedent_text::one_line(name),
        }
    }

    /// The family name, derived from the printed form: the part before a comma, otherwise the last word that is not a suffix.
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

/// A piece of prior work as its records describe it. Several records of the same work are merged into one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// The id in the corpus or source that returned it.
    pub id: WorkId,
    /// Title.
    pub title: String,
    /// Abstract.
    #[serde(default, rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Authors in order.
    #[serde(default)]
    pub authors: Vec<Author>,
    /// The venue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub venue: Option<String>,
    /// Every date of any record. The earliest public one counts.
    #[serde(default)]
    pub dates: Vec<PublicationDate>,
    /// Identifiers.
    #[serde(default)]
    pub identifiers: Identifiers,
    /// Where to open it: `http` or `https` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How much of its text is available.
    pub extent: Extent,
    /// How many works cite it, as the record that counts most says. A report shows it; nothing is ranked by it, except in a review as
    /// published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cited_by: Option<u32>,
    /// How many people marked a repository with a star, as its record says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stars: Option<u32>,
    /// Ids of the other records merged into this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<WorkId>,
    /// Reasons not to trust the record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
}

/// A reason not to trust a work's record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Doubt {
    /// It was retracted. It still counts as published, and a report says that it was retracted.
    Retracted {
        /// Names of the sources that report the retraction.
        by: Vec<String>,
    },
    /// Records with the same identifier disagree on what it names. Such a work does not count as prior art by itself.
    Disputed {
        /// `title`, `authors`, `year`.
        on: Vec<String>,
        /// Names of the sources.
        between: Vec<String>,
    },
    /// Sources disagree on whether it appeared before the paper, and no two agree that it did. It does not count as earlier.
    Date {
        /// Names of the sources that date it before the paper.
        earlier: Vec<String>,
        /// Names of the sources that date it later.
        later: Vec<String>,
    },
}

impl Work {
    /// A record with only an id and a title.
    #[must_use]
    pub fn titled(id: WorkId, title: String) -> Self {
        Self {
            id,
            title,
            summary: None,
            authors: Vec::new(),
            venue: None,
            dates: Vec::new(),
            identifiers: Identifiers::default(),
            url: None,
            extent: Extent::TitleOnly,
            cited_by: None,
            stars: None,
            also: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// The earliest date by last possible day, when the work was certainly public: a bare year does not contradict a day within it. Among dates with
    /// the same last day, the finer one is returned.
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

    /// Adds the doubts of another record of the same work.
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
    use crate::DateOrigin;

    #[test]
    fn a_bare_year_does_not_contradict_a_day_within_it() {
        let work = |dates: &[&str]| Work {
            dates: dates
                .iter()
                .map(|date| PublicationDate {
                    date: date.parse().unwrap(),
                    origin: DateOrigin::Record("test".into()),
                })
                .collect(),
            ..Work::titled("w".parse().unwrap(), "T".into())
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
