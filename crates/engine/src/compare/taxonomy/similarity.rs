use precedent_corpus::TopicVector;

use crate::compare::ComparisonSet;
use crate::compare::comparison_set::summary_of_target;

/// Pairwise similarity of the papers of a set ([`TopicVector::topic_similarity`]).
pub(super) struct PairwiseSimilarity {
    works: usize,
    similarities: Vec<f64>,
}

impl PairwiseSimilarity {
    /// Computes all pairs, indexed as in [`ComparisonSet::vector`]. Quadratic in the number of papers.
    pub(super) fn of(set: &ComparisonSet<'_>) -> Self {
        let own = TopicVector::of(set.title(), summary_of_target(set.paper()));
        let topics: Vec<&TopicVector> = std::iter::once(&own)
            .chain(set.priors().iter().map(|prior| &prior.topic_vector))
            .collect();
        let pairs = topics.iter().flat_map(|a| topics.iter().map(|b| a.topic_similarity(b)));
        Self {
            works: topics.len(),
            similarities: pairs.collect(),
        }
    }

    /// Divides `members` into `count` clusters by Ward's method: the two clusters are joined whose papers stay most similar to their mean.
    pub(super) fn clusters(&self, members: &[usize], count: usize) -> Vec<Vec<usize>> {
        let mut clusters: Vec<Vec<usize>> = members.iter().map(|&work| vec![work]).collect();
        while clusters.len() > count {
            let mut closest: Option<(f64, usize, usize)> = None;
            for b in 1..clusters.len() {
                for a in 0..b {
                    let (Some(one), Some(other)) = (clusters.get(a), clusters.get(b)) else {
                        continue;
                    };
                    let growth = self.growth(one, other);
                    if closest.is_none_or(|(least, ..)| growth < least) {
                        closest = Some((growth, a, b));
                    }
                }
            }
            let Some((_, a, b)) = closest else { break };
            let joined = clusters.remove(b);
            clusters
                .get_mut(a)
                .into_iter()
                .for_each(|cluster| cluster.extend(&joined));
        }
        clusters
    }

    /// How much the squared distances to the mean grow if two clusters are joined. The squared distance of two papers is 1 minus their similarity.
    fn growth(&self, a: &[usize], b: &[usize]) -> f64 {
        let mean = |left: &[usize], right: &[usize]| {
            let all = left
                .iter()
                .flat_map(|&one| right.iter().map(move |&other| (one, other)));
            let sum: f64 = all
                .map(|(one, other)| {
                    if one == other {
                        0.0
                    } else {
                        1.0 - self.between(one, other)
                    }
                })
                .sum();
            sum / (left.len() * right.len()) as f64
        };
        let size = (a.len() * b.len()) as f64 / (a.len() + b.len()) as f64;
        size * (mean(a, b) - mean(a, a) / 2.0 - mean(b, b) / 2.0)
    }

    fn between(&self, a: usize, b: usize) -> f64 {
        self.similarities.get(a * self.works + b).copied().unwrap_or(0.0)
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
