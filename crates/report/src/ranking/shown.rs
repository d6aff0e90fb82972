//! What every format for people says.

use precedent_domain::{GroupRanking, RankingOutcome, Standing};

use crate::words;

pub(super) const NO_RANKING: &str =
    "No ranking: the judge's answers follow the order in which the ideas were shown more than they follow the ideas.";
pub(super) const NO_ANSWER: &str = "No answer that names every idea once, though it was asked for again.";

/// The names of ideas.
pub(super) fn names(ranking: &GroupRanking, numbers: &[u32], between: &str) -> String {
    let name = |number: &u32| {
        let idea = ranking.ideas.iter().find(|one| one.number == *number);
        idea.map_or("", |one| one.name.as_str())
    };
    numbers.iter().map(name).collect::<Vec<_>>().join(between)
}

/// Each place with its number and who shares it: two that share the first are followed by the third. Empty where there is no ranking.
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

/// The order on a dimension, in a line.
pub(super) fn order(ranking: &GroupRanking, standing: &Standing) -> String {
    match &standing.outcome {
        RankingOutcome::Ranked { places } => {
            let place = |numbers: &Vec<u32>| names(ranking, numbers, " = ");
            places.iter().map(place).collect::<Vec<_>>().join(" > ")
        }
        _ => "no order: the answers follow the question".to_owned(),
    }
}

/// How far the answers bear each other out.
pub(super) fn told(ranking: &GroupRanking) -> String {
    let standing = &ranking.overall;
    format!(
        "Asked {}: in orders drawn by lot, and in each of them backwards. Any two answers put {} of the pairs of ideas in the same order; {} of the pairs stand in an answer as they were shown, where one half is chance.",
        words::count(ranking.orders.len(), "time", "times"),
        percent(standing.agreement),
        percent(standing.follows_position)
    )
}

/// The ideas that were not read to their ends.
pub(super) fn cut(ranking: &GroupRanking) -> Option<String> {
    let cut: Vec<&str> = ranking
        .ideas
        .iter()
        .filter(|one| one.cut)
        .map(|one| one.name.as_str())
        .collect();
    (!cut.is_empty()).then(|| format!("Longer than what was read of them: {}.", cut.join(", ")))
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Who judged, and what a place means.
pub(super) fn about(ranking: &GroupRanking) -> String {
    format!(
        "Judged by {}, which saw the texts and neither names nor numbers of ours, in orders drawn with seed {}. A place is the mean over the answers. It says which of these ideas the judge prefers, and nothing of what any of them is worth.",
        ranking.analyst, ranking.seed
    )
}
