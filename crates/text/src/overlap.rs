use rayon::prelude::*;
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::marks::marks;
use crate::overlap_edits::{PassageEdit, edge, edits};
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
    /// Words of the passage, on the side that has fewer: never below what was asked for. Signs are no words; `non-linear` is two.
    pub words: usize,
    /// How alike.
    pub kind: OverlapKind,
    /// Share of the words that agree, 0 to 1; of a candidate for paraphrase, the share of the weight of its content words.
    pub agreement: f64,
    /// What explains it away, if anything.
    pub marks: Vec<OverlapMark>,
    /// Where the two texts do not say the same, in the order of the target; empty for a candidate for paraphrase.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<PassageEdit>,
}

/// How alike two passages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OverlapKind {
    /// At least 90 % of the words agree, in one order, and nothing that differs puts one word, number or name in another's place, denies,
    /// qualifies, or leaves a stretch out.
    Direct,
    /// Fewer agree, or in another order, or something differs that may change what is said: see the edits.
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
/// Both sides of a passage have that many words. A passage is a chain of equal runs of at least four tokens, with what agrees between and
/// around them; gaps and small edits are bridged, and pieces that stand near each other on both sides are one passage, whatever their order.
/// `agreement` is twice the agreeing words over the words of both sides; what differs is judged as [`crate::locate`] judges it. The order of the candidates, and the same text given twice, change nothing but the indices; `overlap(a, &[b])` is
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
        edits: Vec::new(),
    })
}

/// Share of the words from which on a passage counts as [`OverlapKind::Direct`].
const DIRECT: f64 = 0.9;

impl Passage {
    fn shared(mut self, left: &Source, right: &Source) -> SharedPassage {
        let mut found: Vec<PassageEdit> = self.pieces.iter().flat_map(|piece| edits(left, right, piece)).collect();
        found.extend(self.take_in_edges(left, right));
        let agreement = self.agreement();
        let mut a = left.inner_tokens().range_span(self.left.start, self.left.end);
        let mut b = right.inner_tokens().range_span(self.right.start, self.right.end);
        for edit in &found {
            (a, b) = (a.with(edit.a), b.with(edit.b));
        }
        for edit in &mut found {
            (edit.a, edit.b) = (a.holding(edit.a), b.holding(edit.b));
        }
        found.sort_unstable();
        found.dedup();
        SharedPassage {
            a,
            b,
            words: self.words.0.min(self.words.1),
            kind: if agreement >= DIRECT && self.pieces.len() == 1 && found.is_empty() {
                OverlapKind::Direct
            } else {
                OverlapKind::NearVerbatim
            },
            agreement,
            marks: Vec::new(),
            edits: found,
        }
    }

    /// Takes in the last words of a sentence on either end where they are turned, and gives the edits there.
    fn take_in_edges(&mut self, left: &Source, right: &Source) -> Vec<PassageEdit> {
        let [piece] = self.pieces.as_slice() else {
            return Vec::new();
        };
        let ends = [(piece.first().copied(), false), (piece.last().copied(), true)];
        let mut found = Vec::new();
        for (outermost, onwards) in ends {
            let Some(taken) = outermost.and_then(|outermost| edge(left, right, outermost, onwards)) else {
                continue;
            };
            if onwards {
                self.left.end += taken.reach.0;
                self.right.end += taken.reach.1;
            } else {
                self.left.start -= taken.reach.0;
                self.right.start -= taken.reach.1;
            }
            self.agreeing += taken.agreeing;
            found.extend(taken.edits);
        }
        self.words = (
            left.inner_tokens().words(self.left.clone()),
            right.inner_tokens().words(self.right.clone()),
        );
        found
    }
}

impl SharedPassage {
    /// The same passage seen from the other text.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let mut edits: Vec<PassageEdit> = self.edits.into_iter().map(PassageEdit::mirrored).collect();
        edits.sort_unstable();
        Self {
            a: self.b,
            b: self.a,
            edits,
            ..self
        }
    }
}

impl Span {
    /// With the characters of `part`, such as a sign before its first word.
    fn with(self, part: Self) -> Self {
        if part.is_empty() {
            return self;
        }
        Self::new(self.start.min(part.start), self.end.max(part.end))
    }

    /// An empty place that lies outside, beyond white space, moved to the border; any other as it is.
    fn holding(self, part: Self) -> Self {
        if !part.is_empty() {
            return part;
        }
        let at = part.start.clamp(self.start, self.end);
        Self::new(at, at)
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
