//! The most probable statements of a text.

use std::ops::Range;

use super::features::{Reading, is_mark};
use super::table::{FACETS, OUTPUTS, Table};

/// The columns of each facet.
const PURPOSE: usize = 0;
const MECHANISM: usize = 1;
const EVALUATION: usize = 2;
const DOMAIN: usize = 3;

/// Maximum words of a statement, and of a domain, as in the labels.
const LONGEST: usize = 45;
const LONGEST_DOMAIN: usize = 8;
/// How much the probabilities of the first and the last word count beside those of all words. With 0.3 or 0.7, F1 differs by at most .03
/// (`train_facets`).
const ENDS: f64 = 0.5;
/// Ranges that are considered for purpose and mechanism together. Chosen by hand.
const CONSIDERED: usize = 60;
/// Minimum expected F1 of a purpose, a mechanism, an evaluation and a domain, so that what a text does not state is seldom found (`train_facets`).
const CERTAIN: [f64; FACETS] = [0.0, 0.12, 0.3, 0.0];

/// The statements of a text, as byte ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statements {
    /// What is to be achieved.
    pub purpose: Option<Range<usize>>,
    /// By what means.
    pub mechanism: Option<Range<usize>>,
    /// How it is or would be tested.
    pub evaluation: Option<Range<usize>>,
    /// Where it would be used.
    pub domain: Option<Range<usize>>,
}

/// Finds the statements of a text. A purpose or mechanism that is already known is kept, and the other does not overlap it.
#[must_use]
pub fn find(text: &str, purpose: Option<Range<usize>>, mechanism: Option<Range<usize>>) -> Statements {
    let reading = Reading::of(text);
    statements(
        &reading,
        &Table::built_in().probabilities(&reading),
        [purpose, mechanism],
    )
}

/// The most probable statements, given the probabilities of each token.
#[must_use]
pub fn statements(reading: &Reading, probabilities: &[[f64; OUTPUTS]], known: [Option<Range<usize>>; 2]) -> Statements {
    let bytes = |range: &Range<usize>| {
        let first = reading.tokens.get(range.start)?;
        let last = reading.tokens.get(range.end.checked_sub(1)?)?;
        Some(first.range.start..last.range.end)
    };
    let best = |facet: usize, words: Range<usize>| {
        let mut all = ranges(reading, probabilities, facet, words);
        all.truncate(CONSIDERED);
        all
    };
    let [purpose, mechanism] = [PURPOSE, MECHANISM].map(|facet| match known.get(facet).cloned().flatten() {
        Some(known) => vec![(1.0, known)],
        None => {
            let all = best(facet, 2..LONGEST + 1);
            all.iter()
                .filter_map(|(score, range)| Some((*score, bytes(range)?)))
                .collect()
        }
    });
    let (purpose, mechanism) = apart(&purpose, &mechanism);
    let first = |facet: usize, words: Range<usize>| best(facet, words).into_iter().next();
    let evaluation = first(EVALUATION, 2..LONGEST + 1);
    let domain = first(DOMAIN, 1..LONGEST_DOMAIN + 1);
    Statements {
        purpose,
        mechanism,
        evaluation: evaluation.and_then(|(_, range)| bytes(&range)),
        domain: domain.and_then(|(_, range)| bytes(&range)),
    }
}

type Scored = (f64, Range<usize>);

/// The best pair of a purpose and a mechanism that do not overlap, or the best one if there is no pair.
fn apart(purposes: &[Scored], mechanisms: &[Scored]) -> (Option<Range<usize>>, Option<Range<usize>>) {
    let mut best: Option<(f64, &Scored, &Scored)> = None;
    for one in purposes {
        for other in mechanisms {
            let score = one.0 * other.0;
            if best.is_some_and(|(most, ..)| most >= score) {
                break;
            }
            if one.1.end <= other.1.start || other.1.end <= one.1.start {
                best = Some((score, one, other));
                break;
            }
        }
    }
    match (best, purposes.first(), mechanisms.first()) {
        (Some((_, one, other)), ..) => (Some(one.1.clone()), Some(other.1.clone())),
        (None, Some(one), Some(other)) if other.0 > one.0 => (None, Some(other.1.clone())),
        (None, Some(one), _) => (Some(one.1.clone()), None),
        (None, None, other) => (None, other.map(|other| other.1.clone())),
    }
}

/// All ranges of tokens within a sentence with the number of words allowed, the best first. The score is the expected F1 of the words, times the
/// probabilities of the ends.
fn ranges(reading: &Reading, probabilities: &[[f64; OUTPUTS]], facet: usize, words: Range<usize>) -> Vec<Scored> {
    let column = |at: usize, column: usize| {
        let of_token = probabilities.get(at);
        of_token
            .and_then(|one| one.get(facet * 3 + column))
            .copied()
            .unwrap_or_default()
    };
    let total: f64 = (0..reading.tokens.len()).map(|at| column(at, 0)).sum();
    let is_mark = |at: usize| reading.tokens.get(at).is_none_or(is_mark);
    let certain = CERTAIN.get(facet).copied().unwrap_or_default();
    let mut all = Vec::new();
    let is_long = |sentence: &&Range<usize>| sentence.len() >= SHORTEST_SENTENCE;
    for sentence in reading.sentences.iter().filter(is_long) {
        for start in sentence.clone().filter(|at| !is_mark(*at)) {
            let mut inside = 0.0;
            for end in start..sentence.end.min(start + words.end - 1) {
                inside += column(end, 0);
                let length = end + 1 - start;
                if is_mark(end) || length < words.start {
                    continue;
                }
                #[expect(clippy::cast_precision_loss, reason = "lengths are small")]
                let agreement = 2.0 * inside / (length as f64 + total);
                if agreement < certain {
                    continue;
                }
                let at_ends = ((column(start, 1) + LEAST) * (column(end, 2) + LEAST)).powf(ENDS);
                all.push((agreement * at_ends, start..end + 1));
            }
        }
    }
    all.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then_with(|| (a.1.start, a.1.end).cmp(&(b.1.start, b.1.end)))
    });
    all
}

/// Minimum tokens of a sentence that states something. Chosen by hand.
const SHORTEST_SENTENCE: usize = 3;

/// Keeps a range possible whose ends are improbable.
const LEAST: f64 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;

    const IDEA: &str = "Build a planner that allows captains to move their departures freely. It aims to shorten the waiting of ferries \
        at fjord piers by shifting departures with the tide. We would compare fuel on two lines over a month.";

    fn shown(range: Option<Range<usize>>) -> String {
        range.and_then(|range| IDEA.get(range)).unwrap_or_default().to_owned()
    }

    #[test]
    fn statements_are_found_in_the_words_of_the_text() {
        let found = find(IDEA, None, None);
        assert_eq!(shown(found.purpose), "shorten the waiting of ferries at fjord piers");
        assert_eq!(shown(found.mechanism), "shifting departures with the tide");
        assert!(shown(found.evaluation).contains("compare fuel on two lines"));
        assert!(shown(found.domain).contains("fjord piers"));
    }

    #[test]
    fn a_known_purpose_is_kept_and_the_mechanism_is_beside_it() {
        let start = IDEA.find("shifting").unwrap();
        let known = start..start + "shifting departures with the tide".len();
        let found = find(IDEA, Some(known.clone()), None);
        assert_eq!(found.purpose, Some(known.clone()));
        let mechanism = found.mechanism.unwrap();
        assert!(mechanism.end <= known.start || mechanism.start >= known.end);
    }

    #[test]
    fn a_text_without_an_evaluation_has_none() {
        assert_eq!(
            find("Shorten the waiting of ferries with tide tables.", None, None).evaluation,
            None
        );
        assert_eq!(find("x", None, None), Statements::default());
    }

    proptest::proptest! {
        #[test]
        fn ranges_are_in_the_text(text in "(to |by |we |evaluated |\\PC|[a-z]{1,8} |, |\\. ){0,80}") {
            let found = find(&text, None, None);
            for range in [found.purpose, found.mechanism, found.evaluation, found.domain].into_iter().flatten() {
                proptest::prop_assert!(text.get(range).is_some_and(|words| !words.is_empty()));
            }
        }
    }
}
