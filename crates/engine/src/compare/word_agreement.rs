use precedent_domain::Location;
use precedent_language::terms::{Word, WordKind};
use precedent_text::AlteredReason;

use super::claim::ClaimTerms;
use super::passages::Passage;
use crate::compare::{PriorReading, Reading};

/// How a claim and a passage agree by their words.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Agreement {
    /// The passage contains the claim's content words nearly verbatim.
    Literal,
    /// The passage contains most of the claim's terms; the text says why this is not literal agreement.
    Near(&'static str),
    /// Neither.
    Apart,
}

/// Minimum number of content terms for a claim to differ from its topic.
pub(super) const FEWEST_TERMS: usize = 4;
/// Minimum share of the claim's content terms in a similar passage, by number and by weight.
const NEAR: f64 = 0.7;
/// Minimum share for literal agreement.
const LITERAL: f64 = 0.85;
/// Minimum number of distinctive terms among them. Every paper on the topic would anticipate a claim that says no more than the topic.
const DISTINCTIVE_TERMS: usize = 2;
/// Minimum number of content terms for words alone to anticipate a claim.
const FEWEST_LITERAL: usize = 6;
/// Minimum length in words of a claim that is matched as a whole sentence.
const WHOLE_SENTENCE: usize = 10;
/// Minimum share of all the claim's words, grammar included, that the passage has in the same order.
const WORD_FOR_WORD: f64 = 0.75;
/// Minimum share of neighbouring pairs kept.
const PAIRS: f64 = 0.5;
/// Minimum share of the shared terms that are in one order.
const ORDER: f64 = 0.7;
/// Minimum share of words of the passage's shared stretch that the claim has too.
const DENSITY: f64 = 0.5;

/// How far the words of `passage` support the claim.
pub(super) fn agreement(substance: &ClaimTerms, claim: &str, prior: &PriorReading<'_>, passage: &Passage) -> Agreement {
    let terms = substance.core_count();
    let share = substance.core_found(passage.marks) as f64 / terms.max(1) as f64;
    if (2..FEWEST_TERMS).contains(&terms) && share >= 1.0 {
        return Agreement::Near("many papers contain so few terms without making the claim");
    }
    if terms < FEWEST_TERMS || share < NEAR || substance.coverage(passage.marks) < NEAR {
        return Agreement::Apart;
    }
    if share < LITERAL {
        return Agreement::Near("others are missing");
    }
    if substance.coverage(passage.marks) < LITERAL {
        return Agreement::Near("its numbers or general words are missing");
    }
    if substance.distinctive_found(passage.marks) < DISTINCTIVE_TERMS {
        return Agreement::Near("they are terms of the whole topic");
    }
    if terms < FEWEST_LITERAL && !contains_sentence(claim, prior) {
        return Agreement::Near("so few terms alone do not settle a claim");
    }
    let Some(stretch) = shared_stretch(substance, &prior.reading, passage) else {
        return Agreement::Apart;
    };
    if substance.pair_coverage(passage.marks) < PAIRS || stretch.order < ORDER || stretch.density < DENSITY {
        return Agreement::Near("the terms are in another order or among other words");
    }
    if numbers(&substance.words, claim) != numbers(stretch.words, &prior.reading.document().text) {
        return Agreement::Near("the numbers differ");
    }
    let around = passage_words(&prior.reading, passage);
    if word_for_word(substance, around) < WORD_FOR_WORD {
        return Agreement::Near("the wording differs");
    }
    let text = &prior.reading.document().text;
    if turning_words(&substance.words, claim) != turning_words(around, text) {
        return Agreement::Near("a negation, a comparison or a reservation differs");
    }
    // `by the one and not by the other`: the same words with the meaning reversed.
    if stretch.order < 1.0 && !turning_words(&substance.words, claim).is_empty() {
        return Agreement::Near("the terms are swapped around a negation, a comparison or a reservation");
    }
    if is_turned(substance, claim, prior) {
        return Agreement::Near("the passage says something different from the claim");
    }
    Agreement::Literal
}

/// Whether the candidate contains the claim's whole sentence, word for word. Then it states the claim, however few words are distinctive.
/// Small edits are not accepted: in a sentence of few words, swapping two words reverses the meaning.
fn contains_sentence(claim: &str, prior: &PriorReading<'_>) -> bool {
    is_sentence(claim) && matches!(prior.reading.quotable().locate(claim), Location::Exact { .. })
}

/// Whether a text is long enough to be matched as a whole sentence.
pub(super) fn is_sentence(text: &str) -> bool {
    text.split_whitespace().count() >= WHOLE_SENTENCE
}

/// Whether the quote check finds the claim's content words in the candidate with a changed meaning. Its findings on single content words
/// are ignored, because the thresholds above already decide how many may differ.
fn is_turned(substance: &ClaimTerms, claim: &str, prior: &PriorReading<'_>) -> bool {
    let core = core_words(substance);
    let (Some(first), Some(last)) = (core.first(), core.last()) else {
        return false;
    };
    let Some(words) = claim.get(first.span.start..last.span.end) else {
        return false;
    };
    match prior.reading.quotable().locate(words) {
        Location::Altered { reasons, .. } => reasons.iter().any(|reason| {
            use AlteredReason::{Comparison, Name, Negation, Number, Order, Quantifier, Sign};
            matches!(
                reason,
                Negation | Number | Sign | Comparison | Name | Quantifier | Order
            )
        }),
        _ => false,
    }
}

/// The claim's words from its first to its last content term.
fn core_words(substance: &ClaimTerms) -> &[Word] {
    let is_core = |word: &Word| word.kind == WordKind::Substance;
    let claim = &substance.words;
    match (claim.iter().position(is_core), claim.iter().rposition(is_core)) {
        (Some(from), Some(to)) => claim.get(from..=to).unwrap_or_default(),
        _ => &[],
    }
}

struct ClaimStretch<'a> {
    words: &'a [Word],
    order: f64,
    density: f64,
}

fn passage_words<'a>(reading: &'a Reading<'_>, passage: &Passage) -> &'a [Word] {
    let sentences = reading
        .sentences()
        .get(passage.first..passage.first + passage.sentences)
        .unwrap_or_default();
    match (sentences.first(), sentences.last()) {
        (Some(first), Some(last)) => reading.words(first.words.start..last.words.end),
        _ => &[],
    }
}

/// The words of the passage from the first to the last one that the claim has too.
fn shared_stretch<'a>(substance: &ClaimTerms, reading: &'a Reading<'_>, passage: &Passage) -> Option<ClaimStretch<'a>> {
    let words = passage_words(reading, passage);
    let place = |word: &Word| {
        substance
            .terms()
            .iter()
            .position(|term| term.core && term.term == word.term)
    };
    let places: Vec<(usize, usize)> = words
        .iter()
        .enumerate()
        .filter_map(|(at, word)| place(word).map(|place| (at, place)))
        .collect();
    let (&(from, _), &(to, _)) = (places.first()?, places.last()?);
    let stretch = words.get(from..=to)?;
    let content = stretch.iter().filter(|word| word.kind == WordKind::Substance).count();
    let mut firsts: Vec<usize> = Vec::new();
    for &(_, place) in &places {
        if !firsts.contains(&place) {
            firsts.push(place);
        }
    }
    Some(ClaimStretch {
        words: stretch,
        order: longest_rise(&firsts) as f64 / firsts.len().max(1) as f64,
        density: places.len() as f64 / content.max(1) as f64,
    })
}

/// Length of the longest ascending subsequence.
fn longest_rise(places: &[usize]) -> usize {
    let mut tails: Vec<usize> = Vec::new();
    for &place in places {
        let at = tails.partition_point(|&tail| tail < place);
        match tails.get_mut(at) {
            Some(tail) => *tail = place,
            None => tails.push(place),
        }
    }
    tails.len()
}

/// Share of the claim's words, from its first to its last content term, that `words` has in the same order.
fn word_for_word(substance: &ClaimTerms, words: &[Word]) -> f64 {
    let claim = core_words(substance);
    // Longest common subsequence, one row at a time.
    let mut row = vec![0_usize; words.len() + 1];
    for own in claim {
        let mut diagonal = 0;
        let mut left = 0;
        for (cell, other) in row.iter_mut().skip(1).zip(words) {
            let above = *cell;
            *cell = if own.term == other.term {
                diagonal + 1
            } else {
                above.max(left)
            };
            diagonal = above;
            left = *cell;
        }
    }
    row.last().copied().unwrap_or(0) as f64 / claim.len().max(1) as f64
}

fn numbers<'t>(words: &[Word], text: &'t str) -> Vec<&'t str> {
    let mut numbers: Vec<&str> = words
        .iter()
        .filter(|word| word.kind == WordKind::Number)
        .filter_map(|word| word.span.slice(text))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Words that change what a sentence says: negation, contrast, direction, quantity, reservation.
fn turning_words(words: &[Word], text: &str) -> Vec<String> {
    let mut turning: Vec<String> = words
        .iter()
        .filter_map(|word| word.span.slice(text))
        .map(|form| form.to_lowercase().replace(['\'', '’'], ""))
        .filter(|form| TURNING.contains(&form.as_str()) || form.ends_with("nt") && NEGATED.contains(&form.as_str()))
        .collect();
    turning.sort_unstable();
    turning.dedup();
    turning
}

const NEGATED: [&str; 16] = [
    "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "cant", "couldnt", "wont", "wouldnt", "shouldnt",
    "hasnt", "havent", "hadnt", "mustnt",
];

const TURNING: [&str; 74] = [
    "not",
    "no",
    "never",
    "none",
    "nor",
    "neither",
    "without",
    "cannot",
    "unable",
    "fail",
    "fails",
    "failed",
    "lack",
    "lacks",
    "lacking",
    "unlike",
    "hardly",
    "rarely",
    "except",
    "instead",
    "rather",
    "contrary",
    "unless",
    "whether",
    "if",
    "future",
    "would",
    "could",
    "might",
    "may",
    "should",
    "plan",
    "hope",
    "unclear",
    "unknown",
    "more",
    "less",
    "fewer",
    "higher",
    "lower",
    "better",
    "worse",
    "faster",
    "slower",
    "larger",
    "smaller",
    "greater",
    "stronger",
    "weaker",
    "longer",
    "shorter",
    "upper",
    "above",
    "below",
    "increase",
    "increases",
    "increasing",
    "decrease",
    "decreases",
    "decreasing",
    "reduce",
    "reduces",
    "reducing",
    "minimum",
    "maximum",
    "minimize",
    "maximize",
    "only",
    "all",
    "every",
    "some",
    "few",
    "most",
    "least",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_ascending_subsequence_is_found() {
        assert_eq!(longest_rise(&[]), 0);
        assert_eq!(longest_rise(&[0, 1, 2, 3]), 4);
        assert_eq!(longest_rise(&[3, 0, 1, 2]), 3);
        assert_eq!(longest_rise(&[3, 2, 1]), 1);
    }
}
