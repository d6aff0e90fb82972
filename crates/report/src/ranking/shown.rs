//! Wording of rankings.

use precedent_domain::{GroupRanking, RankingOutcome, Standing};

use crate::words;

pub(super) const NO_RANKING: &str =
    "No ranking: the judge's answers depend more on the order in which the ideas were shown than on the ideas.";
pub(super) const NO_ANSWER: &str = "No answer that names every idea once, even after a retry.";

/// Joins the names of ideas.
pub(super) fn names(ranking: &GroupRanking, numbers: &[u32], between: &str) -> String {
    let name = |number: &u32| {
        let idea = ranking.ideas.iter().find(|one| one.number == *number);
        idea.map_or("", |one| one.name.as_str())
    };
    numbers.iter().map(name).collect::<Vec<_>>().join(between)
}

/// Each rank with the ideas that share it. Two ideas that share rank 1 are followed by rank 3. Empty without a ranking.
pub(super) fn places(ranking: &GroupRanking) -> Vec<(usize, String)> {
    let RankingOutcome::Ranked { places } = &ranking.overall.outcome else {
        return Vec::new();
    };
    let mut next = 1;
    let numbered = places.iter().map(|place| {
        let at = next;
        next += place.len();
        (at, names(ranking, place, " · "))
    });
    numbered.collect()
}

/// The order on a dimension, in one line.
pub(super) fn order(ranking: &GroupRanking, standing: &Standing) -> String {
    match &standing.outcome {
        RankingOutcome::Ranked { places } => {
            let place = |numbers: &Vec<u32>| names(ranking, numbers, " = ");
            places.iter().map(place).collect::<Vec<_>>().join(" > ")
        }
        _ => "no order: the answers follow the order shown".to_owned(),
    }
}

/// How well the answers agree.
pub(super) fn agreement(ranking: &GroupRanking) -> String {
    let standing = &ranking.overall;
    format!(
        "The judge was called {}, with the ideas in random orders and in the reverse of each. On average, two answers agree on the order of {} of the pairs of ideas. {} of the pairs are in the order in which they were shown (by chance: one half).",
        words::count(ranking.orders.len(), "time", "times"),
        percent(standing.agreement),
        percent(standing.follows_position)
    )
}

/// Lists the ideas that were shortened.
pub(super) fn cut(ranking: &GroupRanking) -> Option<String> {
    let cut: Vec<&str> = ranking
        .ideas
        .iter()
        .filter(|one| one.cut)
        .map(|one| one.name.as_str())
        .collect();
    (!cut.is_empty()).then(|| format!("Too long to read in full: {}.", cut.join(", ")))
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Describes who judged and what a rank means.
pub(super) fn about(ranking: &GroupRanking) -> String {
    format!(
        "Judged by {}, which saw the texts without their names, in orders sampled with seed {}. Ranks are based on the mean over the answers. They show which of these ideas the judge prefers, not how good any of them is.",
        ranking.analyst, ranking.seed
    )
}
