//! Finds shared passages by seed and extend: equal runs of tokens are chained, bridged and grouped.
//!
//! Long because one walk leads from seeds to passages, and its steps share their bounds.

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::align::between;
use crate::index::{Index, mix};
use crate::terms::is_stopword;
use crate::token::{Entry, Tokens};

/// Number of tokens in a seed.
const SEED: usize = 4;
/// A seed with more position pairs than this is paired in order instead of all with all.
const MOST_PAIRS: usize = 256;
/// Maximum tokens skipped on either side between two runs of one chain.
const WIDEST_GAP: usize = 30;
/// Number of preceding runs that are considered as predecessor.
const LOOK_BACK: usize = 48;
/// Minimum agreeing words of a piece of a passage.
const PIECE_WORDS: usize = 8;
/// Pieces within this distance on both sides, in tokens, belong to one passage.
const NEAR: usize = 40;
/// Costs, in tokens, of each token skipped on both sides of a chain, and of each skipped on one side only. Chosen by hand: `cargo xtask bench overlap`
/// measures them.
const SKIPPED_COST: f64 = 0.05;
const UNPAIRED_COST: f64 = 0.15;
/// Minimum agreement of a passage.
const LEAST_AGREEMENT: f64 = 0.5;

/// The positions of every run of four tokens of one text.
pub(crate) struct Grams {
    index: Index,
    counts: usize,
}

fn gram_hashes(tokens: &Tokens) -> impl Iterator<Item = (u64, usize)> + Clone + '_ {
    tokens.entries.windows(SEED).enumerate().map(|(at, gram)| {
        let hash = gram.iter().fold(0, |hash, entry| mix(hash, entry.key));
        (hash.wrapping_mul(0xd6e8_feb8_6659_fd93), at)
    })
}

impl Grams {
    pub(crate) fn new(tokens: &Tokens) -> Self {
        let hashes = gram_hashes(tokens).filter_map(|(hash, at)| Some((hash, u32::try_from(at).ok()?)));
        Self {
            index: Index::from_hashes(hashes),
            counts: tokens.len(),
        }
    }

    /// The position pairs (here, there) where four tokens agree. The set does not depend on which text was indexed.
    pub(crate) fn seeds(&self, other: &Tokens) -> Vec<(usize, usize)> {
        if self.counts < SEED {
            return Vec::new();
        }
        let mut hits: Vec<(u64, usize)> = gram_hashes(other)
            .filter(|(hash, _)| !self.index.get(*hash).is_empty())
            .collect();
        hits.sort_unstable();
        let mut seeds = Vec::with_capacity(hits.len());
        for same in hits.chunk_by(|left, right| left.0 == right.0) {
            let here = same.first().map_or(&[][..], |(hash, _)| self.index.get(*hash));
            if here.len().saturating_mul(same.len()) <= MOST_PAIRS {
                for posting in here {
                    seeds.extend(same.iter().map(|(_, there)| (posting.position as usize, *there)));
                }
            } else {
                let ranked = here.iter().zip(same);
                seeds.extend(ranked.map(|(posting, (_, there))| (posting.position as usize, *there)));
            }
        }
        seeds
    }
}

/// A run of equal tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EqualRun {
    left_end: usize,
    right_end: usize,
    length: usize,
}

impl EqualRun {
    fn left(self) -> usize {
        self.left_end - self.length
    }

    fn right(self) -> usize {
        self.right_end - self.length
    }
}

/// A passage of both texts, in tokens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Passage {
    pub(crate) left: Range<usize>,
    pub(crate) right: Range<usize>,
    /// Number of words that agree.
    pub(crate) agreeing: usize,
    /// Number of words on each side.
    pub(crate) words: (usize, usize),
    /// Its pieces: token pairs that increase on both sides. There is one piece if the whole passage is in one order.
    pub(crate) pieces: Vec<Vec<(usize, usize)>>,
}

impl Passage {
    /// Twice the agreeing words divided by the words of both sides.
    pub(crate) fn agreement(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
        let share = 2.0 * self.agreeing as f64 / (self.words.0 + self.words.1).max(1) as f64;
        share.min(1.0)
    }
}

/// A piece of a passage: token pairs that increase on both sides.
#[derive(Debug, Clone)]
struct PassagePiece {
    pairs: Vec<(usize, usize)>,
    words: usize,
}

impl PassagePiece {
    fn left(&self) -> Range<usize> {
        range(
            self.pairs.first().map(|pair| pair.0),
            self.pairs.last().map(|pair| pair.0),
        )
    }

    fn right(&self) -> Range<usize> {
        range(
            self.pairs.first().map(|pair| pair.1),
            self.pairs.last().map(|pair| pair.1),
        )
    }
}

fn range(first: Option<usize>, last: Option<usize>) -> Range<usize> {
    match (first, last) {
        (Some(first), Some(last)) => first..last + 1,
        _ => 0..0,
    }
}

/// The passages of at least `min_words` words that grow from `seeds`.
pub(crate) fn passages(left: &Tokens, right: &Tokens, seeds: Vec<(usize, usize)>, min_words: usize) -> Vec<Passage> {
    let runs = runs(left, right, seeds);
    let pieces: Vec<PassagePiece> = chains(&runs)
        .into_iter()
        .filter_map(|chain| piece(left, right, &chain))
        .collect();
    group(left, right, pieces, min_words)
}

/// The maximal runs through the seeds.
fn runs(left: &Tokens, right: &Tokens, mut seeds: Vec<(usize, usize)>) -> Vec<EqualRun> {
    // By diagonal, then along it.
    let diagonal = |seed: &(usize, usize)| seed.0 + right.len() - seed.1;
    seeds.sort_unstable_by_key(|seed| (diagonal(seed), seed.0));
    let mut found: Vec<EqualRun> = Vec::new();
    let mut covered: Option<(usize, usize)> = None;
    for seed in &seeds {
        let on = diagonal(seed);
        if covered.is_some_and(|(line, end)| line == on && seed.0 < end) {
            continue;
        }
        let back = agreeing(
            left.entries.iter().take(seed.0).rev(),
            right.entries.iter().take(seed.1).rev(),
        );
        let ahead = agreeing(left.entries.iter().skip(seed.0), right.entries.iter().skip(seed.1));
        let run = EqualRun {
            left_end: seed.0 + ahead,
            right_end: seed.1 + ahead,
            length: back + ahead,
        };
        covered = Some((on, run.left_end));
        if run.length >= SEED {
            found.push(run);
        }
    }
    found.sort_unstable();
    found
}

fn agreeing<'a>(left: impl Iterator<Item = &'a Entry>, right: impl Iterator<Item = &'a Entry>) -> usize {
    left.zip(right)
        .take_while(|(left, right)| left.key == right.key)
        .count()
}

/// Chains of runs that follow each other closely on both sides. Each run is in one chain only; the longest chains come first.
fn chains(runs: &[EqualRun]) -> Vec<Vec<EqualRun>> {
    let mut best: Vec<(f64, Option<usize>)> = Vec::with_capacity(runs.len());
    for (index, run) in runs.iter().enumerate() {
        let own = count(run.length);
        let mut score = (own, None);
        let from = index.saturating_sub(LOOK_BACK);
        for (step, (earlier, (earlier_score, _))) in runs.iter().zip(&best).take(index).skip(from).enumerate() {
            if let Some(cost) = link_cost(*earlier, *run) {
                let linked = earlier_score + own - cost;
                if linked > score.0 {
                    score = (linked, Some(from + step));
                }
            }
        }
        best.push(score);
    }
    let mut ends: Vec<usize> = (0..runs.len()).collect();
    let score_of = |index: usize| best.get(index).map_or(0.0, |entry| entry.0);
    ends.sort_by(|one, other| score_of(*other).total_cmp(&score_of(*one)).then(one.cmp(other)));
    let mut used = vec![false; runs.len()];
    let mut found = Vec::new();
    for end in ends {
        let mut chain = Vec::new();
        let mut next = Some(end);
        while let Some(index) = next {
            let (Some(run), Some(entry), Some(flag)) = (runs.get(index), best.get(index), used.get_mut(index)) else {
                break;
            };
            if *flag {
                break;
            }
            *flag = true;
            chain.push(*run);
            next = entry.1;
        }
        if !chain.is_empty() {
            chain.reverse();
            found.push(chain);
        }
    }
    found
}

fn count(tokens: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    let count = tokens as f64;
    count
}

fn link_cost(from: EqualRun, to: EqualRun) -> Option<f64> {
    if to.left_end <= from.left_end || to.right_end <= from.right_end {
        return None;
    }
    let overlap = from
        .left_end
        .saturating_sub(to.left())
        .max(from.right_end.saturating_sub(to.right()));
    if overlap >= to.length || to.left() <= from.left() || to.right() <= from.right() {
        return None;
    }
    let left_gap = (to.left() + overlap).saturating_sub(from.left_end);
    let right_gap = (to.right() + overlap).saturating_sub(from.right_end);
    let (narrow, wide) = (left_gap.min(right_gap), left_gap.max(right_gap));
    if wide > WIDEST_GAP {
        return None;
    }
    Some(count(overlap) + SKIPPED_COST * count(narrow) + UNPAIRED_COST * count(wide - narrow))
}

/// The token pairs of a chain, plus agreeing tokens between its runs and beyond its ends; `None` if too few words agree.
fn piece(left: &Tokens, right: &Tokens, chain: &[EqualRun]) -> Option<PassagePiece> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for run in chain {
        let (left_done, right_done) = pairs
            .last()
            .map_or((run.left(), run.right()), |pair| (pair.0 + 1, pair.1 + 1));
        let overlap = left_done
            .saturating_sub(run.left())
            .max(right_done.saturating_sub(run.right()));
        let (from, to) = (run.left() + overlap, run.right() + overlap);
        bridge(left, right, left_done..from, right_done..to, &mut pairs);
        pairs.extend((overlap..run.length).map(|step| (run.left() + step, run.right() + step)));
    }
    let (first, last) = (*pairs.first()?, *pairs.last()?);
    let mut before = grow(left, right, first, false);
    let after = grow(left, right, last, true);
    before.reverse();
    before.extend(pairs);
    before.extend(after);
    let words = before
        .iter()
        .filter(|pair| left.kind(pair.0) != crate::TokenKind::Symbol)
        .count();
    (words >= PIECE_WORDS).then_some(PassagePiece { pairs: before, words })
}

/// The agreeing tokens between two runs. A stretch with the same letters divided differently into words agrees entirely.
fn bridge(left: &Tokens, right: &Tokens, here: Range<usize>, there: Range<usize>, pairs: &mut Vec<(usize, usize)>) {
    if here.is_empty() || there.is_empty() {
        return;
    }
    let from = pairs.len();
    between(&left.entries, &right.entries, here.clone(), there.clone(), pairs);
    if pairs.len() == from && same_letters(left, right, &here, &there) {
        pairs.extend(here.zip(there));
    }
}

fn same_letters(left: &Tokens, right: &Tokens, here: &Range<usize>, there: &Range<usize>) -> bool {
    here.len() + there.len() <= 8
        && here
            .clone()
            .flat_map(|at| left.text(at).bytes())
            .eq(there.clone().flat_map(|at| right.text(at).bytes()))
}

/// Maximum differing tokens, on either side, before agreement continues beyond the last run.
const STEP: usize = 3;

/// Extends the agreement outwards from a pair, across a few differing tokens at a time.
fn grow(left: &Tokens, right: &Tokens, from: (usize, usize), onwards: bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = from;
    while let Some(run) = next_run(left, right, at, onwards) {
        let Some(last) = run.last() else { break };
        at = *last;
        found.extend(run);
    }
    found
}

/// The next two or more agreeing tokens, not all of them function words, within a few tokens beyond `from`.
fn next_run(left: &Tokens, right: &Tokens, from: (usize, usize), onwards: bool) -> Option<Vec<(usize, usize)>> {
    let key = |tokens: &Tokens, at: usize| tokens.entries.get(at).map(|entry| entry.key);
    let moved = |at: usize, by: usize| if onwards { Some(at + by) } else { at.checked_sub(by) };
    for apart in 0..=2 * STEP {
        for skipped in apart.saturating_sub(STEP)..=apart.min(STEP) {
            // Both ways to distribute the skipped tokens, the more even ones first, so that neither side is favoured.
            let (one, other) = (skipped, apart - skipped);
            let mut run = Vec::new();
            let mut step = 1;
            while let (Some(here), Some(there)) = (moved(from.0, one + step), moved(from.1, other + step)) {
                match (key(left, here), key(right, there)) {
                    (Some(left), Some(right)) if left == right => run.push((here, there)),
                    _ => break,
                }
                step += 1;
            }
            let telling = run.iter().any(|(at, _)| !is_stopword(left.text(*at)));
            if run.len() >= 3 || run.len() == 2 && telling {
                return Some(run);
            }
        }
    }
    None
}

/// Groups pieces that are close together on both sides, and keeps the groups that are long enough.
fn group(left: &Tokens, right: &Tokens, mut pieces: Vec<PassagePiece>, min_words: usize) -> Vec<Passage> {
    pieces.sort_by_key(|piece| (piece.left().start, piece.right().start, piece.pairs.len()));
    let mut groups: Vec<Vec<PassagePiece>> = Vec::new();
    // Where the groups that a later piece could still join end in the left text.
    let mut open: Vec<(usize, Range<usize>, Range<usize>)> = Vec::new();
    for piece in pieces {
        let (here, there) = (piece.left(), piece.right());
        open.retain(|(_, left, _)| left.end + NEAR >= here.start);
        let joins = open
            .iter_mut()
            .find(|(_, left, right)| apart(left, &here) <= NEAR && apart(right, &there) <= NEAR);
        match joins {
            Some((index, left, right)) => {
                *left = left.start.min(here.start)..left.end.max(here.end);
                *right = right.start.min(there.start)..right.end.max(there.end);
                if let Some(group) = groups.get_mut(*index) {
                    group.push(piece);
                }
            }
            None => {
                if open.len() < MOST_OPEN {
                    open.push((groups.len(), here, there));
                }
                groups.push(vec![piece]);
            }
        }
    }
    groups
        .iter()
        .flat_map(|group| match passage(left, right, group, min_words) {
            Some(whole) => vec![whole],
            None => group
                .iter()
                .flat_map(|piece| cores(left, right, &piece.pairs, min_words))
                .collect(),
        })
        .collect()
}

/// If too little agrees for the whole to be a passage (as with repeated lines), finds the stretches that are passages on their own. Takes the
/// stretch with the highest surplus of agreement first, then continues on both sides of it.
fn cores(left: &Tokens, right: &Tokens, pairs: &[(usize, usize)], min_words: usize) -> Vec<Passage> {
    let mut found = Vec::new();
    let mut open = vec![pairs];
    while let Some(pairs) = open.pop() {
        if pairs.len() * 3 < min_words * 2 || found.len() == MOST_CORES {
            continue;
        }
        let Range { start, end } = densest(pairs);
        let core = pairs.get(start..end).unwrap_or_default();
        let words = core
            .iter()
            .filter(|pair| left.kind(pair.0) != crate::TokenKind::Symbol)
            .count();
        let piece = PassagePiece {
            pairs: core.to_vec(),
            words,
        };
        let Some(whole) = passage(left, right, &[piece], min_words) else {
            continue;
        };
        found.push(whole);
        open.extend([pairs.get(end..), pairs.get(..start)].into_iter().flatten());
    }
    found
}

/// Maximum passages that one chain is split into.
const MOST_CORES: usize = 64;

/// The range of pairs with the greatest sum, where each pair counts two and each token skipped between two pairs minus one.
fn densest(pairs: &[(usize, usize)]) -> Range<usize> {
    let mut best = (0_i64, 0..0);
    let (mut sum, mut from) = (0_i64, 0);
    let mut last: Option<(usize, usize)> = None;
    for (at, pair) in pairs.iter().enumerate() {
        let gap = last.map_or(0, |last| (pair.0 - last.0 - 1) + (pair.1 - last.1 - 1));
        sum -= i64::try_from(gap).unwrap_or(i64::MAX / 4);
        if sum <= 0 {
            (sum, from) = (0, at);
        }
        sum += 2;
        if sum > best.0 {
            best = (sum, from..at + 1);
        }
        last = Some(*pair);
    }
    best.1
}

/// Maximum groups that a piece is compared with.
const MOST_OPEN: usize = 256;

fn apart(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.start
        .saturating_sub(other.end)
        .max(other.start.saturating_sub(one.end))
}

fn passage(left: &Tokens, right: &Tokens, group: &[PassagePiece], min_words: usize) -> Option<Passage> {
    let group = contributing(group);
    let hull = |sides: &mut dyn Iterator<Item = Range<usize>>| {
        sides.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
    };
    let here = hull(&mut group.iter().map(|piece| piece.left()))?;
    let there = hull(&mut group.iter().map(|piece| piece.right()))?;
    let agreeing = match group.as_slice() {
        [only] => only.words,
        several => {
            let mut lefts: FxHashSet<usize> = FxHashSet::default();
            let mut rights: FxHashSet<usize> = FxHashSet::default();
            for (at, to) in several.iter().flat_map(|piece| &piece.pairs) {
                if left.kind(*at) != crate::TokenKind::Symbol {
                    lefts.insert(*at);
                    rights.insert(*to);
                }
            }
            lefts.len().min(rights.len())
        }
    };
    let words = (left.words(here.clone()), right.words(there.clone()));
    let found = Passage {
        left: here,
        right: there,
        agreeing,
        words,
        pieces: group.iter().map(|piece| piece.pairs.clone()).collect(),
    };
    let long = words.0.min(words.1) >= min_words && agreeing * 3 >= min_words * 2;
    (long && found.agreement() >= LEAST_AGREEMENT).then_some(found)
}

/// The pieces that contribute something of their own, longest first. A phrase repeated in a copied passage agrees with each of its positions and
/// adds nothing.
fn contributing(group: &[PassagePiece]) -> Vec<&PassagePiece> {
    let mut pieces: Vec<&PassagePiece> = group.iter().collect();
    if pieces.len() > 1 {
        pieces.sort_by_key(|piece| (Reverse(piece.words), piece.left().start, piece.right().start));
        let (mut lefts, mut rights): (FxHashSet<usize>, FxHashSet<usize>) = Default::default();
        pieces.retain(|piece| {
            let fresh = |known: &FxHashSet<usize>, at: &dyn Fn(&(usize, usize)) -> usize| {
                piece.pairs.iter().filter(|pair| !known.contains(&at(pair))).count()
            };
            let adds = fresh(&lefts, &|pair| pair.0) >= SEED || fresh(&rights, &|pair| pair.1) >= SEED;
            if adds {
                lefts.extend(piece.pairs.iter().map(|pair| pair.0));
                rights.extend(piece.pairs.iter().map(|pair| pair.1));
            }
            adds
        });
    }
    pieces
}
