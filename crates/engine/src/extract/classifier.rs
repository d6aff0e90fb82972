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
/// Maximum number of sentences read in each part of the paper, so that no paper takes long. Of the 1,526 labelled sentences, two are further
/// back or longer than [`LONGEST`].
const MOST_SENTENCES: usize = 200;
/// Maximum length in bytes of a sentence. Longer ones are tables and lists without full stops.
const LONGEST: usize = 2_000;
/// Maximum number of words of the title that count.
const TITLE_WORDS: usize = 5;

/// The weights of the regression.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClaimClassifier {
    /// The constant.
    pub constant: f64,
    /// Weight of each signal: where the sentence is, its length, its claiming words and the terms it shares.
    pub signals: BTreeMap<String, f64>,
    /// Weight of each phrase that the sentence contains.
    pub phrases: BTreeMap<String, f64>,
}

#[expect(
    clippy::expect_used,
    reason = "a built-in file that cannot be parsed is a programming error"
)]
static TRAINED: LazyLock<ClaimClassifier> = LazyLock::new(|| {
    serde_json::from_str(include_str!("classifier.json")).expect("the built-in weights can be parsed")
});

impl ClaimClassifier {
    /// The weights that `cargo xtask train claims` found.
    #[must_use]
    pub fn trained() -> &'static Self {
        &TRAINED
    }

    /// The probability that a sentence with these features states a contribution.
    #[must_use]
    pub fn probability(&self, features: &SentenceFeatures) -> f64 {
        let weight = |name: &&'static str| self.signals.get(*name).copied().unwrap_or_default();
        let of_signals: f64 = features.signals.iter().map(|(name, value)| weight(name) * value).sum();
        let of_phrases: f64 = features
            .phrases
            .iter()
            .filter_map(|phrase| self.phrases.get(phrase))
            .sum();
        1.0 / (1.0 + (-(self.constant + of_signals + of_phrases)).exp())
    }
}

/// What the regression knows of a sentence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SentenceFeatures {
    /// Signals that are not zero, by name.
    pub signals: BTreeMap<&'static str, f64>,
    /// Phrases of up to three words, with figures as `0`.
    pub phrases: BTreeSet<String>,
}

/// The sentences of a paper, prepared for [`ClaimClassifier::probability`]: the first [`MOST_SENTENCES`] of each part that are not too long.
pub(super) struct Sentences<'a> {
    reading: &'a Reading<'a>,
    title: BTreeSet<String>,
    terms: BTreeMap<usize, BTreeSet<String>>,
    /// The sentences that contain each term.
    containing: BTreeMap<String, Vec<usize>>,
}

impl<'a> Sentences<'a> {
    pub(super) fn of(reading: &'a Reading<'a>) -> Self {
        let mut terms: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        let mut containing: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut of_zone: BTreeMap<Zone, usize> = BTreeMap::new();
        for (number, sentence) in reading.sentences().iter().enumerate() {
            let before = of_zone.entry(sentence.zone).or_default();
            *before += 1;
            let text = reading.slice(sentence.span);
            if *before > MOST_SENTENCES || text.len() > LONGEST {
                continue;
            }
            let found = content_stems(text);
            for term in &found {
                containing.entry(term.clone()).or_default().push(number);
            }
            terms.insert(number, found);
        }
        Self {
            reading,
            title: content_stems(reading.title()),
            terms,
            containing,
        }
    }

    /// The numbers of the sentences.
    pub(super) fn numbers(&self) -> Vec<usize> {
        self.terms.keys().copied().collect()
    }

    /// The features of a sentence that is cut to `claim` and has these cues.
    pub(super) fn features(&self, number: usize, claim: &str, cues: &[Cue], listed: bool) -> SentenceFeatures {
        let (Some(sentence), Some(terms)) = (self.reading.sentences().get(number), self.terms.get(&number)) else {
            return SentenceFeatures::default();
        };
        let text = self.reading.slice(sentence.span);
        let claimed = content_stems(claim);
        let on_title = count(self.title.intersection(&claimed).count());
        let flag = f64::from;
        let mut signals = BTreeMap::from([
            ("abstract", flag(sentence.zone == Zone::Abstract)),
            ("conclusion", flag(sentence.zone == Zone::Conclusion)),
            ("listed", flag(listed)),
            ("cites", flag(self.reading.cites(sentence.span))),
            ("words", count(word_count(text)).ln_1p()),
            ("terms", count(claimed.len()).ln_1p()),
            ("short", flag(word_count(claim) < SHORT)),
            ("title words", on_title.min(count(TITLE_WORDS))),
            ("title share", on_title / count(self.title.len().max(1))),
            ("repeated", self.repeated(sentence.zone, terms)),
            ("in abstract", self.in_abstract(number, terms)),
            ("no cue", flag(cues.is_empty())),
        ]);
        signals.extend(cues.iter().map(|cue| (cue.words, 1.0)));
        signals.retain(|_, value| *value != 0.0);
        SentenceFeatures {
            signals,
            phrases: phrases(text),
        }
    }

    /// The highest share of its terms that a sentence has in common with one of another part of the paper.
    fn repeated(&self, zone: Zone, terms: &BTreeSet<String>) -> f64 {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for term in terms {
            for number in self.containing.get(term).into_iter().flatten() {
                *shared.entry(*number).or_default() += 1;
            }
        }
        let elsewhere = shared.iter().filter(|(number, _)| self.zone(**number) != Some(zone));
        elsewhere
            .map(|(number, shared)| {
                let others = self.terms.get(number).map_or(0, BTreeSet::len);
                count(*shared) / count((terms.len() + others - shared).max(1))
            })
            .fold(0.0, f64::max)
    }

    /// The share of its terms that are in other sentences of the abstract.
    fn in_abstract(&self, number: usize, terms: &BTreeSet<String>) -> f64 {
        let there = |one: &usize| *one != number && self.zone(*one) == Some(Zone::Abstract);
        let known = terms
            .iter()
            .filter(|term| self.containing.get(*term).into_iter().flatten().any(&there));
        count(known.count()) / count(terms.len().max(1))
    }

    fn zone(&self, number: usize) -> Option<Zone> {
        self.reading.sentences().get(number).map(|sentence| sentence.zone)
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
        let classifier = ClaimClassifier::trained();
        let of = |text: &str| {
            classifier.probability(&SentenceFeatures {
                signals: BTreeMap::new(),
                phrases: phrases(text),
            })
        };
        assert!(
            of("In this paper we propose a novel rope for kelp.")
                > of("The rest of the paper is organized as follows.")
        );
    }
}
