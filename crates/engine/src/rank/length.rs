//! Checks whether a ranking follows the lengths of the texts.
//!
//! If the ranking resembles the order of lengths, the judge sees the ideas again, each shorter one repeated until it is longer than all that were longer.
//! Nothing is lost and nothing is added, so only a judge of lengths has a reason to answer differently. Zheng et al. (2023, MT-Bench) expose verbosity
//! bias by the same means.

use precedent_domain::{DimensionStanding, LengthCheck, OrderAsked, RankingOutcome, Standing};

use super::pipeline::{RankPrompt, reversed};
use super::tally::{TENDENCY, rounded, share_of_ranked_pairs};
use crate::board::{Dimension, SeededRng};

/// Bytes by which each text exceeds the next shorter one: twice a long word, so that texts can end between words.
const STEP: usize = 80;

/// If the ranking resembles the order of lengths: the share of pairs with the longer idea first, the lengthened texts, and an order with its reverse.
pub(super) fn prompts(
    texts: &[&str],
    overall: &Standing,
    hashes: &[&str],
    dimensions: &[Dimension],
    seed: u64,
) -> Option<(f64, Vec<String>, Vec<RankPrompt>)> {
    let RankingOutcome::Ranked { places } = &overall.outcome else {
        return None;
    };
    let length = |number: u32| {
        texts
            .get(usize::try_from(number).ok()?.checked_sub(1)?)
            .map(|text| text.len())
    };
    let longer_first = share_of_ranked_pairs(places, |better, worse| {
        let (better, worse) = (length(better)?, length(worse)?);
        (better != worse).then_some(better > worse)
    })?;
    if longer_first.max(1.0 - longer_first) < TENDENCY {
        return None;
    }
    let prompt = RankPrompt {
        order: SeededRng::of(seed, &["rank", "length", &hashes.join(" ")]).shuffled(texts.len()),
        dimensions: (0..dimensions.len()).collect(),
    };
    Some((longer_first, lengthened(texts), vec![reversed(&prompt), prompt]))
}

/// The texts, each repeated until it is longer than all that were longer.
fn lengthened(texts: &[&str]) -> Vec<String> {
    let mut by_length: Vec<usize> = (0..texts.len()).collect();
    by_length.sort_by_key(|at| std::cmp::Reverse(texts.get(*at).map_or(0, |text| text.len())));
    let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
    let mut longer: Vec<(usize, String)> = by_length
        .into_iter()
        .enumerate()
        .map(|(steps, at)| {
            let text = texts.get(at).copied().unwrap_or_default();
            let wanted = longest + steps * STEP;
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

/// Removes the rankings that most of these answers do not keep.
pub(super) fn checked(
    longer_first: f64,
    orders: Vec<OrderAsked>,
    overall: &mut Standing,
    dimensions: &mut [DimensionStanding],
) -> LengthCheck {
    let answers = orders.iter().filter_map(|one| one.answer.as_ref());
    let whole: Vec<&[u32]> = answers.clone().map(|answer| answer.order.as_slice()).collect();
    let kept = keeps(overall, &whole);
    for dimension in dimensions {
        let own = answers.clone().flat_map(|answer| &answer.dimensions);
        let own: Vec<&[u32]> = own
            .filter(|order| order.id == dimension.id)
            .map(|order| order.order.as_slice())
            .collect();
        keeps(&mut dimension.standing, &own);
    }
    LengthCheck {
        longer_first: rounded(longer_first),
        kept: kept.map(rounded),
        orders,
    }
}

/// The share of the ranked pairs that the answers keep. If it is not more than half, the ranking follows the lengths.
fn keeps(standing: &mut Standing, answers: &[&[u32]]) -> Option<f64> {
    let RankingOutcome::Ranked { places } = &standing.outcome else {
        return None;
    };
    let of_one = |answer: &&[u32]| {
        let place = |number: u32| answer.iter().position(|one| *one == number);
        share_of_ranked_pairs(places, |better, worse| Some(place(better)? < place(worse)?))
    };
    let kept = crate::board::mean(answers.iter().filter_map(of_one))?;
    if kept <= 1.0 - kept {
        standing.outcome = RankingOutcome::LengthBias;
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengthened_texts_reverse_the_order_of_lengths_and_keep_every_word() {
        let texts = [
            "Kelp grows on ropes.",
            "Kelp.",
            &"A long text about kelp. ".repeat(30),
            "Kelp grows.",
        ];
        let longer = lengthened(&texts);
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
