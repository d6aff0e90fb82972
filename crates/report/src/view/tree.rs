use precedent_domain::{TaxonomyNode, TaxonomyPaper};

use crate::plain::one_line;

/// A node of the taxonomy, ready for printing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeNode {
    /// Name on one line.
    pub(crate) name: String,
    /// What belongs here.
    pub(crate) scope_note: String,
    /// What does not.
    pub(crate) exclude_note: String,
    /// Works under it, the paper not counted.
    pub(crate) works: usize,
    /// Whether the paper stands under it.
    pub(crate) on_path: bool,
    /// Whether the paper stands in this very leaf.
    pub(crate) holds_paper: bool,
    /// Parts.
    pub(crate) subtopics: Vec<TreeNode>,
    /// Works of a leaf by number, in their order, the paper left out.
    pub(crate) papers: Vec<u32>,
}

impl TreeNode {
    /// `node` and everything under it.
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

    /// The same without a place for the paper.
    pub(crate) fn without_the_paper(mut self) -> Self {
        self.on_path = false;
        self.holds_paper = false;
        self.subtopics = self.subtopics.into_iter().map(Self::without_the_paper).collect();
        self
    }
}
