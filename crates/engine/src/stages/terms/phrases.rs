use std::collections::BTreeMap;

use super::kinds::WordKind;
use super::lists::{ADJECTIVES, ED_NOUNS, ING_NOUNS, LY_NOUNS, NOUNS_LIKE_ADJECTIVES, is_listed};
use super::vocabulary::{TermId, Word};

/// Title or abstract of one work, for [`PhraseTable::of`].
#[derive(Debug, Clone, Copy)]
pub struct ShortText<'a> {
    /// Index of the work in the set.
    pub work: usize,
    /// Whether it is the title.
    pub is_title: bool,
    /// The text.
    pub text: &'a str,
    /// Its words; spans count from the start of `text`.
    pub words: &'a [Word],
}

/// A noun phrase of one to four words that works of the set share, or that stands in a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// Its stems.
    pub terms: Vec<TermId>,
    /// As most authors print it inside a sentence.
    pub surface: String,
    /// Indices of the works that have it, ascending.
    pub works: Vec<usize>,
    /// Indices of the works that have it in the title, ascending.
    pub in_titles: Vec<usize>,
    /// How many of its words carry substance.
    pub substance: usize,
}

impl Phrase {
    /// Whether the work of this index has it.
    #[must_use]
    pub fn stands_in(&self, work: usize) -> bool {
        self.works.binary_search(&work).is_ok()
    }

    /// Whether it names a thing by letters and digits alone: `GPT-4o`, `72B`. Such names come and go with the year.
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

/// The noun phrases of a set of works, in the order of their surface.
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
    /// Occurrences after which another noun follows: the phrase is only the start of a longer one there.
    running_on: usize,
    /// How often each word of substance stands before it.
    before: BTreeMap<TermId, usize>,
}

impl PhraseTable {
    /// The phrases of `texts`. A phrase of one work only is kept where it stands in its title.
    #[must_use]
    pub fn of(texts: &[ShortText<'_>]) -> Self {
        let mut gathered: BTreeMap<Vec<TermId>, Gathered> = BTreeMap::new();
        for text in texts {
            for length in 1..=LONGEST_PHRASE {
                for (start, words) in text.words.windows(length).enumerate() {
                    if !is_noun_phrase(text, start, words) {
                        continue;
                    }
                    let entry = gathered
                        .entry(words.iter().map(|word| word.term).collect())
                        .or_default();
                    entry.note(text, start, words);
                }
            }
        }
        let mut phrases: Vec<Phrase> = gathered
            .into_iter()
            .filter_map(|(terms, one)| one.into_phrase(terms))
            .collect();
        phrases.sort_by(|a, b| a.surface.cmp(&b.surface).then_with(|| a.terms.cmp(&b.terms)));
        Self { phrases }
    }

    /// All of them, by surface.
    pub fn iter(&self) -> impl Iterator<Item = &Phrase> {
        self.phrases.iter()
    }
}

const LONGEST_PHRASE: usize = 4;

impl Gathered {
    fn note(&mut self, text: &ShortText<'_>, start: usize, words: &[Word]) {
        self.occurrences += 1;
        let neighbour = |a: Option<&Word>, b: Option<&Word>| match (a, b) {
            (Some(a), Some(b)) => text.text.get(a.span.end..b.span.start).is_some_and(is_gap),
            _ => false,
        };
        let is_noun =
            |word: &&Word| matches!(word.kind, WordKind::Substance | WordKind::Generic) && !is_adverb(text, word);
        let next = text.words.get(start + words.len()).filter(is_noun);
        if neighbour(words.last(), next) {
            self.running_on += 1;
        }
        let last = start.checked_sub(1).and_then(|before| text.words.get(before));
        if let Some(last) =
            last.filter(|word| word.kind == WordKind::Substance && neighbour(Some(*word), words.first()))
        {
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
        if self.works.len() < 2 && self.in_titles.is_empty() {
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
            surface,
            works: self.works,
            in_titles: self.in_titles,
            substance: self.substance,
        })
    }
}

/// The words as printed, white space folded.
fn surface_of(text: &str, words: &[Word]) -> Option<String> {
    let (first, last) = (words.first()?, words.last()?);
    let surface = text.get(first.span.start..last.span.end)?;
    let surface = surface.replace(['\u{2010}', '\u{2011}'], "-").replace('\u{ad}', "");
    Some(surface.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Capitals of a title taken back, except in words that are written with them anywhere: `LSTM`, `GloVe`, `3D`.
fn uncapitalised(title: &str) -> String {
    let word = |word: &str| {
        let inner_capital = word.chars().skip(1).any(char::is_uppercase);
        if inner_capital {
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

fn is_noun_phrase(text: &ShortText<'_>, start: usize, words: &[Word]) -> bool {
    let form = |word: &Word| word.span.slice(text.text).unwrap_or_default().to_lowercase();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    if !words.iter().any(|word| word.kind == WordKind::Substance) {
        return false;
    }
    // A hyphenated compound is one: neither its head nor its tail stands alone.
    let attached = |offset: usize| text.text.get(offset..).is_some_and(|rest| rest.starts_with(HYPHENS));
    let cut_before = text
        .text
        .get(..first.span.start)
        .is_some_and(|before| before.ends_with(HYPHENS) || before.ends_with(['\'', '’', '\\']));
    if cut_before || attached(last.span.end) {
        return false;
    }
    let joined = words.windows(2).all(|pair| match pair {
        [a, b] => text.text.get(a.span.end..b.span.start).is_some_and(is_gap),
        _ => true,
    });
    if !joined {
        return false;
    }
    for (index, word) in words.iter().enumerate() {
        let hyphenated = attached(word.span.end)
            || (start + index > 0
                && text
                    .text
                    .get(..word.span.start)
                    .is_some_and(|before| before.ends_with(HYPHENS)));
        let fits = match word.kind {
            WordKind::Function | WordKind::Action => false,
            WordKind::Frame | WordKind::Letter | WordKind::Number => hyphenated,
            WordKind::Generic | WordKind::Substance => true,
        };
        if !fits || is_adverb(text, word) {
            return false;
        }
    }
    let (first, last) = (form(first), form(last));
    let gerund = first.ends_with("ing") && !is_listed(&ING_NOUNS, &first);
    !gerund && (words.len() > 1 || last.chars().count() >= 4) && can_end(&last)
}

fn is_adverb(text: &ShortText<'_>, word: &Word) -> bool {
    let form = word.span.slice(text.text).unwrap_or_default().to_lowercase();
    form.ends_with("ly") && !is_listed(&LY_NOUNS, &form)
}

const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{2011}'];

fn is_gap(gap: &str) -> bool {
    matches!(gap, " " | "\n" | "-" | "\u{2010}" | "\u{2011}")
}

/// Whether a word of this form can be the head of a noun phrase: no participle, adverb or adjective by its ending.
fn can_end(form: &str) -> bool {
    if form.ends_with("ed") {
        return is_listed(&ED_NOUNS, form);
    }
    if form.ends_with("ive")
        || form.ends_with("able")
        || form.ends_with("ible")
        || form.ends_with("ous")
        || form.ends_with("ful")
        || form.ends_with("less")
    {
        return is_listed(&NOUNS_LIKE_ADJECTIVES, form);
    }
    if form.ends_with("al") || form.ends_with("ic") || form.ends_with("ary") {
        return is_listed(&NOUNS_LIKE_ADJECTIVES, form);
    }
    !is_listed(&ADJECTIVES, form)
}
