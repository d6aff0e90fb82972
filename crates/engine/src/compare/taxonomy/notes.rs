use precedent_language::terms::TermVector;

use super::group::{Group, count};
use super::label::Label;
use crate::compare::ComparisonSet;

/// Maximum length of a note, in words.
const LONGEST: usize = 25;

/// The phrases that the members share, with counts. Models are sent this note: with another wording, recorded runs cannot be replayed.
pub(super) fn scope_note(label: &Label<'_>, members: &[usize]) -> String {
    let works = works_of(members);
    // A group with only the paper is described by the paper.
    let group = if works.is_empty() { members } else { works.as_slice() };
    let shared: Vec<String> = label
        .phrases
        .iter()
        .filter(|phrase| count(phrase, group) > 0)
        .take(3)
        .map(|phrase| format!("“{}” ({} of {})", phrase.surface, count(phrase, group), group.len()))
        .collect();
    (1..=shared.len())
        .rev()
        .filter_map(|most| shared.get(..most))
        .map(|shared| format!("Papers with {} in title or abstract.", list_with(shared, "or")))
        .find(|note| words(note) <= LONGEST)
        .unwrap_or_else(|| {
            format!(
                "{} works that are unlike all others by title and abstract.",
                group.len()
            )
        })
}

/// Names the most similar sibling group and a term that distinguishes it.
pub(super) fn exclude_note(set: &ComparisonSet<'_>, groups: &[Group<'_>], labels: &[Label<'_>], own: usize) -> String {
    let Some(group) = groups.get(own).map(|group| &group.members) else {
        return String::new();
    };
    let centre = |group: &[usize]| TermVector::centroid(group.iter().filter_map(|&index| set.vector(index)));
    let here = centre(group);
    let named = |index: usize| labels.get(index).is_some_and(|label| label.is_named);
    let any_named = (0..groups.len()).any(|index| index != own && named(index));
    // Do not refer readers to a group of papers unlike all others.
    let nearest = groups
        .iter()
        .enumerate()
        .filter(|&(index, other)| index != own && (named(index) || !any_named) && !works_of(&other.members).is_empty())
        .map(|(index, other)| (centre(&other.members).cosine(&here), index))
        .fold(None, |best: Option<(f64, usize)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        });
    let Some((other, label)) = nearest.and_then(|(_, index)| Some((&groups.get(index)?.members, labels.get(index)?)))
    else {
        return "There is no neighbouring category.".to_owned();
    };
    let (here_works, there) = (works_of(group), works_of(other));
    let (group, other) = (&here_works, &there);
    let distinctive = label
        .phrases
        .iter()
        .find(|phrase| count(phrase, other) * group.len().max(1) > count(phrase, group) * other.len());
    let mut notes = Vec::new();
    if let Some(phrase) = distinctive {
        let here = match count(phrase, group) {
            0 => "none".to_owned(),
            some => format!("{some} of {}", group.len()),
        };
        notes.push(format!(
            "Papers on “{}” ({} of {} there, {here} here) are under “{}”.",
            phrase.surface,
            count(phrase, other),
            other.len(),
            label.name
        ));
        notes.push(format!("Papers on “{}” are under “{}”.", phrase.surface, label.name));
    }
    notes.push(format!("The most similar papers are under “{}”.", label.name));
    notes
        .into_iter()
        .find(|note| words(note) <= LONGEST)
        .unwrap_or_default()
}

/// The members without the paper itself. Counts in a tree exclude it, like the figures next to the names.
fn works_of(members: &[usize]) -> Vec<usize> {
    members.iter().copied().filter(|&member| member > 0).collect()
}

/// `a, b or c`.
fn list_with(items: &[String], joint: &str) -> String {
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} {joint} {last}", before.join(", ")),
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}
