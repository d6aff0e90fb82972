//! Benchmark of verdicts and rankings against expert labels, with intervals that account for ideas that share papers.

use std::collections::{BTreeMap, BTreeSet};

use precedent_engine::domain::{IdeaAssessment, IdeaLean, LeanKind, NoveltyVerdict, title_key};
use precedent_engine::idea::LabelledIdea;
use serde::Serialize;

use crate::statistics::{Clustered, clustered};

/// A verdict and the experts' label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The experts' label.
    pub label: NoveltyVerdict,
    /// The verdict.
    pub verdict: NoveltyVerdict,
}

/// Agreement of verdicts with labels. An undecided verdict counts against accuracy and recall.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// Number of ideas.
    pub ideas: usize,
    /// Number of groups of ideas that share papers.
    pub groups: usize,
    /// Ideas with a verdict.
    pub decided: usize,
    /// Share of all ideas whose verdict matches the label.
    pub accuracy: Clustered,
    /// Mean precision of both labels, as in table 1 of the Idea Novelty Checker.
    pub macro_precision: Clustered,
    /// Mean recall of both labels.
    pub macro_recall: Clustered,
    /// Mean F1 of both labels.
    pub macro_f1: Clustered,
    /// Of the ideas called novel, the share that is novel.
    pub precision: Clustered,
    /// Of the novel ideas, the share that was called novel.
    pub recall: Clustered,
    /// The harmonic mean of precision and recall.
    pub f1: Clustered,
    /// Of the ideas called not novel, the share that is not novel.
    pub precision_not_novel: Clustered,
    /// Of the ideas that are not novel, the share that was called not novel.
    pub recall_not_novel: Clustered,
    /// The harmonic mean of these two.
    pub f1_not_novel: Clustered,
    /// Share of all ideas with a verdict that contradicts the label.
    pub wrong: Clustered,
    /// Agreement beyond chance (Cohen 1960), with undecided as a third answer.
    pub kappa: Clustered,
    /// The accuracy of always giving the more frequent label.
    pub majority: Clustered,
}

/// Agreement of `decisions`; `groups` has the group of each, as given by [`clusters`]. The same input and seed give the same intervals.
#[must_use]
pub fn agreement(decisions: &[Decision], groups: &[usize], seed: u64) -> Agreement {
    let measure = |of: &dyn Fn(&[Decision]) -> f64| clustered(decisions, groups, seed, of);
    let both = |of: fn(&[Decision], NoveltyVerdict) -> f64| {
        measure(&move |all| of(all, NoveltyVerdict::Novel).midpoint(of(all, NoveltyVerdict::NotNovel)))
    };
    let novel = decisions
        .iter()
        .filter(|one| one.label == NoveltyVerdict::Novel)
        .count();
    let majority = match novel * 2 >= decisions.len() {
        true => NoveltyVerdict::Novel,
        false => NoveltyVerdict::NotNovel,
    };
    Agreement {
        ideas: decisions.len(),
        groups: groups.iter().collect::<BTreeSet<_>>().len(),
        decided: decisions
            .iter()
            .filter(|one| one.verdict != NoveltyVerdict::Undecided)
            .count(),
        accuracy: measure(&|all| share(all, |one| one.verdict == one.label, |_| true)),
        macro_precision: both(precision),
        macro_recall: both(recall),
        macro_f1: both(f1),
        precision: measure(&|all| precision(all, NoveltyVerdict::Novel)),
        recall: measure(&|all| recall(all, NoveltyVerdict::Novel)),
        f1: measure(&|all| f1(all, NoveltyVerdict::Novel)),
        precision_not_novel: measure(&|all| precision(all, NoveltyVerdict::NotNovel)),
        recall_not_novel: measure(&|all| recall(all, NoveltyVerdict::NotNovel)),
        f1_not_novel: measure(&|all| f1(all, NoveltyVerdict::NotNovel)),
        wrong: measure(&|all| {
            share(
                all,
                |one| one.verdict != NoveltyVerdict::Undecided && one.verdict != one.label,
                |_| true,
            )
        }),
        kappa: measure(&kappa),
        majority: measure(&|all| share(all, |one| one.label == majority, |_| true)),
    }
}

fn share(all: &[Decision], is: impl Fn(&Decision) -> bool, among: impl Fn(&Decision) -> bool) -> f64 {
    let of: Vec<&Decision> = all.iter().filter(|one| among(one)).collect();
    of.iter().filter(|one| is(one)).count() as f64 / of.len().max(1) as f64
}

fn precision(all: &[Decision], label: NoveltyVerdict) -> f64 {
    share(all, |one| one.label == label, |one| one.verdict == label)
}

fn recall(all: &[Decision], label: NoveltyVerdict) -> f64 {
    share(all, |one| one.verdict == label, |one| one.label == label)
}

fn f1(all: &[Decision], label: NoveltyVerdict) -> f64 {
    let (precision, recall) = (precision(all, label), recall(all, label));
    match precision + recall {
        0.0 => 0.0,
        sum => 2.0 * precision * recall / sum,
    }
}

fn kappa(all: &[Decision]) -> f64 {
    let count = all.len().max(1) as f64;
    let observed = all.iter().filter(|one| one.verdict == one.label).count() as f64 / count;
    let answers = [
        NoveltyVerdict::Novel,
        NoveltyVerdict::NotNovel,
        NoveltyVerdict::Undecided,
    ];
    let chance: f64 = answers
        .iter()
        .map(|answer| {
            let given = all.iter().filter(|one| one.verdict == *answer).count() as f64 / count;
            let expected = all.iter().filter(|one| one.label == *answer).count() as f64 / count;
            given * expected
        })
        .sum();
    match 1.0 - chance {
        left if left <= f64::EPSILON => 0.0,
        left => (observed - chance) / left,
    }
}

/// The group of each idea: ideas that share a paper, directly or through other ideas, are in one group.
#[must_use]
pub fn clusters(ideas: &[LabelledIdea]) -> Vec<usize> {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut group: Vec<usize> = (0..ideas.len()).collect();
    for (at, idea) in ideas.iter().enumerate() {
        for work in &idea.works {
            let other = *first.entry(title_key(&work.title)).or_insert(at);
            let (a, b) = (
                group.get(at).copied().unwrap_or(at),
                group.get(other).copied().unwrap_or(other),
            );
            if a != b {
                let (low, high) = (a.min(b), a.max(b));
                group.iter_mut().filter(|one| **one == high).for_each(|one| *one = low);
            }
        }
    }
    group
}

/// How well the suggestions without a verdict agree with the labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LeanAgreement {
    /// Number of ideas.
    pub ideas: usize,
    /// Ideas with a suggestion that close work was found, or that none was.
    pub suggested: usize,
    /// Of all ideas, the share for which the suggestion matches the label.
    pub accuracy: Clustered,
    /// Ideas whose purpose and mechanism were pointed out by the author.
    pub certain: usize,
    /// Of those, the number for which the suggestion matches the label.
    pub certain_right: usize,
}

/// Agreement of the suggestions with the labels. `groups` is as for [`agreement`].
#[must_use]
pub fn lean_agreement(leans: &[(NoveltyVerdict, Option<IdeaLean>)], groups: &[usize], seed: u64) -> LeanAgreement {
    let is_right = |(label, lean): &&(NoveltyVerdict, Option<IdeaLean>)| match lean.as_ref().map(|lean| lean.kind) {
        Some(LeanKind::CloseWorkFound) => *label == NoveltyVerdict::NotNovel,
        Some(LeanKind::NoCloseWorkFound) => *label == NoveltyVerdict::Novel,
        Some(LeanKind::FieldNotCovered) | None => false,
    };
    let certain = || {
        leans
            .iter()
            .filter(|(_, lean)| lean.as_ref().is_some_and(|lean| lean.facets_are_certain))
    };
    let suggests = |lean: &IdeaLean| lean.kind != LeanKind::FieldNotCovered;
    LeanAgreement {
        ideas: leans.len(),
        suggested: leans
            .iter()
            .filter(|(_, lean)| lean.as_ref().is_some_and(suggests))
            .count(),
        accuracy: clustered(leans, groups, seed, &|all: &[(NoveltyVerdict, Option<IdeaLean>)]| {
            all.iter().filter(is_right).count() as f64 / all.len().max(1) as f64
        }),
        certain: certain().count(),
        certain_right: certain().filter(is_right).count(),
    }
}

/// How much the ten papers compared differ from those of the complete search (Idea Novelty Checker, table 3).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TopOverlap {
    /// Papers in both lists, averaged over the ideas.
    pub overlap: f64,
    /// Mean difference of the ranks of those papers.
    pub rank_shift: f64,
}

/// Compares the papers of each idea in two settings.
#[must_use]
pub fn top_overlap(complete: &[IdeaAssessment], other: &[IdeaAssessment]) -> TopOverlap {
    let (mut shared, mut shift) = (0_usize, 0_usize);
    for (one, other) in complete.iter().zip(other) {
        for (rank, work) in one.works.iter().enumerate() {
            if let Some(other_rank) = other.works.iter().position(|found| found.work.id == work.work.id) {
                shared += 1;
                shift += rank.abs_diff(other_rank);
            }
        }
    }
    TopOverlap {
        overlap: shared as f64 / complete.len().max(1) as f64,
        rank_shift: shift as f64 / shared.max(1) as f64,
    }
}

/// Which ranks hold labelled papers of an idea, and how many labelled papers it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// For each rank, whether it is a labelled paper.
    pub hits: Vec<bool>,
    /// Number of labelled papers.
    pub wanted: usize,
}

impl Found {
    /// Share of the labelled papers among the first `depth`.
    #[must_use]
    pub fn recall(&self, depth: usize) -> f64 {
        self.hits.iter().take(depth).filter(|hit| **hit).count() as f64 / self.wanted.max(1) as f64
    }
}

/// Finds the labelled papers of `idea` in the ranking of `found`, by title.
#[must_use]
pub fn found(idea: &LabelledIdea, found: &IdeaAssessment) -> Found {
    let wanted: BTreeSet<String> = idea.works.iter().map(|work| title_key(&work.title)).collect();
    let top = found.works.iter().map(|one| one.work.title.as_str());
    let ranking = top.chain(found.ranking.further.iter().map(|one| one.title.as_str()));
    let mut seen = BTreeSet::new();
    let hits = ranking.map(|title| {
        let key = title_key(title);
        wanted.contains(&key) && seen.insert(key)
    });
    Found {
        hits: hits.collect(),
        wanted: wanted.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NoveltyVerdict::{NotNovel, Novel, Undecided};
    use precedent_engine::idea::LabelledWork;

    fn decisions(pairs: &[(NoveltyVerdict, NoveltyVerdict, usize)]) -> Vec<Decision> {
        let one = |&(label, verdict, times): &(NoveltyVerdict, NoveltyVerdict, usize)| {
            vec![Decision { label, verdict }; times]
        };
        pairs.iter().flat_map(one).collect()
    }

    #[test]
    fn measures_match_their_textbook_definitions() {
        let all = decisions(&[
            (Novel, Novel, 17),
            (Novel, NotNovel, 2),
            (NotNovel, Novel, 4),
            (NotNovel, NotNovel, 9),
        ]);
        let groups: Vec<usize> = (0..all.len()).collect();
        let found = agreement(&all, &groups, 1);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 0.005, "{a} {b}");
        near(found.accuracy.value, 26.0 / 32.0);
        near(found.precision.value, 17.0 / 21.0);
        near(found.recall.value, 17.0 / 19.0);
        near(found.f1.value, 0.85);
        near(found.recall_not_novel.value, 9.0 / 13.0);
        near(found.kappa.value, 0.602);
        near(found.majority.value, 19.0 / 32.0);
        assert!(found.accuracy.low < 0.72 && found.accuracy.high > 0.88, "{found:?}");
    }

    #[test]
    fn macro_averages_and_wrong_verdicts_match_their_definitions() {
        let all = decisions(&[
            (Novel, Novel, 17),
            (Novel, Undecided, 2),
            (NotNovel, Novel, 4),
            (NotNovel, NotNovel, 9),
        ]);
        let groups: Vec<usize> = (0..all.len()).collect();
        let found = agreement(&all, &groups, 1);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 0.0005, "{a} {b}");
        near(found.precision_not_novel.value, 1.0);
        near(found.macro_precision.value, (17.0 / 21.0 + 1.0) / 2.0);
        near(found.macro_recall.value, (17.0 / 19.0 + 9.0 / 13.0) / 2.0);
        near(found.f1_not_novel.value, 18.0 / 22.0);
        near(found.macro_f1.value, (34.0 / 40.0 + 18.0 / 22.0) / 2.0);
        near(found.wrong.value, 4.0 / 32.0);
    }

    #[test]
    fn a_lean_is_right_if_it_matches_the_label_and_wrong_if_it_suggests_nothing() {
        let lean = |kind, facets_are_certain| {
            Some(IdeaLean {
                kind,
                papers: Vec::new(),
                facets_are_certain,
            })
        };
        let leans = [
            (Novel, lean(LeanKind::NoCloseWorkFound, true)),
            (NotNovel, lean(LeanKind::CloseWorkFound, false)),
            (NotNovel, lean(LeanKind::NoCloseWorkFound, true)),
            (Novel, lean(LeanKind::FieldNotCovered, false)),
            (Novel, None),
        ];
        let found = lean_agreement(&leans, &[0, 1, 2, 3, 4], 1);
        assert_eq!(
            (found.ideas, found.suggested, found.certain, found.certain_right),
            (5, 3, 2, 1)
        );
        assert!((found.accuracy.value - 0.4).abs() < 1e-9);
    }

    #[test]
    fn undecided_verdicts_count_as_wrong() {
        let all = decisions(&[(Novel, Undecided, 3), (NotNovel, Undecided, 2)]);
        let found = agreement(&all, &[0, 1, 2, 3, 4], 1);
        assert_eq!(
            (found.decided, found.accuracy.value, found.kappa.value, found.f1.value),
            (0, 0.0, 0.0, 0.0)
        );
        assert!(found.majority.value > 0.5);
        let nothing = agreement(&[], &[], 1);
        assert_eq!((nothing.ideas, nothing.accuracy.value), (0, 0.0));
    }

    fn idea(id: &str, titles: &[&str]) -> LabelledIdea {
        let work = |title: &&str| LabelledWork {
            title: (*title).to_owned(),
            summary: String::new(),
            url: None,
        };
        LabelledIdea {
            id: id.to_owned(),
            idea: id.to_owned(),
            works: titles.iter().map(work).collect(),
            label: Novel,
            reasoning: None,
        }
    }

    #[test]
    fn ideas_that_share_papers_are_resampled_together() {
        let ideas = [
            idea("a", &["T one", "T two"]),
            idea("b", &["T three"]),
            idea("c", &["t Two!", "T four"]),
            idea("d", &["T four"]),
            idea("e", &[]),
        ];
        assert_eq!(clusters(&ideas), [0, 1, 0, 0, 4]);
        // A single group leaves nothing to resample.
        let all = decisions(&[(Novel, Novel, 3), (NotNovel, Novel, 3)]);
        let found = agreement(&all, &[0; 6], 1);
        assert_eq!((found.accuracy.low, found.accuracy.high), (0.5, 0.5));
    }
}
