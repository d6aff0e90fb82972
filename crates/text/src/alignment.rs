//! Aligns a quote with one place of a source and evaluates the differences.
//!
//! Long because one alignment is laid over a source in one pass.

use std::ops::Range;

use crate::align::{CLOSE_RIVAL, Place, Run, places, runs};
use crate::citation::{Aside, asides};
use crate::edits::{Difference, Effect, differences};
use crate::index::Posting;
use crate::print::{divided_otherwise, printed_otherwise, runs_of};
use crate::token::Entry;
use crate::token::Side;
use crate::{AlteredReason, Edit, Source, Span};

/// This many consecutive words missing at the place are a part from elsewhere.
const FOREIGN_WORDS: usize = 5;
/// Maximum length of a stretch before the first or after the last agreement that is compared word by word.
const LONGEST_END: usize = 6;

/// A quote, or a part of it, aligned with one place.
#[derive(Debug, Clone)]
pub(crate) struct Alignment {
    /// Range of source tokens.
    pub(crate) source: Range<usize>,
    /// Range of quote tokens.
    pub(crate) quote: Range<usize>,
    /// Number of quote tokens that agree.
    pub(crate) matched: usize,
    /// Agreeing tokens whose printed form has not been compared yet. A place rejected by its words does not need that comparison.
    unread: Vec<Run>,
    pub(crate) differences: Vec<Difference>,
    /// Why it is not verified; empty if it is verified.
    pub(crate) reasons: Vec<AlteredReason>,
}

fn side(source: &Source) -> Side<'_> {
    Side {
        text: source.text(),
        tokens: source.inner_tokens(),
    }
}

fn share(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    let share = part as f64 / whole.max(1) as f64;
    share
}

impl Alignment {
    pub(crate) fn verified(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Share of the quote's tokens that agree here.
    pub(crate) fn agreement(&self) -> f64 {
        share(self.matched, self.quote.len())
    }

    /// Share of agreeing tokens among the quote's tokens plus those it omits. Omissions count for at most half of the quote.
    pub(crate) fn coverage(&self) -> f64 {
        let missing = missing(&self.differences);
        share(self.matched, self.quote.len() + missing.min(self.quote.len() / 2))
    }

    /// The same place, with all differences in print added.
    pub(crate) fn read(mut self, source: &Source, quote: Side<'_>) -> Self {
        let unread = std::mem::take(&mut self.unread);
        let found = printed_otherwise(side(source), quote, &unread);
        printed(&mut self, found);
        self
    }

    /// The differences as edits. Adjacent omitted or inserted words are one edit.
    pub(crate) fn edits(&self, source: &Source, quote: Side<'_>) -> Vec<Edit> {
        let spaced = |side: Side<'_>, before: &Range<usize>, after: &Range<usize>| {
            before.end == after.start
                && before.end.checked_sub(1).is_some_and(|last| {
                    let (from, to) = (side.tokens.span(last).end, side.tokens.span(after.start).start);
                    side.text.get(from..to).is_some_and(|between| between.trim().is_empty())
                })
        };
        let mut merged: Vec<Difference> = Vec::with_capacity(self.differences.len());
        for difference in &self.differences {
            if let Some(last) = merged.last_mut()
                && last.note == difference.note
                && (last.quote.is_empty()
                    && difference.quote.is_empty()
                    && spaced(side(source), &last.source, &difference.source)
                    || last.source.is_empty()
                        && difference.source.is_empty()
                        && spaced(quote, &last.quote, &difference.quote))
            {
                last.source.end = difference.source.end;
                last.quote.end = difference.quote.end;
            } else {
                merged.push(difference.clone());
            }
        }
        merged
            .iter()
            .map(|difference| difference.edit(side(source), quote))
            .collect()
    }

    /// The source bytes, including punctuation at both ends that the quote has too.
    pub(crate) fn span(&self, source: &Source, quote: Side<'_>) -> Span {
        let span = source.inner_tokens().range_span(self.source.start, self.source.end);
        let asked = quote.tokens.range_span(self.quote.start, self.quote.end);
        let before = |text: &str, at: usize| text.get(..at).and_then(|text| text.chars().next_back());
        let after = |text: &str, at: usize| text.get(at..).and_then(|text| text.chars().next());
        let (mut start, mut asked_start) = (span.start, asked.start);
        while let (Some(here), Some(there)) = (before(source.text(), start), before(quote.text, asked_start)) {
            if here != there || here.is_alphanumeric() || here.is_whitespace() {
                break;
            }
            start -= here.len_utf8();
            asked_start -= there.len_utf8();
        }
        let (mut end, mut asked_end) = (span.end, asked.end);
        while let (Some(here), Some(there)) = (after(source.text(), end), after(quote.text, asked_end)) {
            if here != there || here.is_alphanumeric() || here.is_whitespace() {
                break;
            }
            end += here.len_utf8();
            asked_end += there.len_utf8();
        }
        Span::new(start, end)
    }

    fn cost(&self) -> usize {
        self.differences
            .iter()
            .map(|difference| weight(difference.effect))
            .sum()
    }
}

fn weight(effect: Effect) -> usize {
    match effect {
        Effect::None => 0,
        Effect::Slight => 1,
        Effect::Omission => 3,
        Effect::Changes(_) => 10,
    }
}

/// The first `most` places where all tokens match consecutively. Linear in the source in the worst case.
pub(crate) fn exact_places(source: &Source, quote: &[Entry], pairs: &[&[Posting]], most: usize) -> Vec<usize> {
    let tokens = source.keys();
    if quote.len() < 2 {
        let Some(only) = quote.first() else { return Vec::new() };
        let positions = tokens.iter().enumerate().filter(|(_, key)| **key == only.key);
        return positions.map(|(position, _)| position).take(most).collect();
    }
    let rarest = pairs
        .iter()
        .enumerate()
        .min_by_key(|(offset, postings)| (postings.len(), *offset));
    let Some((offset, postings)) = rarest else {
        return Vec::new();
    };
    if postings.len() > LARGEST_SCAN {
        return search(tokens, quote, most);
    }
    let starts = postings.iter().filter_map(|posting| {
        let start = (posting.position as usize).checked_sub(offset)?;
        let there = tokens.get(start..start + quote.len())?;
        let equal = there.iter().zip(quote).all(|(left, right)| *left == right.key);
        equal.then_some(start)
    });
    starts.take(most).collect()
}

/// If the rarest pair has more places than this, the source is repetitive and is scanned once from start to end.
const LARGEST_SCAN: usize = 2048;

/// Knuth–Morris–Pratt search: each source token is examined a bounded number of times, however repetitive the texts are.
fn search(tokens: &[u64], quote: &[Entry], most: usize) -> Vec<usize> {
    let key = |at: usize| quote.get(at).map(|entry| entry.key);
    let mut borders: Vec<usize> = vec![0; quote.len()];
    let mut border = 0;
    for at in 1..quote.len() {
        while border > 0 && key(border) != key(at) {
            border = borders.get(border - 1).copied().unwrap_or(0);
        }
        border += usize::from(key(border) == key(at));
        if let Some(slot) = borders.get_mut(at) {
            *slot = border;
        }
    }
    let mut found = Vec::new();
    let mut agreed = 0;
    for (position, token) in tokens.iter().enumerate() {
        while agreed > 0 && key(agreed) != Some(*token) {
            agreed = borders.get(agreed - 1).copied().unwrap_or(0);
        }
        agreed += usize::from(key(agreed) == Some(*token));
        if agreed == quote.len() {
            found.push(position + 1 - agreed);
            if found.len() == most {
                break;
            }
            agreed = borders.get(agreed - 1).copied().unwrap_or(0);
        }
    }
    found
}

/// Aligns the tokens `part` of the quote with the places that fit best: verified places first, then by agreement.
///
/// `pairs` holds the positions of every adjacent pair in the whole quote.
pub(crate) fn lay(source: &Source, quote: Side<'_>, pairs: &[&[Posting]], part: Range<usize>) -> Vec<Alignment> {
    let entries = quote.tokens.entries.get(part.clone()).unwrap_or_default();
    let pairs = pairs
        .get(part.start..part.end.saturating_sub(1).max(part.start))
        .unwrap_or_default();
    let exact = exact_places(source, entries, pairs, MOST_EXACT);
    lay_beside(source, quote, pairs, part, exact)
}

/// Like [`lay`], if the places where every token agrees are already known. `pairs` holds those of the part.
pub(crate) fn lay_beside(
    source: &Source,
    quote: Side<'_>,
    pairs: &[&[Posting]],
    part: Range<usize>,
    exact: Vec<usize>,
) -> Vec<Alignment> {
    let entries = quote.tokens.entries.get(part.clone()).unwrap_or_default();
    let mut found: Vec<Alignment> = exact
        .into_iter()
        .map(|start| exactly(source, quote, &part, start))
        .collect();
    if found.iter().any(Alignment::verified) {
        found.sort_by_key(|laid| (!laid.verified(), laid.source.start));
        return found;
    }
    let runs = runs(source, entries, pairs);
    let mut places = places(source, entries, &runs);
    places.sort_by_key(|place| std::cmp::Reverse(place.pairs.len()));
    let most = places.first().map_or(0, |place| place.pairs.len());
    // Only a place with nearly as much agreement can turn out better.
    places.retain(|place| place.pairs.len() + CLOSE_RIVAL >= most);
    found.extend(
        places
            .iter()
            .filter_map(|place| judge(source, quote, &part, place, &runs)),
    );
    found.sort_by_key(|laid| {
        (
            !laid.verified(),
            std::cmp::Reverse(laid.matched),
            laid.cost(),
            laid.source.start,
        )
    });
    found
}

/// Maximum places of an exact quote that are distinguished.
pub(crate) const MOST_EXACT: usize = 32;

/// A place where every token agrees.
fn exactly(source: &Source, quote: Side<'_>, part: &Range<usize>, start: usize) -> Alignment {
    let mut laid = Alignment {
        source: start..start + part.len(),
        quote: part.clone(),
        matched: part.len(),
        unread: Vec::new(),
        differences: Vec::new(),
        reasons: Vec::new(),
    };
    let run = Run {
        quote: part.start,
        source: start,
        length: part.len(),
    };
    let found = printed_otherwise(side(source), quote, &[run]);
    printed(&mut laid, found);
    laid
}

/// Adds the differences in print, and reduces the agreement by one token per difference.
fn printed(laid: &mut Alignment, found: Vec<Difference>) {
    for difference in &found {
        laid.matched = laid.matched.saturating_sub(1);
        if let Effect::Changes(reason) = difference.effect {
            laid.reasons.push(reason);
        }
    }
    if !found.is_empty() {
        laid.differences.extend(found);
        laid.differences
            .sort_by_key(|difference| (difference.source.start, difference.quote.start));
        laid.reasons.sort_unstable();
        laid.reasons.dedup();
    }
}

/// Judges one place by analyzing every range that does not agree.
fn judge(source: &Source, quote: Side<'_>, part: &Range<usize>, place: &Place, runs: &[Run]) -> Option<Alignment> {
    let here = side(source);
    let pairs: Vec<(usize, usize)> = place
        .pairs
        .iter()
        .map(|(at, position)| (part.start + at, *position))
        .collect();
    let (first, last) = (*pairs.first()?, *pairs.last()?);
    if pairs.len() * 5 < part.len() * 2 {
        // The agreement is too low to report this place, so its differences are not needed.
        return Some(Alignment {
            source: first.1..last.1 + 1,
            quote: part.clone(),
            matched: pairs.len(),
            unread: Vec::new(),
            differences: Vec::new(),
            reasons: vec![AlteredReason::ForeignPart],
        });
    }
    let mut found: Vec<Difference> = Vec::new();
    let (from, leading) = end_of(here, quote, part.start..first.0, first.1, true);
    let mut signs: Vec<Difference> = Vec::new();
    signs.extend(otherwise(
        here,
        quote,
        from..first.1 + 1,
        part.start..first.0 + 1,
        &leading,
    ));
    found.extend(leading);
    for pair in pairs.windows(2) {
        if let [left, right] = pair
            && (right.0 - left.0 > 1 || right.1 - left.1 > 1)
        {
            let between = differences(here, quote, left.1 + 1..right.1, left.0 + 1..right.0);
            signs.extend(otherwise(
                here,
                quote,
                left.1..right.1 + 1,
                left.0..right.0 + 1,
                &between,
            ));
            found.extend(between);
        }
    }
    let (to, trailing) = end_of(here, quote, last.0 + 1..part.end, last.1 + 1, false);
    signs.extend(otherwise(here, quote, last.1..to, last.0..part.end, &trailing));
    found.extend(trailing);
    let mut reasons = Vec::new();
    collapse_foreign(&mut found, &mut reasons, part, runs);
    let unmatched: usize = found
        .iter()
        .filter(|difference| difference.effect != Effect::None)
        .map(|difference| difference.quote.len())
        .sum();
    let mut laid = Alignment {
        source: from..to,
        quote: part.clone(),
        matched: part.len().saturating_sub(unmatched),
        unread: runs_of(&pairs),
        differences: found,
        reasons,
    };
    weigh(&mut laid);
    printed(&mut laid, signs);
    Some(if laid.verified() {
        laid.read(source, quote)
    } else {
        laid
    })
}

/// Number of tokens that the differences omit, excluding citations and page furniture.
fn missing(found: &[Difference]) -> usize {
    let left_out = found
        .iter()
        .filter(|difference| difference.quote.is_empty() && !difference.beside);
    left_out.map(|difference| difference.source.len()).sum()
}

/// Effect of the signs in and around a range whose words are equivalent on both sides but divided or spelt differently.
fn otherwise(
    here: Side<'_>,
    quote: Side<'_>,
    s: Range<usize>,
    q: Range<usize>,
    found: &[Difference],
) -> Option<Difference> {
    let plain = |difference: &Difference| {
        !difference.source.is_empty()
            && !difference.quote.is_empty()
            && !matches!(difference.effect, Effect::Changes(_))
    };
    if s.len() < 2 && q.len() < 2 || s.is_empty() || q.is_empty() || !found.iter().all(plain) {
        return None;
    }
    let spans = (
        here.tokens.range_span(s.start, s.end),
        quote.tokens.range_span(q.start, q.end),
    );
    let (effect, note) = divided_otherwise(here, quote, spans)?;
    Some(Difference {
        source: s,
        quote: q,
        effect,
        shown: Some(spans),
        note: Some(note),
        beside: false,
    })
}

/// Adds the reasons that follow from a place's differences.
fn weigh(laid: &mut Alignment) {
    for difference in &laid.differences {
        match difference.effect {
            Effect::Changes(reason) => laid.reasons.push(reason),
            Effect::Omission => laid.reasons.push(AlteredReason::ContentWords),
            _ => {}
        }
    }
    laid.reasons.sort_unstable();
    laid.reasons.dedup();
}

/// Analyzes the quote tokens before the first agreement, or after the last. Chooses the number of source tokens that explains them best. Returns
/// where the place starts (or ends), and the differences.
fn end_of(here: Side<'_>, quote: Side<'_>, rest: Range<usize>, edge: usize, leading: bool) -> (usize, Vec<Difference>) {
    if rest.is_empty() {
        return (edge, Vec::new());
    }
    let mut best: Option<End> = None;
    for reach in reaches(here, quote, &rest, edge, leading) {
        let range = if leading {
            edge - reach..edge
        } else {
            edge..edge + reach
        };
        let found = differences(here, quote, range.clone(), rest.clone());
        let weight: usize = found.iter().map(|difference| weight(difference.effect)).sum();
        let rank = (weight, found.len(), reach.abs_diff(rest.len()));
        if best.as_ref().is_none_or(|best| rank < best.rank) {
            let bound = if leading { range.start } else { range.end };
            best = Some(End { rank, bound, found });
            if rank.0 == 0 {
                break;
            }
        }
    }
    best.map_or((edge, Vec::new()), |best| (best.bound, best.found))
}

/// One explanation of an end of a quote.
struct End {
    /// Weight, number of differences, deviation from the expected length: lower is better.
    rank: (usize, usize, usize),
    bound: usize,
    found: Vec<Difference>,
}

/// Numbers of source tokens beyond `edge` that are worth trying: about as many as the quote has left, not counting citations. A citation at the end
/// of the quote must match the adjacent one in the source, if there is one.
fn reaches(here: Side<'_>, quote: Side<'_>, rest: &Range<usize>, edge: usize, leading: bool) -> Vec<usize> {
    if rest.len() > LONGEST_END {
        return vec![0];
    }
    let room = if leading { edge } else { here.tokens.len() - edge };
    let widest = room.min(rest.len() + WIDEST_END_CITATIONS);
    let range = if leading {
        edge - widest..edge
    } else {
        edge..edge + widest
    };
    let mut marks = asides(here.text, here.tokens, range.start, range.end);
    if leading {
        marks.reverse();
    }
    let is_citation = |mark: &Option<Aside>| *mark == Some(Aside::Citation);
    let adjacent = marks.iter().take_while(|mark| is_citation(mark)).count();
    let cites = asides(quote.text, quote.tokens, rest.start, rest.end)
        .iter()
        .any(is_citation);
    let least = if cites { adjacent } else { 0 };
    let mut found = Vec::new();
    let mut words = 0;
    for reach in 0..=widest {
        let inside_citation = reach > 0 && marks.get(reach - 1).is_some_and(is_citation);
        words += usize::from(reach > 0 && !inside_citation);
        if words > rest.len() + 2 {
            break;
        }
        let cut = inside_citation && marks.get(reach).is_some_and(is_citation);
        let plain = reach == 0 || reach == rest.len() || reach == least;
        if reach >= least && !cut && (plain || resembles(here, quote, rest, edge, (reach, leading))) {
            found.push(reach);
        }
    }
    if found.is_empty() {
        found.push(least);
    }
    found.sort_by_key(|reach| (reach.abs_diff(rest.len()), *reach));
    found
}

/// Whether the outermost source token at this reach could match the outermost quote token, entirely or as a fragment.
fn resembles(
    here: Side<'_>,
    quote: Side<'_>,
    rest: &Range<usize>,
    edge: usize,
    (reach, leading): (usize, bool),
) -> bool {
    let (at, to) = if leading {
        (edge - reach, rest.start)
    } else {
        (edge + reach - 1, rest.end - 1)
    };
    let (left, right) = (here.tokens.text(at).as_bytes(), quote.tokens.text(to).as_bytes());
    let heads = left.iter().zip(right).take(2).all(|(left, right)| left == right);
    let tails = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take(2)
        .all(|(left, right)| left == right);
    heads || !leading && tails
}

/// Maximum citation tokens inside an end of a quote.
const WIDEST_END_CITATIONS: usize = 40;

/// Merges a long stretch that this place does not have into one difference, and records whether it occurs elsewhere in the source.
fn collapse_foreign(found: &mut Vec<Difference>, reasons: &mut Vec<AlteredReason>, part: &Range<usize>, runs: &[Run]) {
    let mut merged: Vec<Difference> = Vec::with_capacity(found.len());
    let changes = |difference: &Difference| matches!(difference.effect, Effect::Changes(_));
    let mut pending: Vec<Difference> = Vec::new();
    let mut flush = |pending: &mut Vec<Difference>, merged: &mut Vec<Difference>| {
        let words: usize = pending.iter().map(|difference| difference.quote.len()).sum();
        let broken = pending.iter().filter(|difference| changes(difference)).count();
        if words >= FOREIGN_WORDS
            && broken * 2 >= pending.len()
            && let (Some(first), Some(last)) = (pending.first(), pending.last())
        {
            let quote = first.quote.start..last.quote.end;
            let elsewhere = runs.iter().any(|run| {
                let (from, to) = (part.start + run.quote, part.start + run.quote + run.length);
                to.min(quote.end).saturating_sub(from.max(quote.start)) >= 4
            });
            let reason = if elsewhere {
                AlteredReason::UnmarkedGap
            } else {
                AlteredReason::ForeignPart
            };
            reasons.push(reason);
            merged.push(Difference {
                source: first.source.start..last.source.end,
                quote,
                effect: Effect::Changes(reason),
                shown: None,
                note: None,
                beside: false,
            });
            pending.clear();
        } else {
            merged.append(pending);
        }
    };
    for difference in found.drain(..) {
        let follows = pending
            .last()
            .is_some_and(|last| last.quote.end == difference.quote.start);
        if !follows {
            flush(&mut pending, &mut merged);
        }
        pending.push(difference);
    }
    flush(&mut pending, &mut merged);
    *found = merged;
}
