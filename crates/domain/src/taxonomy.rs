use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The field of the paper as a tree (OpenNovelty, C.5): every paper is in exactly one leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Taxonomy {
    /// `<core task> Survey Taxonomy`.
    pub root: TaxonomyNode,
    /// Faults left after all repairs; empty for a valid tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs_review: Vec<TaxonomyFault>,
}

/// A node: either `subtopics` or `papers` is filled, never both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaxonomyNode {
    /// At most 9 words; models are prompted for 3 to 8.
    pub name: String,
    /// What belongs here, at most 25 words.
    pub scope_note: String,
    /// What does not belong here, and where it is instead, at most 25 words.
    pub exclude_note: String,
    /// Inner nodes: the subtopics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subtopics: Vec<TaxonomyNode>,
    /// Leaves: the papers, the assessed paper first, then by rank.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub papers: Vec<TaxonomyPaper>,
}

/// A paper in a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaxonomyPaper {
    /// The assessed paper.
    Target,
    /// The candidate of this number.
    Candidate(u32),
}

impl TaxonomyPaper {
    /// The number of a candidate; `None` for the assessed paper.
    #[must_use]
    pub const fn candidate(self) -> Option<u32> {
        match self {
            Self::Candidate(number) => Some(number),
            Self::Target => None,
        }
    }
}

/// A fault of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaxonomyFault {
    /// A paper is in no leaf.
    Missing(TaxonomyPaper),
    /// A paper is in more than one leaf.
    Repeated(TaxonomyPaper),
    /// A paper in the tree is not among the candidates.
    Unknown(TaxonomyPaper),
    /// An empty node.
    Empty(String),
    /// A node with both papers and subtopics.
    Mixed(String),
    /// A meaningless name: other, misc, general, …
    VagueName(String),
    /// Two siblings with the same name.
    SameName(String),
}

const VAGUE: [&str; 9] = [
    "other",
    "others",
    "misc",
    "miscellaneous",
    "general",
    "various",
    "unassigned",
    "uncategorized",
    "uncategorised",
];

/// Whether a name is empty or starts with a meaningless word. No node may have such a name.
#[must_use]
pub fn is_vague_name(name: &str) -> bool {
    name.split_whitespace()
        .next()
        .is_none_or(|first| VAGUE.contains(&first.to_lowercase().as_str()))
}

impl Taxonomy {
    /// Checks that the tree is mutually exclusive and collectively exhaustive over `expected`. Returns the faults; empty for a valid tree.
    #[must_use]
    pub fn faults(&self, expected: &[TaxonomyPaper]) -> Vec<TaxonomyFault> {
        let mut faults = Vec::new();
        let mut seen: BTreeMap<TaxonomyPaper, usize> = BTreeMap::new();
        walk(&self.root, true, &mut seen, &mut faults);
        for (&paper, &times) in &seen {
            if !expected.contains(&paper) {
                faults.push(TaxonomyFault::Unknown(paper));
            } else if times > 1 {
                faults.push(TaxonomyFault::Repeated(paper));
            }
        }
        faults.extend(
            expected
                .iter()
                .filter(|paper| !seen.contains_key(paper))
                .map(|&paper| TaxonomyFault::Missing(paper)),
        );
        faults
    }

    /// The nodes from the root to the leaf that contains `paper`; empty if none does.
    #[must_use]
    pub fn path_to(&self, paper: TaxonomyPaper) -> Vec<&TaxonomyNode> {
        fn find<'a>(node: &'a TaxonomyNode, paper: TaxonomyPaper, path: &mut Vec<&'a TaxonomyNode>) -> bool {
            path.push(node);
            if node.papers.contains(&paper) || node.subtopics.iter().any(|child| find(child, paper, path)) {
                return true;
            }
            path.pop();
            false
        }
        let mut path = Vec::new();
        find(&self.root, paper, &mut path);
        path
    }

    /// Number of leaves.
    #[must_use]
    pub fn leaf_count(&self) -> usize {
        fn count(node: &TaxonomyNode) -> usize {
            if node.subtopics.is_empty() {
                1
            } else {
                node.subtopics.iter().map(count).sum()
            }
        }
        count(&self.root)
    }
}

fn walk(node: &TaxonomyNode, root: bool, seen: &mut BTreeMap<TaxonomyPaper, usize>, faults: &mut Vec<TaxonomyFault>) {
    match (node.subtopics.is_empty(), node.papers.is_empty()) {
        (true, true) => faults.push(TaxonomyFault::Empty(node.name.clone())),
        (false, false) => faults.push(TaxonomyFault::Mixed(node.name.clone())),
        _ => {}
    }
    if !root && is_vague_name(&node.name) {
        faults.push(TaxonomyFault::VagueName(node.name.clone()));
    }
    for &paper in &node.papers {
        *seen.entry(paper).or_default() += 1;
    }
    let mut names: Vec<String> = node.subtopics.iter().map(|child| child.name.to_lowercase()).collect();
    names.sort();
    for pair in names.windows(2) {
        if let [a, b] = pair
            && a == b
        {
            faults.push(TaxonomyFault::SameName(a.clone()));
        }
    }
    for child in &node.subtopics {
        walk(child, false, seen, faults);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(name: &str, papers: &[TaxonomyPaper]) -> TaxonomyNode {
        TaxonomyNode {
            name: name.into(),
            papers: papers.to_vec(),
            ..TaxonomyNode::default()
        }
    }

    #[test]
    fn the_check_finds_every_kind_of_fault() {
        use TaxonomyPaper::{Candidate, Target};
        let root = TaxonomyNode {
            name: "Root".into(),
            subtopics: vec![
                leaf("Tree methods here", &[Target, Candidate(1)]),
                leaf("Other things entirely", &[Candidate(1), Candidate(9)]),
                leaf("Empty one", &[]),
            ],
            ..TaxonomyNode::default()
        };
        let tree = Taxonomy {
            root,
            needs_review: vec![],
        };
        let faults = tree.faults(&[Target, Candidate(1), Candidate(2)]);
        for wanted in [
            TaxonomyFault::Repeated(Candidate(1)),
            TaxonomyFault::Unknown(Candidate(9)),
            TaxonomyFault::Missing(Candidate(2)),
            TaxonomyFault::Empty("Empty one".into()),
            TaxonomyFault::VagueName("Other things entirely".into()),
        ] {
            assert!(faults.contains(&wanted), "{wanted:?} not in {faults:?}");
        }
        assert_eq!(tree.path_to(Target).len(), 2);
        assert_eq!(tree.leaf_count(), 3);
    }
}
