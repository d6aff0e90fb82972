use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::marks::marks;
use crate::overlap_edits::{PassageEdit, edge, edits};
use crate::passages::{Grams, Passage, passages};
use crate::shared_passage::{OverlapKind, OverlapMark, SharedPassage};
use crate::{Source, Span};

/// Options for shared passages.
#[derive(Debug, Clone, PartialEq)]
pub struct OverlapOptions {
    /// Minimum length of a reported passage, in words (default 30).
    pub min_words: usize,
}

impl Default for OverlapOptions {
    fn default() -> Self {
        Self { min_words: 30 }
    }
}

/// Passages that a target shares with one candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// Index of the candidate in the slice given to [`overlap`].
    pub candidate: usize,
    /// The passages, in target order.
    pub passages: Vec<SharedPassage>,
}

/// Every passage of at least `options.min_words` words that `target` shares with each candidate. Candidates that share nothing are left out.
///
/// Both sides of a passage have that many words. A passage is a chain of equal runs of at least four tokens, with agreeing tokens between and
/// around them. Gaps and small edits are bridged. Pieces that are close together on both sides form one passage, in any order. `agreement` is twice
/// the agreeing words divided by the words of both sides; differences are judged as in [`crate::locate`]. The order of the candidates and duplicate
/// texts affect only the indices; `overlap(a, &[b])` is `overlap(b, &[a])` with the sides swapped.
///
/// The target is indexed once and each candidate is read once. Memory is linear in the target and in one candidate per thread.
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

/// Whether `one` comes first in the order in which two texts are compared, independent of which is the target.
pub(crate) fn ordered(one: &Source, other: &Source) -> bool {
    (one.text().len(), one.text()) <= (other.text().len(), other.text())
}

/// The passages of one pair. The texts are compared in an order that does not depend on which is the target.
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

/// The passage for two identical texts: the whole text.
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

/// Minimum share of agreeing words for [`OverlapKind::Direct`].
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

    /// Extends the passage to the last words of a sentence at either end if they were changed in meaning. Returns the edits there.
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

impl Span {
    /// Extended to cover `part`, such as a sign before its first word.
    fn with(self, part: Self) -> Self {
        if part.is_empty() {
            return self;
        }
        Self::new(self.start.min(part.start), self.end.max(part.end))
    }

    /// Moves an empty span that is outside (beyond white space) to the border; returns any other span unchanged.
    fn holding(self, part: Self) -> Self {
        if !part.is_empty() {
            return part;
        }
        let at = part.start.clamp(self.start, self.end);
        Self::new(at, at)
    }
}

/// A passage in this many different texts is boilerplate.
const COMMON_TO: usize = 3;
/// A candidate that shares more of the target than this is another version of it, or its source, and says nothing about boilerplate.
const VERSION_SHARE: f64 = 0.2;

/// Marks passages that several different candidates share with the target at one position.
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
