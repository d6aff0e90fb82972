use precedent_domain::{Position, SiblingComparison};

use super::{Citation, Digest};
use crate::words;

/// Works written out that share the paper's leaf and nothing that could be named.
const NAMED: usize = 8;

/// The works of the paper's leaf, told apart by whether anything can be said of them beside the paper.
pub(crate) struct Neighbours<'a> {
    /// What both speak of, or a model's words, can be printed.
    pub(crate) told: Vec<&'a SiblingComparison>,
    /// They share its leaf and no telling phrase: a row of dashes helps nobody. The first of them.
    pub(crate) untold: Vec<Citation>,
    /// How many such works there are.
    count: usize,
    alone: bool,
}

impl<'a> Neighbours<'a> {
    /// The works of the paper's leaf in `position`.
    pub(crate) fn of(digest: &Digest<'_>, position: &'a Position) -> Self {
        let tells =
            |one: &&SiblingComparison| digest.has_prose() || one.is_duplicate_variant || !one.shared_terms.is_empty();
        let (told, untold): (Vec<_>, Vec<_>) = position.siblings.iter().partition(tells);
        Self {
            count: untold.len(),
            alone: told.is_empty(),
            untold: untold
                .iter()
                .take(NAMED)
                .map(|one| digest.cite(one.candidate))
                .collect(),
            told,
        }
    }

    /// What stands before the works that share nothing nameable.
    pub(crate) fn untold_title(&self) -> String {
        let works = words::count(self.count, "work", "works");
        let stand = if self.count == 1 { "stands" } else { "stand" };
        if self.alone {
            format!("{works} {stand} in its leaf, and no telling phrase of title and abstract stands in the paper too:")
        } else {
            format!("{works} more {stand} there without a telling phrase in common:")
        }
    }

    /// What stands behind them.
    pub(crate) fn more(&self) -> String {
        match self.count.saturating_sub(self.untold.len()) {
            0 => ".".to_owned(),
            more => format!(" and {more} more, as the tree lists them."),
        }
    }
}
