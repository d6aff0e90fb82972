use precedent_domain::{TaxonomyNode, TaxonomyPaper};

use crate::plain::one_line;

/// A node of the taxonomy, ready for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeNode {
    /// The name on one line.
    pub(crate) name: String,
    /// What the node includes.
    pub(crate) scope_note: String,
    /// What the node excludes.
    pub(crate) exclude_note: String,
    /// Number of papers below it, without the assessed paper.
    pub(crate) works: usize,
    /// Whether the assessed paper is below it.
    pub(crate) on_path: bool,
    /// Whether the assessed paper is directly in this leaf.
    pub(crate) holds_paper: bool,
    /// Child nodes.
    pub(crate) subtopics: Vec<TreeNode>,
    /// The numbers of a leaf's papers in order, without the assessed paper.
    pub(crate) papers: Vec<u32>,
}

impl TreeNode {
    /// Converts `node` and everything below it.
    pub(crate) fn new(node: &TaxonomyNode) -> Self {
        let subtopics: Vec<Self> = node.subtopics.iter().map(Self::new).collect();
        let holds_paper = node.papers.contains(&TaxonomyPaper::Target);
        let papers: Vec<u32> = node.papers.iter().filter_map(|paper| paper.candidate()).collect();
        Self {
            name: one_line(&node.name).into_owned(),
            scope_note: one_line(&node.scope_note).into_owned(),
            exclude_note: one_line(&node.exclude_note).into_owned(),
            works: papers.len() + subtopics.iter().map(|child| child.works).sum::<usize>(),
            on_path: holds_paper || subtopics.iter().any(|child| child.on_path),
            holds_paper,
            subtopics,
            papers,
        }
    }

    /// The same tree without the paper's position.
    pub(crate) fn without_the_paper(mut self) -> Self {
        self.on_path = false;
        self.holds_paper = false;
        self.subtopics = self.subtopics.into_iter().map(Self::without_the_paper).collect();
        self
    }
}
