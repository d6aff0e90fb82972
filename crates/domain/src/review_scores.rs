use crate::{BoardReview, DimensionScore};

impl DimensionScore {
    /// The scores of a board on these dimensions, over the readers with an opinion. Dimensions without opinions are left out.
    pub fn of_board<'a>(dimensions: impl IntoIterator<Item = &'a str>, board: &[BoardReview]) -> Vec<Self> {
        let of = |dimension: &str| {
            let opinions = board.iter().flat_map(|one| &one.opinions);
            let scores: Vec<f64> = opinions
                .filter(|one| one.dimension == dimension)
                .map(|one| one.score)
                .collect();
            let (sum, count) = scores
                .iter()
                .fold((0.0, 0_u32), |(sum, count), score| (sum + score, count + 1));
            (count > 0).then(|| Self {
                dimension: dimension.to_owned(),
                mean: exact_score(sum / f64::from(count)),
                lowest: scores.iter().copied().fold(f64::INFINITY, f64::min),
                highest: scores.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                readers: scores.len(),
            })
        };
        dimensions.into_iter().filter_map(of).collect()
    }
}

/// Rounds to six decimals, so that floating-point error in sums of tenths does not move a score into the wrong range.
#[must_use]
pub fn exact_score(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}
