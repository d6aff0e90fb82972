use precedent_domain::{CoverageLevel, Scope, Taxonomy, TaxonomyNode, TaxonomyPaper};
use precedent_language::terms::{TermId, WordKind};

use super::group::{Above, LEAF, divide};
use super::label::{labels, own_terms, title_case};
use super::notes::{exclude_note, scope_note};
use super::similarity::PairwiseSimilarity;
use crate::compare::coverage::has_a_place;
use crate::compare::{ComparisonSet, rank_in};

/// Maximum depth of the tree, including the root.
const DEEPEST: usize = 5;
/// Minimum number of papers to divide.
const FEWEST: usize = 6;

/// The tree over the paper and the candidates found for its core task, or over all candidates if there are none.
/// `topic` is the core task's phrase. Without one, the paper's title is used.
#[must_use]
pub fn taxonomy(set: &ComparisonSet<'_>, topic: Option<&str>) -> Taxonomy {
    taxonomy_over(set, topic, None)
}

/// As [`taxonomy`], with only the candidates that belong in the tree at this coverage of the field.
#[must_use]
pub fn taxonomy_over(set: &ComparisonSet<'_>, topic: Option<&str>, level: Option<CoverageLevel>) -> Taxonomy {
    let members = members(set, level);
    let topic = topic
        .map(str::trim)
        .filter(|topic| !topic.is_empty())
        .unwrap_or_else(|| set.title());
    let topic_words = set.read(topic);
    let above = Above {
        topic: topic_words
            .iter()
            .filter(|word| word.kind == WordKind::Substance)
            .map(|word| word.term)
            .collect(),
        ..Above::default()
    };
    let near = PairwiseSimilarity::of(set);
    let works = members.len() - 1;
    let (subtopics, papers) = branch(set, &near, &members, &above, 1, &mut Vec::new());
    let root = TaxonomyNode {
        name: format!("{} Survey Taxonomy", title_case(topic)).trim().to_owned(),
        scope_note: match works {
            0 => "Only the paper itself: no other paper was found for its core task.".to_owned(),
            1 => "The paper and the one paper found for its core task.".to_owned(),
            _ => format!("The paper and the {works} papers most similar to its core task."),
        },
        exclude_note:
            "Papers found only for single claims, excluded papers, and papers missing from the searched sources."
                .to_owned(),
        subtopics,
        papers,
    };
    let mut taxonomy = Taxonomy {
        root,
        needs_review: Vec::new(),
    };
    let expected: Vec<TaxonomyPaper> = members.iter().filter_map(|&index| set.paper_at(index)).collect();
    taxonomy.needs_review = taxonomy.faults(&expected);
    taxonomy
}

/// Indices of the papers in the tree: the paper, then candidates by rank.
fn members(set: &ComparisonSet<'_>, level: Option<CoverageLevel>) -> Vec<usize> {
    let for_core = |index: usize| {
        set.priors()
            .get(index)
            .is_some_and(|prior| rank_in(prior.candidate, Scope::CoreTask).is_some())
    };
    let any = (0..set.priors().len()).any(for_core);
    let placed = |index: usize| set.priors().get(index).is_some_and(|prior| has_a_place(level, prior));
    let priors = (0..set.priors().len())
        .filter(|&index| (!any || for_core(index)) && placed(index))
        .map(|index| index + 1);
    std::iter::once(0).chain(priors).collect()
}

/// The subtopics of a set of papers, or the papers themselves if there are few.
fn branch(
    set: &ComparisonSet<'_>,
    near: &PairwiseSimilarity,
    members: &[usize],
    above: &Above,
    level: usize,
    taken: &mut Vec<Vec<TermId>>,
) -> (Vec<TaxonomyNode>, Vec<TaxonomyPaper>) {
    let enough = if level == 1 { FEWEST } else { LEAF + 1 };
    let groups = if members.len() >= enough && level < DEEPEST {
        let above = Above {
            taken: taken.clone(),
            ..above.clone()
        };
        divide(set, near, members, &above)
    } else {
        Vec::new()
    };
    if groups.len() < 2 {
        return (
            Vec::new(),
            members.iter().filter_map(|&index| set.paper_at(index)).collect(),
        );
    }
    let labels = labels(set, &groups);
    taken.extend(
        groups
            .iter()
            .flat_map(|group| &group.phrases)
            .map(|phrase| phrase.terms.clone()),
    );
    let mut nodes = Vec::new();
    for (own, (group, label)) in groups.iter().zip(&labels).enumerate() {
        let mut below = above.clone();
        below.names.extend(own_terms(set, label));
        // Papers on other topics have nothing in common.
        let deeper = if label.is_named { level + 1 } else { DEEPEST };
        let (subtopics, papers) = branch(set, near, &group.members, &below, deeper, taken);
        nodes.push(TaxonomyNode {
            name: label.name.clone(),
            scope_note: scope_note(label, &group.members),
            exclude_note: exclude_note(set, &groups, &labels, own),
            subtopics,
            papers,
        });
    }
    (nodes, Vec::new())
}
