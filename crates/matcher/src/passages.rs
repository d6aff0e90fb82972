use precedent_domain::Span;

use crate::claim::{Claim, Found};
use crate::text::{MOST_WORDS, PreparedText, Sentence};

/// Weight of the claim's terms in the score of a passage; the rest is for its pairs of adjacent terms.
const TERMS: f64 = 0.7;
/// Subtracted from the score of a passage of two sentences.
const SECOND_SENTENCE: f64 = 0.08;
/// Subtracted from the score of a passage about other papers.
const OF_OTHERS: f64 = 0.1;

/// One or two sentences of a text that are similar to a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Its position in the document.
    pub span: Span,
    /// Similarity to the claim, at most 1: for ordering passages.
    pub score: f64,
    /// Weighted share of the claim's terms in it, 0 to 1.
    pub coverage: f64,
}

/// The passages of `text` most similar to `claim`, best first, without overlap.
pub(crate) fn passages(claim: &Claim, text: &PreparedText, limit: usize) -> Vec<Passage> {
    let found: Vec<Found> = text
        .sentences
        .iter()
        .map(|sentence| claim.found_in(text.terms_of(sentence)))
        .collect();
    let mut windows: Vec<Passage> = Vec::new();
    for (at, (sentence, &own)) in text.sentences.iter().zip(&found).enumerate() {
        if own.terms == 0 {
            continue;
        }
        windows.push(window(claim, sentence, sentence, own, 0.0));
        if let (Some(next), Some(&more)) = (text.sentences.get(at + 1), found.get(at + 1))
            && next.continues(sentence)
            && more.terms & !own.terms != 0
            && sentence.words + next.words <= MOST_WORDS
        {
            windows.push(window(claim, sentence, next, own.with(more), SECOND_SENTENCE));
        }
    }
    windows.sort_by(|a, b| {
        let by_place = (a.span.start, a.span.end).cmp(&(b.span.start, b.span.end));
        b.score.total_cmp(&a.score).then(by_place)
    });
    let mut chosen: Vec<Passage> = Vec::new();
    for window in windows {
        if chosen.len() == limit {
            break;
        }
        if chosen.iter().all(|other| !other.span.overlaps(window.span)) {
            chosen.push(window);
        }
    }
    chosen
}

/// All sentences of `text` that overlap `span` as one passage; `None` if there is none. Each sentence after the first counts against it, so a long
/// passage gains nothing by its length.
pub(crate) fn passage_at(claim: &Claim, text: &PreparedText, span: Span) -> Option<Passage> {
    let within: Vec<&Sentence> = text.sentences.iter().filter(|one| one.span.overlaps(span)).collect();
    let (first, last) = (within.first()?, within.last()?);
    let found = within.iter().map(|one| claim.found_in(text.terms_of(one)));
    let found = found.fold(Found::default(), Found::with);
    Some(window(
        claim,
        first,
        last,
        found,
        (within.len() - 1) as f64 * SECOND_SENTENCE,
    ))
}

fn window(claim: &Claim, first: &Sentence, last: &Sentence, found: Found, penalty: f64) -> Passage {
    let coverage = claim.coverage(found);
    let of_others = if first.of_others { OF_OTHERS } else { 0.0 };
    Passage {
        span: Span::new(first.span.start, last.span.end),
        score: TERMS * coverage + (1.0 - TERMS) * claim.pair_coverage(found) - penalty - of_others,
        coverage,
    }
}
