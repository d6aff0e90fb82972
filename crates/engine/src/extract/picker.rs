//! How likely a sentence states a contribution of its paper: a logistic regression over its words and its place (docs/claims-card.md).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use precedent_language::wording::{content_stems, word_count};
use precedent_text::pattern;
use serde::{Deserialize, Serialize};

use super::cues::Cue;
use super::{Reading, Zone};

/// Maximum number of words of a phrase whose presence is a feature.
const MOST_PHRASE_WORDS: usize = 3;
/// Below this number of words a sentence seldom says what the contribution is.
const SHORT: usize = 9;
/// Maximum number of sentences read in each part of the paper, because each is compared with all of the other parts.
const MOST_SENTENCES: usize = 200;
/// Maximum number of words of the title that count.
const TITLE_WORDS: usize = 5;

/// The weights of the regression.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Picker {
    /// The constant.
    pub constant: f64,
    /// Weight of each feature of the sentence's place, length and claiming words.
    pub place: BTreeMap<String, f64>,
    /// Weight of each phrase that the sentence contains.
    pub phrases: BTreeMap<String, f64>,
}

#[expect(
    clippy::expect_used,
    reason = "a built-in file that cannot be parsed is a programming error"
)]
static TRAINED: LazyLock<Picker> =
    LazyLock::new(|| serde_json::from_str(include_str!("picker.json")).expect("the built-in weights can be parsed"));

impl Picker {
    /// The weights that `cargo xtask train claims` found.
    #[must_use]
    pub fn trained() -> &'static Self {
        &TRAINED
    }

    /// The probability that a sentence with these features states a contribution.
    #[must_use]
    pub fn probability(&self, features: &Features) -> f64 {
        let weight = |name: &&'static str| self.place.get(*name).copied().unwrap_or_default();
        let of_place: f64 = features.place.iter().map(|(name, value)| weight(name) * value).sum();
        let of_phrases: f64 = features
            .phrases
            .iter()
            .filter_map(|phrase| self.phrases.get(phrase))
            .sum();
        1.0 / (1.0 + (-(self.constant + of_place + of_phrases)).exp())
    }
}

/// What the regression knows of a sentence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Features {
    /// Features that are not zero, by name.
    pub place: BTreeMap<&'static str, f64>,
    /// Phrases of up to three words, with figures as `0`.
    pub phrases: BTreeSet<String>,
}

/// The sentences of a paper, prepared for [`Picker::probability`]: the first [`MOST_SENTENCES`] of each part.
pub(super) struct Sentences<'a> {
    reading: &'a Reading<'a>,
    title: BTreeSet<String>,
    stems: BTreeMap<usize, BTreeSet<String>>,
    /// How many sentences of the abstract contain each term.
    of_abstract: BTreeMap<String, usize>,
}

impl<'a> Sentences<'a> {
    pub(super) fn of(reading: &'a Reading<'a>) -> Self {
        let mut stems: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        let mut of_zone: BTreeMap<Zone, usize> = BTreeMap::new();
        let mut of_abstract: BTreeMap<String, usize> = BTreeMap::new();
        for (number, sentence) in reading.sentences().iter().enumerate() {
            let before = of_zone.entry(sentence.zone).or_default();
            *before += 1;
            if *before > MOST_SENTENCES {
                continue;
            }
            let terms = content_stems(reading.slice(sentence.span));
            if sentence.zone == Zone::Abstract {
                for term in &terms {
                    *of_abstract.entry(term.clone()).or_default() += 1;
                }
            }
            stems.insert(number, terms);
        }
        Self {
            reading,
            title: content_stems(reading.title()),
            stems,
            of_abstract,
        }
    }

    /// The numbers of the sentences.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.stems.keys().copied()
    }

    /// The features of a sentence that is cut to `claim` and has these cues.
    pub(super) fn features(&self, number: usize, claim: &str, cues: &[Cue], listed: bool) -> Features {
        let (Some(sentence), Some(stems)) = (self.reading.sentences().get(number), self.stems.get(&number)) else {
            return Features::default();
        };
        let text = self.reading.slice(sentence.span);
        let claimed = content_stems(claim);
        let on_title = count(self.title.intersection(&claimed).count());
        let flag = f64::from;
        let mut place = BTreeMap::from([
            ("abstract", flag(sentence.zone == Zone::Abstract)),
            ("conclusion", flag(sentence.zone == Zone::Conclusion)),
            ("listed", flag(listed)),
            ("list item", flag(sentence.list_item)),
            ("cites", flag(self.reading.cites(sentence.span))),
            ("words", count(word_count(text)).ln_1p()),
            ("terms", count(claimed.len()).ln_1p()),
            ("short", flag(word_count(claim) < SHORT)),
            ("title words", on_title.min(count(TITLE_WORDS))),
            ("title share", on_title / count(self.title.len().max(1))),
            ("repeated", self.repeated(sentence.zone, stems)),
            ("in abstract", self.in_abstract(sentence.zone, stems)),
            ("no cue", flag(cues.is_empty())),
        ]);
        place.extend(cues.iter().map(|cue| (cue.words, 1.0)));
        place.retain(|_, value| *value != 0.0);
        Features {
            place,
            phrases: phrases(text),
        }
    }

    /// The highest share of its terms that a sentence has in common with one of another part of the paper.
    fn repeated(&self, zone: Zone, stems: &BTreeSet<String>) -> f64 {
        let elsewhere = |number: usize| self.reading.sentences().get(number).is_some_and(|one| one.zone != zone);
        let others = self.stems.iter().filter(|(number, _)| elsewhere(**number));
        others
            .map(|(_, other)| {
                let shared = stems.intersection(other).count();
                count(shared) / count((stems.len() + other.len() - shared).max(1))
            })
            .fold(0.0, f64::max)
    }

    /// The share of its terms that are in other sentences of the abstract.
    fn in_abstract(&self, zone: Zone, stems: &BTreeSet<String>) -> f64 {
        let own = usize::from(zone == Zone::Abstract);
        let known = stems
            .iter()
            .filter(|stem| self.of_abstract.get(*stem).is_some_and(|sentences| *sentences > own));
        count(known.count()) / count(stems.len().max(1))
    }
}

#[expect(clippy::cast_precision_loss, reason = "words of a sentence")]
fn count(number: usize) -> f64 {
    number as f64
}

/// The phrases of up to [`MOST_PHRASE_WORDS`] words, in lower case, with every figure as `0`.
fn phrases(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let figures = pattern!(r"\d[\d.,]*").replace_all(&lower, "0");
    let words: Vec<&str> = pattern!(r"[a-z0]+|[:;?]")
        .find_iter(&figures)
        .map(|found| found.as_str())
        .collect();
    (1..=MOST_PHRASE_WORDS)
        .flat_map(|length| words.windows(length).map(|phrase| phrase.join(" ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_have_up_to_three_words_and_no_figures() {
        let found = phrases("We dry 1,200 ropes.");
        for phrase in ["we", "dry", "0", "ropes", "we dry", "we dry 0", "dry 0 ropes"] {
            assert!(found.contains(phrase), "{phrase} is not in {found:?}");
        }
        assert_eq!(found.len(), 9);
    }

    #[test]
    fn the_weights_tell_a_claim_from_an_outline() {
        let picker = Picker::trained();
        let of = |text: &str| {
            picker.probability(&Features {
                place: BTreeMap::new(),
                phrases: phrases(text),
            })
        };
        assert!(
            of("In this paper we propose a novel rope for kelp.")
                > of("The rest of the paper is organized as follows.")
        );
    }
}
