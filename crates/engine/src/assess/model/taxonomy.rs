//! The field as a tree built by a model. It must be exclusive and exhaustive, and is repaired by rule, then by one more request.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{Taxonomy, TaxonomyNode, TaxonomyPaper, is_vague_name};
use precedent_llm::{Check, Checks, Violation};
use serde::Serialize;

use super::answers::{NodeReply, PlacesReply, TreeReply};
use crate::Result;
use crate::assess::model::context::{CompareContext, in_short};
use crate::model::asker::Parts;
use crate::model::checks::Checked;
use crate::model::texts::cut;
use crate::model::{ModelAnalyst, checks};

/// Longest text of a work, in characters: the tree is built from what works are about.
const WORK: usize = 420;
/// Deepest path below the root.
const DEEPEST: usize = 4;
/// Fewest works for which a model builds a tree.
const FEWEST: usize = 4;

#[derive(Serialize)]
struct Build {
    mark: String,
    topic: String,
    works: String,
    count: usize,
}

#[derive(Serialize)]
struct TreePosition {
    mark: String,
    leaves: String,
    works: String,
}

/// The model's tree over the works of the program's tree; the program's own if the model gives none that can be repaired.
pub(crate) async fn ask_tree(model: &ModelAnalyst, context: &CompareContext<'_>, own: Taxonomy) -> Result<Taxonomy> {
    let members = members(&own.root);
    if members.len() < FEWEST {
        return Ok(own);
    }
    let numbers: Vec<u32> = members.iter().map(|paper| number(*paper)).collect();
    let inputs = Build {
        mark: context.mark(),
        topic: context.fence.wrap("topic", context.material.topic.unwrap_or_default()),
        works: fenced_works(context, &numbers),
        count: numbers.len(),
    };
    let sound = |reply: &TreeReply| is_tree(reply);
    let exhaustive = |reply: &TreeReply| {
        let placed = || reply.nodes.iter().flat_map(|node| node.works.iter().copied());
        checks::known_once("work", placed(), &numbers)?;
        checks::none_missing("work", placed(), &numbers)
    };
    let must: [Check<'_, TreeReply>; 1] = [&sound];
    let should: [Check<'_, TreeReply>; 1] = [&exhaustive];
    let reply = model
        .ask(
            "taxonomy.build",
            &inputs,
            Checks {
                must: &must,
                should: &should,
            },
        )
        .await?;
    let Some(reply) = reply else { return Ok(own) };
    let mut nodes = reply.value.nodes;
    let missing = mend(&mut nodes, &numbers);
    if !missing.is_empty() {
        place(model, context, &mut nodes, &missing).await?;
    }
    let subtopics = children(&nodes, 0, &order(context), 0);
    if subtopics.is_empty() {
        return Ok(own);
    }
    let mut tree = Taxonomy {
        root: TaxonomyNode {
            subtopics,
            papers: Vec::new(),
            ..own.root
        },
        needs_review: Vec::new(),
    };
    tree.needs_review = tree.faults(&members);
    Ok(tree)
}

/// One more request, for the works missing from the tree. If its answer is cut off, both halves of them are asked about.
async fn place(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    nodes: &mut [NodeReply],
    missing: &[u32],
) -> Result<()> {
    let parents: BTreeSet<u32> = nodes.iter().map(|node| node.parent).collect();
    let leaves: Vec<u32> = nodes
        .iter()
        .map(|node| node.id)
        .filter(|id| !parents.contains(id))
        .collect();
    let fenced = nodes.iter().filter(|node| leaves.contains(&node.id));
    let fenced = fenced.map(|node| {
        context.fence.wrap(
            &format!("leaf {}", node.id),
            &format!("{}: {}", node.name, node.scope_note),
        )
    });
    let fenced = fenced.collect::<Vec<_>>().join("\n");
    let (mut parts, mut places) = (Parts::of(missing), Vec::new());
    while let Some(part) = parts.next() {
        let inputs = TreePosition {
            mark: context.mark(),
            leaves: fenced.clone(),
            works: fenced_works(context, part),
        };
        let known = |reply: &PlacesReply| {
            checks::known_once("work", reply.places.iter().map(|one| one.work), part)?;
            match reply.places.iter().find(|one| !leaves.contains(&one.leaf)) {
                Some(one) => Err(Violation(format!("there is no leaf {}", one.leaf))),
                None => Ok(()),
            }
        };
        let must: [Check<'_, PlacesReply>; 1] = [&known];
        let checks = Checks {
            must: &must,
            should: &[],
        };
        let reply = model
            .ask_part("taxonomy.place", &inputs, checks, part, &mut parts)
            .await?;
        places.extend(reply.into_iter().flat_map(|reply| reply.value.places));
    }
    for one in places {
        if let Some(node) = nodes.iter_mut().find(|node| node.id == one.leaf) {
            node.works.push(one.work);
        }
    }
    Ok(())
}

fn number(paper: TaxonomyPaper) -> u32 {
    match paper {
        TaxonomyPaper::Target => 0,
        TaxonomyPaper::Candidate(number) => number,
    }
}

fn paper(number: u32) -> TaxonomyPaper {
    match number {
        0 => TaxonomyPaper::Target,
        number => TaxonomyPaper::Candidate(number),
    }
}

/// All papers in a tree, each once.
pub(crate) fn members(root: &TaxonomyNode) -> Vec<TaxonomyPaper> {
    let mut found: BTreeSet<TaxonomyPaper> = BTreeSet::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        found.extend(&node.papers);
        open.extend(&node.subtopics);
    }
    found.into_iter().collect()
}

fn fenced_works(context: &CompareContext<'_>, numbers: &[u32]) -> String {
    let fenced = numbers.iter().filter_map(|number| {
        let text = match number {
            0 => context.paper_in_short(),
            number => in_short(context.prior(*number)?),
        };
        Some(context.fence.wrap(&format!("work {number}"), &cut(&text, WORK)))
    });
    fenced.collect::<Vec<_>>().join("\n")
}

/// Checks that ids and parents form one tree that is not too deep, and that every name and note can be printed in a report.
fn is_tree(reply: &TreeReply) -> Checked {
    let ids: Vec<u32> = reply.nodes.iter().map(|node| node.id).collect();
    if reply.nodes.is_empty() || ids.contains(&0) {
        return Err(Violation(
            "the list of nodes is empty, or a node has the id 0, which is the root's".to_owned(),
        ));
    }
    checks::known_once("node", ids.iter().copied(), &ids)?;
    for node in &reply.nodes {
        checks::title("a name", &node.name, 2, 10)?;
        if is_vague_name(&node.name) {
            return Err(Violation(format!("the name `{}` says nothing", node.name)));
        }
        for note in [&node.scope_note, &node.exclude_note] {
            checks::title("a note", note, 1, 40)?;
        }
        if depth(&reply.nodes, node).is_none_or(|depth| depth > DEEPEST) {
            return Err(Violation(format!(
                "node {} has a parent that does not exist, is its own ancestor, or is more than {DEEPEST} levels deep",
                node.id
            )));
        }
    }
    Ok(())
}

/// Depth of a node below the root; `None` if its parents are missing or form a cycle.
fn depth(nodes: &[NodeReply], node: &NodeReply) -> Option<usize> {
    let mut parent = node.parent;
    for depth in 1..=nodes.len() {
        if parent == 0 {
            return Some(depth);
        }
        parent = nodes.iter().find(|other| other.id == parent)?.parent;
    }
    None
}

/// Repairs by rule: removes unknown works, repetitions of a work, and works of inner nodes. Returns the works that are then missing.
fn mend(nodes: &mut [NodeReply], known: &[u32]) -> Vec<u32> {
    let parents: BTreeSet<u32> = nodes.iter().map(|node| node.parent).collect();
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    for node in nodes.iter_mut() {
        if parents.contains(&node.id) {
            node.works.clear();
        }
        node.works.retain(|work| known.contains(work) && seen.insert(*work));
    }
    known.iter().copied().filter(|work| !seen.contains(work)).collect()
}

/// Rank of each work by relevance; the paper comes first.
fn order(context: &CompareContext<'_>) -> BTreeMap<u32, usize> {
    let priors = context.set.priors().iter().map(|prior| prior.candidate.number);
    std::iter::once(0).chain(priors).zip(0..).collect()
}

/// The nodes below `parent` that contain papers.
fn children(nodes: &[NodeReply], parent: u32, order: &BTreeMap<u32, usize>, level: usize) -> Vec<TaxonomyNode> {
    if level > DEEPEST {
        return Vec::new();
    }
    let own = nodes.iter().filter(|node| node.parent == parent);
    let node = |node: &NodeReply| {
        let subtopics = children(nodes, node.id, order, level + 1);
        let mut works = node.works.clone();
        works.sort_by_key(|work| order.get(work).copied().unwrap_or(usize::MAX));
        TaxonomyNode {
            name: node.name.trim().to_owned(),
            scope_note: node.scope_note.trim().to_owned(),
            exclude_note: node.exclude_note.trim().to_owned(),
            papers: if subtopics.is_empty() {
                works.into_iter().map(paper).collect()
            } else {
                Vec::new()
            },
            subtopics,
        }
    };
    own.map(node)
        .filter(|node| !node.papers.is_empty() || !node.subtopics.is_empty())
        .collect()
}
