//! Which entry of the reference list names a work.

use std::collections::BTreeSet;

use crate::title::{is_number, numbers, title_similarity};
use crate::{Author, MONTH_NAMES, Reference, Work, title_key};

/// Minimum length in letters of a title that is searched for in an entry without its spaces.
const SOLID_LETTERS: usize = 25;
/// Minimum number of words of a title that identifies a work: alone with the year, and with its author and the year.
const LONG_TITLE: usize = 5;
const SHORT_TITLE: usize = 2;
/// Minimum number of words of a title for the rule that nine in ten of them are enough.
const NEARLY_WORDS: usize = 6;
/// Minimum similarity of two titles of one work. A preprint is often published under another title.
const SIMILAR_TITLE: f64 = 0.7;
/// Minimum number of authors that an entry with a similar title must name.
const AUTHORS_NAMED: usize = 2;
/// Maximum number of years between the reference and the work, because preprints are cited with the year of either version.
const YEARS: u16 = 2;

/// How an entry names a work, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Naming {
    /// By an identifier.
    Identifier,
    /// By its title, with an author and the year.
    TitleAuthorYear,
    /// By its title. Author or year are unknown or different, or a word differs.
    Title,
    /// By a similar title with the same authors. It may be another paper of these authors.
    SimilarTitle,
}

/// The reference list, prepared for lookups.
#[derive(Debug)]
pub struct ReferenceList<'a> {
    entries: Vec<ReferenceEntry<'a>>,
}

impl<'a> ReferenceList<'a> {
    /// Prepares a list.
    #[must_use]
    pub fn new(references: &'a [Reference]) -> Self {
        Self {
            entries: references.iter().map(ReferenceEntry::new).collect(),
        }
    }

    /// The entries in order.
    #[must_use]
    pub fn entries(&self) -> &[ReferenceEntry<'a>] {
        &self.entries
    }

    /// The number of the reference that names `work` best, and how.
    #[must_use]
    pub fn find(&self, work: &Work) -> Option<(u32, Naming)> {
        let wanted = WantedWork::new(work);
        let named = self
            .entries
            .iter()
            .filter_map(|entry| Some((entry.naming(&wanted)?, entry.reference.number)));
        named.min().map(|(naming, number)| (number, naming))
    }

    /// The number of the reference that names `work`.
    #[must_use]
    pub fn number(&self, work: &Work) -> Option<u32> {
        self.find(work).map(|(number, _)| number)
    }

    /// Whether a reference names `work` by its own title or identifier.
    #[must_use]
    pub fn certainly_names(&self, work: &Work) -> bool {
        self.find(work).is_some_and(|(_, naming)| naming < Naming::SimilarTitle)
    }
}

/// A work, prepared for lookups in many entries.
struct WantedWork<'a> {
    work: &'a Work,
    key: String,
    solid: String,
    words: Vec<String>,
    families: Vec<String>,
}

impl<'a> WantedWork<'a> {
    fn new(work: &'a Work) -> Self {
        let key = title_key(&work.title);
        let families = work.authors.iter().map(family);
        Self {
            work,
            solid: key.replace(' ', ""),
            words: key
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
            families: families.filter(|name| name.chars().count() > 1).collect(),
            key,
        }
    }
}

/// An entry of the reference list, prepared for lookups.
#[derive(Debug)]
pub struct ReferenceEntry<'a> {
    /// The entry as read.
    pub reference: &'a Reference,
    title: Option<String>,
    /// The whole entry as a key, with a space on either side.
    text: String,
    words: BTreeSet<String>,
    /// Letters and digits of the entry without spaces, to match words that a PDF joined or split.
    solid: String,
}

impl<'a> ReferenceEntry<'a> {
    fn new(reference: &'a Reference) -> Self {
        let key = title_key(&reference.text);
        Self {
            reference,
            title: reference
                .title
                .as_deref()
                .map(title_key)
                .filter(|title| !title.is_empty()),
            words: key.split(' ').map(str::to_owned).collect(),
            solid: key.replace(' ', ""),
            text: format!(" {key} "),
        }
    }

    /// How it names `work` by its title. Printed identifiers are not compared, because they may be wrong.
    #[must_use]
    pub fn names_title_of(&self, work: &Work) -> Option<Naming> {
        self.naming_by_title(&WantedWork::new(work))
    }

    fn naming(&self, wanted: &WantedWork<'_>) -> Option<Naming> {
        let by_identifier = self.reference.identifiers.agree(&wanted.work.identifiers);
        by_identifier
            .then_some(Naming::Identifier)
            .or_else(|| self.naming_by_title(wanted))
    }

    fn naming_by_title(&self, wanted: &WantedWork<'_>) -> Option<Naming> {
        if wanted.words.is_empty() {
            return None;
        }
        if self.has_title(wanted) || self.contains_title(wanted) || self.has_nearly_all_words(wanted) {
            let certain = self.has_author(wanted) && self.years_apart(wanted).is_some_and(|apart| apart <= YEARS);
            return Some(if certain {
                Naming::TitleAuthorYear
            } else {
                Naming::Title
            });
        }
        self.has_similar_title(wanted).then_some(Naming::SimilarTitle)
    }

    /// Whether its recognised title is the title of the work.
    fn has_title(&self, wanted: &WantedWork<'_>) -> bool {
        let same = |title: &String| *title == wanted.key || title.replace(' ', "") == wanted.solid;
        self.title.as_ref().is_some_and(same)
            && (self.has_author(wanted)
                || self.has_year(wanted) && (wanted.words.len() >= LONG_TITLE || wanted.families.is_empty()))
    }

    /// Whether the title of the work is in the entry, and not only part of a longer title. A short title must be in the recognised title, because a
    /// venue may have the same name.
    fn contains_title(&self, wanted: &WantedWork<'_>) -> bool {
        let there = self.text.contains(&format!(" {} ", wanted.key))
            || wanted.solid.chars().count() >= SOLID_LETTERS && self.solid.contains(&wanted.solid);
        if !there || self.has_longer_title(wanted) {
            return false;
        }
        if wanted.words.len() > LONG_TITLE {
            return wanted.families.is_empty() || self.has_author(wanted) || self.has_year(wanted);
        }
        let in_title = |title: &String| title.contains(&wanted.key);
        wanted.words.len() >= SHORT_TITLE
            && self.title.as_ref().is_none_or(in_title)
            && self.has_author(wanted)
            && self.has_year(wanted)
    }

    /// Whether the recognised title contains the title of the work and another word. A date after the title is not part of it.
    fn has_longer_title(&self, wanted: &WantedWork<'_>) -> bool {
        let title = self.title.as_ref().map(|title| title.replace(' ', ""));
        let Some((before, after)) = title.as_ref().and_then(|title| title.split_once(&wanted.solid)) else {
            return false;
        };
        let months = MONTH_NAMES.iter().copied();
        let month = months
            .chain(MONTH_NAMES.iter().filter_map(|name| name.get(..3)))
            .find_map(|month| after.strip_prefix(month));
        let date = month.unwrap_or(after);
        let is_year = date.len() == 4 && date.chars().all(|c| c.is_ascii_digit());
        !before.is_empty() || !date.is_empty() && !is_year
    }

    /// Whether nearly all words of a long title are in the entry, with an author and the year. The missing words are no numbers.
    fn has_nearly_all_words(&self, wanted: &WantedWork<'_>) -> bool {
        let words: BTreeSet<&String> = wanted.words.iter().collect();
        let (there, missing): (Vec<&String>, Vec<&String>) =
            words.into_iter().partition(|word| self.words.contains(*word));
        let all = there.len() + missing.len();
        all >= NEARLY_WORDS
            && there.len() * 10 >= all * 9
            && !missing.iter().any(|word| is_number(word))
            && !self.has_longer_title(wanted)
            && self.has_author(wanted)
            && self.has_year(wanted)
    }

    /// Whether its title is similar to that of the work, and the authors and the year are the same.
    fn has_similar_title(&self, wanted: &WantedWork<'_>) -> bool {
        let similar = |title: &String| {
            title.split(' ').count().min(wanted.words.len()) >= LONG_TITLE
                && numbers(title) == numbers(&wanted.key)
                && title_similarity(title, &wanted.key) >= SIMILAR_TITLE
        };
        let mut own = self
            .reference
            .authors
            .iter()
            .filter(|author| author.is_named())
            .map(family);
        self.has_year(wanted)
            && own.all(|name| wanted.families.contains(&name))
            && self.title.as_ref().is_some_and(similar)
            && wanted.families.iter().filter(|name| self.names_author(name)).count() >= AUTHORS_NAMED
    }

    fn has_author(&self, wanted: &WantedWork<'_>) -> bool {
        wanted.families.iter().any(|name| self.names_author(name))
    }

    fn names_author(&self, name: &str) -> bool {
        self.text.contains(&format!(" {name} ")) || name.len() > 4 && self.solid.contains(&name.replace(' ', ""))
    }

    /// Whether the years are close or one is unknown.
    fn has_year(&self, wanted: &WantedWork<'_>) -> bool {
        self.years_apart(wanted).is_none_or(|apart| apart <= YEARS)
    }

    fn years_apart(&self, wanted: &WantedWork<'_>) -> Option<u16> {
        let year = self.reference.year?;
        let dates = wanted.work.dates.iter();
        dates.map(|dated| dated.date.year().abs_diff(year)).min()
    }
}

fn family(author: &Author) -> String {
    title_key(author.family_name())
}

#[cfg(test)]
mod tests;
