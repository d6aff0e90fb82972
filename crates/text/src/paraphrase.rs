//! Passages that may paraphrase another text: runs of sentences that share rare words in the same order.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lexicon::is_content;
use crate::marks::marks;
use crate::overlap::ordered;
use crate::sentence::sentences;
use crate::terms::stem;
use crate::token::TokenKind;
use crate::{Overlap, OverlapKind, OverlapOptions, SharedPassage, Source, Span};

/// Maximum length of a sentence, in tokens; text without sentence ends is cut.
const LONGEST_SENTENCE: usize = 60;
/// A word in more sentences of one text than this does not help to match sentences.
const COMMON_SENTENCES: usize = 40;
/// Minimum weighted agreement of two sentences to form a step of a chain.
const LEAST_STEP: f64 = 0.2;
/// Maximum sentences skipped on either side between two steps.
const WIDEST_STEP: usize = 2;
/// Maximum steps scored.
const MOST_STEPS: usize = 20_000;
/// Number of preceding steps that are considered as predecessor.
const LOOK_BACK: usize = 64;

/// Minimum values for a run of sentences to be reported: the share of the words' weight on both sides, the share of shared words in the same order,
/// and the total rarity of the shared words, in units of the rarest possible word.
const LEAST_AGREEMENT: f64 = 0.4;
const LEAST_ORDER: f64 = 0.55;
const LEAST_EVIDENCE: f64 = 7.0;

/// Passages of at least `options.min_words` words that may paraphrase a passage of a candidate. These are only candidates: do not count them as
/// reuse before reading both texts. Passages reported by [`crate::overlap`] are left out, and so are those that its marks explain.
///
/// A passage is a run of sentences on both sides with matching content words, by stem, each weighted by how few sentences of the two texts contain
/// it. `agreement` is the share of both sides' weight in the shared content words. Summaries, translations, and paraphrases without shared rare
/// words are not found. The order of the candidates affects only the indices, and the sides can be swapped.
#[must_use]
pub fn paraphrases(
    target: &Source,
    candidates: &[&Source],
    reuse: &[Overlap],
    options: &OverlapOptions,
) -> Vec<Overlap> {
    let here = StemmedText::new(target);
    let mut found: Vec<Overlap> = candidates
        .par_iter()
        .enumerate()
        .map(|(candidate, source)| {
            let copied: Vec<&SharedPassage> = reuse
                .iter()
                .filter(|overlap| overlap.candidate == candidate)
                .flat_map(|overlap| &overlap.passages)
                .collect();
            let mut passages = paraphrased(target, source, &here, options.min_words);
            passages.retain(|passage| !copied.iter().any(|other| covers(other, passage)));
            Overlap { candidate, passages }
        })
        .collect();
    found.retain(|overlap| !overlap.passages.is_empty());
    found
}

/// Whether most of `passage`, on either side, is already part of a reported passage.
fn covers(reported: &SharedPassage, passage: &SharedPassage) -> bool {
    let most = |whole: Span, part: Span| {
        let shared = whole.end.min(part.end).saturating_sub(whole.start.max(part.start));
        shared * 3 >= part.len()
    };
    most(reported.a, passage.a) || most(reported.b, passage.b)
}

/// A sentence: its tokens, and its content words by stem, in order.
struct StemmedSentence {
    tokens: Range<usize>,
    words: usize,
    stems: Vec<u64>,
}

/// A text as sentences of stems.
struct StemmedText {
    sentences: Vec<StemmedSentence>,
    /// The sentences that contain each stem, in increasing order.
    places: FxHashMap<u64, Vec<u32>>,
}

impl StemmedText {
    fn new(source: &Source) -> Self {
        let tokens = source.inner_tokens();
        let mut known: FxHashMap<u64, Option<u64>> = FxHashMap::default();
        let mut stem_of = |at: usize| {
            let entry = tokens.entries.get(at)?;
            *known.entry(entry.key).or_insert_with(|| {
                let word = tokens.norm_of(entry);
                let telling = entry.kind == TokenKind::Ideograph || is_content(word) && word.chars().count() > 2;
                (entry.kind != TokenKind::Number && entry.kind != TokenKind::Symbol && telling)
                    .then(|| crate::tokenize::key_of(&stem(word)))
            })
        };
        let mut found: Vec<StemmedSentence> = Vec::new();
        for span in sentences(source.text()) {
            let Range { mut start, end } = source.tokens_within(span);
            while start < end {
                let stop = end.min(start + LONGEST_SENTENCE);
                found.push(StemmedSentence {
                    tokens: start..stop,
                    words: tokens.words(start..stop),
                    stems: (start..stop).filter_map(&mut stem_of).collect(),
                });
                start = stop;
            }
        }
        let mut places: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for (number, sentence) in (0_u32..).zip(&found) {
            for stem in &sentence.stems {
                let places = places.entry(*stem).or_default();
                if places.last() != Some(&number) {
                    places.push(number);
                }
            }
        }
        Self {
            sentences: found,
            places,
        }
    }

    fn stems(&self, range: Range<usize>) -> Vec<u64> {
        let sentences = self.sentences.get(range).unwrap_or_default();
        sentences
            .iter()
            .flat_map(|sentence| sentence.stems.iter().copied())
            .collect()
    }
}

/// How rare the stems of two texts are: 1 for a stem in a single sentence, 0 for one in every sentence.
struct Rarity<'a> {
    left: &'a StemmedText,
    right: &'a StemmedText,
    all: f64,
}

impl Rarity<'_> {
    fn of(&self, stem: u64) -> f64 {
        let in_either = [self.left, self.right]
            .iter()
            .map(|text| text.places.get(&stem).map_or(0, Vec::len))
            .sum::<usize>();
        // A shared word cannot be rarer than once on each side.
        (1.0 - (count(in_either.max(2)) / 2.0).ln() / self.all.ln()).max(0.0)
    }

    fn sum(&self, stems: &FxHashSet<u64>) -> f64 {
        let mut weights: Vec<f64> = stems.iter().map(|stem| self.of(*stem)).collect();
        // Sum in a fixed order: floating-point sums of the same numbers differ with their order.
        weights.sort_by(f64::total_cmp);
        weights.iter().sum()
    }
}

fn count(number: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "sentence counts are far below 2^52")]
    let count = number as f64;
    count
}

fn paraphrased(target: &Source, candidate: &Source, here: &StemmedText, min_words: usize) -> Vec<SharedPassage> {
    if target.text() == candidate.text() {
        return Vec::new();
    }
    let there = StemmedText::new(candidate);
    let mut found: Vec<SharedPassage> = if ordered(target, candidate) {
        between(target, candidate, here, &there, min_words)
    } else {
        let exchanged = between(candidate, target, &there, here, min_words);
        exchanged.into_iter().map(SharedPassage::mirrored).collect()
    };
    // Passages explained by a reference list, a quotation or a form need no review.
    found.retain(|passage| marks(target.text(), candidate.text(), passage).is_empty());
    found.sort_by_key(|passage| (passage.a, passage.b));
    found
}

/// One sentence that may paraphrase another.
#[derive(Clone, Copy)]
struct Step {
    left: usize,
    right: usize,
    agreement: f64,
}

fn between(
    left: &Source,
    right: &Source,
    here: &StemmedText,
    there: &StemmedText,
    min_words: usize,
) -> Vec<SharedPassage> {
    let rarity = Rarity {
        left: here,
        right: there,
        all: count((here.sentences.len() + there.sentences.len()).max(8)),
    };
    let steps = steps(here, there, &rarity);
    let mut found: Vec<SharedPassage> = Vec::new();
    for chain in chains(&steps) {
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
            continue;
        };
        let (one, other) = (first.left..last.left + 1, first.right..last.right + 1);
        let span = |source: &Source, text: &StemmedText, range: &Range<usize>| {
            let tokens = text.sentences.get(range.start)?.tokens.start..text.sentences.get(range.end - 1)?.tokens.end;
            Some(source.inner_tokens().range_span(tokens.start, tokens.end))
        };
        let (Some(a), Some(b)) = (span(left, here, &one), span(right, there, &other)) else {
            continue;
        };
        let words = |text: &StemmedText, range: &Range<usize>| {
            let sentences = text.sentences.get(range.clone()).unwrap_or_default();
            sentences.iter().map(|sentence| sentence.words).sum::<usize>()
        };
        let shared = compare(&here.stems(one.clone()), &there.stems(other.clone()), &rarity);
        let words = words(here, &one).min(words(there, &other));
        if words >= min_words
            && shared.enough()
            && !found.iter().any(|known| known.a.overlaps(a) && known.b.overlaps(b))
        {
            found.push(SharedPassage {
                a,
                b,
                words,
                kind: OverlapKind::ParaphraseCandidate,
                agreement: shared.agreement,
                marks: Vec::new(),
                edits: Vec::new(),
            });
        }
    }
    found
}

/// What two runs of sentences share.
struct SharedStems {
    agreement: f64,
    order: f64,
    evidence: f64,
}

impl SharedStems {
    fn enough(&self) -> bool {
        self.agreement >= LEAST_AGREEMENT && self.order >= LEAST_ORDER && self.evidence >= LEAST_EVIDENCE
    }
}

fn compare(left: &[u64], right: &[u64], rarity: &Rarity<'_>) -> SharedStems {
    let (one, other): (FxHashSet<u64>, FxHashSet<u64>) =
        (left.iter().copied().collect(), right.iter().copied().collect());
    let both: FxHashSet<u64> = one.intersection(&other).copied().collect();
    let evidence = rarity.sum(&both);
    let whole = rarity.sum(&one) + rarity.sum(&other);
    SharedStems {
        agreement: if whole > 0.0 {
            (2.0 * evidence / whole).min(1.0)
        } else {
            0.0
        },
        order: in_order(left, right, &both),
        evidence,
    }
}

/// The share of shared stems, by their first position, that are in the same order on both sides.
fn in_order(left: &[u64], right: &[u64], both: &FxHashSet<u64>) -> f64 {
    let mut first: FxHashMap<u64, usize> = FxHashMap::default();
    for (at, stem) in right.iter().enumerate() {
        first.entry(*stem).or_insert(at);
    }
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    // The longest increasing subsequence of positions: for each length, the lowest position it can end at.
    let mut ends: Vec<usize> = Vec::new();
    for stem in left {
        let Some(place) = first.get(stem).filter(|_| both.contains(stem) && seen.insert(*stem)) else {
            continue;
        };
        let at = ends.partition_point(|end| end < place);
        match ends.get_mut(at) {
            Some(end) => *end = *place,
            None => ends.push(*place),
        }
    }
    count(ends.len()) / count(both.len().max(1))
}

/// Pairs of sentences that share enough, found through the sentences of each rare word.
fn steps(here: &StemmedText, there: &StemmedText, rarity: &Rarity<'_>) -> Vec<Step> {
    let total = |sentence: &StemmedSentence| rarity.sum(&sentence.stems.iter().copied().collect());
    let totals: Vec<f64> = there.sentences.iter().map(total).collect();
    let mut found: Vec<Step> = Vec::new();
    let mut shared: FxHashMap<u32, (f64, usize)> = FxHashMap::default();
    for (left, sentence) in here.sentences.iter().enumerate() {
        shared.clear();
        let mut stems = sentence.stems.clone();
        stems.sort_unstable();
        stems.dedup();
        for stem in &stems {
            let places = there.places.get(stem).map_or(&[][..], Vec::as_slice);
            if places.len() > COMMON_SENTENCES {
                continue;
            }
            let weight = rarity.of(*stem);
            for place in places {
                let entry = shared.entry(*place).or_default();
                *entry = (entry.0 + weight, entry.1 + 1);
            }
        }
        let whole = total(sentence);
        for (right, (weight, words)) in &shared {
            let right = *right as usize;
            let all = whole + totals.get(right).copied().unwrap_or(0.0);
            let agreement = 2.0 * weight / all.max(f64::MIN_POSITIVE);
            if *words >= 2 && agreement >= LEAST_STEP {
                found.push(Step { left, right, agreement });
            }
        }
    }
    if found.len() > MOST_STEPS {
        found.sort_by(|one, other| {
            other
                .agreement
                .total_cmp(&one.agreement)
                .then((one.left, one.right).cmp(&(other.left, other.right)))
        });
        found.truncate(MOST_STEPS);
    }
    found.sort_by_key(|step| (step.left, step.right));
    found
}

/// Runs of steps that follow each other on both sides, the best first. Each step is in one run only.
fn chains(steps: &[Step]) -> Vec<Vec<Step>> {
    let mut best: Vec<(f64, Option<usize>)> = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        let mut score = (step.agreement, None);
        let from = index.saturating_sub(LOOK_BACK);
        for (offset, (earlier, (sum, _))) in steps.iter().zip(&best).take(index).skip(from).enumerate() {
            let (on, over) = (step.left - earlier.left, step.right.checked_sub(earlier.right));
            let follows = on <= WIDEST_STEP && over.is_some_and(|over| over <= WIDEST_STEP && on + over > 0);
            if follows && sum + step.agreement > score.0 {
                score = (sum + step.agreement, Some(from + offset));
            }
        }
        best.push(score);
    }
    let score_of = |index: usize| best.get(index).map_or(0.0, |entry| entry.0);
    let mut ends: Vec<usize> = (0..steps.len()).collect();
    ends.sort_by(|one, other| score_of(*other).total_cmp(&score_of(*one)).then(one.cmp(other)));
    let mut used = vec![false; steps.len()];
    let mut found = Vec::new();
    for end in ends {
        let mut chain = Vec::new();
        let mut next = Some(end);
        while let Some(index) = next {
            let (Some(step), Some(entry), Some(flag)) = (steps.get(index), best.get(index), used.get_mut(index)) else {
                break;
            };
            if std::mem::replace(flag, true) {
                break;
            }
            chain.push(*step);
            next = entry.1;
        }
        chain.reverse();
        found.push(chain);
    }
    found.retain(|chain| !chain.is_empty());
    found
}
