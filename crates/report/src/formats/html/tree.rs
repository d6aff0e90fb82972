use super::claims::Cite;
use crate::plain::one_line;
use crate::view::{Digest, TreeNode};
use crate::words;

/// The tree as steps in reading order, so that a template can print it without calling itself.
pub(super) enum TreeStep {
    /// A node begins.
    Open(Box<NodeView>),
    /// It ends.
    Close,
}

/// A node as the page shows it.
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

/// The steps of `tree`; nodes on the way to the paper stand open, and so does the first level.
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
        count: words::count(node.works, "work", "works"),
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
