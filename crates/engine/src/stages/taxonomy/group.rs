//! Divides a set of papers by shared phrases, so that a group's name applies to its papers.

use std::cmp::Ordering;

use super::similarity::Nearness;
use crate::stages::ComparisonSet;
use crate::stages::terms::{Phrase, TermId};

/// Target for the number of papers in a leaf. A set of this size is not divided further.
pub(super) const LEAF: usize = 7;
/// Minimum number of papers in a group.
const SMALLEST: usize = 2;
/// Maximum share of the papers that have a phrase for it to name a group.
const MOST_SHARE: f64 = 0.6;
/// Weight of a phrase in an abstract, relative to 1 in a title.
const IN_ABSTRACT: f64 = 0.55;
/// Minimum total weight of a phrase: two abstracts.
const LEAST_GAIN: f64 = 1.05;
/// Minimum share of a group's papers that have its phrase.
const HOLDING: f64 = 0.6;
/// Minimum similarity of a paper without the phrase, relative to the similarity within the group.
const NEAR_ENOUGH: f64 = 0.5;
/// Minimum share of a small set in named groups. Below it the set is not divided.
const NAMED: f64 = 0.6;
/// The same for a larger set below a named node.
const NAMED_OF_MANY: f64 = 0.4;
/// Maximum size of a small set.
const UNDIVIDED: usize = 12;

/// A group of papers.
#[derive(Debug, Clone)]
pub(super) struct Group<'a> {
    /// Their indices, ascending.
    pub(super) members: Vec<usize>,
    /// The phrase that most of them share; `None` for papers that share no phrase.
    pub(super) phrase: Option<&'a Phrase>,
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

/// Maximum number of named groups of a set.
fn parts(works: usize) -> usize {
    (works / 4).clamp(2, 10)
}

/// Divides `members` (indices of the set, ascending) into groups of papers that share a phrase and a group of the rest. Every member is in
/// exactly one group, and groups are ordered by their first member. Empty if no division makes sense.
pub(super) fn divide<'a>(
    set: &'a ComparisonSet<'_>,
    near: &Nearness,
    members: &[usize],
    above: &Above,
) -> Vec<Group<'a>> {
    let all = candidates(set, near, members, above);
    let most = match members.len() {
        few @ ..=UNDIVIDED => few.saturating_sub(SMALLEST),
        many => (many as f64 * MOST_SHARE) as usize,
    };
    let (telling, common): (Vec<Candidate<'a>>, Vec<Candidate<'a>>) =
        all.into_iter().partition(|candidate| candidate.works.len() <= most);
    let mut chosen = choose(&telling, members);
    let mut groups;
    loop {
        groups = assign(&chosen, near, members);
        let Some(thin) = groups.iter().position(|group| group.len() < SMALLEST) else {
            break;
        };
        chosen.remove(thin);
    }
    let mut rest: Vec<usize> = members
        .iter()
        .copied()
        .filter(|member| !groups.iter().any(|group| group.contains(member)))
        .collect();
    if !chosen.is_empty() {
        name_the_rest(&common, &mut chosen, &mut groups, &mut rest);
    }
    join_near(&chosen, &mut groups, &mut rest, near);
    let named = members.len() - rest.len();
    let least = match members.len() {
        ..=UNDIVIDED => NAMED,
        _ if above.names.is_empty() => 0.0,
        _ => NAMED_OF_MANY,
    };
    if chosen.is_empty() || (named as f64) < least * members.len() as f64 {
        return Vec::new();
    }
    let named = chosen
        .iter()
        .zip(groups)
        .map(|(phrase, members)| (Some(*phrase), members));
    let mut all: Vec<Group<'a>> = named
        .chain((!rest.is_empty()).then_some((None, rest)))
        .map(|(phrase, mut members)| {
            members.sort_unstable();
            Group { members, phrase }
        })
        .collect();
    all.sort_by(|a, b| a.members.cmp(&b.members));
    all
}

/// A phrase that can name a part of the set, with its quality.
struct Candidate<'a> {
    phrase: &'a Phrase,
    quality: f64,
    works: Vec<usize>,
}

fn candidates<'a>(set: &'a ComparisonSet<'_>, near: &Nearness, members: &[usize], above: &Above) -> Vec<Candidate<'a>> {
    let overall = near.within(members).max(0.01);
    set.phrases()
        .filter(|phrase| {
            phrase.names_a_group() && !phrase.touches(&above.names) && !above.taken.contains(&phrase.terms)
        })
        .filter_map(|phrase| {
            let works: Vec<usize> = members.iter().copied().filter(|&work| phrase.stands_in(work)).collect();
            if works.len() < SMALLEST || !holds_a_title(phrase, &works) {
                return None;
            }
            let cohesion = (near.within(&works) / overall).clamp(0.3, 3.0).sqrt();
            let of_topic = phrase.terms.iter().all(|term| above.topic.contains(term));
            let quality = cohesion * weight(phrase) * if of_topic { 0.6 } else { 1.0 };
            Some(Candidate { phrase, quality, works })
        })
        .collect()
}

/// Single words of abstracts (`force`, `institute`) coincide by chance. So do phrases of two papers that are in neither title.
fn holds_a_title(phrase: &Phrase, works: &[usize]) -> bool {
    let titles = works.iter().filter(|work| phrase.in_titles.contains(work)).count();
    if phrase.terms.len() == 1 {
        titles * 5 >= works.len() * 3
            && titles >= 3
            && phrase.surface.chars().count() >= LONG_WORD
            && !is_vague_noun(&phrase.surface)
    } else if phrase.substance < 2 {
        titles * 2 >= works.len() && titles >= SMALLEST
    } else {
        titles > 0 || works.len() > 2
    }
}

/// Minimum number of letters of a single word that names a group: `transliteration`, never `text`.
const LONG_WORD: usize = 10;

/// Long words that do not name a field by themselves.
fn is_vague_noun(word: &str) -> bool {
    const VAGUE: [&str; 33] = [
        "assistance",
        "comparisons",
        "investigation",
        "translation",
        "translations",
        "annotation",
        "annotations",
        "assignment",
        "awareness",
        "classification",
        "communication",
        "computation",
        "dictionary",
        "document",
        "documents",
        "embedding",
        "embeddings",
        "estimation",
        "extraction",
        "generation",
        "inference",
        "language",
        "languages",
        "optimization",
        "prediction",
        "reasoning",
        "regression",
        "sentence",
        "sentences",
        "similarity",
        "simulation",
        "vocabulary",
        "transformer",
    ];
    VAGUE.contains(&word.to_lowercase().as_str())
}

/// How specific a phrase is, by its length and its words.
fn weight(phrase: &Phrase) -> f64 {
    let generic = (phrase.terms.len() - phrase.substance) as f64;
    let length = match phrase.terms.len() {
        1 => 0.35,
        2 => 1.0,
        3 => 1.15,
        _ => 1.1,
    };
    let names = if phrase.is_name { 0.5 } else { 1.0 };
    (length - 0.15 * generic) * names
}

/// Weight of a phrase for a paper that has it.
fn presence(phrase: &Phrase, work: usize) -> f64 {
    if phrase.in_titles.binary_search(&work).is_ok() {
        1.0
    } else {
        IN_ABSTRACT
    }
}

/// Chooses phrases greedily, each covering most of the remaining papers.
fn choose<'a>(candidates: &[Candidate<'a>], members: &[usize]) -> Vec<&'a Phrase> {
    let mut chosen: Vec<&'a Phrase> = Vec::new();
    let mut covered: Vec<usize> = Vec::new();
    while chosen.len() < parts(members.len()) {
        let mut best: Option<(f64, &Candidate<'a>)> = None;
        for candidate in candidates {
            let apart = chosen.iter().all(|other| are_apart(other, candidate.phrase));
            let fresh: Vec<usize> = candidate
                .works
                .iter()
                .copied()
                .filter(|work| !covered.contains(work))
                .collect();
            let gain: f64 = fresh.iter().map(|&work| presence(candidate.phrase, work)).sum();
            if !apart || fresh.len() < SMALLEST || gain < LEAST_GAIN {
                continue;
            }
            // The paper's own position should have a name that applies to it.
            let for_paper = if fresh.contains(&0) { 1.5 } else { 1.0 };
            let value = gain.powf(0.7) * candidate.quality * for_paper;
            let better = best.is_none_or(|(most, held)| {
                value
                    .total_cmp(&most)
                    .then_with(|| held.phrase.surface.cmp(&candidate.phrase.surface))
                    == Ordering::Greater
            });
            if better {
                best = Some((value, candidate));
            }
        }
        let Some((_, candidate)) = best else { break };
        chosen.push(candidate.phrase);
        covered.extend(candidate.works.iter().copied());
    }
    chosen
}

/// Whether two names can be siblings: neither contains the other or is another form of it (`statistical parsers`, `statistical parsing`).
fn are_apart(a: &Phrase, b: &Phrase) -> bool {
    let words = |phrase: &Phrase| -> Vec<String> {
        let lower = phrase.surface.to_lowercase();
        lower.split([' ', '-']).map(str::to_owned).collect()
    };
    let within = |part: &[String], whole: &[String]| {
        let stands = |word: &String| whole.iter().any(|other| are_forms_of_one(word, other));
        part.iter().all(stands)
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

/// Names the rest after a phrase that nearly all papers share, if its papers have that phrase.
fn name_the_rest<'a>(
    common: &[Candidate<'a>],
    chosen: &mut Vec<&'a Phrase>,
    groups: &mut Vec<Vec<usize>>,
    rest: &mut Vec<usize>,
) {
    let having = |phrase: &Phrase| rest.iter().filter(|&&work| phrase.stands_in(work)).count();
    let best = common
        .iter()
        .filter(|candidate| having(candidate.phrase) >= SMALLEST)
        .filter(|candidate| chosen.iter().all(|other| other.terms != candidate.phrase.terms))
        .max_by(|a, b| {
            let value = |one: &Candidate<'_>| having(one.phrase) as f64 * weight(one.phrase);
            value(a)
                .total_cmp(&value(b))
                .then_with(|| b.phrase.surface.cmp(&a.phrase.surface))
        });
    if let Some(candidate) = best {
        // `machine translation systems` next to `machine translation` is one group.
        let said_longer = |other: &&'a Phrase| {
            let whole = candidate.phrase.terms.iter().all(|term| other.terms.contains(term));
            whole && other.substance == candidate.phrase.substance
        };
        if let Some(index) = chosen.iter().position(said_longer) {
            if let (Some(phrase), Some(group)) = (chosen.get_mut(index), groups.get_mut(index)) {
                *phrase = candidate.phrase;
                group.extend(rest.iter().filter(|&&work| candidate.phrase.stands_in(work)));
            }
            rest.retain(|&work| !candidate.phrase.stands_in(work));
            return;
        }
        let (own, left) = rest.iter().partition(|&&work| candidate.phrase.stands_in(work));
        chosen.push(candidate.phrase);
        groups.push(own);
        *rest = left;
    }
}

/// Assigns each paper to its best phrase; papers without any are left out.
fn assign(chosen: &[&Phrase], near: &Nearness, members: &[usize]) -> Vec<Vec<usize>> {
    let having: Vec<Vec<usize>> = chosen
        .iter()
        .map(|phrase| members.iter().copied().filter(|&work| phrase.stands_in(work)).collect())
        .collect();
    let mut groups = vec![Vec::new(); chosen.len()];
    for &work in members {
        let mut best: Option<(f64, usize)> = None;
        for (index, (phrase, works)) in chosen.iter().zip(&having).enumerate() {
            if !works.contains(&work) {
                continue;
            }
            let value = 0.4 * presence(phrase, work) + near.to(work, works);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, index));
            }
        }
        if let Some(group) = best.and_then(|(_, index)| groups.get_mut(index)) {
            group.push(work);
        }
    }
    groups
}

/// Adds papers without a phrase to the most similar group, as long as its name applies to most of it. A single paper always joins.
fn join_near(chosen: &[&Phrase], groups: &mut [Vec<usize>], rest: &mut Vec<usize>, near: &Nearness) {
    let cores: Vec<Vec<usize>> = groups.to_vec();
    let alone = rest.len() == 1;
    rest.retain(|&work| {
        let nearest = cores
            .iter()
            .enumerate()
            .map(|(index, core)| (near.to(work, core), index))
            .fold(None, |best: Option<(f64, usize)>, next| match best {
                Some(best) if best.0 >= next.0 => Some(best),
                _ => Some(next),
            });
        let Some((nearness, index)) = nearest else { return true };
        let (Some(group), Some(core), Some(phrase)) = (groups.get_mut(index), cores.get(index), chosen.get(index))
        else {
            return true;
        };
        let having = group.iter().filter(|&&one| phrase.stands_in(one)).count() as f64;
        let holds = having >= HOLDING * (group.len() + 1) as f64;
        let joins = alone || holds && nearness >= NEAR_ENOUGH * near.within(core);
        if joins {
            group.push(work);
        }
        !joins
    });
    if let [last] = rest.as_slice() {
        let work = *last;
        let nearest = cores
            .iter()
            .enumerate()
            .max_by(|(a, x), (b, y)| near.to(work, x).total_cmp(&near.to(work, y)).then(b.cmp(a)));
        if let Some(group) = nearest.and_then(|(index, _)| groups.get_mut(index)) {
            group.push(work);
            rest.clear();
        }
    }
}
