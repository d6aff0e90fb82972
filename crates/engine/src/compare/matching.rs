use precedent_domain::{Location, Quote};

use super::claim::ClaimTerms;
use super::evidence::round;
use super::passages::nearest_passages;
use super::word_agreement::{Agreement, agreement, is_sentence};
use crate::compare::{ComparisonSet, PriorReading};

/// The passage of a candidate most similar to some words of the paper.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MatchingPassage {
    /// The passage, verbatim.
    pub(crate) quote: Quote,
    /// Weighted share of the paper's words that the passage has, 0 to 1.
    pub(crate) coverage: f64,
    /// Whether the passage has the words nearly verbatim.
    pub(crate) literal: bool,
}

/// Minimum number of content terms that a passage must share with the words.
const SHARED_TERMS: usize = 2;

/// Weighted share of some words of the paper that a passage has, 0 to 1, and the number of content terms among them.
pub(crate) fn shared_words(set: &ComparisonSet<'_>, words: &str, passage: &str) -> (f64, usize) {
    let substance = ClaimTerms::of(words, set);
    let marks = substance.marks(&set.read(passage));
    (round(substance.coverage(marks)), substance.core_found(marks))
}

/// The passage of `prior` that states `words` nearly word for word.
pub(crate) fn literal_passage(set: &ComparisonSet<'_>, words: &str, prior: &PriorReading<'_>) -> Option<Quote> {
    let substance = ClaimTerms::of(words, set);
    let passage = nearest_passages(&prior.reading, &substance, 1).into_iter().next()?;
    let literal = agreement(&substance, words, prior, &passage) == Agreement::Literal;
    Quote::at(prior.reading.document(), passage.span).filter(|_| literal)
}

/// The passage of `prior` that states `words` nearly word for word, or exactly if they are long enough for a sentence, however general they are.
pub(crate) fn repeated_passage(set: &ComparisonSet<'_>, words: &str, prior: &PriorReading<'_>) -> Option<Quote> {
    if is_sentence(words)
        && let location @ Location::Exact { .. } = prior.reading.quotable().locate(words)
    {
        return Quote::cut(prior.reading.document(), &location);
    }
    literal_passage(set, words, prior)
}

/// The passage of `prior` most similar to `words`; `None` when no passage shares enough content terms.
pub(crate) fn matching_passage(
    set: &ComparisonSet<'_>,
    words: &Quote,
    prior: &PriorReading<'_>,
) -> Option<MatchingPassage> {
    let location = prior.reading.quotable().locate(words.text());
    if let Some(quote) = Quote::cut(prior.reading.document(), &location) {
        return Some(MatchingPassage {
            quote,
            coverage: 1.0,
            literal: true,
        });
    }
    let substance = ClaimTerms::of(words.text(), set);
    let passage = nearest_passages(&prior.reading, &substance, 1).into_iter().next()?;
    if substance.core_found(passage.marks) < SHARED_TERMS {
        return None;
    }
    let literal = agreement(&substance, words.text(), prior, &passage) == Agreement::Literal;
    Some(MatchingPassage {
        quote: Quote::at(prior.reading.document(), passage.span)?,
        coverage: round(substance.coverage(passage.marks)),
        literal,
    })
}
