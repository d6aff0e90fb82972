use rayon::prelude::*;
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::marks::marks;
use crate::passages::{Grams, Passage, passages};
use crate::{Source, Span};

/// What counts as a shared passage.
#[derive(Debug, Clone, PartialEq)]
pub struct OverlapOptions {
    /// Shortest passage reported, in words (default 30).
    pub min_words: usize,
}

impl Default for OverlapOptions {
    fn default() -> Self {
        Self { min_words: 30 }
    }
}

/// What a target shares with one candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// Index of the candidate in the slice given to [`overlap`].
    pub candidate: usize,
    /// The passages, in the order of the target.
    pub passages: Vec<SharedPassage>,
}

/// A passage that two texts share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharedPassage {
    /// Where it stands in the target.
    pub a: Span,
    /// Where it stands in the candidate.
    pub b: Span,
    /// Words that agree.
    pub words: usize,
    /// How alike.
    pub kind: OverlapKind,
    /// Share of tokens that agree, 0 to 1.
    pub agreement: f64,
    /// What explains it away, if anything.
    pub marks: Vec<OverlapMark>,
}

/// How alike two passages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OverlapKind {
    /// At least 90 % of the tokens agree.
    Direct,
    /// Fewer agree, in the same order.
    NearVerbatim,
    /// Sentences that may say the same in other words: a candidate, never a finding.
    ParaphraseCandidate,
}

/// An innocent explanation of a shared passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OverlapMark {
    /// It lies in a reference list.
    ReferenceList,
    /// It stands in quotation marks with a citation.
    QuotedWithCitation,
    /// It is common to many works.
    Boilerplate,
}

/// Every passage of at least `options.min_words` words that `target` shares with each candidate. Candidates that share nothing are left out.
///
/// A passage is a chain of equal runs of at least four tokens, with what agrees between and around them; gaps and small edits are bridged, and
/// pieces that stand near each other on both sides are one passage, whatever their order. `agreement` is twice the agreeing words over the
/// words of both sides. The order of the candidates, and the same text given twice, change nothing but the indices; `overlap(a, &[b])` is
/// `overlap(b, &[a])` with the sides exchanged.
///
/// The target is indexed once and each candidate read once; memory is linear in the target and one candidate a thread.
#[must_use]
pub fn overlap(target: &Source, candidates: &[&Source], options: &OverlapOptions) -> Vec<Overlap> {
    let grams = Grams::new(target.inner_tokens());
    let mut found: Vec<Overlap> = candidates
        .par_iter()
        .enumerate()
        .map(|(candidate, source)| Overlap {
            candidate,
            passages: shared_passages(target, source, &grams, options.min_words),
        })
        .collect();
    mark_common(target, candidates, &mut found);
    found.retain(|overlap| !overlap.passages.is_empty());
    found
}

/// Whether `one` comes first in the order in which two texts are compared, whichever is the target.
pub(crate) fn ordered(one: &Source, other: &Source) -> bool {
    (one.text().len(), one.text()) <= (other.text().len(), other.text())
}

/// The passages of one pair, worked out in an order of the two texts that does not depend on which is the target.
fn shared_passages(target: &Source, candidate: &Source, grams: &Grams, min_words: usize) -> Vec<SharedPassage> {
    if target.text() == candidate.text() {
        return identical(target, min_words).into_iter().collect();
    }
    let seeds = grams.seeds(candidate.inner_tokens());
    let exchanged = !ordered(target, candidate);
    let mut passages: Vec<SharedPassage> = if exchanged {
        let seeds = seeds.into_iter().map(|(left, right)| (right, left)).collect();
        passages(candidate.inner_tokens(), target.inner_tokens(), seeds, min_words)
            .into_iter()
            .map(|passage| passage.shared(candidate, target).mirrored())
            .collect()
    } else {
        passages(target.inner_tokens(), candidate.inner_tokens(), seeds, min_words)
            .into_iter()
            .map(|passage| passage.shared(target, candidate))
            .collect()
    };
    for passage in &mut passages {
        passage.marks = marks(target.text(), candidate.text(), passage);
    }
    passages.sort_by_key(|passage| (passage.a, passage.b));
    passages
}

/// A text shares all of itself with itself.
fn identical(source: &Source, min_words: usize) -> Option<SharedPassage> {
    let tokens = source.inner_tokens();
    let words = tokens.words(0..tokens.len());
    let all = tokens.range_span(0, tokens.len());
    (words >= min_words && words > 0).then_some(SharedPassage {
        a: all,
        b: all,
        words,
        kind: OverlapKind::Direct,
        agreement: 1.0,
        marks: Vec::new(),
    })
}

/// Share of the tokens from which on a passage counts as [`OverlapKind::Direct`].
const DIRECT: f64 = 0.9;

impl Passage {
    fn shared(&self, left: &Source, right: &Source) -> SharedPassage {
        let agreement = self.agreement();
        SharedPassage {
            a: left.inner_tokens().range_span(self.left.start, self.left.end),
            b: right.inner_tokens().range_span(self.right.start, self.right.end),
            words: self.words,
            kind: if agreement >= DIRECT && self.in_order {
                OverlapKind::Direct
            } else {
                OverlapKind::NearVerbatim
            },
            agreement,
            marks: Vec::new(),
        }
    }
}

impl SharedPassage {
    /// The same passage seen from the other text.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            ..self
        }
    }
}

/// So many different texts with the same passage make it boilerplate.
const COMMON_TO: usize = 3;
/// A candidate that shares more of the target than this is another version of it, or its source; it says nothing about what is common.
const VERSION_SHARE: f64 = 0.2;

/// Marks what several different candidates share with the target at one place.
fn mark_common(target: &Source, candidates: &[&Source], found: &mut [Overlap]) {
    let length = target.text().len().max(1);
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut places: Vec<Vec<Span>> = Vec::new();
    for overlap in found.iter() {
        let Some(source) = candidates.get(overlap.candidate) else {
            continue;
        };
        let shared: usize = overlap.passages.iter().map(|passage| passage.a.len()).sum();
        #[expect(clippy::cast_precision_loss, reason = "lengths of texts are far below 2^52")]
        let share = shared as f64 / length as f64;
        if share <= VERSION_SHARE && !overlap.passages.is_empty() && seen.insert(source.text()) {
            places.push(overlap.passages.iter().map(|passage| passage.a).collect());
        }
    }
    let common = |span: Span| {
        let holds = |spans: &&Vec<Span>| {
            let covered: usize = spans
                .iter()
                .map(|other| other.end.min(span.end).saturating_sub(other.start.max(span.start)))
                .sum();
            covered * 5 >= span.len() * 4
        };
        places.iter().filter(holds).count() >= COMMON_TO
    };
    for passage in found.iter_mut().flat_map(|overlap| &mut overlap.passages) {
        if common(passage.a) && !passage.marks.contains(&OverlapMark::Boilerplate) {
            passage.marks.push(OverlapMark::Boilerplate);
        }
    }
}
