use precedent_domain::{CoverageLevel, FieldCoverage, NearWork};

use super::{ComparisonSet, PriorReading};

/// Works whose nearness is looked at, where so many were found: one near work alone may be an accident of words.
pub(crate) const LOOKED_AT: usize = 5;
/// Mean kinship of those from which a field counts as held, and below which the works found merely share words with the paper.
///
/// Read off 95 papers set against 333,000 abstracts of computer science, see `docs/benchmarks.md`: papers of that field stand at 0.30 to 0.64, but for
/// subjects that it hardly holds (compilers at 0.29); cosmology, semiconductors and most of cell biology at 0.17 to 0.26.
const USUAL: f64 = 0.31;
const LEAST: f64 = 0.26;
/// Kinship from which a work stands near the paper as a whole.
pub(super) const NEAR: f64 = 0.3;
/// Kinship below which two works hardly ever speak of one topic.
const FAR: f64 = 0.2;

/// Whether the works found stand as near to the paper as works of its field do. `None` where no work was found.
#[must_use]
pub fn coverage(set: &ComparisonSet<'_>) -> Option<FieldCoverage> {
    let mut kinships: Vec<f64> = set.priors().iter().map(|prior| prior.kinship).collect();
    kinships.sort_by(|a, b| b.total_cmp(a));
    let looked_at = kinships.len().min(LOOKED_AT);
    if looked_at == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "five at most")]
    let nearest = kinships.iter().take(looked_at).sum::<f64>() / looked_at as f64;
    Some(FieldCoverage {
        level: if nearest >= USUAL {
            CoverageLevel::Covered
        } else if nearest >= LEAST {
            CoverageLevel::Thin
        } else {
            CoverageLevel::Outside
        },
        nearest: in_thousandths(nearest),
        usual: USUAL,
        near: kinships.iter().filter(|kinship| **kinship >= NEAR).count(),
        works: kinships.len(),
    })
}

/// The works that stand near the paper as a whole, nearest first.
#[must_use]
pub fn near_works(set: &ComparisonSet<'_>) -> Vec<NearWork> {
    let mut near: Vec<NearWork> = set
        .priors()
        .iter()
        .filter(|prior| prior.kinship >= NEAR)
        .map(|prior| NearWork {
            candidate: prior.candidate.number,
            nearness: in_thousandths(prior.kinship),
        })
        .collect();
    near.sort_by(|a, b| {
        b.nearness
            .total_cmp(&a.nearness)
            .then_with(|| a.candidate.cmp(&b.candidate))
    });
    near
}

fn in_thousandths(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// Whether a work may stand in the tree: where the field is not covered, only one that speaks of the paper's topic by more than single words.
pub(super) fn has_a_place(level: Option<CoverageLevel>, prior: &PriorReading<'_>) -> bool {
    matches!(level, Some(CoverageLevel::Covered) | None) || prior.kinship >= FAR
}
