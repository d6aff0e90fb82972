use std::collections::BTreeMap;

use super::kinds::WordKind;
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
            WordKind::Function => false,
            WordKind::Frame | WordKind::Letter | WordKind::Number => hyphenated,
            WordKind::Generic | WordKind::Substance => true,
        };
        if !fits || form(word).ends_with("ly") && !LY_NOUNS.contains(&form(word).as_str()) {
            return false;
        }
    }
    let (first, last) = (form(first), form(last));
    let single_fits = words.len() > 1 || last.chars().count() >= 4;
    single_fits && can_end(&last) && !(words.len() > 1 && VERBS.contains(&first.as_str()))
}

const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{2011}'];

fn is_gap(gap: &str) -> bool {
    matches!(gap, " " | "\n" | "-" | "\u{2010}" | "\u{2011}")
}

/// Whether a word of this form can be the head of a noun phrase: no participle, adverb or adjective by its ending.
fn can_end(form: &str) -> bool {
    if form.ends_with("ed") {
        return ED_NOUNS.contains(&form);
    }
    if form.ends_with("ive")
        || form.ends_with("able")
        || form.ends_with("ible")
        || form.ends_with("ous")
        || form.ends_with("ful")
        || form.ends_with("less")
    {
        return NOUNS_LIKE_ADJECTIVES.contains(&form);
    }
    if form.ends_with("al") || form.ends_with("ic") || form.ends_with("ary") {
        return NOUNS_LIKE_ADJECTIVES.contains(&form);
    }
    !VERBS.contains(&form) && !ADJECTIVES.contains(&form)
}

const LY_NOUNS: [&str; 8] = [
    "family",
    "assembly",
    "anomaly",
    "supply",
    "reply",
    "monopoly",
    "poly",
    "butterfly",
];

const ED_NOUNS: [&str; 8] = ["seed", "speed", "feed", "need", "bed", "breed", "weed", "testbed"];

/// Nouns that end like adjectives.
const NOUNS_LIKE_ADJECTIVES: [&str; 88] = [
    "retrieval",
    "removal",
    "signal",
    "arrival",
    "interval",
    "trial",
    "journal",
    "manual",
    "tutorial",
    "portal",
    "material",
    "renewal",
    "goal",
    "capital",
    "animal",
    "crystal",
    "mammal",
    "rival",
    "appraisal",
    "survival",
    "potential",
    "integral",
    "functional",
    "polynomial",
    "binomial",
    "multinomial",
    "mineral",
    "metal",
    "hospital",
    "withdrawal",
    "dial",
    "approval",
    "referral",
    "credential",
    "recall",
    "logic",
    "metric",
    "topic",
    "heuristic",
    "arithmetic",
    "statistic",
    "music",
    "traffic",
    "fabric",
    "epidemic",
    "pandemic",
    "rhetoric",
    "diagnostic",
    "lyric",
    "clinic",
    "mosaic",
    "mechanic",
    "antibiotic",
    "public",
    "critic",
    "plastic",
    "characteristic",
    "arabic",
    "objective",
    "perspective",
    "narrative",
    "alternative",
    "archive",
    "derivative",
    "directive",
    "incentive",
    "adjective",
    "initiative",
    "primitive",
    "motive",
    "drive",
    "wave",
    "table",
    "variable",
    "ensemble",
    "cable",
    "observable",
    "preamble",
    "dictionary",
    "vocabulary",
    "summary",
    "boundary",
    "library",
    "glossary",
    "commentary",
    "itinerary",
    "corollary",
    "adversary",
];

/// Verb forms that start or end what is no noun phrase, where no ending tells.
const VERBS: [&str; 70] = [
    "generate",
    "generates",
    "learn",
    "learns",
    "train",
    "trains",
    "solve",
    "solves",
    "detect",
    "detects",
    "compute",
    "computes",
    "build",
    "builds",
    "construct",
    "constructs",
    "create",
    "creates",
    "combine",
    "combines",
    "extend",
    "extends",
    "define",
    "defines",
    "identify",
    "identifies",
    "determine",
    "determines",
    "reduce",
    "reduces",
    "increase",
    "increases",
    "enhance",
    "enhances",
    "integrate",
    "integrates",
    "extract",
    "extracts",
    "predict",
    "predicts",
    "capture",
    "captures",
    "represent",
    "represents",
    "handle",
    "handles",
    "exist",
    "exists",
    "outperforming",
    "given",
    "being",
    "written",
    "shown",
    "taken",
    "let",
    "say",
    "know",
    "think",
    "choose",
    "incorporate",
    "incorporates",
    "avoid",
    "avoids",
    "tackle",
    "tackles",
    "overcome",
    "perform",
    "performs",
    "mitigate",
    "mitigates",
];

/// Adjectives that end no noun phrase, where no ending tells.
const ADJECTIVES: [&str; 40] = [
    "neural",
    "deep",
    "large",
    "small",
    "high",
    "low",
    "new",
    "novel",
    "big",
    "long",
    "short",
    "fast",
    "slow",
    "sparse",
    "dense",
    "robust",
    "similar",
    "linear",
    "nonlinear",
    "regular",
    "modular",
    "multiple",
    "single",
    "diverse",
    "complex",
    "recurrent",
    "efficient",
    "sufficient",
    "different",
    "dependent",
    "independent",
    "latent",
    "coherent",
    "current",
    "recent",
    "prominent",
    "relevant",
    "important",
    "good",
    "bad",
];
