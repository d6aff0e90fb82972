//! The readers and their opinions, prepared for the page.

use precedent_domain::{BoardReview, IdeaReview};

use super::prose::{Piece, prose};
use super::shown;

pub(super) struct Reader {
    pub(super) id: String,
    pub(super) letter: String,
    pub(super) name: String,
    pub(super) background: String,
    pub(super) had: String,
    pub(super) average: String,
    pub(super) opinions: Vec<Opinion>,
}

pub(super) struct Opinion {
    pub(super) dimension: String,
    pub(super) score: String,
    pub(super) reason: Vec<Piece>,
    pub(super) working: Vec<String>,
}

/// A table row: a dimension with the readers' scores, the mean and the spread.
pub(super) struct ScoreRow {
    pub(super) name: String,
    pub(super) scores: Vec<String>,
    pub(super) mean: String,
    pub(super) spread: String,
}

const NONE: &str = "–";

pub(super) fn readers(review: &IdeaReview) -> Vec<Reader> {
    let known = |number: u32| shown::piece(review, number).is_some();
    let opinions = |one: &BoardReview| {
        let opinion = |one: &precedent_domain::DimensionOpinion| Opinion {
            dimension: name(review, &one.dimension),
            score: shown::score(one.score),
            reason: prose(&one.reason, known),
            working: one.working.clone(),
        };
        one.opinions.iter().map(opinion).collect()
    };
    review
        .board
        .iter()
        .enumerate()
        .map(|(at, one)| Reader {
            id: format!("reader-{}", at + 1),
            letter: shown::letter(at),
            name: one.name.clone(),
            background: one.background.clone(),
            had: shown::had(one),
            average: one.average.map_or(NONE.to_owned(), shown::score),
            opinions: opinions(one),
        })
        .collect()
}

/// The name of a dimension.
pub(super) fn name(review: &IdeaReview, id: &str) -> String {
    let dimension = review.dimensions.iter().find(|one| one.id == id);
    dimension.map_or(id, |one| one.name.as_str()).to_owned()
}

pub(super) fn table(review: &IdeaReview) -> Vec<ScoreRow> {
    let row = |dimension: &precedent_domain::ReviewDimension| {
        let scores: Vec<Option<f64>> = review
            .board
            .iter()
            .map(|one| {
                let opinion = one.opinions.iter().find(|one| one.dimension == dimension.id);
                opinion.map(|one| one.score)
            })
            .collect();
        let given: Vec<f64> = scores.iter().flatten().copied().collect();
        let lowest = given.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = given.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        ScoreRow {
            name: dimension.name.clone(),
            scores: scores
                .into_iter()
                .map(|one| one.map_or(NONE.to_owned(), shown::score))
                .collect(),
            mean: shown::mean(&given).map_or(NONE.to_owned(), shown::score),
            spread: if given.is_empty() {
                NONE.to_owned()
            } else {
                format!("{} to {}", shown::score(lowest), shown::score(highest))
            },
        }
    };
    review.dimensions.iter().map(row).collect()
}
