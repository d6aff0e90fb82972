use super::group::Group;
use super::label::{Label, count};
use crate::stages::ComparisonSet;
use crate::stages::terms::TermVector;

/// Longest note, in words.
const LONGEST: usize = 25;

/// What the members share, with figures.
pub(super) fn scope_note(label: &Label<'_>, members: &[usize]) -> String {
    let works = works_of(members);
    // A group of the paper alone is told by the paper.
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
        .map(|shared| format!("Works that speak of {} in title or abstract.", list_with(shared, "or")))
        .find(|note| words(note) <= LONGEST)
        .unwrap_or_else(|| {
            format!(
                "{} works that share no telling phrase of title and abstract with the groups beside them.",
                group.len()
            )
        })
}

/// Where the nearest neighbours stand instead, and the term that tells them apart.
pub(super) fn exclude_note(set: &ComparisonSet<'_>, groups: &[Group<'_>], labels: &[Label<'_>], own: usize) -> String {
    let Some(group) = groups.get(own).map(|group| &group.members) else {
        return String::new();
    };
    let centre = |group: &[usize]| TermVector::centroid(group.iter().filter_map(|&index| set.vector(index)));
    let here = centre(group);
    let named = |index: usize| labels.get(index).is_some_and(|label| label.is_named);
    let any_named = (0..groups.len()).any(|index| index != own && named(index));
    // Works without a common term are no place to send a reader to.
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
        return "No neighbouring group stands beside this one.".to_owned();
    };
    let (here_works, there) = (works_of(group), works_of(other));
    let (group, other) = (&here_works, &there);
    let telling = label
        .phrases
        .iter()
        .find(|phrase| count(phrase, other) * group.len().max(1) > count(phrase, group) * other.len());
    let mut notes = Vec::new();
    if let Some(phrase) = telling {
        let here = match count(phrase, group) {
            0 => "none".to_owned(),
            some => format!("{some} of {}", group.len()),
        };
        notes.push(format!(
            "Works on “{}” ({} of {} there, {here} here) stand under “{}”.",
            phrase.surface,
            count(phrase, other),
            other.len(),
            label.name
        ));
        notes.push(format!("Works on “{}” stand under “{}”.", phrase.surface, label.name));
    }
    notes.push(format!("The nearest neighbours stand under “{}”.", label.name));
    notes
        .into_iter()
        .find(|note| words(note) <= LONGEST)
        .unwrap_or_default()
}

/// The members without the paper itself: every count of a tree is of works, as the figures beside its names are.
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
