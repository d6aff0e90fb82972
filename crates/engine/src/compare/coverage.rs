use precedent_domain::{CoverageLevel, FieldCoverage, Gap, NotSearched, Paper, SimilarWork};

use super::{ComparisonSet, PriorReading};

/// Number of top papers whose similarity is averaged, if so many were found. One similar paper alone may be a coincidence of words.
const LOOKED_AT: usize = 5;
/// Mean similarity of those from which a field counts as covered, and below which the papers found merely share words with the paper.
///
/// Measured on 95 papers compared with 333,000 abstracts of computer science, see `docs/benchmarks.md`. Papers of that field score 0.30 to
/// 0.64, except on subjects it hardly covers (compilers: 0.29). Cosmology, semiconductors and most of cell biology score 0.17 to 0.26.
const USUAL: f64 = 0.31;
const LEAST: f64 = 0.26;
/// The same mean similarity if the sources hold none of the paper's references. Chosen on the 151 papers of `docs/benchmarks.md`; `xtask/coverage.py`
/// prints their figures.
const USUAL_WITHOUT_REFERENCES: f64 = 0.4;
/// Minimum number of references with a title for that. Of papers of computer science with as many, a corpus of that field held none for one in ten.
const FEWEST_REFERENCES: usize = 10;
/// Minimum similarity to the paper as a whole for a similar paper.
pub(super) const NEAR: f64 = 0.3;
/// Below this similarity two papers are hardly ever on one topic.
pub(super) const FAR: f64 = 0.2;

/// Whether the papers found are as similar to the paper as papers of its own field usually are. `None` if no paper was found. Sources that hold none of
/// the paper's references must have more similar papers.
#[must_use]
pub fn coverage(set: &ComparisonSet<'_>) -> Option<FieldCoverage> {
    let mut topic_similarities: Vec<f64> = set.priors().iter().map(|prior| prior.topic_similarity).collect();
    topic_similarities.sort_by(|a, b| b.total_cmp(a));
    let looked_at = topic_similarities.len().min(LOOKED_AT);
    if looked_at == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "five at most")]
    let nearest = topic_similarities.iter().take(looked_at).sum::<f64>() / looked_at as f64;
    let usual = match lacks_references(set.paper(), set.references_held()) {
        true => USUAL_WITHOUT_REFERENCES,
        false => USUAL,
    };
    Some(FieldCoverage {
        level: if nearest >= usual {
            CoverageLevel::Covered
        } else if nearest >= LEAST {
            CoverageLevel::Thin
        } else {
            CoverageLevel::Outside
        },
        nearest: in_thousandths(nearest),
        usual,
        near: topic_similarities
            .iter()
            .filter(|topic_similarity| **topic_similarity >= NEAR)
            .count(),
        works: topic_similarities.len(),
    })
}

/// Whether the sources hold none of the paper's references, although enough of them have a title to look for. `held` is the number that they hold, if
/// every reference was looked up.
fn lacks_references(paper: &Paper, held: Option<usize>) -> bool {
    let titled = paper.references.iter().filter(|one| one.title.is_some()).count();
    held == Some(0) && titled >= FEWEST_REFERENCES
}

/// A warning if the searched sources hardly cover the paper's field. Then an empty result is not evidence of novelty.
pub(crate) fn field_not_covered(coverage: &FieldCoverage) -> Option<NotSearched> {
    let is_poor = matches!(coverage.level, CoverageLevel::Outside | CoverageLevel::Thin);
    is_poor.then(|| {
        Gap::FieldNotCovered {
            coverage: *coverage,
            closest: coverage.works.min(LOOKED_AT),
        }
        .into()
    })
}

/// The papers similar to the paper as a whole, most similar first.
#[must_use]
pub fn similar_works(set: &ComparisonSet<'_>) -> Vec<SimilarWork> {
    let mut near: Vec<SimilarWork> = set
        .priors()
        .iter()
        .filter(|prior| prior.topic_similarity >= NEAR)
        .map(|prior| SimilarWork {
            candidate: prior.candidate.number,
            similarity: in_thousandths(prior.topic_similarity),
        })
        .collect();
    near.sort_by(|a, b| {
        b.similarity
            .total_cmp(&a.similarity)
            .then_with(|| a.candidate.cmp(&b.candidate))
    });
    near
}

fn in_thousandths(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// Whether a candidate may appear in the tree. If the field is not covered, it must share the paper's topic by more than single words.
pub(super) fn has_a_place(level: Option<CoverageLevel>, prior: &PriorReading<'_>) -> bool {
    matches!(level, Some(CoverageLevel::Covered) | None) || prior.topic_similarity >= FAR
}

#[cfg(test)]
mod tests {
    use precedent_domain::Reference;

    use super::*;
    use crate::sample::kelp_paper;

    fn paper_with(references: u32, title: Option<&str>) -> Paper {
        let mut paper = kelp_paper();
        let reference = |number| Reference {
            number,
            title: title.map(str::to_owned),
            ..paper.references[0].clone()
        };
        paper.references = (1..=references).map(reference).collect();
        paper
    }

    #[test]
    fn only_titled_references_that_were_looked_up_are_lacking() {
        let many = paper_with(10, Some("Kelp at Sea"));
        assert!(lacks_references(&many, Some(0)));
        assert!(!lacks_references(&many, Some(1)));
        assert!(!lacks_references(&many, None));
        assert!(!lacks_references(&paper_with(9, Some("Kelp at Sea")), Some(0)));
        assert!(!lacks_references(&paper_with(10, None), Some(0)));
    }
}
