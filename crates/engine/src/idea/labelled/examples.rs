use precedent_corpus::TopicVector;
use precedent_domain::NoveltyVerdict;
use serde::{Deserialize, Serialize};

use super::idea::{LabelledError, LabelledIdea};
use super::set::labelled_ideas;

/// The built-in examples, written for this project about invented papers.
const BUILT_IN: &str = include_str!("../../../ideas/examples.jsonl");
/// Maximum examples shown to a model (Idea Novelty Checker, section 5: fifteen).
const MOST: usize = 15;

/// Labelled examples that guide a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examples {
    /// Their origin: `built in`, or the file's name.
    pub name: String,
    /// The examples.
    pub ideas: Vec<LabelledIdea>,
}

impl Default for Examples {
    fn default() -> Self {
        Self {
            name: "built in".to_owned(),
            // The file is checked by a test.
            ideas: labelled_ideas(BUILT_IN).unwrap_or_default(),
        }
    }
}

impl Examples {
    /// Reads examples from a file's `text`, in a format of [`labelled_ideas`].
    ///
    /// # Errors
    /// When the text has no such format.
    pub fn read(name: &str, text: &str) -> Result<Self, LabelledError> {
        Ok(Self {
            name: name.to_owned(),
            ideas: labelled_ideas(text)?,
        })
    }

    /// The examples shown to a model for `idea`: all of a small set, else the most similar of either label, in equal number if possible, in the
    /// order of the file.
    #[must_use]
    pub fn chosen(&self, idea: &str) -> Vec<&LabelledIdea> {
        if self.ideas.len() <= MOST {
            return self.ideas.iter().collect();
        }
        let own = TopicVector::of("", idea);
        let nearest = |label: NoveltyVerdict| {
            let of = self.ideas.iter().enumerate().filter(move |(_, one)| one.label == label);
            let mut near: Vec<(usize, f64)> = of
                .map(|(at, one)| (at, own.topic_similarity(&TopicVector::of("", &one.idea))))
                .collect();
            near.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(a.cmp(b)));
            near.into_iter().map(|(at, _)| at).collect::<Vec<usize>>()
        };
        let (novel, other) = (nearest(NoveltyVerdict::Novel), nearest(NoveltyVerdict::NotNovel));
        let half = MOST.div_ceil(2);
        let of_novel = half
            .min(novel.len())
            .max(MOST.saturating_sub(other.len()).min(novel.len()));
        let mut taken: Vec<usize> = novel.into_iter().take(of_novel).collect();
        taken.extend(other.into_iter().take(MOST - of_novel));
        taken.sort_unstable();
        taken.into_iter().filter_map(|at| self.ideas.get(at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_examples_are_complete_and_balanced() {
        let examples = Examples::default();
        let count = |label| examples.ideas.iter().filter(|one| one.label == label).count();
        assert!(count(NoveltyVerdict::Novel) >= 3 && count(NoveltyVerdict::NotNovel) >= 3);
        assert!(count(NoveltyVerdict::Novel).abs_diff(count(NoveltyVerdict::NotNovel)) <= 1);
        for one in &examples.ideas {
            let reasoning = one.reasoning.as_deref().unwrap();
            assert!(
                (2..=10).contains(&one.works.len()) && reasoning.contains('['),
                "{}",
                one.id
            );
            assert!(
                one.works
                    .iter()
                    .all(|work| work.summary.split_whitespace().count() >= 12),
                "{}",
                one.id
            );
        }
    }

    #[test]
    fn the_most_similar_examples_of_either_label_are_chosen() {
        let line = |at: usize, label: &str| {
            format!(r#"{{"id": "{at}", "idea": "Idea {at} on tides and ferries.", "label": "{label}", "papers": []}}"#)
        };
        let lines: Vec<String> = (0..40)
            .map(|at| line(at, if at < 36 { "novel" } else { "not novel" }))
            .collect();
        let examples = Examples::read("mine.jsonl", &lines.join("\n")).unwrap();
        let chosen = examples.chosen("An idea on tides.");
        let novel = chosen.iter().filter(|one| one.label == NoveltyVerdict::Novel).count();
        assert_eq!((chosen.len(), novel), (15, 11));
        assert!(
            chosen
                .windows(2)
                .all(|pair| pair[0].id.parse::<u32>().unwrap() < pair[1].id.parse().unwrap())
        );
    }
}
