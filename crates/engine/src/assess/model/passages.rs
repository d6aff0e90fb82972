//! The passages of a paper most similar to the claims. A model is shown these first, instead of the whole text.

use precedent_domain::{Contribution, Quote, Span};

use crate::compare::{ComparisonSet, PriorReading, WeightedTerms};

/// Passages per claim, by its own words and by its description.
const BY_CLAIM: usize = 6;
const BY_DESCRIPTION: usize = 1;
/// Minimum content terms that a passage shares, or minimum weighted share of all terms. A claim may have only one content term.
const SHARED: usize = 2;
const ENOUGH: f64 = 0.3;
/// A passage is extended with its context to about this many words.
const FULL: usize = 60;
/// What a second sentence must add to be included, as a share of the claim.
const SECOND: f64 = 0.08;

/// The search terms of a claim: its own words, in every wording that the paper gives them.
pub(crate) fn sought(claim: &Contribution, set: &ComparisonSet<'_>) -> WeightedTerms {
    let wordings = std::iter::once(&claim.claim).chain(&claim.also_stated);
    WeightedTerms::of(wordings.map(Quote::text).chain([claim.name.as_str()]), set)
}

/// The passages of a paper most similar to the claims, in reading order, without overlap. Empty if none is similar enough to any claim.
pub(crate) fn nearest(set: &ComparisonSet<'_>, prior: &PriorReading<'_>, claims: &[Contribution]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for claim in claims {
        take(&mut spans, best(prior, &sought(claim, set), BY_CLAIM));
        let description_terms = WeightedTerms::of([claim.description.as_str()], set);
        take(&mut spans, best(prior, &description_terms, BY_DESCRIPTION));
    }
    spans.sort_unstable_by_key(|span| span.start);
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => *last = Span::new(last.start, last.end.max(span.end)),
            _ => merged.push(span),
        }
    }
    merged
}

fn take(spans: &mut Vec<Span>, more: Vec<Span>) {
    for span in more {
        if !spans.contains(&span) {
            spans.push(span);
        }
    }
}

/// The best windows of one or two sentences, each extended with its context.
fn best(prior: &PriorReading<'_>, sought: &WeightedTerms, most: usize) -> Vec<Span> {
    let reading = &prior.reading;
    let sentences = reading.sentences();
    let mut windows: Vec<(f64, usize, usize)> = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let (share, substance) = sought.found(reading.words(sentence.words.clone()));
        let alone = if is_near(share, substance) { share } else { 0.0 };
        let mut window = (alone, at, 1);
        if let Some(next) = sentences
            .get(at + 1)
            .filter(|next| next.paragraph == sentence.paragraph)
        {
            let both = reading.words(sentence.words.start..next.words.end);
            let (share, substance) = sought.found(both);
            if is_near(share, substance) && share - SECOND > alone {
                window = (share - SECOND, at, 2);
            }
        }
        if window.0 > 0.0 {
            windows.push(window);
        }
    }
    windows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for (_, first, count) in windows {
        if taken.len() == most {
            break;
        }
        if taken
            .iter()
            .all(|&(other, length)| first + count <= other || other + length <= first)
        {
            taken.push((first, count));
        }
    }
    taken
        .into_iter()
        .filter_map(|(first, count)| filled(prior, first, count))
        .collect()
}

/// Whether a passage with this share of the terms and this number of content terms is worth reading.
fn is_near(share: f64, substance: usize) -> bool {
    substance >= SHARED || share >= ENOUGH
}

/// The window extended with neighbours from its paragraph, up to about [`FULL`] words.
fn filled(prior: &PriorReading<'_>, first: usize, count: usize) -> Option<Span> {
    let sentences = prior.reading.sentences();
    let (mut from, mut to) = (first, first + count - 1);
    let paragraph = sentences.get(from)?.paragraph;
    let words = |from: usize, to: usize| {
        let (first, last) = (sentences.get(from)?, sentences.get(to)?);
        let span = Span::new(first.span.start, last.span.end);
        Some((span, prior.reading.document().slice(span)?.split_whitespace().count()))
    };
    let (mut span, _) = words(from, to)?;
    loop {
        let after = sentences
            .get(to + 1)
            .filter(|one| one.paragraph == paragraph)
            .map(|_| (from, to + 1));
        let before = from
            .checked_sub(1)
            .filter(|at| sentences.get(*at).is_some_and(|one| one.paragraph == paragraph));
        let next = before
            .map(|before| (before, to))
            .into_iter()
            .chain(after)
            .find_map(|(from, to)| {
                let (span, length) = words(from, to)?;
                (length <= FULL).then_some((from, to, span))
            });
        match next {
            Some((wider_from, wider_to, wider)) => (from, to, span) = (wider_from, wider_to, wider),
            None => return Some(span),
        }
    }
}
