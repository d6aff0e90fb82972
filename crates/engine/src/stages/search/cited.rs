//! Which entry of the reference list names a work.

use std::collections::BTreeSet;

use precedent_domain::{Paper, Reference, Work, title_key};

/// The reference list, prepared for lookups.
#[derive(Debug)]
pub(crate) struct Cited<'a> {
    entries: Vec<Entry<'a>>,
}

#[derive(Debug)]
struct Entry<'a> {
    reference: &'a Reference,
    title: Option<String>,
    /// The whole entry as a key, with a space on either side.
    text: String,
    words: BTreeSet<String>,
    /// Letters and digits of the entry without spaces, to match words that a PDF joined or split.
    solid: String,
}

/// For a record with a longer title than the reference: minimum number of different words in the reference's title, maximum number of words added,
/// and minimum number of authors that the reference must name.
const RETITLED_WORDS: usize = 5;
const WORDS_ADDED: usize = 4;
const AUTHORS_NAMED: usize = 2;

impl<'a> Cited<'a> {
    pub(crate) fn new(paper: &'a Paper) -> Self {
        let entries = paper.references.iter().map(|reference| {
            let key = title_key(&reference.text);
            Entry {
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
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// The number of the reference that names `work`: by identifier, by title, by a title within the entry, by nearly all words of a title
    /// with a matching author and year, or by a shorter title with matching authors.
    pub(crate) fn number(&self, work: &Work) -> Option<u32> {
        self.find(work).map(|(number, _)| number)
    }

    /// Whether a reference names `work` with its own title or identifier. A longer title may be that of a later paper by the same authors.
    pub(crate) fn certainly_names(&self, work: &Work) -> bool {
        self.find(work).is_some_and(|(_, certain)| certain)
    }

    fn find(&self, work: &Work) -> Option<(u32, bool)> {
        let by_id = self
            .entries
            .iter()
            .find(|entry| entry.reference.identifiers.agree(&work.identifiers));
        if let Some(entry) = by_id {
            return Some((entry.reference.number, true));
        }
        let key = title_key(&work.title);
        let length = key.split(' ').filter(|word| !word.is_empty()).count();
        if length == 0 {
            return None;
        }
        let families: Vec<String> = work
            .authors
            .iter()
            .map(|author| title_key(author.family_name()))
            .filter(|name| name.chars().count() > 1)
            .collect();
        let names = |entry: &Entry<'_>, name: &String| {
            entry.text.contains(&format!(" {name} ")) || name.len() > 4 && entry.solid.contains(&name.replace(' ', ""))
        };
        let named = |entry: &Entry<'_>| families.iter().any(|name| names(entry, name));
        let author_fits = |entry: &Entry<'_>| families.is_empty() || named(entry);
        let year_fits = |entry: &Entry<'_>| match (entry.reference.year, work.dates.is_empty()) {
            (Some(year), false) => work.dates.iter().any(|dated| dated.date.year().abs_diff(year) <= 2),
            _ => true,
        };
        let same_title = |entry: &&Entry<'_>| {
            entry.title.as_deref() == Some(key.as_str())
                && (named(entry) || year_fits(entry) && (length >= 5 || author_fits(entry)))
        };
        let solid = key.replace(' ', "");
        let stands = |entry: &&Entry<'_>| {
            let there =
                entry.text.contains(&format!(" {key} ")) || solid.chars().count() >= 25 && entry.solid.contains(&solid);
            there
                && if length >= 6 {
                    author_fits(entry) || year_fits(entry)
                } else {
                    length >= 2 && !families.is_empty() && named(entry) && year_fits(entry)
                }
        };
        let nearly = |entry: &&Entry<'_>| {
            let words: BTreeSet<&str> = key.split(' ').collect();
            let there = words.iter().filter(|word| entry.words.contains(**word)).count();
            words.len() >= 6
                && there * 10 >= words.len() * 9
                && !families.is_empty()
                && named(entry)
                && year_fits(entry)
        };
        // A preprint is published under a longer title: `A Framework of Agents` becomes `A Learning Framework of Agents`.
        let words: Vec<&str> = key.split(' ').collect();
        let retitled = |entry: &&Entry<'_>| {
            let own: Vec<&str> = entry.title.as_deref().unwrap_or_default().split(' ').collect();
            let mut rest = words.iter();
            own.len() >= RETITLED_WORDS
                && words.len() <= own.len() + WORDS_ADDED
                && own.iter().all(|word| rest.any(|other| other == word))
                && year_fits(entry)
                && families
                    .iter()
                    .filter(|name| names(entry, name))
                    .take(AUTHORS_NAMED)
                    .count()
                    == AUTHORS_NAMED
        };
        let certain = self
            .entries
            .iter()
            .find(same_title)
            .or_else(|| self.entries.iter().find(stands))
            .or_else(|| self.entries.iter().find(nearly));
        if let Some(entry) = certain {
            return Some((entry.reference.number, true));
        }
        let entry = self.entries.iter().find(retitled)?;
        Some((entry.reference.number, false))
    }
}
