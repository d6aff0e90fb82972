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

    /// The number of the reference that names `work`: by identifier, by title, by a title within the entry, or by nearly all words of a title
    /// with a matching author and year.
    pub(crate) fn number(&self, work: &Work) -> Option<u32> {
        let by_id = self
            .entries
            .iter()
            .find(|entry| entry.reference.identifiers.agree(&work.identifiers));
        if let Some(entry) = by_id {
            return Some(entry.reference.number);
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
        let named = |entry: &Entry<'_>| {
            families.iter().any(|name| {
                entry.text.contains(&format!(" {name} "))
                    || name.len() > 4 && entry.solid.contains(&name.replace(' ', ""))
            })
        };
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
        let found = self
            .entries
            .iter()
            .find(same_title)
            .or_else(|| self.entries.iter().find(stands))
            .or_else(|| self.entries.iter().find(nearly));
        found.map(|entry| entry.reference.number)
    }
}
