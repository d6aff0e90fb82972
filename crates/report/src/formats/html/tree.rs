use super::claims::Cite;
use crate::plain::one_line;
use crate::view::{Digest, TreeNode};
use crate::words;

/// The taxonomy as steps in reading order, so that the template needs no recursion.
pub(super) enum TreeStep {
    /// Start of a node.
    Open(Box<NodeView>),
    /// End of a node.
    Close,
}

/// A node as shown on the page.
pub(super) struct NodeView {
    pub(super) name: String,
    pub(super) count: String,
    pub(super) scope_note: String,
    pub(super) exclude_note: String,
    pub(super) on_path: bool,
    pub(super) holds_paper: bool,
    pub(super) open: bool,
    pub(super) papers: Vec<(Cite, String)>,
}

/// The steps of `tree`. Nodes on the path to the paper and the first level are expanded.
pub(super) fn steps(digest: &Digest<'_>, tree: &TreeNode) -> Vec<TreeStep> {
    let mut steps = Vec::new();
    walk(digest, tree, 0, &mut steps);
    steps
}

fn walk(digest: &Digest<'_>, node: &TreeNode, depth: usize, steps: &mut Vec<TreeStep>) {
    let papers = node
        .papers
        .iter()
        .map(|&number| {
            let work = digest.work(number);
            let title = work
                .map(|one| one_line(&one.work.title).into_owned())
                .unwrap_or_default();
            (Cite::new(&digest.cite(number), work.is_some()), title)
        })
        .collect();
    steps.push(TreeStep::Open(Box::new(NodeView {
        name: node.name.clone(),
        count: words::count(node.works, "paper", "papers"),
        scope_note: node.scope_note.clone(),
        exclude_note: node.exclude_note.clone(),
        on_path: node.on_path,
        holds_paper: node.holds_paper,
        open: depth == 0 || node.on_path,
        papers,
    })));
    for child in &node.subtopics {
        walk(digest, child, depth + 1, steps);
    }
    steps.push(TreeStep::Close);
}
