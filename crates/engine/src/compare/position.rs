use precedent_domain::{
    NoClearPlace, PlaceDoubt, Position, PositionKind, SiblingComparison, SubtopicComparison, Taxonomy, TaxonomyNode,
    TaxonomyPaper, title_key,
};
use precedent_language::terms::Phrase;
use rustc_hash::FxHashSet;

use super::{ComparisonSet, PriorReading, describing_sentence};

/// Maximum number of terms listed on each side.
const LISTED: usize = 6;
/// Minimum share of five-word runs of the shorter abstract found in the other, for the two to look like versions of one work: with a common
/// author, and without.
const SAME_TEXT_KNOWN_AUTHOR: f64 = 0.5;
const SAME_TEXT: f64 = 0.8;
/// Minimum number of papers for a missing division to be noteworthy.
const FEW: usize = 4;
/// Maximum number of papers listed from neighbouring subtopics.
const NEIGHBOURS: usize = 12;

/// The paper's position in the tree, compared with its siblings or neighbours. `None` if the tree does not contain the paper.
#[must_use]
pub fn position(set: &ComparisonSet<'_>, taxonomy: &Taxonomy) -> Option<Position> {
    let path = taxonomy.path_to(TaxonomyPaper::Target);
    let leaf = path.last()?;
    let branch = path.get(1).copied();
    let siblings: Vec<SiblingComparison> = leaf
        .papers
        .iter()
        .filter_map(|paper| sibling(set, paper.candidate()?))
        .collect();
    let parent = path.len().checked_sub(2).and_then(|index| path.get(index));
    let neighbours = match parent {
        Some(parent) if siblings.is_empty() => neighbours(set, leaf, parent),
        _ => None,
    };
    let kind = match (siblings.is_empty(), neighbours.is_some()) {
        (false, _) => PositionKind::HasSiblings,
        (true, true) => PositionKind::HasNeighbours,
        (true, false) => PositionKind::Isolated,
    };
    Some(Position {
        path: path.iter().map(|node| node.name.clone()).collect(),
        kind,
        no_clear_place: match path.len() {
            0 | 1 => undivided(&siblings),
            _ => no_clear_place(set, leaf, &siblings).or_else(|| closest_are_elsewhere(set, taxonomy, branch?)),
        }
        .map(NoClearPlace::Reason),
        siblings,
        neighbours,
    })
}

/// Reports that the paper's leaf is not a meaningful position: the paper's title and abstract share no phrase of two or more words with a
/// sibling or with the leaf's note. Shared single words are a coincidence.
fn no_clear_place(set: &ComparisonSet<'_>, leaf: &TaxonomyNode, siblings: &[SiblingComparison]) -> Option<PlaceDoubt> {
    let named = |phrase: &&Phrase| phrase.terms.len() > 1 && phrase.appears_in(0);
    let mut phrases = set.phrases().filter(named);
    let fits = phrases.any(|phrase| leaf.scope_note.contains(&format!("“{}”", phrase.surface)));
    let shares = siblings
        .iter()
        .any(|one| one.is_duplicate_variant || one.shared_terms.iter().any(|term| term.contains(' ')));
    (!fits && !shares).then_some(PlaceDoubt::NoSharedPhrase)
}

/// Number of top papers that decide whether a branch of the tree fits the paper.
const NEAREST: usize = 5;

/// Reports that none of the papers most similar to the paper as a whole is in its branch.
fn closest_are_elsewhere(set: &ComparisonSet<'_>, taxonomy: &Taxonomy, branch: &TaxonomyNode) -> Option<PlaceDoubt> {
    let (mut placed, mut beside) = (Vec::new(), Vec::new());
    gather(set, &taxonomy.root, &mut placed);
    gather(set, branch, &mut beside);
    let topic_similarity = |index: usize| {
        let prior = index.checked_sub(1).and_then(|at| set.priors().get(at));
        prior.map_or(0.0, |prior| prior.topic_similarity)
    };
    placed.sort_by(|a, b| {
        topic_similarity(b.0)
            .total_cmp(&topic_similarity(a.0))
            .then(a.0.cmp(&b.0))
    });
    let mut nearest = placed.iter().take(NEAREST);
    let elsewhere = placed.len() > NEAREST && !nearest.any(|one| beside.contains(one));
    elsewhere.then_some(PlaceDoubt::MostSimilarElsewhere)
}

/// Reports that the papers found share no phrase with the paper.
fn undivided(siblings: &[SiblingComparison]) -> Option<PlaceDoubt> {
    let shares = siblings
        .iter()
        .any(|one| one.is_duplicate_variant || one.shared_terms.iter().any(|term| term.contains(' ')));
    (siblings.len() >= FEW && !shares).then_some(PlaceDoubt::PapersShareNoPhrase)
}

fn sibling(set: &ComparisonSet<'_>, number: u32) -> Option<SiblingComparison> {
    let index = set.priors().iter().position(|prior| prior.candidate.number == number)?;
    let prior = set.priors().get(index)?;
    let shared = listed(set, |phrase| phrase.appears_in(0) && phrase.appears_in(index + 1));
    let target_only = listed(set, |phrase| phrase.appears_in(0) && !phrase.appears_in(index + 1));
    let candidate_only = listed(set, |phrase| !phrase.appears_in(0) && phrase.appears_in(index + 1));
    let is_duplicate_variant = looks_like_a_version(set, prior);
    Some(SiblingComparison {
        candidate: number,
        compared: prior.extent(),
        is_duplicate_variant,
        distinction: distinction(prior, is_duplicate_variant, &shared, &target_only, &candidate_only),
        shared_terms: shared,
        target_only_terms: target_only,
        candidate_only_terms: candidate_only,
        candidate_quote: describing_sentence(prior),
    })
}

/// Phrases that pass the filter, most distinctive first, without overlap.
fn listed(set: &ComparisonSet<'_>, wanted: impl Fn(&Phrase) -> bool) -> Vec<String> {
    // A single word describes a topic only if it is a name (`FrameNet`) or a compound (`part-of-speech`) used by several papers but not by all.
    // `thumbs`, `expansion` and the wordplay of one title (`shoestring`) are no terms.
    let works = set.priors().len() + 1;
    let is_specific = |phrase: &Phrase| {
        let inner_capital = phrase.surface.chars().skip(1).any(char::is_uppercase);
        phrase.terms.len() > 1
            || ((inner_capital || phrase.surface.contains('-'))
                && phrase.works.len() >= 2
                && phrase.works.len() * 3 <= works.max(9))
    };
    let mut phrases: Vec<&Phrase> = set
        .phrases()
        .filter(|phrase| !phrase.is_code() && is_specific(phrase) && wanted(phrase))
        .collect();
    let weight = |phrase: &Phrase| {
        let in_title = usize::from(!phrase.in_titles.is_empty());
        (phrase.substance.min(3) * 2 + in_title).saturating_sub(phrase.terms.len().saturating_sub(phrase.substance))
    };
    phrases.sort_by(|a, b| {
        weight(b)
            .cmp(&weight(a))
            .then_with(|| a.works.len().cmp(&b.works.len()))
            .then_with(|| a.surface.cmp(&b.surface))
    });
    let mut chosen: Vec<&Phrase> = Vec::new();
    for phrase in phrases {
        if chosen.len() == LISTED {
            break;
        }
        if !chosen.iter().any(|other| phrase.touches(&other.terms)) {
            chosen.push(phrase);
        }
    }
    chosen.into_iter().map(|phrase| phrase.surface.clone()).collect()
}

fn distinction(
    prior: &PriorReading<'_>,
    is_version: bool,
    shared: &[String],
    target_only: &[String],
    candidate_only: &[String],
) -> String {
    let alias = &prior.candidate.alias;
    let mut sentences = Vec::new();
    if is_version {
        sentences.push("Title, authors or text suggest a version of the same paper.".to_owned());
    }
    sentences.push(match quoted(shared) {
        Some(terms) => format!("Both mention {terms} in title or abstract."),
        None => "They share no distinctive phrase in title or abstract.".to_owned(),
    });
    let only = match (quoted(target_only), quoted(candidate_only)) {
        (Some(own), Some(other)) => Some(format!("Only the paper has {own}, and only {alias} has {other}.")),
        (Some(own), None) => Some(format!("Only the paper has {own}.")),
        (None, Some(other)) => Some(format!("Only {alias} has {other}.")),
        (None, None) => None,
    };
    sentences.extend(only);
    sentences.truncate(3);
    sentences.join(" ")
}

fn quoted(terms: &[String]) -> Option<String> {
    let quoted: Vec<String> = terms.iter().take(3).map(|term| format!("“{term}”")).collect();
    let (last, before) = quoted.split_last()?;
    Some(if before.is_empty() {
        last.clone()
    } else {
        format!("{} and {last}", before.join(", "))
    })
}

fn looks_like_a_version(set: &ComparisonSet<'_>, prior: &PriorReading<'_>) -> bool {
    let paper = set.paper();
    let work = &prior.candidate.work;
    let family = |name: &str| title_key(name);
    let authors: FxHashSet<String> = paper
        .authors
        .iter()
        .map(|author| family(author.family_name()))
        .collect();
    let common_author = work
        .authors
        .iter()
        .any(|author| authors.contains(&family(author.family_name())));
    let unknown_authors = paper.authors.is_empty() || work.authors.is_empty();
    let same_title = !set.title().is_empty() && title_key(set.title()) == title_key(&work.title);
    let shared_text = contained(
        paper.abstract_text().unwrap_or_default(),
        work.summary.as_deref().unwrap_or_default(),
    );
    (same_title && (common_author || unknown_authors))
        || (common_author && shared_text >= SAME_TEXT_KNOWN_AUTHOR)
        || shared_text >= SAME_TEXT
}

/// Share of the five-word runs of the shorter text that the other contains; 0 if either is shorter than twenty words.
fn contained(a: &str, b: &str) -> f64 {
    const RUN: usize = 5;
    const SHORTEST: usize = 20;
    let runs = |text: &str| -> FxHashSet<Vec<String>> {
        let words: Vec<String> = title_key(text).split(' ').map(str::to_owned).collect();
        if words.len() < SHORTEST {
            return FxHashSet::default();
        }
        words.windows(RUN).map(<[String]>::to_vec).collect()
    };
    let (a, b) = (runs(a), runs(b));
    let shorter = a.len().min(b.len());
    if shorter == 0 {
        return 0.0;
    }
    a.intersection(&b).count() as f64 / shorter as f64
}

fn neighbours(set: &ComparisonSet<'_>, leaf: &TaxonomyNode, parent: &TaxonomyNode) -> Option<SubtopicComparison> {
    let beside: Vec<&TaxonomyNode> = parent
        .subtopics
        .iter()
        .filter(|node| !std::ptr::eq(*node, leaf))
        .collect();
    if beside.is_empty() {
        return None;
    }
    let mut papers: Vec<(usize, TaxonomyPaper)> = Vec::new();
    for node in &beside {
        gather(set, node, &mut papers);
    }
    papers.sort_unstable();
    let works: Vec<usize> = papers.iter().map(|&(index, _)| index).collect();
    let in_any = |phrase: &Phrase| works.iter().any(|&work| phrase.appears_in(work));
    let shared = listed(set, |phrase| phrase.appears_in(0) && in_any(phrase));
    let own = listed(set, |phrase| phrase.appears_in(0) && !in_any(phrase));
    let names: Vec<String> = beside.iter().map(|node| format!("“{}”", node.name)).collect();
    let sentence =
        |kind: &str, terms: &[String]| terms.iter().map(|term| format!("“{term}” {kind}.")).collect::<Vec<_>>();
    Some(SubtopicComparison {
        overall: format!(
            "No other paper is in this category. Neighbouring categories: {} (number of papers: {}).",
            names.join(", "),
            works.len()
        ),
        similarities: sentence(
            "appears in the paper and in papers of the neighbouring categories",
            &shared,
        ),
        differences: sentence(
            "appears in the paper and in no paper of the neighbouring categories",
            &own,
        ),
        suggested_directions: Vec::new(),
        papers: papers.into_iter().map(|(_, paper)| paper).take(NEIGHBOURS).collect(),
    })
}

fn gather(set: &ComparisonSet<'_>, node: &TaxonomyNode, papers: &mut Vec<(usize, TaxonomyPaper)>) {
    for &paper in &node.papers {
        if let TaxonomyPaper::Candidate(number) = paper
            && let Some(index) = set.priors().iter().position(|prior| prior.candidate.number == number)
        {
            papers.push((index + 1, paper));
        }
    }
    for child in &node.subtopics {
        gather(set, child, papers);
    }
}
