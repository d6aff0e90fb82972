use precedent_domain::is_vague_name;

use crate::stages::ComparisonSet;
use crate::stages::terms::{Phrase, TermId};

/// Longest name of a node, in words.
const LONGEST: usize = 8;
/// Shortest.
const SHORTEST: usize = 3;
/// What a phrase of the paper counts at least in its own group.
const COMMON: f64 = 0.05;
/// What overlap with the names above costs a phrase.
const REPEATED: f64 = 0.8;

/// What a group of works is called, and the phrases behind it.
#[derive(Debug, Clone)]
pub(super) struct Label<'a> {
    pub(super) name: String,
    /// Most telling first; the name is made of the first one or two.
    pub(super) phrases: Vec<&'a Phrase>,
}

impl Label<'_> {
    /// Stems that the names of nodes below should not repeat.
    pub(super) fn terms(&self) -> Vec<TermId> {
        self.phrases
            .iter()
            .take(2)
            .flat_map(|phrase| phrase.terms.iter().copied())
            .collect()
    }
}

/// Names for groups that stand side by side; `above` holds the stems of the names over them.
pub(super) fn labels<'a>(set: &'a ComparisonSet<'_>, groups: &[Vec<usize>], above: &[TermId]) -> Vec<Label<'a>> {
    let all: Vec<usize> = groups.iter().flatten().copied().collect();
    let mut labels: Vec<Label<'a>> = Vec::new();
    for group in groups {
        let ranked = ranked_phrases(set, group, &all, above);
        let taken: Vec<String> = labels.iter().map(|label| label.name.to_lowercase()).collect();
        labels.push(compose(set, group, &ranked, &taken, above));
    }
    labels
}

/// How many of `works` have the phrase.
pub(super) fn count(phrase: &Phrase, works: &[usize]) -> usize {
    works.iter().filter(|&&work| phrase.stands_in(work)).count()
}

/// The phrases that tell `group` from the rest of `all`, most telling first.
fn ranked_phrases<'a>(
    set: &'a ComparisonSet<'_>,
    group: &[usize],
    all: &[usize],
    above: &[TermId],
) -> Vec<(f64, &'a Phrase)> {
    let rest = (all.len() - group.len()) as f64;
    let mut ranked: Vec<(f64, &Phrase)> = set
        .phrases()
        .filter_map(|phrase| {
            let inside = count(phrase, group);
            if phrase.is_code() || inside < 2.min(group.len()) || inside == 0 {
                return None;
            }
            let outside = count(phrase, all) - inside;
            let share_in = inside as f64 / group.len() as f64;
            let share_out = if rest > 0.0 { outside as f64 / rest } else { 0.0 };
            let titles =
                phrase.in_titles.iter().filter(|work| group.contains(work)).count() as f64 / group.len() as f64;
            let holds_for_paper = group.contains(&0) && phrase.stands_in(0);
            let (telling, fresh) = (share_in - share_out, repeated(phrase, above));
            // What the paper shares with its neighbours may be said again and need not tell them from others: its place must hold for it.
            let (telling, fresh) = if holds_for_paper {
                (telling.max(COMMON), fresh.max(COMMON))
            } else {
                (telling, fresh)
            };
            let score = telling * length_weight(phrase) * (1.0 + titles) * fresh;
            (score > 0.0 && (titles > 0.0 || tells_alone(phrase))).then_some((score, phrase))
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.surface.cmp(&b.1.surface)));
    let parts: Vec<bool> = ranked
        .iter()
        .map(|(_, phrase)| is_part(phrase, &ranked, group))
        .collect();
    ranked
        .into_iter()
        .zip(parts)
        .filter(|(_, part)| !part)
        .map(|(one, _)| one)
        .collect()
}

/// The group that holds the paper is named first, where it can be, for what the paper speaks of too: else the paper stands under a name that does
/// not hold for it.
fn is_of_the_paper(phrase: &Phrase, group: &[usize]) -> bool {
    group.contains(&0) && phrase.stands_in(0)
}

/// Whether a phrase that no title of the group has can name it: single words of abstracts (`force`, `institute`) are there by accident.
fn tells_alone(phrase: &Phrase) -> bool {
    phrase.terms.len() > 1 && phrase.substance > 1
}

/// Whether a longer phrase says the same of nearly the same works.
fn is_part(phrase: &Phrase, ranked: &[(f64, &Phrase)], group: &[usize]) -> bool {
    let own = count(phrase, group);
    ranked.iter().any(|(_, longer)| {
        longer.terms.len() > phrase.terms.len()
            && longer
                .terms
                .windows(phrase.terms.len())
                .any(|part| part == phrase.terms)
            && count(longer, group) * 3 >= own * 2
    })
}

fn length_weight(phrase: &Phrase) -> f64 {
    let generic = (phrase.terms.len() - phrase.substance) as f64;
    let length = match phrase.terms.len() {
        1 => 0.3,
        2 => 1.0,
        3 => 1.1,
        _ => 1.0,
    };
    length - 0.15 * generic
}

fn repeated(phrase: &Phrase, above: &[TermId]) -> f64 {
    let known = phrase.terms.iter().filter(|term| above.contains(term)).count();
    match known {
        0 => 1.0,
        _ if known == phrase.terms.len() => 0.0,
        _ => REPEATED,
    }
}

fn compose<'a>(
    set: &'a ComparisonSet<'_>,
    group: &[usize],
    ranked: &[(f64, &'a Phrase)],
    taken: &[String],
    above: &[TermId],
) -> Label<'a> {
    let phrases = telling_phrases(group, ranked);
    // A name that only repeats the names above it tells no two groups apart.
    let says_new = |phrase: &Phrase| phrase.terms.iter().any(|term| !above.contains(term));
    let mut candidates: Vec<String> = Vec::new();
    if let Some(first) = phrases.first() {
        if says_new(first) && words(&first.surface) >= SHORTEST && count(first, group) * 5 >= group.len() * 3 {
            candidates.push(title_case(&first.surface));
        }
        // `Access and Objective` names nothing: one of two is more than a word.
        let named = |second: &Phrase| first.terms.len() > 1 || second.terms.len() > 1;
        let (telling, bare): (Vec<&Phrase>, Vec<&Phrase>) = phrases
            .iter()
            .skip(1)
            .copied()
            .filter(|second| says_new(first) || says_new(second))
            .partition(|one| named(one));
        let joined = |second: &Phrase| title_case(&format!("{} and {}", first.surface, second.surface));
        candidates.extend(telling.into_iter().map(joined));
        candidates.extend(fallback(set, group, Some(first)));
        candidates.extend(bare.into_iter().map(joined));
    } else {
        candidates.extend(fallback(set, group, None));
    }
    candidates.retain(|name| !is_vague_name(name) && !taken.contains(&name.to_lowercase()));
    let fits = |name: &&String| (SHORTEST..=LONGEST).contains(&words(name));
    let name = candidates.iter().find(fits).or_else(|| candidates.first());
    Label {
        name: name.cloned().unwrap_or_else(|| last_resort(taken)),
        phrases,
    }
}

/// A name for works that share nothing and have no titles.
fn last_resort(taken: &[String]) -> String {
    let name = |number: usize| format!("Works Without Shared Terms {number}");
    (1..)
        .map(name)
        .find(|name| !taken.contains(&name.to_lowercase()))
        .unwrap_or_default()
}

/// More than any phrase scores.
const PAPER_FIRST: f64 = 100.0;

/// Phrases that tell what the works of a group are about: the most telling first, then such as speak of the works left out so far.
fn telling_phrases<'a>(group: &[usize], ranked: &[(f64, &'a Phrase)]) -> Vec<&'a Phrase> {
    const MOST: usize = 4;
    let mut phrases: Vec<&Phrase> = Vec::new();
    while phrases.len() < MOST {
        let gain = |phrase: &Phrase| {
            let left_out = |work: &&usize| phrases.iter().all(|other| !other.stands_in(**work));
            let new = group
                .iter()
                .filter(left_out)
                .filter(|&&work| phrase.stands_in(work))
                .count();
            0.5 + new as f64 / group.len() as f64
        };
        let mut best: Option<(f64, &'a Phrase)> = None;
        for &(score, phrase) in ranked {
            let says_new = phrases.iter().all(|other| !phrase.touches(&other.terms));
            let value = score * gain(phrase);
            let first = phrases.is_empty() && is_of_the_paper(phrase, group);
            let value = if first { value + PAPER_FIRST } else { value };
            if says_new && best.is_none_or(|(most, _)| value > most) {
                best = Some((value, phrase));
            }
        }
        let Some((_, phrase)) = best else { break };
        phrases.push(phrase);
    }
    phrases
}

/// Names from the titles of the members, nearest first: for groups whose works share no phrase.
fn fallback(set: &ComparisonSet<'_>, group: &[usize], first: Option<&Phrase>) -> Vec<String> {
    let mut names = Vec::new();
    // The paper's own title names a group only where it stands alone.
    let others: Vec<usize> = group.iter().copied().filter(|&work| work > 0).collect();
    let named_for = if others.is_empty() { group } else { others.as_slice() };
    for &work in named_for {
        let title = match work.checked_sub(1) {
            None => set.title(),
            Some(prior) => set
                .priors()
                .get(prior)
                .map_or("", |prior| prior.candidate.work.title.as_str()),
        };
        let in_title = set
            .phrases()
            .filter(|phrase| phrase.in_titles.contains(&work))
            .max_by(|a, b| {
                (a.substance, a.terms.len())
                    .cmp(&(b.substance, b.terms.len()))
                    .then_with(|| b.surface.cmp(&a.surface))
            });
        if let Some(phrase) = in_title {
            if let Some(first) = first.filter(|first| !phrase.touches(&first.terms)) {
                names.push(title_case(&format!("{} and {}", first.surface, phrase.surface)));
            }
            names.push(title_case(&phrase.surface));
        }
        names.push(short_title(title));
    }
    names.retain(|name| !name.is_empty());
    names
}

/// A title, or its main part, cut between phrases where it is longer than a name may be.
fn short_title(title: &str) -> String {
    const NO_END: [&str; 14] = [
        "a", "an", "the", "and", "or", "of", "for", "in", "on", "with", "to", "by", "from", "via",
    ];
    let main = crate::wording::split_title(title).map_or(title, |(head, _)| head);
    let all: Vec<&str> = main.split_whitespace().collect();
    let mut length = all.len().min(LONGEST);
    let is_border = |word: &&str| NO_END.contains(&word.to_lowercase().as_str());
    if all.len() > LONGEST {
        let border = (SHORTEST..=LONGEST)
            .rev()
            .find(|&at| all.get(at).is_some_and(is_border));
        length = border.unwrap_or(length);
    }
    while length > 0 && all.get(length - 1).is_some_and(is_border) {
        length -= 1;
    }
    let name = all.get(..length).unwrap_or_default().join(" ");
    name.trim_end_matches([',', ':', ';', '-']).to_owned()
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Capitals at the start of words as titles have them; words with capitals of their own keep them.
pub(super) fn title_case(text: &str) -> String {
    const SMALL: [&str; 16] = [
        "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with", "via",
    ];
    let capital = |part: &str| {
        let mut chars = part.chars();
        chars.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(chars).collect::<String>()
        })
    };
    let words: Vec<String> = text
        .split_whitespace()
        .enumerate()
        .map(|(index, word)| {
            if index > 0 && SMALL.contains(&word) {
                word.to_owned()
            } else if word.chars().any(char::is_uppercase) {
                capital(word)
            } else {
                word.split('-').map(capital).collect::<Vec<_>>().join("-")
            }
        })
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cased_as_titles() {
        assert_eq!(
            title_case("graph-based dependency parsing with LSTMs"),
            "Graph-Based Dependency Parsing with LSTMs"
        );
        assert_eq!(title_case("NF-κB signalling"), "NF-κB Signalling");
        assert_eq!(title_case(""), "");
        assert_eq!(title_case("the  élan"), "The Élan");
    }
}
