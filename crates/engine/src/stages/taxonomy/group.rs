//! Dividing a set of works by the phrases they share, so that a group's name holds for its works.

use std::cmp::Ordering;

use super::near::Nearness;
use crate::stages::ComparisonSet;
use crate::stages::terms::{Phrase, TermId};

/// Works that are divided no further: at most so many in a leaf, where the works allow it.
pub(super) const LEAF: usize = 7;
/// Fewest works in a group.
const SMALLEST: usize = 2;
/// A phrase of more of the works than this tells no group from the rest.
const MOST_SHARE: f64 = 0.6;
/// What a phrase of the abstract counts, against 1 for one of the title.
const IN_ABSTRACT: f64 = 0.55;
/// Least that a phrase's works count together: two abstracts.
const LEAST_GAIN: f64 = 1.05;
/// Share of a group's works that have its phrase, at least.
const HOLDING: f64 = 0.6;
/// How near a work without the phrase must stand, against the works that have it.
const NEAR_ENOUGH: f64 = 0.5;
/// Share of the works of a small set that must have found a named group: else it stands undivided.
const NAMED: f64 = 0.6;
/// The same of a larger set that has a name of its own.
const NAMED_OF_MANY: f64 = 0.4;
/// Works of a small set.
const UNDIVIDED: usize = 12;

/// Works that stand together.
#[derive(Debug, Clone)]
pub(super) struct Group<'a> {
    /// Their indices, ascending.
    pub(super) members: Vec<usize>,
    /// The phrase that most of them have; `None` for works that share none with the others.
    pub(super) phrase: Option<&'a Phrase>,
}

/// What stands above a set that is divided.
#[derive(Debug, Clone, Default)]
pub(super) struct Above {
    /// Stems of the core task.
    pub(super) topic: Vec<TermId>,
    /// Stems of the names over the set: no name below repeats one.
    pub(super) names: Vec<TermId>,
    /// The phrases that name groups elsewhere in the tree: one name stands for one group.
    pub(super) taken: Vec<Vec<TermId>>,
}

/// Into how many named parts a set of works is divided at most.
fn parts(works: usize) -> usize {
    (works / 4).clamp(2, 10)
}

/// Divides `members` (indices of the set, ascending) into groups of works that share a phrase, and one of the works left over. Every member comes
/// out in exactly one group; groups are ordered by their first member. Empty where no division makes sense.
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

/// A phrase that can name a part of the set, with how well it does.
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

/// Single words of abstracts (`force`, `institute`) stand together by accident; so do phrases of two works that no title has.
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

/// Letters of a word that can name a group alone: `transliteration`, never `text`.
const LONG_WORD: usize = 10;

/// Long words that name no field alone.
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

/// How much a phrase says by its length and its words.
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

/// What a phrase counts for a work that has it.
fn presence(phrase: &Phrase, work: usize) -> f64 {
    if phrase.in_titles.binary_search(&work).is_ok() {
        1.0
    } else {
        IN_ABSTRACT
    }
}

/// Phrases one after the other, each the one that says most of the works left.
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
            // The paper's own place shall have a name that holds for it.
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

/// Whether two names can stand side by side: neither is a part of the other, nor another form of it (`statistical parsers`, `statistical parsing`).
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

/// Whether two words look like forms of one: they differ in their last letters only.
fn are_forms_of_one(a: &str, b: &str) -> bool {
    const ENDING: usize = 4;
    const ROOT: usize = 4;
    let (long_a, long_b) = (a.chars().count(), b.chars().count());
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    a == b || shared >= ROOT && long_a.max(long_b) - shared <= ENDING
}

/// What is left of a set nearly all of which has one phrase has that phrase, not none: it is called by it.
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
        // `machine translation systems` beside `machine translation` is one group.
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

/// Each work to the phrase of its own that says most of it; works with none are left out.
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

/// Works without a phrase join the group they stand near, while its name holds for most of it; a single one joins the nearest.
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
