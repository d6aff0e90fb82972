//! Wording of rankings.

use precedent_domain::{GroupRanking, OrderAsked, POSITION_BIAS_P, RANKING_P, RankingOutcome, Standing};

use crate::words;

pub(super) const NO_ANSWER: &str = "No usable answer: calls failed, or no answer names every idea shown once.";

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

/// The interval of an idea's position, such as `3 to 7`, if the ideas were shown in windows.
#[must_use]
pub fn position_interval(standing: &Standing, number: u32) -> Option<String> {
    let interval = standing.intervals.iter().find(|one| one.number == number)?;
    Some(match interval.low == interval.high {
        true => interval.low.to_string(),
        false => format!("{} to {}", interval.low, interval.high),
    })
}

/// Each idea with its rank and the interval of its position. Empty unless a ranking is based on windows.
pub(super) fn positions(ranking: &GroupRanking) -> Vec<(usize, String, String)> {
    let RankingOutcome::Ranked { places } = &ranking.overall.outcome else {
        return Vec::new();
    };
    let mut next = 1;
    let mut rows = Vec::new();
    for place in places {
        for number in place {
            let interval = position_interval(&ranking.overall, *number);
            rows.extend(interval.map(|interval| (next, names(ranking, &[*number], ""), interval)));
        }
        next += place.len();
    }
    rows
}

/// The order on a dimension, in one line.
pub(super) fn order(ranking: &GroupRanking, standing: &Standing) -> String {
    match &standing.outcome {
        RankingOutcome::Ranked { places } => {
            let place = |numbers: &Vec<u32>| names(ranking, numbers, " = ");
            places.iter().map(place).collect::<Vec<_>>().join(" > ")
        }
        outcome => format!("no order: {}", why_unranked(outcome)),
    }
}

/// Why answers with this outcome give no ranking.
#[must_use]
pub fn why_unranked(outcome: &RankingOutcome) -> &'static str {
    match outcome {
        RankingOutcome::PositionBias => "the answers follow the order of presentation",
        RankingOutcome::LengthBias => "the answers follow the lengths of the texts",
        RankingOutcome::LengthNotTested => {
            "the order resembles the lengths of the texts, and no answer was usable that tests it"
        }
        RankingOutcome::NoAgreement => "the agreement of the answers may be chance",
        _ => "the answers do not support one",
    }
}

/// The lead of a report without a ranking.
pub(super) fn no_ranking(ranking: &GroupRanking) -> String {
    let why = why_unranked(&ranking.overall.outcome);
    let advice = match ranking.overall.outcome {
        RankingOutcome::NoAgreement => {
            " The ideas may be equally good for this judge, or the prompts too few. Repeat with more --draws, or with another model."
        }
        RankingOutcome::PositionBias => " Repeat with another model.",
        RankingOutcome::LengthNotTested => " Give the ideas similar lengths, or repeat with another model.",
        RankingOutcome::LengthBias => " Give the ideas similar lengths, or repeat with another model.",
        _ => "",
    };
    format!("No ranking: {why}.{advice}")
}

/// The tests that a ranking has to pass, one sentence each.
#[must_use]
pub fn ranking_tests(ranking: &GroupRanking) -> Vec<String> {
    let standing = &ranking.overall;
    let usable = |orders: &[OrderAsked]| orders.iter().filter(|one| one.answer.is_some()).count();
    let mut lines = vec![format!(
        "{} of {} usable.",
        usable(&ranking.orders),
        words::count(ranking.orders.len(), "answer", "answers")
    )];
    lines.extend(windows(ranking));
    let agreement = format!(
        "Agreement: two answers order {} of the pairs of ideas the same way on average (chance: 50 %)",
        percent(standing.agreement)
    );
    lines.push(match standing.agreement_p {
        Some(p) => format!("{agreement}; p = {p:.4} in a randomization test; a ranking needs {RANKING_P:.4} or less."),
        None => format!("{agreement}."),
    });
    let position = format!(
        "Position: {} of the pairs are in the order shown (chance: 50 %)",
        percent(standing.follows_position)
    );
    lines.push(match standing.position_p {
        Some(p) => format!("{position}; the answers follow the order shown or its ends with p = {p:.4}; bias is reported at {POSITION_BIAS_P} or less."),
        None => format!("{position}."),
    });
    if let Some(check) = &ranking.length_check {
        let kept = match check.kept {
            Some(kept) => format!("{} of the ranked pairs stay in the same order", percent(kept)),
            None if usable(&check.orders) == 0 => "no answer was usable".to_owned(),
            None => "only dimensions were tested".to_owned(),
        };
        let longer_first = match check.longer_first {
            Some(share) => format!("the longer idea has the better rank in {} of the pairs", percent(share)),
            None => {
                "there is no overall ranking, but the order on a dimension resembles the order of lengths".to_owned()
            }
        };
        lines.push(format!(
            "Length: {longer_first}. With the shorter ideas repeated until they are longer, {kept}."
        ));
    }
    lines
}

/// How the ideas were shown, if no prompt contains all of them.
fn windows(ranking: &GroupRanking) -> Option<String> {
    let sizes = ranking.orders.iter().map(|one| one.shown.len());
    let most = sizes.max().filter(|most| *most < ranking.ideas.len())?;
    let fitted = match ranking.overall.outcome {
        RankingOutcome::Ranked { .. } => {
            " The ranks come from a Bradley-Terry fit, and the 95 % intervals from resampled windows. An idea shares the rank of the ideas before it, unless it is below the first of them in 97.5 % of the resamples."
        }
        _ => "",
    };
    Some(format!(
        "Windows: each prompt shows up to {most} of the {} ideas.{fitted}",
        ranking.ideas.len()
    ))
}

/// What the judge saw of each idea, and what was left out of its reasons.
pub(super) fn basis(ranking: &GroupRanking) -> String {
    if ranking.ideas.iter().all(|one| one.review.is_none()) {
        return "The judge saw only the texts of the ideas, and no evidence for or against them.".to_owned();
    }
    let left_out = match ranking.left_out {
        0 => String::new(),
        some => format!(
            " {} left out. Possible causes: a citation of something that was not shown; words, figures or addresses that are not in what is cited; the number of an idea; a score or a decision; too many or too long sentences.",
            words::count(
                some,
                "sentence of the judge's reasons was",
                "sentences of the judge's reasons were"
            )
        ),
    };
    format!(
        "The judge saw the text of each idea with a review of it: the scores and opinions of its readers, and up to eight documents from its search.{left_out}"
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
    let based = match windows(ranking) {
        Some(_) => "a Bradley-Terry fit of the pairs that the answers order",
        None => "the mean over the answers",
    };
    format!(
        "Judged by {}, which saw the ideas without their names, in orders sampled with seed {}. No two prompts are the same. Ranks are based on {based}. They show which of these ideas the judge prefers, not how good any of them is.",
        ranking.analyst, ranking.seed
    )
}
