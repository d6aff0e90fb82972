use std::collections::{BTreeMap, BTreeSet};

use super::vector::inner_product;
use super::{Model, Vector, model};
use crate::analysis::terms;

/// The topic of a work, from its title and summary, for measuring the similarity of two works. Needs no corpus, only the table of term vectors.
#[derive(Debug, Clone)]
pub struct TopicVector {
    title: Vector,
    whole: Vector,
    /// Weight by term, normalized to unit length.
    weights: BTreeMap<String, f32>,
    /// Adjacent terms.
    pairs: BTreeSet<(String, String)>,
}

/// Weight of a term in the title relative to one in the summary.
const TITLE: u32 = 3;
/// Weights of the four signals in [`TopicVector::topic_similarity`]: vectors of title and summary, their common terms, vectors of the titles, common pairs.
const WHOLE: f32 = 0.4;
const TERMS: f32 = 0.4;
const TITLES: f32 = 0.12;
const PAIRS: f32 = 0.08;
/// Maximum number of common pairs that count.
const MOST_PAIRS: usize = 6;
/// Weight of a term that is not in the table, as the length of its vector: the 90th percentile of the known terms.
const UNKNOWN: f32 = 3.3;

impl TopicVector {
    /// The topic of a work with this title and summary; either may be empty.
    #[must_use]
    pub fn of(title: &str, summary: &str) -> Self {
        let (title, summary) = (terms(title), terms(summary));
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for term in &title {
            *counts.entry(term).or_default() += TITLE;
        }
        for term in &summary {
            *counts.entry(term).or_default() += 1;
        }
        let mut of_title: BTreeMap<&str, u32> = BTreeMap::new();
        for term in &title {
            *of_title.entry(term).or_default() += 1;
        }
        let table = model();
        let pairs = title
            .windows(2)
            .chain(summary.windows(2))
            .filter_map(|pair| match pair {
                [a, b] => Some((a.clone(), b.clone())),
                _ => None,
            });
        Self {
            title: vector(table, &of_title),
            whole: vector(table, &counts),
            weights: weights(table, &counts),
            pairs: pairs.collect(),
        }
    }

    /// Similarity of the vectors alone, -1 to 1: for texts too short for [`TopicVector::topic_similarity`].
    #[must_use]
    pub fn similarity(&self, other: &Self) -> f64 {
        f64::from(cosine(&self.whole, &other.whole))
    }

    /// Similarity of two works, about 0 to 1, symmetric. Two abstracts above one third are almost always on one topic; below one fifth hardly ever.
    #[must_use]
    pub fn topic_similarity(&self, other: &Self) -> f64 {
        let pairs = self.pairs.intersection(&other.pairs).take(MOST_PAIRS).count();
        let common: f32 = self
            .weights
            .iter()
            .filter_map(|(term, weight)| Some(weight * other.weights.get(term)?))
            .sum();
        let topic_similarity = WHOLE * cosine(&self.whole, &other.whole)
            + TERMS * common
            + TITLES * cosine(&self.title, &other.title)
            + PAIRS * pairs as f32 / MOST_PAIRS as f32;
        f64::from(topic_similarity.clamp(0.0, 1.0))
    }
}

/// The vector of a text in the form in which a corpus stores those of its works, without the scale, which changes no cosine. `None` if no term of the
/// text is in the table.
#[must_use]
pub fn text_vector(text: &str) -> Option<Vec<i8>> {
    let terms = terms(text);
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for term in &terms {
        *counts.entry(term).or_default() += 1;
    }
    let vector = vector(model(), &counts);
    (!vector.is_zero()).then(|| vector.bytes.to_vec())
}

fn vector(table: Option<&Model>, counts: &BTreeMap<&str, u32>) -> Vector {
    let Some(table) = table else { return Vector::ZERO };
    let rows = counts
        .iter()
        .filter_map(|(term, &count)| Some((table.row(term)?, count)));
    Vector::of_rows(table, rows)
}

/// Unit-length term weights: the length of the term's vector, which is larger for more informative terms, times one plus the logarithm of its count.
fn weights(table: Option<&Model>, counts: &BTreeMap<&str, u32>) -> BTreeMap<String, f32> {
    let weight = |term: &str, count: u32| informativeness(table, term) * (1.0 + (count.max(1) as f32).ln());
    let mut weights: BTreeMap<String, f32> = counts
        .iter()
        .map(|(term, &count)| ((*term).to_owned(), weight(term, count)))
        .collect();
    let length = weights.values().map(|one| one * one).sum::<f32>().sqrt();
    if length > 0.0 {
        for one in weights.values_mut() {
            *one /= length;
        }
    }
    weights
}

/// How informative an analyzed term is (see [`crate::terms`]), about 0.5 to 4: the length of its vector, which is short for words of every paper.
/// Unlike a document frequency, it does not depend on a corpus.
#[must_use]
pub fn term_weight(term: &str) -> f32 {
    informativeness(model(), term)
}

fn informativeness(table: Option<&Model>, term: &str) -> f32 {
    let row = table.and_then(|table| table.row(term).map(|row| table.length(row)));
    row.unwrap_or(UNKNOWN)
}

fn cosine(a: &Vector, b: &Vector) -> f32 {
    let row = a.bytes.map(i8::cast_unsigned);
    inner_product(&row, &b.widened()) as f32 * a.scale * b.scale
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUTING: (&str, &str) = (
        "Hierarchical routing in wireless sensor networks",
        "Analytical bounds on the length of routing tables in a hierarchical routing model.",
    );
    const AHP: (&str, &str) = (
        "Prioritising software requirements by pairwise comparison",
        "A model for requirement prioritisation using the Analytical Hierarchical Process, validated in industry.",
    );
    const REQUIREMENTS: (&str, &str) = (
        "Requirements elicitation and selection for release planning",
        "Stakeholders' software requirements are ranked and selected for the next release of a product.",
    );

    fn topic_vector((title, summary): (&str, &str)) -> TopicVector {
        TopicVector::of(title, summary)
    }

    #[test]
    fn rare_words_alone_do_not_make_works_similar() {
        let (routing, ahp, requirements) = (topic_vector(ROUTING), topic_vector(AHP), topic_vector(REQUIREMENTS));
        assert!(ahp.topic_similarity(&requirements) > ahp.topic_similarity(&routing) + 0.05);
        assert!(ahp.topic_similarity(&routing) < 0.3);
        assert!(ahp.topic_similarity(&ahp) > 0.98);
    }

    #[test]
    fn empty_texts_have_no_similarity() {
        let empty = topic_vector(("", ""));
        assert_eq!(empty.topic_similarity(&empty), 0.0);
        assert_eq!(empty.topic_similarity(&topic_vector(AHP)), 0.0);
    }

    proptest::proptest! {
        #[test]
        fn similarity_is_symmetric_and_bounded(a in "\\PC{0,80}", b in "\\PC{0,80}", c in "\\PC{0,200}") {
            let (one, other) = (TopicVector::of(&a, &c), TopicVector::of(&b, &c));
            let there = one.topic_similarity(&other);
            proptest::prop_assert!((0.0..=1.0).contains(&there));
            proptest::prop_assert!((there - other.topic_similarity(&one)).abs() < 1e-6);
        }
    }
}
