//! Divides a set of papers into groups of similar papers, and names each group by phrases that distinguish it.

use precedent_corpus::{term_weight, terms};
use precedent_language::terms::{Phrase, TermId};

use super::similarity::PairwiseSimilarity;
use crate::compare::ComparisonSet;

/// Maximum number of papers in a leaf. A larger set is divided if phrases name its groups.
pub(super) const LEAF: usize = 9;
/// Maximum number of groups of a set.
const MOST_GROUPS: usize = 7;
/// Minimum similarity of a single paper to a group, relative to the similarity within the group. Below it the paper is an outlier.
const NEAR_ENOUGH: f64 = 0.5;
/// Number of outliers that are always allowed, and their maximum share of a set.
const FEW_OUTLIERS: usize = 2;
const OUTLIERS: f64 = 0.1;
/// Share of a group that has its first phrase, from which one phrase is name enough.
const HOLDING: f64 = 0.5;
/// Number of words of a phrase in a name.
const WORDS: std::ops::RangeInclusive<usize> = 2..=5;
/// Number of papers that share a phrase.
const SHARED: usize = 2;

/// A group of papers.
#[derive(Debug, Clone)]
pub(super) struct Group<'a> {
    /// Their indices, ascending.
    pub(super) members: Vec<usize>,
    /// One or two phrases that are more frequent in it than beside it; none for papers unlike all others.
    pub(super) phrases: Vec<&'a Phrase>,
}

/// Context from the levels above a set.
#[derive(Debug, Clone, Default)]
pub(super) struct Above {
    /// Stems of the core task.
    pub(super) topic: Vec<TermId>,
    /// Stems of the names above the set, which no name below repeats.
    pub(super) names: Vec<TermId>,
    /// Phrases that already name groups elsewhere in the tree. Names are unique.
    pub(super) taken: Vec<Vec<TermId>>,
}

/// Divides `members` (indices of the set, ascending) into groups of similar papers and a group of outliers. Every member is in exactly one group,
/// and groups are ordered by their first member. Empty if no division makes sense.
pub(super) fn divide<'a>(
    set: &'a ComparisonSet<'_>,
    near: &PairwiseSimilarity,
    members: &[usize],
    above: &Above,
) -> Vec<Group<'a>> {
    let count = ((members.len() as f64).sqrt().round() as usize).clamp(2, MOST_GROUPS);
    let clusters = near.clusters(members, count);
    let (mut groups, mut alone): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
        clusters.into_iter().partition(|cluster| cluster.len() > 1);
    if groups.is_empty() {
        return Vec::new();
    }
    // The paper itself is never an outlier.
    let allowed = FEW_OUTLIERS.max((members.len() as f64 * OUTLIERS) as usize);
    let mut outliers: Vec<(f64, usize)> = Vec::new();
    for work in alone.drain(..).flatten() {
        let (similarity, group) = nearest(near, work, &groups);
        let within = groups.get(group).map_or(0.0, |group| near.within(group));
        if work > 0 && similarity < NEAR_ENOUGH * within {
            outliers.push((similarity, work));
        } else if let Some(group) = groups.get_mut(group) {
            group.push(work);
        }
    }
    outliers.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // One paper is no group, and below the top every paper has the topic of the groups.
    let kept = if above.names.is_empty() {
        allowed.min(outliers.len())
    } else {
        0
    };
    let joining = outliers.split_off(if kept < 2 { 0 } else { kept });
    for (_, work) in joining {
        let (_, group) = nearest(near, work, &groups);
        groups.get_mut(group).into_iter().for_each(|group| group.push(work));
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    let mut named = names(set, &groups, members, above);
    // A group that no phrase names joins the most similar one.
    while let Some(at) = named.iter().position(Vec::is_empty) {
        let unnamed = groups.remove(at);
        if groups.is_empty() {
            return Vec::new();
        }
        for work in unnamed {
            let (_, group) = nearest(near, work, &groups);
            groups.get_mut(group).into_iter().for_each(|group| group.push(work));
        }
        groups.iter_mut().for_each(|group| group.sort_unstable());
        named = names(set, &groups, members, above);
    }
    let mut rest: Vec<usize> = outliers.into_iter().map(|(_, work)| work).collect();
    rest.sort_unstable();
    let mut all: Vec<Group<'a>> = groups
        .into_iter()
        .zip(named)
        .chain((!rest.is_empty()).then_some((rest, Vec::new())))
        .map(|(members, phrases)| Group { members, phrases })
        .collect();
    all.sort_by(|a, b| a.members.cmp(&b.members));
    all
}

/// The group most similar to a paper, and how similar it is.
fn nearest(near: &PairwiseSimilarity, work: usize, groups: &[Vec<usize>]) -> (f64, usize) {
    let all = groups.iter().enumerate();
    all.map(|(index, group)| (near.to(work, group), index))
        .fold(None, |best: Option<(f64, usize)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        })
        .unwrap_or_default()
}

/// One or two phrases for each group, larger groups first, so that no phrase names two groups.
fn names<'a>(
    set: &'a ComparisonSet<'_>,
    groups: &[Vec<usize>],
    members: &[usize],
    above: &Above,
) -> Vec<Vec<&'a Phrase>> {
    let usable: Vec<&Phrase> = set
        .phrases()
        .filter(|phrase| {
            let length = phrase.surface.split_whitespace().count();
            phrase.names_a_group()
                && WORDS.contains(&length)
                && !phrase.touches(&above.names)
                && !above.taken.contains(&phrase.terms)
        })
        .collect();
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(groups.get(at).map_or(0, Vec::len)), at));
    let mut named: Vec<Vec<&'a Phrase>> = vec![Vec::new(); groups.len()];
    for at in order {
        let Some(group) = groups.get(at) else { continue };
        let taken: Vec<&Phrase> = named.iter().flatten().copied().collect();
        let free = |phrase: &&Phrase| taken.iter().all(|other| are_apart(other, phrase));
        let Some(first) = best(&usable, group, members, above, free) else {
            continue;
        };
        let mut phrases = vec![first];
        let without: Vec<usize> = group.iter().copied().filter(|&work| !first.appears_in(work)).collect();
        if ((group.len() - without.len()) as f64) < HOLDING * group.len() as f64 {
            let shared = count(first, group).min(SHARED);
            let other =
                |phrase: &&Phrase| free(phrase) && !phrase.touches(&first.terms) && count(phrase, &without) >= shared;
            phrases.extend(best(&usable, &without, members, above, other));
        }
        if let Some(slot) = named.get_mut(at) {
            *slot = phrases;
        }
    }
    named
}

/// The phrase that most papers of the group and few others have. A phrase of one paper is only used if no two share one.
fn best<'a>(
    phrases: &[&'a Phrase],
    group: &[usize],
    members: &[usize],
    above: &Above,
    allowed: impl Fn(&&Phrase) -> bool,
) -> Option<&'a Phrase> {
    let value = |phrase: &Phrase| {
        let having = group.iter().filter(|&&work| phrase.appears_in(work));
        let here: f64 = having.map(|&work| presence(phrase, work)).sum();
        let distinct = count(phrase, group) as f64 / count(phrase, members).max(1) as f64;
        let of_topic = phrase.terms.iter().all(|term| above.topic.contains(term));
        here * distinct.sqrt() * weight(phrase) * if of_topic { 0.6 } else { 1.0 }
    };
    let valued = phrases.iter().filter(|phrase| allowed(phrase)).filter_map(|&phrase| {
        // A phrase of the paper alone names no group of others.
        let shared = group
            .iter()
            .filter(|&&work| work > 0 && phrase.appears_in(work))
            .count();
        (shared > 0 || group == [0]).then(|| (shared >= SHARED, value(phrase), phrase))
    });
    let better = |a: &(bool, f64, &Phrase), b: &(bool, f64, &Phrase)| {
        a.0.cmp(&b.0)
            .then(a.1.total_cmp(&b.1))
            .then_with(|| b.2.surface.cmp(&a.2.surface))
    };
    valued.max_by(better).map(|(.., phrase)| phrase)
}

/// Weight of a phrase in an abstract, relative to 1 in a title.
const IN_ABSTRACT: f64 = 0.55;

/// How specific a phrase is, by its length and its words.
fn weight(phrase: &Phrase) -> f64 {
    let stems = terms(&phrase.surface);
    let specific: f64 = stems.iter().map(|stem| f64::from(term_weight(stem))).sum();
    let length = match phrase.terms.len() {
        ..=2 => 1.0,
        3 => 1.15,
        _ => 1.1,
    };
    let names = if phrase.is_name { 0.5 } else { 1.0 };
    length * names * specific / stems.len().max(1) as f64
}

/// Weight of a phrase for a paper that has it.
fn presence(phrase: &Phrase, work: usize) -> f64 {
    if phrase.in_titles.binary_search(&work).is_ok() {
        1.0
    } else {
        IN_ABSTRACT
    }
}

/// Whether two names can be siblings: neither contains the other or is another form of it (`statistical parsers`, `statistical parsing`).
fn are_apart(a: &Phrase, b: &Phrase) -> bool {
    let words = |phrase: &Phrase| -> Vec<String> {
        let lower = phrase.surface.to_lowercase();
        lower.split([' ', '-']).map(str::to_owned).collect()
    };
    let within = |part: &[String], whole: &[String]| {
        let has_form = |word: &String| whole.iter().any(|other| are_forms_of_one(word, other));
        part.iter().all(has_form)
    };
    let (a, b) = (words(a), words(b));
    !within(&a, &b) && !within(&b, &a)
}

/// Whether two words look like forms of one word: only their last letters differ.
fn are_forms_of_one(a: &str, b: &str) -> bool {
    const ENDING: usize = 4;
    const ROOT: usize = 4;
    let (long_a, long_b) = (a.chars().count(), b.chars().count());
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    a == b || shared >= ROOT && long_a.max(long_b) - shared <= ENDING
}

/// How many of `works` have the phrase.
pub(super) fn count(phrase: &Phrase, works: &[usize]) -> usize {
    works.iter().filter(|&&work| phrase.appears_in(work)).count()
}
