use crate::stages::ComparisonSet;
use crate::stages::terms::TermVector;

/// Pairwise similarity of the papers of a set: cosines of their term vectors.
pub(super) struct Nearness {
    works: usize,
    cosines: Vec<f64>,
}

impl Nearness {
    /// Computes all pairs, indexed as in [`ComparisonSet::vector`]. Quadratic in the number of papers.
    pub(super) fn of(set: &ComparisonSet<'_>) -> Self {
        let works = set.priors().len() + 1;
        let empty = TermVector::default();
        let vector = |index: usize| set.vector(index).unwrap_or(&empty);
        let mut cosines = vec![0.0; works * works];
        for a in 0..works {
            for b in a + 1..works {
                let cosine = vector(a).cosine(vector(b));
                for at in [a * works + b, b * works + a] {
                    if let Some(cell) = cosines.get_mut(at) {
                        *cell = cosine;
                    }
                }
            }
        }
        Self { works, cosines }
    }

    fn between(&self, a: usize, b: usize) -> f64 {
        self.cosines.get(a * self.works + b).copied().unwrap_or(0.0)
    }

    /// Mean similarity of a paper to others; 0 if there are none.
    pub(super) fn to(&self, work: usize, others: &[usize]) -> f64 {
        let (mut sum, mut count) = (0.0, 0_u32);
        for &other in others.iter().filter(|&&other| other != work) {
            sum += self.between(work, other);
            count += 1;
        }
        if count == 0 { 0.0 } else { sum / f64::from(count) }
    }

    /// Mean similarity between the papers of a group; 0 for one paper.
    pub(super) fn within(&self, group: &[usize]) -> f64 {
        let sum: f64 = group.iter().map(|&work| self.to(work, group)).sum();
        if group.is_empty() {
            0.0
        } else {
            sum / group.len() as f64
        }
    }
}
