//! Quotes that mark a gap with an ellipsis.

use std::ops::Range;

use crate::alignment::{Alignment, lay};
use crate::confidence::{HIT, all_but_one, confidence, unseen_edit, verified};
use crate::index::Posting;
use crate::lexicon::{Critical, critical, limits, restricts};
use crate::neighbours::is_dash;
use crate::sentence::sentences;
use crate::token::{Side, TokenKind};
use crate::{AlteredReason, Border, Edit, EditKind, Gap, Location, Source, Span};

/// Maximum distance between two adjacent parts, in tokens (C.4).
const FARTHEST: usize = 300;
/// Parts with fewer tokens could match anywhere, so they must be within `NEAR` tokens of their neighbour.
const SHORT_PART: usize = 4;
const NEAR: usize = 60;
/// In a gap of at most this many tokens, an omitted negation or quantifier changes the sentence.
const TURNING_GAP: usize = 4;
/// A negation within this many tokens after the part before it belongs to the last words of that part.
const AT_THE_HEAD: usize = 2;
/// Number of following words in its clause that a negation applies to.
const SCOPE: usize = 6;
/// Maximum limiting words reported per gap.
const MOST_LIMITS: usize = 16;
/// Number of bytes of the parts next to a gap that are read to find sentence borders.
const SENTENCE_REACH: usize = 400;

/// The token ranges between a quote's ellipses: `...`, `…`, `. . .`, also in brackets.
pub(crate) fn split_at_ellipses(quote: Side<'_>) -> Vec<Range<usize>> {
    let tokens = quote.tokens;
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..tokens.len() {
        let (from, to) = (tokens.span(at - 1).end, tokens.span(at).start);
        // Every ellipsis has at least three bytes.
        if to >= from + 3 && quote.text.get(from..to).is_some_and(has_ellipsis) {
            parts.push(start..at);
            start = at;
        }
    }
    parts.push(start..tokens.len());
    parts
}

fn has_ellipsis(between: &str) -> bool {
    if between.contains(['…', '⋯']) {
        return true;
    }
    let mut dots = 0;
    for character in between.chars() {
        match character {
            '.' => dots += 1,
            ' ' | '\u{a0}' => {}
            _ => dots = 0,
        }
        if dots >= 3 {
            return true;
        }
    }
    false
}

/// Aligns the parts with the source in order, close together and in one section.
pub(crate) fn stitch(
    source: &Source,
    quote: Side<'_>,
    pairs: &[&[Posting]],
    parts: &[Range<usize>],
    sections: &[Span],
) -> Location {
    let laid: Vec<Vec<Alignment>> = parts
        .iter()
        .map(|part| lay(source, quote, pairs, part.clone()))
        .collect();
    if let Some(chosen) = in_order(source, &laid, sections) {
        return stitched(source, quote, &chosen);
    }
    // The source may have the same dots, or nothing in their place.
    let matched: usize = laid
        .iter()
        .filter_map(|places| places.first())
        .map(|place| place.matched)
        .sum();
    if matched * 2 >= quote.tokens.len()
        && are_close(pairs, parts, quote.tokens.len())
        && let Some(whole) = lay(source, quote, pairs, 0..quote.tokens.len())
            .first()
            .filter(|whole| whole.verified())
    {
        return verified(source, quote, whole);
    }
    broken(source, quote, &laid)
}

/// Number of rarest pairs of a part that are used to find where it could match.
const TELLING_PAIRS: usize = 3;
/// Pairs with more positions than this are not distinctive.
const TELLING_PLACES: usize = 64;

/// Whether all parts could be in one passage: for adjacent parts, a pair of one has a position near a pair of the other. Decided from the rarest
/// pairs; returns true if those are too frequent or missing.
fn are_close(pairs: &[&[Posting]], parts: &[Range<usize>], length: usize) -> bool {
    let telling = |part: &Range<usize>| -> Option<Vec<u32>> {
        let own = pairs.get(part.start..part.end.saturating_sub(1).max(part.start))?;
        let mut own: Vec<&[Posting]> = own.iter().copied().filter(|postings| !postings.is_empty()).collect();
        own.sort_unstable_by_key(|postings| postings.len());
        let rarest = own.get(..TELLING_PAIRS)?;
        if rarest.iter().any(|postings| postings.len() > TELLING_PLACES) {
            return None;
        }
        Some(
            rarest
                .iter()
                .flat_map(|postings| postings.iter())
                .map(|posting| posting.position)
                .collect(),
        )
    };
    let positions: Vec<Option<Vec<u32>>> = parts.iter().map(telling).collect();
    positions.windows(2).all(|neighbours| match neighbours {
        [Some(left), Some(right)] => left.iter().any(|left| {
            let near = |right: &u32| (left.abs_diff(*right) as usize) <= FARTHEST + length;
            right.iter().any(near)
        }),
        _ => true,
    })
}

fn stitched(source: &Source, quote: Side<'_>, chosen: &[&Alignment]) -> Location {
    let mut spans: Vec<Span> = chosen.iter().map(|laid| laid.span(source, quote)).collect();
    // Adjacent parts may both include the dots between them; they are assigned to the first.
    for (at, laid) in chosen.iter().enumerate().skip(1) {
        let words = source.inner_tokens().span(laid.source.start).start;
        if let Some([before, here]) = spans.get_mut(at - 1..=at) {
            before.end = before.end.min(words);
            here.start = here.start.max(before.end);
        }
    }
    let coverages: Vec<f64> = chosen.iter().map(|laid| laid.coverage()).collect();
    let score = confidence(&coverages, true);
    let mut edits: Vec<Edit> = chosen.iter().flat_map(|laid| laid.edits(source, quote)).collect();
    edits.extend(unseen_edit(source, quote.text, &spans));
    let mut gaps = Vec::new();
    let mut turned = None;
    for (pair, between) in chosen.windows(2).zip(spans.windows(2)) {
        if let ([left, right], [before, after]) = (pair, between) {
            let tokens = left.source.end..right.source.start;
            let gap = gap(source, &tokens, Span::new(before.end, after.start));
            if gap.crosses.is_none() {
                turned = turned.or_else(|| turning(source, tokens));
            }
            gaps.push(gap);
        }
    }
    match (spans.first(), spans.last(), turned) {
        (Some(first), Some(last), Some((at, reason))) => {
            let word = source.inner_tokens().span(at).slice(source.text()).unwrap_or_default();
            edits.push(Edit {
                kind: EditKind::Deleted,
                source: word.to_owned(),
                quote: String::new(),
                note: None,
            });
            Location::Altered {
                span: Span::new(first.start, last.end),
                score: score.min(confidence(&[all_but_one(quote)], true)),
                edits,
                reasons: vec![reason],
            }
        }
        _ => Location::Stitched {
            spans,
            score,
            edits,
            gaps,
        },
    }
}

/// The text left out between two parts.
fn gap(source: &Source, tokens: &Range<usize>, span: Span) -> Gap {
    let (text, all) = (source.text(), source.inner_tokens());
    let from = text.floor_char_boundary(span.start.saturating_sub(SENTENCE_REACH));
    let to = text.ceil_char_boundary((span.end + SENTENCE_REACH).min(text.len()));
    let left_out = span.slice(text).unwrap_or_default();
    let mut starts = sentences(text.get(from..to).unwrap_or_default())
        .into_iter()
        .map(|sentence| from + sentence.start);
    let crosses = if blank_line(left_out) {
        Some(Border::Paragraph)
    } else {
        let ended = |start: usize| span.start < start && start <= span.end;
        starts.any(ended).then_some(Border::Sentence)
    };
    let limiting = tokens.clone().filter(|at| limits(all.text(*at)));
    Gap {
        span,
        words: tokens.clone().filter(|at| all.kind(*at) != TokenKind::Symbol).count(),
        crosses,
        limits: limiting
            .filter_map(|at| all.span(at).slice(text))
            .take(MOST_LIMITS)
            .map(str::to_owned)
            .collect(),
    }
}

fn blank_line(text: &str) -> bool {
    let mut lines = text.split('\n').skip(1).peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_some() && line.trim().is_empty() {
            return true;
        }
    }
    false
}

/// An omitted word of one sentence that changes the meaning of the kept text. In a short gap, any negation or quantifier counts. In a longer gap,
/// it must negate or restrict the part before (as one of its next words), or the part after (with no clause border in between).
fn turning(source: &Source, gap: Range<usize>) -> Option<(usize, AlteredReason)> {
    let (text, tokens) = (source.text(), source.inner_tokens());
    let reason = |at: usize| match critical(tokens.text(at)) {
        Some(Critical::Negation) => AlteredReason::Negation,
        _ => AlteredReason::Quantifier,
    };
    let short = gap.len() <= TURNING_GAP;
    let turns = |at: &usize| {
        let word = tokens.text(*at);
        if short && matches!(critical(word), Some(Critical::Negation | Critical::Quantifier)) {
            return true;
        }
        let rest = text
            .get(tokens.span(*at).end..tokens.span(gap.end).start)
            .unwrap_or_default();
        let reaches = gap.end - at <= SCOPE && !rest.contains([',', ';', ':', '(', ')', '—', '.']);
        // The first half of `non-linear` negates only the second.
        let compound = rest.starts_with(is_dash);
        restricts(word) && !compound && (at - gap.start < AT_THE_HEAD || reaches)
    };
    gap.clone().find(turns).map(|at| (at, reason(at)))
}

/// One verified place for each part, in order, each near the previous one and in its section. Chooses the closest together, and the first of those.
fn in_order<'a>(source: &Source, laid: &'a [Vec<Alignment>], sections: &[Span]) -> Option<Vec<&'a Alignment>> {
    let section_of = |place: &Alignment| {
        let at = source.inner_tokens().span(place.source.start).start;
        sections.partition_point(|section| section.start <= at)
    };
    // The reachable places of each part: the place, the width so far, the index of the previous place.
    let mut reachable: Vec<Vec<(&Alignment, usize, usize)>> = Vec::new();
    for places in laid {
        let mut here = Vec::new();
        for place in places.iter().filter(|place| place.verified()) {
            match reachable.last() {
                None => here.push((place, 0, 0)),
                Some(before) => {
                    let best = before
                        .iter()
                        .enumerate()
                        .filter_map(|(index, (earlier, width, _))| {
                            let gap = place.source.start.checked_sub(earlier.source.end)?;
                            let short = place.quote.len().min(earlier.quote.len()) < SHORT_PART;
                            let far = if short { NEAR } else { FARTHEST };
                            let together = sections.is_empty() && gap <= far
                                || !sections.is_empty()
                                    && section_of(place) == section_of(earlier)
                                    && (!short || gap <= far);
                            together.then_some((width + gap, index))
                        })
                        .min();
                    if let Some((width, index)) = best {
                        here.push((place, width, index));
                    }
                }
            }
        }
        if here.is_empty() {
            return None;
        }
        reachable.push(here);
    }
    let mut at = reachable
        .last()?
        .iter()
        .enumerate()
        .min_by_key(|(index, (_, width, _))| (*width, *index))
        .map(|(index, _)| index)?;
    let mut chosen = Vec::with_capacity(reachable.len());
    for places in reachable.iter().rev() {
        let (place, _, before) = places.get(at)?;
        chosen.push(*place);
        at = *before;
    }
    chosen.reverse();
    Some(chosen)
}

/// Why the parts do not form a quote, according to the best place of each.
fn broken(source: &Source, quote: Side<'_>, laid: &[Vec<Alignment>]) -> Location {
    let best: Vec<Option<&Alignment>> = laid.iter().map(|places| places.first()).collect();
    let coverages: Vec<f64> = best
        .iter()
        .map(|place| place.map_or(0.0, Alignment::agreement))
        .collect();
    let near = |left: &Alignment, right: &Alignment| {
        let (left, right) = (&left.source, &right.source);
        right
            .start
            .saturating_sub(left.end)
            .max(left.start.saturating_sub(right.end))
            <= FARTHEST
    };
    let found: Vec<&Alignment> = best
        .iter()
        .copied()
        .flatten()
        .filter(|place| place.agreement() >= HIT)
        .collect();
    let compact = found
        .windows(2)
        .all(|pair| matches!(pair, [left, right] if near(left, right)));
    let score = confidence(&coverages, compact).min(confidence(&[all_but_one(quote)], true));
    let matched: usize = found.iter().map(|place| place.matched).sum();
    let longest = found
        .iter()
        .max_by_key(|place| (place.matched, std::cmp::Reverse(place.source.start)));
    let Some(longest) = longest.filter(|_| matched * 2 >= quote.tokens.len()) else {
        return Location::Absent { best_score: score };
    };
    let mut reasons: Vec<AlteredReason> = found.iter().flat_map(|place| place.reasons.iter().copied()).collect();
    if found.len() < laid.len() {
        reasons.push(AlteredReason::ForeignPart);
    }
    if reasons.is_empty() {
        let ordered = found
            .windows(2)
            .all(|pair| matches!(pair, [left, right] if left.source.end <= right.source.start));
        reasons.push(if ordered {
            AlteredReason::UnmarkedGap
        } else {
            AlteredReason::Order
        });
    }
    reasons.sort_unstable();
    reasons.dedup();
    let (span, edits) = if compact {
        let spans: Vec<Span> = found.iter().map(|place| place.span(source, quote)).collect();
        let start = spans.iter().map(|span| span.start).min().unwrap_or(0);
        let end = spans.iter().map(|span| span.end).max().unwrap_or(start);
        (
            Span::new(start, end),
            found.iter().flat_map(|place| place.edits(source, quote)).collect(),
        )
    } else {
        (longest.span(source, quote), longest.edits(source, quote))
    };
    Location::Altered {
        span,
        score,
        edits,
        reasons,
    }
}
