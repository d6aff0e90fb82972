//! How sure a decision is: the level that the chair gives, which rules may lower and never raise (InnoEval, H.5).

use precedent_domain::{ConfidenceLevel, ConfidenceLimit, DecisionConfidence, DimensionScore};

/// Points between the lowest and the highest score of a dimension from which the readers disagree: two ranges of a scale. Chosen by hand; not measured.
const APART: f64 = 4.0;
/// Shares of usable opinions, and of documents that are certainly earlier, below which the confidence is at most medium, and below which it is low.
/// Chosen by hand; not measured.
const USABLE: (f64, f64) = (0.8, 0.5);
const CERTAIN: (f64, f64) = (0.5, 0.2);

/// What the confidence depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grounds<'a> {
    /// Scores by dimension.
    pub(super) scores: &'a [DimensionScore],
    /// Usable opinions, and opinions requested.
    pub(super) opinions: (usize, usize),
    /// Documents shown to the chair that are certainly earlier, and all of them.
    pub(super) documents: (usize, usize),
    /// Dimensions that the chair lowered.
    pub(super) lowered: usize,
}

/// The confidence of a decision.
pub(super) fn confidence(by_chair: ConfidenceLevel, grounds: Grounds<'_>) -> DecisionConfidence {
    let mut limits = limits(grounds);
    let level = limits
        .iter()
        .map(|(most, _)| *most)
        .fold(by_chair, ConfidenceLevel::min);
    limits.retain(|(most, _)| *most < by_chair);
    DecisionConfidence {
        level,
        by_chair,
        limits: limits.into_iter().map(|(_, limit)| limit).collect(),
    }
}

/// What limits the confidence, each with the highest level that it allows.
fn limits(grounds: Grounds<'_>) -> Vec<(ConfidenceLevel, ConfidenceLimit)> {
    let mut limits = Vec::new();
    let spread = |one: &DimensionScore| one.highest - one.lowest;
    let widest = grounds.scores.iter().max_by(|a, b| spread(a).total_cmp(&spread(b)));
    if let Some(one) = widest.filter(|one| spread(one) >= APART) {
        let limit = ConfidenceLimit::ReadersDisagree {
            dimension: one.dimension.clone(),
            spread: spread(one),
        };
        limits.push((ConfidenceLevel::Medium, limit));
    }
    let (usable, requested) = grounds.opinions;
    if let Some(most) = allowed(usable, requested, USABLE) {
        limits.push((most, ConfidenceLimit::OpinionsMissing { usable, requested }));
    }
    let (certain, documents) = grounds.documents;
    if let Some(most) = allowed(certain, documents, CERTAIN) {
        limits.push((most, ConfidenceLimit::DatesUncertain { certain, documents }));
    }
    if grounds.lowered > 0 {
        let dimensions = grounds.lowered;
        // Evidence that is missing allows no high confidence (InnoEval, H.5).
        limits.push((ConfidenceLevel::Medium, ConfidenceLimit::ScoreLowered { dimensions }));
    }
    limits
}

/// The highest level that a share allows; `None` if it allows every level. A share of nothing allows only low confidence.
fn allowed(part: usize, whole: usize, (medium, low): (f64, f64)) -> Option<ConfidenceLevel> {
    #[expect(clippy::cast_precision_loss, reason = "numbers of opinions and documents")]
    let share = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    match share {
        share if share < low => Some(ConfidenceLevel::Low),
        share if share < medium => Some(ConfidenceLevel::Medium),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ConfidenceLevel::{High, Low, Medium};

    const SURE: Grounds<'static> = Grounds {
        scores: &[],
        opinions: (25, 25),
        documents: (9, 10),
        lowered: 0,
    };

    fn score(lowest: f64, highest: f64) -> DimensionScore {
        DimensionScore {
            dimension: "novelty".to_owned(),
            mean: f64::midpoint(lowest, highest),
            lowest,
            highest,
            readers: 5,
        }
    }

    #[test]
    fn rules_lower_the_confidence_and_never_raise_it() {
        for by_chair in ConfidenceLevel::ALL {
            let found = confidence(by_chair, SURE);
            assert_eq!((found.level, found.limits.len()), (by_chair, 0));
        }
        let (near, far) = ([score(4.0, 7.5)], [score(4.0, 8.0)]);
        for (grounds, most) in [
            (Grounds { scores: &near, ..SURE }, High),
            (Grounds { scores: &far, ..SURE }, Medium),
            (
                Grounds {
                    opinions: (20, 25),
                    ..SURE
                },
                High,
            ),
            (
                Grounds {
                    opinions: (19, 25),
                    ..SURE
                },
                Medium,
            ),
            (
                Grounds {
                    opinions: (12, 25),
                    ..SURE
                },
                Low,
            ),
            (
                Grounds {
                    documents: (5, 10),
                    ..SURE
                },
                High,
            ),
            (
                Grounds {
                    documents: (4, 10),
                    ..SURE
                },
                Medium,
            ),
            (
                Grounds {
                    documents: (1, 10),
                    ..SURE
                },
                Low,
            ),
            (
                Grounds {
                    documents: (0, 0),
                    ..SURE
                },
                Low,
            ),
            (Grounds { lowered: 1, ..SURE }, Medium),
        ] {
            for by_chair in ConfidenceLevel::ALL {
                let found = confidence(by_chair, grounds);
                assert_eq!(
                    (found.level, found.by_chair),
                    (by_chair.min(most), by_chair),
                    "{grounds:?}"
                );
                // A limit is named only if it made a difference.
                assert_eq!(found.limits.is_empty(), by_chair <= most, "{grounds:?}");
            }
        }
    }
}
