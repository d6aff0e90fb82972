use precedent_domain::ReviewDecision;

/// Lowest score of each decision above *reject* (InnoEval, H.5).
const ORAL: f64 = 8.0;
const SPOTLIGHT: f64 = 7.0;
const POSTER: f64 = 6.0;

/// The decision for a score (InnoEval, H.5): below 6 reject, from 6 poster, from 7 spotlight, from 8 oral.
#[must_use]
pub fn decision(score: f64) -> ReviewDecision {
    match score {
        score if score >= ORAL => ReviewDecision::Oral,
        score if score >= SPOTLIGHT => ReviewDecision::Spotlight,
        score if score >= POSTER => ReviewDecision::Poster,
        _ => ReviewDecision::Reject,
    }
}

/// The mean, or `None` for no scores.
#[must_use]
pub fn mean(scores: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = scores
        .into_iter()
        .fold((0.0, 0_u32), |(sum, count), score| (sum + score, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
