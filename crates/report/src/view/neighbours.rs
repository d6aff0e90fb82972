use precedent_domain::{Position, SiblingComparison};

use super::{Citation, Digest};
use crate::plain::one_line;
use crate::words;

/// Maximum number of siblings listed that share no phrase with the paper.
const NAMED: usize = 8;

/// The papers in the paper's category, split by whether a comparison has content.
pub(crate) struct Neighbours<'a> {
    /// Shared phrases or a model's text can be shown.
    pub(crate) described: Vec<&'a SiblingComparison>,
    /// The first siblings without a shared phrase, listed briefly because their table rows would be empty.
    pub(crate) named: Vec<Citation>,
    /// Terms that only the paper has compared with all of `described`, listed once instead of in every row.
    pub(crate) only_the_paper: Vec<String>,
    /// Number of siblings without a shared phrase.
    count: usize,
    alone: bool,
}

impl<'a> Neighbours<'a> {
    /// The papers in the paper's category in `position`.
    pub(crate) fn of(digest: &Digest<'_>, position: &'a Position) -> Self {
        let tells =
            |one: &&SiblingComparison| digest.has_prose() || one.is_duplicate_variant || !one.shared_terms.is_empty();
        let (described, named): (Vec<_>, Vec<_>) = position.siblings.iter().partition(tells);
        Self {
            only_the_paper: common(&described),
            count: named.len(),
            alone: described.is_empty(),
            named: named.iter().take(NAMED).map(|one| digest.cite(one.candidate)).collect(),
            described,
        }
    }

    /// A sentence on the terms that only the paper has; empty if there are none or only one row.
    pub(crate) fn only_the_paper(&self) -> String {
        if self.only_the_paper.is_empty() {
            return String::new();
        }
        let terms: Vec<String> = self
            .only_the_paper
            .iter()
            .map(|term| format!("“{}”", one_line(term)))
            .collect();
        format!(
            "In title and abstract, only the paper, and none of the {} papers below, mentions {}.",
            self.described.len(),
            words::and_list(&terms)
        )
    }

    /// Terms that this sibling lacks, without those that all siblings lack.
    pub(crate) fn own_terms(&self, one: &SiblingComparison) -> Vec<String> {
        let own = one.target_only_terms.iter();
        own.filter(|term| !self.only_the_paper.contains(term))
            .cloned()
            .collect()
    }

    /// Whether any row has such terms.
    pub(crate) fn has_own_terms(&self) -> bool {
        self.described.iter().any(|one| !self.own_terms(one).is_empty())
    }

    /// Introduces the siblings without a shared phrase.
    pub(crate) fn named_title(&self) -> String {
        let works = words::count(self.count, "paper", "papers");
        let verb = if self.count == 1 { "is" } else { "are" };
        if self.alone {
            format!("{works} {verb} in its category without a shared distinctive phrase in title or abstract:")
        } else {
            format!("{works} more {verb} there without a shared distinctive phrase:")
        }
    }

    /// Follows the list.
    pub(crate) fn more(&self) -> String {
        match self.count.saturating_sub(self.named.len()) {
            0 => ".".to_owned(),
            more => format!(" and {more} more, listed in the taxonomy."),
        }
    }
}

/// Terms that the paper has and all of several siblings lack.
fn common(described: &[&SiblingComparison]) -> Vec<String> {
    let [first, rest @ ..] = described else {
        return Vec::new();
    };
    if rest.is_empty() {
        return Vec::new();
    }
    let everywhere = |term: &&String| rest.iter().all(|one| one.target_only_terms.contains(term));
    first.target_only_terms.iter().filter(everywhere).cloned().collect()
}
