//! Quotes that mark a gap with an ellipsis.

use std::ops::Range;

use crate::edits::Side;
use crate::index::Posting;
use crate::laid::{Laid, lay};
use crate::lexicon::{Critical, critical};
use crate::locate::{confidence, verified};
use crate::{AlteredReason, Location, Source, Span};

/// Farthest that two neighbouring parts may stand apart, in tokens (C.4).
const FARTHEST: usize = 300;
/// Parts of fewer tokens could stand anywhere: they must stand this near their neighbour.
const SHORT_PART: usize = 4;
const NEAR: usize = 60;
/// In a gap as short as this a denial left out turns the sentence.
const TURNING_GAP: usize = 4;

/// The token ranges between a quote's ellipses: `...`, `…`, `. . .`, also in brackets.
pub(crate) fn split_at_ellipses(quote: Side<'_>) -> Vec<Range<usize>> {
    let tokens = quote.tokens;
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..tokens.len() {
        let (from, to) = (tokens.span(at - 1).end, tokens.span(at).start);
        // No ellipsis is shorter than three bytes.
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

/// Lays the parts over the source in order, near each other and in one section.
pub(crate) fn stitch(
    source: &Source,
    quote: Side<'_>,
    pairs: &[&[Posting]],
    parts: &[Range<usize>],
    sections: &[Span],
) -> Location {
    let laid: Vec<Vec<Laid>> = parts
        .iter()
        .map(|part| lay(source, quote, pairs, part.clone()))
        .collect();
    if let Some(chosen) = in_order(source, &laid, sections) {
        return stitched(source, quote, &chosen);
    }
    // The source may have those dots itself, or nothing where they stand.
    let matched: usize = laid
        .iter()
        .filter_map(|places| places.first())
        .map(|place| place.matched)
        .sum();
    if matched * 2 >= quote.tokens.len()
        && let Some(whole) = lay(source, quote, pairs, 0..quote.tokens.len())
            .first()
            .filter(|whole| whole.verified())
    {
        return verified(source, quote, whole);
    }
    broken(source, quote, &laid)
}

fn stitched(source: &Source, quote: Side<'_>, chosen: &[&Laid]) -> Location {
    let mut spans: Vec<Span> = chosen.iter().map(|laid| laid.span(source, quote)).collect();
    // Neighbours may both take in the dots between them: the first has them.
    for (at, laid) in chosen.iter().enumerate().skip(1) {
        let words = source.inner_tokens().span(laid.source.start).start;
        if let Some([before, here]) = spans.get_mut(at - 1..=at) {
            before.end = before.end.min(words);
            here.start = here.start.max(before.end);
        }
    }
    let coverages: Vec<f64> = chosen.iter().map(|laid| laid.coverage()).collect();
    let score = confidence(&coverages, true);
    let tokens = source.inner_tokens();
    let turned = chosen.windows(2).any(|pair| match pair {
        [left, right] => {
            let gap = left.source.end..right.source.start;
            gap.len() <= TURNING_GAP
                && gap
                    .clone()
                    .any(|at| critical(tokens.text(at)) == Some(Critical::Negation))
        }
        _ => false,
    });
    match (spans.first(), spans.last()) {
        (Some(first), Some(last)) if turned => Location::Altered {
            span: Span::new(first.start, last.end),
            score,
            edits: Vec::new(),
            reasons: vec![AlteredReason::Negation],
        },
        _ => Location::Stitched { spans, score },
    }
}

/// One verified place for each part, in order, each near the one before and in its section; the closest together, the first of those.
fn in_order<'a>(source: &Source, laid: &'a [Vec<Laid>], sections: &[Span]) -> Option<Vec<&'a Laid>> {
    let section_of = |place: &Laid| {
        let at = source.inner_tokens().span(place.source.start).start;
        sections.partition_point(|section| section.start <= at)
    };
    // For every part its reachable places: the place, the width so far, the index of the place before.
    let mut reachable: Vec<Vec<(&Laid, usize, usize)>> = Vec::new();
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

/// Why the parts do not make a quote: the best place of each says.
fn broken(source: &Source, quote: Side<'_>, laid: &[Vec<Laid>]) -> Location {
    let best: Vec<Option<&Laid>> = laid.iter().map(|places| places.first()).collect();
    let coverages: Vec<f64> = best.iter().map(|place| place.map_or(0.0, Laid::coverage)).collect();
    let near = |left: &Laid, right: &Laid| {
        let (left, right) = (&left.source, &right.source);
        right
            .start
            .saturating_sub(left.end)
            .max(left.start.saturating_sub(right.end))
            <= FARTHEST
    };
    let found: Vec<&Laid> = best
        .iter()
        .copied()
        .flatten()
        .filter(|place| place.coverage() >= 0.6)
        .collect();
    let compact = found
        .windows(2)
        .all(|pair| matches!(pair, [left, right] if near(left, right)));
    let score = confidence(&coverages, compact);
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
