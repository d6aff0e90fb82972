//! Checks whether a ranking follows the lengths of the texts.
//!
//! If a ranking, overall or of a dimension, resembles the order of lengths, the judge sees the ideas again, each shorter one repeated until it is longer than all that were longer.
//! Nothing is lost and nothing is added, so only a judge of lengths has a reason to answer differently. Zheng et al. (2023, MT-Bench) expose verbosity
//! bias by the same means.

use precedent_domain::{DimensionStanding, LengthCheck, OrderAsked, RankingOutcome, Standing};

use super::prompt::{RankPrompt, reversed};
use super::tally::{TENDENCY, rounded, share_of_ranked_pairs};
use super::windows::windows;
use crate::board::{Dimension, SeededRng};

/// Bytes by which each text exceeds the next shorter one: twice a long word, so that texts can end between words.
const STEP: usize = 80;

/// The share of the ranked pairs with the longer idea first; `None` without a ranking. `lengths` are those of all that the judge sees of each idea.
fn longer_first(lengths: &[usize], standing: &Standing) -> Option<f64> {
    let RankingOutcome::Ranked { places } = &standing.outcome else {
        return None;
    };
    let length = |number: u32| lengths.get(usize::try_from(number).ok()?.checked_sub(1)?).copied();
    share_of_ranked_pairs(places, |better, worse| {
        let (better, worse) = (length(better)?, length(worse)?);
        (better != worse).then_some(better > worse)
    })
}

/// Whether a ranking resembles the order of lengths.
pub(super) fn resembles_lengths(lengths: &[usize], standing: &Standing) -> bool {
    longer_first(lengths, standing).is_some_and(|share| share.max(1.0 - share) >= TENDENCY)
}

/// The texts, lengthened within their window, and an order of each window with its reverse.
pub(super) fn prompts(
    (texts, lengths): (&[&str], &[usize]),
    hashes: &[&str],
    dimensions: &[Dimension],
    seed: u64,
) -> (Vec<String>, Vec<RankPrompt>) {
    let order = SeededRng::of(seed, &["rank", "length", &hashes.join(" ")]).shuffled(texts.len());
    let mut longer = vec![String::new(); texts.len()];
    let mut prompts = Vec::new();
    for order in windows(&order) {
        let mut window = order.clone();
        window.sort_unstable();
        let own = window.iter().map(|at| {
            let text = texts.get(*at).copied().unwrap_or_default();
            (text, lengths.get(*at).copied().unwrap_or(text.len()))
        });
        let own: Vec<(&str, usize)> = own.collect();
        for (at, text) in window.iter().zip(lengthened(&own)) {
            if let Some(slot) = longer.get_mut(*at) {
                *slot = text;
            }
        }
        let prompt = RankPrompt {
            order,
            dimensions: (0..dimensions.len()).collect(),
        };
        prompts.extend([reversed(&prompt), prompt]);
    }
    (longer, prompts)
}

/// The texts of one window, each with the length of all that the judge sees of its idea, and each repeated until that is longer than all that were longer.
fn lengthened(texts: &[(&str, usize)]) -> Vec<String> {
    let mut by_length: Vec<usize> = (0..texts.len()).collect();
    by_length.sort_by_key(|at| std::cmp::Reverse(texts.get(*at).map_or(0, |(_, length)| *length)));
    let longest = texts.iter().map(|(_, length)| *length).max().unwrap_or(0);
    let mut longer: Vec<(usize, String)> = by_length
        .into_iter()
        .enumerate()
        .map(|(steps, at)| {
            let (text, length) = texts.get(at).copied().unwrap_or_default();
            let wanted = text.len() + (longest - length) + steps * STEP;
            (
                at,
                if steps == 0 {
                    text.to_owned()
                } else {
                    repeated(text, wanted)
                },
            )
        })
        .collect();
    longer.sort_by_key(|(at, _)| *at);
    longer.into_iter().map(|(_, text)| text).collect()
}

/// The text again and again up to this length, ending between words if possible.
fn repeated(text: &str, length: usize) -> String {
    let text = text.trim();
    let copies = length / text.len().max(1) + 1;
    let whole = vec![text; copies].join("\n\n");
    let cut = whole.get(..whole.floor_char_boundary(length)).unwrap_or_default();
    match cut.rfind(char::is_whitespace) {
        Some(end) if cut.len() - end < STEP / 2 => cut.get(..end).unwrap_or(cut).trim_end().to_owned(),
        _ => cut.to_owned(),
    }
}

/// Removes each ranking that resembles the order of lengths, unless these answers keep at least half of it.
pub(super) fn checked(
    lengths: &[usize],
    orders: Vec<OrderAsked>,
    overall: &mut Standing,
    dimensions: &mut [DimensionStanding],
) -> LengthCheck {
    let longer_first = longer_first(lengths, overall);
    let answers = orders.iter().filter_map(|one| one.answer.as_ref());
    let whole: Vec<&[u32]> = answers.clone().map(|answer| answer.order.as_slice()).collect();
    let kept = keeps(lengths, overall, &whole);
    for dimension in dimensions {
        let own = answers.clone().flat_map(|answer| &answer.dimensions);
        let own: Vec<&[u32]> = own
            .filter(|order| order.id == dimension.id)
            .map(|order| order.order.as_slice())
            .collect();
        keeps(lengths, &mut dimension.standing, &own);
    }
    LengthCheck {
        longer_first: longer_first.map(rounded),
        kept: kept.map(rounded),
        orders,
    }
}

/// The share of the ranked pairs that the answers keep, if the ranking resembles the order of lengths. If it is less than half, the ranking follows the
/// lengths; without an answer nobody knows.
fn keeps(lengths: &[usize], standing: &mut Standing, answers: &[&[u32]]) -> Option<f64> {
    if !resembles_lengths(lengths, standing) {
        return None;
    }
    let RankingOutcome::Ranked { places } = &standing.outcome else {
        return None;
    };
    let of_one = |answer: &&[u32]| {
        let place = |number: u32| answer.iter().position(|one| *one == number);
        let of_window = |shared: &Vec<u32>| shared.iter().copied().filter(|one| place(*one).is_some()).collect();
        let own: Vec<Vec<u32>> = places.iter().map(of_window).collect();
        share_of_ranked_pairs(&own, |better, worse| Some(place(better)? < place(worse)?))
    };
    let kept = crate::board::mean(answers.iter().filter_map(of_one));
    let bias = match kept {
        Some(kept) if kept >= 0.5 => return Some(kept),
        Some(_) => RankingOutcome::LengthBias,
        None => RankingOutcome::LengthNotTested,
    };
    standing.outcome = bias;
    standing.intervals.clear();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked() -> Standing {
        Standing {
            outcome: RankingOutcome::Ranked {
                places: vec![vec![1], vec![2]],
            },
            agreement: 1.0,
            follows_position: 0.5,
            agreement_p: None,
            position_p: None,
            intervals: Vec::new(),
        }
    }

    #[test]
    fn half_of_the_pairs_keep_a_ranking_and_no_answer_keeps_none() {
        let texts = ["A long text about kelp.", "Kelp."];
        let outcome = |texts: &[&str], answers: &[&[u32]]| {
            let mut standing = ranked();
            let lengths: Vec<usize> = texts.iter().map(|text| text.len()).collect();
            keeps(&lengths, &mut standing, answers);
            standing.outcome
        };
        assert_eq!(outcome(&texts, &[&[1, 2], &[2, 1]]), ranked().outcome);
        assert_eq!(outcome(&texts, &[&[2, 1], &[2, 1]]), RankingOutcome::LengthBias);
        assert_eq!(outcome(&texts, &[]), RankingOutcome::LengthNotTested);
        assert_eq!(outcome(&["Kelp.", "Rope."], &[]), ranked().outcome, "the same length");
    }

    #[test]
    fn the_length_of_a_review_counts() {
        // The first text is shorter, and its review makes it the longer idea.
        let longer = lengthened(&[("Kelp grows on ropes.", 1_000), ("Kelp is cut on twelve farms.", 200)]);
        assert_eq!(longer[0], "Kelp grows on ropes.");
        let with_review = longer[1].len() + (200 - 28);
        assert!(with_review > 1_000 && with_review < 1_000 + 2 * STEP, "{with_review}");
    }

    #[test]
    fn lengthened_texts_reverse_the_order_of_lengths_and_keep_every_word() {
        let texts = [
            "Kelp grows on ropes.",
            "Kelp.",
            &"A long text about kelp. ".repeat(30),
            "Kelp grows.",
        ];
        let longer = lengthened(&texts.map(|text| (text, text.len())));
        let order = |texts: &[&str]| {
            let mut order: Vec<usize> = (0..texts.len()).collect();
            order.sort_by_key(|at| texts[*at].len());
            order
        };
        let long: Vec<&str> = longer.iter().map(String::as_str).collect();
        let mut reversed = order(&long);
        reversed.reverse();
        assert_eq!(order(&texts), reversed, "{longer:?}");
        assert!(
            texts
                .iter()
                .zip(&longer)
                .all(|(text, longer)| longer.starts_with(text.trim_end()))
        );
    }
}
