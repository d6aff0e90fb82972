use precedent_domain::{Contribution, Document, EvidencePair, Quote, Span};

use super::claim::{ClaimTerms, TermBits};
use super::passages::{Passage, QUOTE_WORDS, nearest_passages};
use crate::compare::{ComparisonSet, PriorReading, Reading, describing_sentence};

/// Maximum number of pairs shown per candidate.
pub(super) const MOST_PAIRS: usize = 3;
/// Maximum number of passages of the paper tried besides the claim itself.
const MOST_ANCHORS: usize = 4;
/// Minimum share of a passage's term weight that a further pair must have.
const FURTHER_PAIR: f64 = 0.35;
/// Minimum number of shared content terms for any pair.
const SHARED_TERMS: usize = 2;

/// A passage of the paper about the claim: the claim itself, its description, or a similar sentence.
pub(super) struct Anchor {
    pub(super) quote: Quote,
    pub(super) context: Option<Quote>,
    pub(super) substance: ClaimTerms,
    /// Whether it states the claim, as the claim itself or in another wording of the paper.
    pub(super) states: bool,
}

/// The claim first, then its restatements in the paper, then other passages about it.
pub(super) fn anchors(contribution: &Contribution, set: &ComparisonSet<'_>) -> Vec<Anchor> {
    let mut claim = anchor(contribution.claim.clone(), true, set);
    claim.substance = claim.substance.offering(&contribution.name, set);
    let mut spans: Vec<Span> = Vec::new();
    let own = contribution.claim.span();
    for quote in &contribution.description_quotes {
        spans.push(quote.span());
    }
    for passage in nearest_passages(set.target(), &claim.substance, MOST_ANCHORS + 2) {
        if passage.sentences == 1 && claim.substance.coverage(passage.marks) >= FURTHER_PAIR {
            spans.push(passage.span);
        }
    }
    let mut anchors = vec![claim];
    let mut taken = vec![own];
    for quote in &contribution.also_stated {
        if taken.iter().all(|other| !other.overlaps(quote.span())) {
            taken.push(quote.span());
            anchors.push(anchor(quote.clone(), true, set));
        }
    }
    let most = anchors.len() + MOST_ANCHORS;
    for span in spans {
        if anchors.len() >= most || taken.iter().any(|other| other.overlaps(span)) {
            continue;
        }
        let quote = Quote::at(set.target().document(), span);
        if let Some(quote) = quote.filter(|quote| quote.text().split_whitespace().count() <= QUOTE_WORDS) {
            taken.push(span);
            anchors.push(anchor(quote, false, set));
        }
    }
    anchors
}

fn anchor(quote: Quote, states: bool, set: &ComparisonSet<'_>) -> Anchor {
    let context = context(set.target(), quote.span());
    Anchor {
        substance: ClaimTerms::of(quote.text(), set),
        context,
        quote,
        states,
    }
}

/// Passage pairs, best first: the claim in the wording at index `leads` with the candidate's most similar passage, then other pairs.
/// Also returns the candidate's passage most similar to the claim.
pub(super) fn pairs(
    anchors: &[Anchor],
    leads: usize,
    prior: &PriorReading<'_>,
) -> (Vec<EvidencePair>, Option<Passage>) {
    let Some(claim) = anchors.get(leads) else {
        return (Vec::new(), None);
    };
    let further = anchors
        .iter()
        .enumerate()
        .filter(|(at, _)| *at != leads)
        .map(|(_, one)| one);
    let mut of_claim = nearest_passages(&prior.reading, &claim.substance, 2).into_iter();
    let Some(nearest) = of_claim.next() else {
        return (Vec::new(), None);
    };
    let mut pairs = Vec::new();
    let mut taken: Vec<Span> = Vec::new();
    if claim.substance.core_found(nearest.marks) >= SHARED_TERMS {
        pairs.extend(pair(claim, prior, &nearest));
        taken.push(nearest.span);
    }
    let mut others: Vec<(f64, &Anchor, Passage)> = further
        .flat_map(|anchor| {
            nearest_passages(&prior.reading, &anchor.substance, 1)
                .into_iter()
                .map(move |one| (anchor, one))
        })
        .chain(of_claim.map(|one| (claim, one)))
        .map(|(anchor, passage)| (passage.similarity, anchor, passage))
        .filter(|(_, anchor, passage)| {
            anchor.substance.coverage(passage.marks) >= FURTHER_PAIR
                && anchor.substance.core_found(passage.marks) > SHARED_TERMS
        })
        .collect();
    others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.first.cmp(&b.2.first)));
    for (_, anchor, passage) in others {
        if pairs.len() >= MOST_PAIRS || pairs.is_empty() {
            break;
        }
        if taken.iter().all(|other| !other.overlaps(passage.span)) {
            taken.push(passage.span);
            pairs.extend(pair(anchor, prior, &passage));
        }
    }
    (pairs, Some(nearest))
}

/// The passage of the candidate at `span`; `None` if it is too long to quote.
pub(super) fn passage_at(claim: &Anchor, prior: &PriorReading<'_>, span: Span) -> Option<Passage> {
    let reading = &prior.reading;
    let sentences = reading.sentences();
    let first = sentences.iter().position(|one| one.span.overlaps(span))?;
    let within = sentences.iter().filter(|one| one.span.overlaps(span));
    let words = within
        .clone()
        .map(|one| claim.substance.marks(reading.words(one.words.clone())));
    let marks = words.fold(TermBits::default(), TermBits::with);
    let passage = Passage {
        first,
        sentences: within.count(),
        span,
        similarity: claim.substance.similarity(marks),
        marks,
    };
    let quoted = reading.document().slice(span)?.split_whitespace().count();
    (quoted <= QUOTE_WORDS).then_some(passage)
}

/// For a candidate similar by topic without a passage similar to the claim: the sentence that says what it does.
pub(super) fn of_the_topic(claim: &Anchor, prior: &PriorReading<'_>) -> Option<EvidencePair> {
    let (reading, span) = (&prior.reading, describing_sentence(prior)?.span());
    let first = reading.sentences().iter().position(|one| one.span == span)?;
    let marks = claim
        .substance
        .marks(reading.words(reading.sentences().get(first)?.words.clone()));
    let passage = Passage {
        first,
        sentences: 1,
        span,
        similarity: claim.substance.similarity(marks),
        marks,
    };
    let (found, all) = (claim.substance.core_found(marks), claim.substance.core_count());
    Some(EvidencePair {
        rationale: format!(
            "The paper is similar by topic. This sentence says what it does, with {found} of the {all} key terms of the other passage."
        ),
        ..pair(claim, prior, &passage)?
    })
}

pub(super) fn pair(anchor: &Anchor, prior: &PriorReading<'_>, passage: &Passage) -> Option<EvidencePair> {
    let substance = &anchor.substance;
    let candidate = Quote::at(prior.reading.document(), passage.span)?;
    let found = substance.core_found(passage.marks);
    Some(EvidencePair {
        target: anchor.quote.clone(),
        candidate_context: context(&prior.reading, passage.span).filter(|around| around.span() != candidate.span()),
        candidate,
        target_context: anchor
            .context
            .clone()
            .filter(|around| around.span() != anchor.quote.span()),
        similarity: round(substance.coverage(passage.marks)),
        rationale: format!(
            "Has {found} of the {} key terms of the paper's passage.",
            substance.core_count()
        ),
    })
}

/// The paragraph around `span`; of a very long paragraph, the part closest to it.
fn context(reading: &Reading<'_>, span: Span) -> Option<Quote> {
    const REACH: usize = 900;
    let document: &Document = reading.document();
    let paragraph = document.paragraph_at(span.start)?.span;
    let start = paragraph.start.max(span.start.saturating_sub(REACH));
    let end = paragraph.end.min(span.end + REACH).max(span.end);
    let sentences = reading.sentences();
    let first = sentences
        .iter()
        .find(|sentence| sentence.span.start >= start && sentence.span.start <= span.start);
    let last = sentences
        .iter()
        .rev()
        .find(|sentence| sentence.span.end <= end && sentence.span.end >= span.end);
    let around = Span::new(
        first.map_or(span.start, |sentence| sentence.span.start),
        last.map_or(span.end, |sentence| sentence.span.end),
    );
    Quote::at(document, around)
}

/// Rounds to three digits, so that output does not depend on the last bit.
pub(super) fn round(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}
