use rustc_hash::FxHashMap;

use crate::align::runs;
use crate::alignment::{Alignment, MOST_EXACT, exact_places, lay_beside};
use crate::confidence::{all_but_one, confidence, verified};
use crate::index::{Posting, pair_hash};
use crate::stitch::{split_at_ellipses, stitch};
use crate::terms::is_stopword;
use crate::token::{Entry, Side, TokenKind, Tokens};
use crate::tokenize::tokenize;
use crate::{AlteredReason, Location, Source, Span};

/// Minimum words of a meaningful quote.
const MIN_WORDS: usize = 5;
/// Minimum characters of a meaningful quote; a character of an unspaced script counts twice.
const MIN_CHARACTERS: usize = 20;
/// A quote with fewer words than this is rejected if it occurs in more than [`COMMON`] places or has only function words.
const COMMON_WORDS: usize = 8;
/// Maximum number of places of a short quote.
const COMMON: usize = 5;
/// Minimum share of a quote's tokens that must agree at a place for it to be reported.
const LEAST_COVERAGE: f64 = 0.5;

/// Finds `quote` in `source`.
///
/// The case of a first letter, ligatures, accents, hyphenation, division into words, and punctuation without meaning never count as differences.
/// Small edits are: citation marks, footnote digits, articles, inflection and spelling, superscripts or subscripts set on the line, and capitals
/// elsewhere. Any other difference makes the quote [`Location::Altered`]: a content word added, left out or replaced (however long the quote), a
/// number, a negation, a quantifier, or a sign or operator at digits, brackets and the single letters of formulas.
///
/// `score` is the confidence of OpenNovelty's appendix C.4 over this crate's tokens. The quote is split at its ellipses into anchors. The coverage
/// of an anchor is the share of its tokens that agree at its place, and an anchor hits at 0.6. The score is 0.7 × the mean coverage of the hits +
/// 0.3 × the share of anchors that hit, halved if hits are more than 300 tokens apart.
///
/// In the worst case, the time is linear in the source, for any quote.
#[must_use]
pub fn locate(source: &Source, quote: &str) -> Location {
    locate_in_sections(source, quote, &[])
}

/// Like [`locate`], but the parts of a quote with ellipses must be in one of `sections` (sorted, not overlapping). If `sections` is empty, they may
/// be anywhere within 300 tokens of each other.
#[must_use]
pub fn locate_in_sections(source: &Source, quote: &str, sections: &[Span]) -> Location {
    let tokens = tokenize(quote);
    let side = Side {
        text: quote,
        tokens: &tokens,
    };
    let words = word_count(&tokens);
    if too_short(&tokens, words) {
        return Location::TooShort;
    }
    let pairs = source.index().pairs(&tokens.entries);
    let places = exact_places(source, &tokens.entries, &pairs, MOST_EXACT);
    if words < COMMON_WORDS && (places.len() > COMMON || only_function_words(&tokens)) {
        return Location::TooShort;
    }
    let parts = split_at_ellipses(side);
    if parts.len() > 1 && places.is_empty() {
        return stitch(source, side, &pairs, &parts, sections);
    }
    let whole = lay_beside(source, side, &pairs, 0..tokens.len(), places);
    if let Some(best) = whole.iter().find(|laid| laid.verified()) {
        return verified(source, side, best);
    }
    match whole.first().filter(|laid| laid.agreement() >= LEAST_COVERAGE) {
        Some(best) => altered(source, side, &best.clone().read(source, side)),
        None => reordered(source, side, &pairs).unwrap_or(Location::Absent {
            best_score: whole
                .iter()
                .map(|laid| confidence(&[laid.agreement()], true))
                .fold(0.0, f64::max),
        }),
    }
}

fn altered(source: &Source, quote: Side<'_>, laid: &Alignment) -> Location {
    Location::Altered {
        span: laid.span(source, quote),
        score: confidence(&[laid.coverage().min(all_but_one(quote))], true),
        edits: laid.edits(source, quote),
        reasons: laid.reasons.clone(),
    }
}

fn word_count(quote: &Tokens) -> usize {
    quote
        .entries
        .iter()
        .filter(|entry| entry.kind != TokenKind::Symbol)
        .count()
}

fn too_short(quote: &Tokens, words: usize) -> bool {
    let mut characters = 0;
    for entry in &quote.entries {
        if characters > MIN_CHARACTERS {
            break;
        }
        let length = quote.norm_of(entry).chars().count();
        characters += match entry.kind {
            TokenKind::Symbol => 0,
            TokenKind::Ideograph => 2 * length,
            // Includes the following space.
            _ => length + 1,
        };
    }
    words < MIN_WORDS || characters <= MIN_CHARACTERS
}

fn only_function_words(quote: &Tokens) -> bool {
    quote
        .entries
        .iter()
        .all(|entry| entry.kind == TokenKind::Symbol || is_stopword(quote.norm_of(entry)))
}

/// The same words in another order: a stretch of the source around the longest shared run, with the same bag of words as the quote.
fn reordered(source: &Source, quote: Side<'_>, pairs: &[&[Posting]]) -> Option<Location> {
    let entries = &quote.tokens.entries;
    let tokens = &source.inner_tokens().entries;
    let anchors = runs(source, entries, pairs);
    let turned = rarest_reversed_pair(source, entries);
    let seeds = turned.into_iter().chain(anchors.iter().take(3).map(|run| run.source));
    let length = entries.len();
    let mut bag: FxHashMap<u64, i32> = FxHashMap::default();
    for entry in entries {
        *bag.entry(entry.key).or_default() += 1;
    }
    for seed in seeds {
        let from = seed.saturating_sub(length);
        let window = tokens.get(from..(seed + length).min(tokens.len()))?;
        let Some(offset) = same_bag(window, length, bag.clone()) else {
            continue;
        };
        return Some(Location::Altered {
            span: source.inner_tokens().range_span(from + offset, from + offset + length),
            score: 0.0,
            edits: Vec::new(),
            reasons: vec![AlteredReason::Order],
        });
    }
    None
}

/// Where in `window` a stretch of `length` tokens starts that has nine tenths of its tokens in `bag`.
fn same_bag(window: &[Entry], length: usize, mut bag: FxHashMap<u64, i32>) -> Option<usize> {
    let mut common = 0;
    for (index, entry) in window.iter().enumerate() {
        if let Some(left) = bag.get_mut(&entry.key) {
            *left -= 1;
            common += usize::from(*left >= 0);
        }
        if let Some(gone) = index.checked_sub(length).and_then(|gone| window.get(gone))
            && let Some(left) = bag.get_mut(&gone.key)
        {
            common -= usize::from(*left >= 0);
            *left += 1;
        }
        if index + 1 >= length && common * 10 >= length * 9 {
            return Some(index + 1 - length);
        }
    }
    None
}

/// A place where two adjacent tokens of the quote are in reverse order.
fn rarest_reversed_pair(source: &Source, quote: &[Entry]) -> Option<usize> {
    quote
        .windows(2)
        .filter_map(|pair| match pair {
            [left, right] => {
                let postings = source.index().get(pair_hash(right.key, left.key));
                Some((postings.len(), postings.first()?.position as usize))
            }
            _ => None,
        })
        .min()
        .map(|(_, position)| position)
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
