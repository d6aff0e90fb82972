use std::collections::BTreeMap;

use precedent_domain::is_vague_name;
use rayon::prelude::*;

use super::kinds::WordKind;
use super::lists::{INSTITUTIONS, MEASURES, is_listed};
use super::nouns::{HYPHENS, Tagging, is_gap, is_noun_phrase};
use super::short_text::ShortText;
use super::vocabulary::{TermId, Word};
use crate::wording::{holds_finite_verb, is_evaluative};

/// A noun phrase of one to four words that papers of the set share, or that is in a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// Its stems.
    pub terms: Vec<TermId>,
    /// The most frequent printed form inside a sentence.
    pub surface: String,
    /// Indices of the papers that have it, ascending.
    pub works: Vec<usize>,
    /// Indices of the papers that have it in the title, ascending.
    pub in_titles: Vec<usize>,
    /// Number of its content words.
    pub substance: usize,
    /// Whether it is a proper name: all its words are written as names.
    pub is_name: bool,
    /// Whether its words contain a finite verb when read alone. Such a phrase is not used as a name.
    pub holds_verb: bool,
}

impl Phrase {
    /// Whether it can name a group of papers: no code of letters and digits, no institution or venue, no vague word.
    #[must_use]
    pub fn names_a_group(&self) -> bool {
        let lower = self.surface.to_lowercase();
        let of_a_house = lower.split([' ', '-']).any(|word| is_listed(&INSTITUTIONS, word));
        let named =
            self.substance > 0 && lower.chars().any(char::is_alphabetic) && !lower.contains(['\\', '$', '{', '_']);
        // `THE FINITE STRING`: a heading or the title of something.
        let shouts = self.surface.contains(' ') && !self.surface.chars().any(char::is_lowercase);
        named && !shouts && !self.holds_verb && !of_a_house && !self.is_code() && !is_vague_name(&lower)
    }

    /// Whether the paper at this index has it.
    #[must_use]
    pub fn appears_in(&self, work: usize) -> bool {
        self.works.binary_search(&work).is_ok()
    }

    /// Whether it is a name with digits: `GPT-4o`, `72B`. Such names change every year.
    #[must_use]
    pub fn is_code(&self) -> bool {
        !self.surface.contains(' ') && self.surface.contains(|c: char| c.is_ascii_digit())
    }

    /// Whether the two share a stem.
    #[must_use]
    pub fn touches(&self, terms: &[TermId]) -> bool {
        self.terms.iter().any(|term| terms.contains(term))
    }
}

/// The noun phrases of a set of papers, ordered by surface.
#[derive(Debug, Clone, Default)]
pub struct PhraseTable {
    phrases: Vec<Phrase>,
}

#[derive(Default)]
struct Gathered {
    surfaces: BTreeMap<String, usize>,
    title_surfaces: BTreeMap<String, usize>,
    works: Vec<usize>,
    in_titles: Vec<usize>,
    substance: usize,
    occurrences: usize,
    /// Number of occurrences that are not a noun phrase.
    refused: usize,
    /// Number of occurrences with all words written as names.
    as_name: usize,
    /// Whether its first word is only praise or a measure: `large`, `severe`.
    opens_with_measure: bool,
    /// Number of occurrences followed by another noun, so that the phrase is only the start of a longer one.
    running_on: usize,
    /// How often each content word precedes it.
    before: BTreeMap<TermId, usize>,
}

impl PhraseTable {
    /// The phrases of `texts`. A phrase of only one paper is kept if it is in the title.
    #[must_use]
    pub fn of(texts: &[ShortText<'_>]) -> Self {
        let tagged: Vec<Tagging> = texts.par_iter().map(Tagging::of).collect();
        let mut gathered: BTreeMap<Vec<TermId>, Gathered> = BTreeMap::new();
        for (text, tagging) in texts.iter().zip(&tagged) {
            for length in 1..=LONGEST_PHRASE {
                for (start, words) in text.words.windows(length).enumerate() {
                    let Some(fits) = is_noun_phrase(text, tagging, start, words) else {
                        continue;
                    };
                    let entry = gathered
                        .entry(words.iter().map(|word| word.term).collect())
                        .or_default();
                    if fits {
                        entry.note(text, tagging, start, words);
                    } else {
                        entry.refused += 1;
                    }
                }
            }
        }
        let occurrences: BTreeMap<Vec<TermId>, usize> = gathered
            .iter()
            .filter(|(terms, _)| terms.len() < LONGEST_PHRASE)
            .map(|(terms, one)| (terms.clone(), one.occurrences))
            .collect();
        let mut phrases: Vec<Phrase> = gathered
            .into_iter()
            .filter(|(terms, one)| {
                // `large language models` is a set phrase. `severe data heterogeneity` is not, because the rest occurs without the first word too.
                let rest = terms
                    .get(1..)
                    .and_then(|rest| occurrences.get(rest))
                    .copied()
                    .unwrap_or(0);
                !one.opens_with_measure || (one.occurrences >= SET_PHRASE && one.occurrences * 2 >= rest)
            })
            .filter_map(|(terms, one)| one.into_phrase(terms))
            .collect();
        phrases.sort_by(|a, b| a.surface.cmp(&b.surface).then_with(|| a.terms.cmp(&b.terms)));
        Self { phrases }
    }

    /// All phrases, by surface.
    pub fn iter(&self) -> impl Iterator<Item = &Phrase> {
        self.phrases.iter()
    }
}

const LONGEST_PHRASE: usize = 4;
/// Minimum number of occurrences for a measuring word to belong to its phrase.
const SET_PHRASE: usize = 4;

impl Gathered {
    fn note(&mut self, text: &ShortText<'_>, tagging: &Tagging, start: usize, words: &[Word]) {
        self.occurrences += 1;
        self.as_name += usize::from(words.len() > 1 && !text.is_title && tagging.is_name(start, words.len()));
        self.opens_with_measure = words.len() > 1
            && tagging.is_adjective(start)
            && words.first().is_some_and(|word| {
                let form = word.span.slice(text.text).unwrap_or_default().to_lowercase();
                let hyphenated = text
                    .text
                    .get(word.span.end..)
                    .is_some_and(|rest| rest.starts_with(HYPHENS));
                !hyphenated && (word.kind == WordKind::Generic || is_evaluative(&form) || is_listed(&MEASURES, &form))
            });
        let neighbour = |a: Option<&Word>, b: Option<&Word>| match (a, b) {
            (Some(a), Some(b)) => text.text.get(a.span.end..b.span.start).is_some_and(is_gap),
            _ => false,
        };
        let end = start + words.len();
        if tagging.runs_on(end) && neighbour(words.last(), text.words.get(end)) {
            self.running_on += 1;
        }
        let last = start.checked_sub(1).and_then(|before| text.words.get(before));
        let counts = |word: &&Word| {
            matches!(word.kind, WordKind::Substance | WordKind::Generic) && neighbour(Some(word), words.first())
        };
        if let Some(last) = last.filter(counts) {
            *self.before.entry(last.term).or_default() += 1;
        }
        self.substance = words.iter().filter(|word| word.kind == WordKind::Substance).count();
        if self.works.last() != Some(&text.work) {
            self.works.push(text.work);
        }
        let Some(surface) = surface_of(text.text, words) else {
            return;
        };
        if text.is_title {
            if self.in_titles.last() != Some(&text.work) {
                self.in_titles.push(text.work);
            }
            *self.title_surfaces.entry(surface).or_default() += 1;
        } else if !starts_sentence(text, start) {
            *self.surfaces.entry(surface).or_default() += 1;
        }
    }

    fn into_phrase(mut self, terms: Vec<TermId>) -> Option<Phrase> {
        self.works.sort_unstable();
        self.works.dedup();
        self.in_titles.sort_unstable();
        self.in_titles.dedup();
        if self.works.len() < 2 && self.in_titles.is_empty() || self.refused > self.occurrences {
            return None;
        }
        let tail_of_another = self
            .before
            .values()
            .max()
            .is_some_and(|&most| most * 5 > self.occurrences * 3);
        if self.running_on * 2 > self.occurrences || tail_of_another && self.works.len() > 1 {
            return None;
        }
        let most = |counts: &BTreeMap<String, usize>| {
            counts
                .iter()
                .max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)))
                .map(|(surface, _)| surface.clone())
        };
        let surface = most(&self.surfaces).or_else(|| most(&self.title_surfaces).map(|title| uncapitalised(&title)))?;
        Some(Phrase {
            terms,
            holds_verb: holds_finite_verb(&surface),
            surface,
            works: self.works,
            in_titles: self.in_titles,
            substance: self.substance,
            is_name: self.as_name * 2 > self.occurrences,
        })
    }
}

/// The words as printed, with white space collapsed.
fn surface_of(text: &str, words: &[Word]) -> Option<String> {
    let (first, last) = (words.first()?, words.last()?);
    let surface = text.get(first.span.start..last.span.end)?;
    let surface = surface.replace(['\u{2010}', '\u{2011}'], "-").replace('\u{ad}', "");
    Some(precedent_text::one_line(&surface))
}

/// A title without its capitals, except in words with inner capitals: `LSTM`, `GloVe`, `3D`.
fn uncapitalised(title: &str) -> String {
    // A title in capitals does not show how its words are written.
    let shouts = title.contains(' ') && !title.chars().any(char::is_lowercase);
    let word = |word: &str| {
        let inner_capital = word.chars().skip(1).any(char::is_uppercase);
        if inner_capital && !shouts {
            word.to_owned()
        } else {
            word.to_lowercase()
        }
    };
    let words: Vec<String> = title
        .split(' ')
        .map(|one| one.split('-').map(word).collect::<Vec<_>>().join("-"))
        .collect();
    words.join(" ")
}

fn starts_sentence(text: &ShortText<'_>, start: usize) -> bool {
    let Some(word) = text.words.get(start) else { return true };
    text.text
        .get(..word.span.start)
        .is_none_or(|before| before.trim_end().is_empty() || before.trim_end().ends_with(['.', '!', '?', ':']))
}
