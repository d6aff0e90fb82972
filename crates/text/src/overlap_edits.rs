//! Differences inside a shared passage that may change its meaning, judged as in `locate`.
//!
//! Neither side of a passage is the source of the other, so text on only one side is always judged as left out by the other.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::align::between;
use crate::citation::{Aside, asides};
use crate::edits::{Difference, Effect, differences};
use crate::print::{printed_otherwise, runs_of};
use crate::token::Side;
use crate::{AlteredReason, EditNote, Source, Span};

/// A position inside a shared passage where the two texts differ in meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct PassageEdit {
    /// The target's words, in bytes of its text. An empty span marks the position if the target lacks them.
    pub a: Span,
    /// The candidate's words, in bytes of its text. An empty span marks the position if the candidate lacks them.
    pub b: Span,
    /// What the difference affects.
    pub reason: AlteredReason,
}

impl PassageEdit {
    /// The same edit seen from the other text.
    pub(crate) fn mirrored(self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            ..self
        }
    }
}

/// From this many words on, text missing on one side is a gap, not an edit.
const GAP_WORDS: usize = 6;
/// From this many words on, text missing on one side is reported even if its words are unremarkable.
const PLAIN_WORDS: usize = 2;
/// From this many words on both sides, a stretch is rewritten, not edited.
const REWRITTEN_WORDS: usize = 5;

/// The edits in one piece of a passage, given as token pairs that increase on both sides.
pub(crate) fn edits(left: &Source, right: &Source, pairs: &[(usize, usize)]) -> Vec<PassageEdit> {
    let sides = (side(left), side(right));
    let key = |source: &Source, at: usize| source.keys().get(at).copied();
    let agreeing = pairs.iter().filter(|pair| key(left, pair.0) == key(right, pair.1));
    let mut found = Vec::new();
    let mut last: Option<(usize, usize)> = None;
    for pair in agreeing.clone() {
        if let Some(last) = last
            && (pair.0 - last.0 > 1 || pair.1 - last.1 > 1)
        {
            found.extend(gap(sides, last.0 + 1..pair.0, last.1 + 1..pair.1));
        }
        last = Some(*pair);
    }
    let turned: Vec<(usize, usize)> = agreeing.map(|(here, there)| (*there, *here)).collect();
    let printed = printed_otherwise(sides.0, sides.1, &runs_of(&turned));
    let capitals =
        in_capitals(sides.0, pairs.iter().map(|pair| pair.0)) != in_capitals(sides.1, pairs.iter().map(|pair| pair.1));
    let printed = printed
        .iter()
        .filter(|one| !capitals || one.note != Some(EditNote::LetterCase));
    found.extend(printed.filter_map(|difference| {
        let (a, b) = difference.shown?;
        let reason = changed(difference)?;
        Some(PassageEdit { a, b, reason })
    }));
    found
}

/// Whether most letters of a piece are capitals. A piece set as a heading differs from the other text only in print.
fn in_capitals(side: Side<'_>, tokens: impl Iterator<Item = usize>) -> bool {
    let (mut capitals, mut letters) = (0, 0);
    for at in tokens {
        for character in side.tokens.span(at).slice(side.text).unwrap_or_default().chars() {
            capitals += usize::from(character.is_uppercase());
            letters += usize::from(character.is_alphabetic());
        }
    }
    capitals * 5 > letters * 4
}

/// The text between an end of a passage and the end of its sentence, if both texts are about to end the sentence.
pub(crate) struct Edge {
    /// Number of tokens of the left and of the right text to add to the passage.
    pub(crate) reach: (usize, usize),
    /// Number of these words that agree.
    pub(crate) agreeing: usize,
    pub(crate) edits: Vec<PassageEdit>,
}

/// Maximum tokens between an end of a passage and the end of its sentence.
const WIDEST_EDGE: usize = 4;

/// Up to this many words replaced by equally many can be an edit even if none of them agree.
const LIKE_EDGE: usize = 2;

/// The rest of the sentence beyond the outermost pair of a passage (forwards if `onwards`, else backwards). Returned only if both texts end it
/// within a few words and one of them changes the meaning: a changed last number is part of a copied sentence.
pub(crate) fn edge(left: &Source, right: &Source, outermost: (usize, usize), onwards: bool) -> Option<Edge> {
    let sides = (side(left), side(right));
    let reach = (
        to_sentence_end(sides.0, outermost.0, onwards)?,
        to_sentence_end(sides.1, outermost.1, onwards)?,
    );
    if reach.0 == 0 || reach.1 == 0 {
        return None;
    }
    let range = |at: usize, reach: usize| {
        if onwards {
            at + 1..at + 1 + reach
        } else {
            at - reach..at
        }
    };
    let (here, there) = (range(outermost.0, reach.0), range(outermost.1, reach.1));
    let mut pairs = Vec::new();
    between(
        &sides.0.tokens.entries,
        &sides.1.tokens.entries,
        here.clone(),
        there.clone(),
        &mut pairs,
    );
    // A different sentence that happens to continue with the same words is not an edit of this one.
    let alike = pairs.len() * 2 >= reach.0.max(reach.1) || reach.0 == reach.1 && reach.0 <= LIKE_EDGE;
    if !alike {
        return None;
    }
    // One end is fixed by the passage's outermost pair, the other by the end of both sentences.
    let mut found = Vec::new();
    let mut from = (here.start, there.start);
    for pair in pairs.iter().copied().chain([(here.end, there.end)]) {
        found.extend(gap(sides, from.0..pair.0, from.1..pair.1));
        from = (pair.0 + 1, pair.1 + 1);
    }
    let turned = found.iter().any(|edit| turns(edit.reason));
    let words = pairs.iter().filter(|pair| sides.0.tokens.words(pair.0..pair.0 + 1) > 0);
    turned.then(|| Edge {
        reach,
        agreeing: words.count(),
        edits: found,
    })
}

/// Number of tokens between the token at `at` and an end of its sentence; `None` if there are too many.
fn to_sentence_end(side: Side<'_>, at: usize, onwards: bool) -> Option<usize> {
    (0..=WIDEST_EDGE).find(|reach| {
        let (before, after) = if onwards {
            (Some(at + reach), at + reach + 1)
        } else {
            let Some(after) = at.checked_sub(*reach) else {
                return false;
            };
            (after.checked_sub(1), after)
        };
        let from = before.map_or(0, |before| side.tokens.span(before).end);
        let to = if after < side.tokens.len() {
            side.tokens.span(after).start
        } else {
            side.text.len()
        };
        let outermost = before.is_none() || after >= side.tokens.len();
        let between = side.text.get(from..to).unwrap_or_default();
        outermost || between.contains(['.', '!', '?', '。']) || between.contains("\n\n")
    })
}

fn side(source: &Source) -> Side<'_> {
    Side {
        text: source.text(),
        tokens: source.inner_tokens(),
    }
}

/// The edits in one range where the two sides do not agree. Differences without a word between them are merged.
fn gap((left, right): (Side<'_>, Side<'_>), here: Range<usize>, there: Range<usize>) -> Vec<PassageEdit> {
    let marks = (
        asides(left.text, left.tokens, here.start, here.end),
        asides(right.text, right.tokens, there.start, there.end),
    );
    let aside = |marks: &[Option<Aside>], range: &Range<usize>, from: usize| {
        range.clone().all(|at| {
            let mark = at.checked_sub(from).and_then(|at| marks.get(at)).copied().flatten();
            matches!(mark, Some(Aside::Citation | Aside::Furniture))
        })
    };
    let mut clusters: Vec<Vec<Difference>> = Vec::new();
    for difference in differences(left, right, here.clone(), there.clone()) {
        // Each text numbers its references independently.
        if aside(&marks.0, &difference.source, here.start) && aside(&marks.1, &difference.quote, there.start) {
            continue;
        }
        let follows = clusters
            .last()
            .and_then(|cluster| cluster.last())
            .is_some_and(|last| last.source.end == difference.source.start && last.quote.end == difference.quote.start);
        match clusters.last_mut().filter(|_| follows) {
            Some(cluster) => cluster.push(difference),
            None => clusters.push(vec![difference]),
        }
    }
    clusters
        .iter()
        .filter_map(|cluster| {
            let (first, last) = (cluster.first()?, cluster.last()?);
            let (one, other) = (first.source.start..last.source.end, first.quote.start..last.quote.end);
            let words = |side: Side<'_>, range: &Range<usize>| side.tokens.words(range.clone());
            let (few, many) = {
                let (one, other) = (words(left, &one), words(right, &other));
                (one.min(other), one.max(other))
            };
            let reason = if few >= REWRITTEN_WORDS {
                AlteredReason::ForeignPart
            } else if many >= few + GAP_WORDS {
                AlteredReason::UnmarkedGap
            } else {
                let noted = first_of(cluster.iter().filter_map(|one| reason(left, right, one)));
                noted.or((few == 0 && many >= PLAIN_WORDS).then_some(AlteredReason::ContentWords))?
            };
            Some(PassageEdit {
                a: place(left, &one),
                b: place(right, &other),
                reason,
            })
        })
        .collect()
}

/// The span of some tokens; for none, the position after the preceding token.
fn place(side: Side<'_>, range: &Range<usize>) -> Span {
    if range.is_empty() {
        let end = range.start.checked_sub(1).map_or(0, |last| side.tokens.span(last).end);
        return Span::new(end, end);
    }
    side.tokens.range_span(range.start, range.end)
}

/// What one difference affects; `None` if it does not change the meaning.
fn reason(left: Side<'_>, right: Side<'_>, difference: &Difference) -> Option<AlteredReason> {
    let (here, there) = (&difference.source, &difference.quote);
    if !here.is_empty() && !there.is_empty() {
        return changed(difference);
    }
    let lacking = if there.is_empty() {
        changed(difference)
    } else {
        let turned = differences(right, left, there.clone(), here.clone());
        first_of(turned.iter().filter_map(changed))
    };
    // A plain word more or less on one side is already reflected in the agreement.
    lacking.filter(|reason| turns(*reason))
}

/// The most significant of several reasons: those that change the meaning before those that only affect words.
fn first_of(reasons: impl Iterator<Item = AlteredReason>) -> Option<AlteredReason> {
    reasons.min_by_key(|reason| (!turns(*reason), *reason))
}

/// Whether a difference with this reason changes the meaning, however few words it affects.
fn turns(reason: AlteredReason) -> bool {
    !matches!(
        reason,
        AlteredReason::ContentWords | AlteredReason::ForeignPart | AlteredReason::Order | AlteredReason::UnmarkedGap
    )
}

fn changed(difference: &Difference) -> Option<AlteredReason> {
    match difference.effect {
        Effect::Changes(reason) => Some(reason),
        _ => None,
    }
}
