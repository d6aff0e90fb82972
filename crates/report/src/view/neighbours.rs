use precedent_domain::{Position, SiblingComparison};

use super::{Citation, Digest};
use crate::plain::one_line;
use crate::words;

/// Works written out that share the paper's leaf and nothing that could be named.
const NAMED: usize = 8;

/// The works of the paper's leaf, told apart by whether anything can be said of them beside the paper.
pub(crate) struct Neighbours<'a> {
    /// What both speak of, or a model's words, can be printed.
    pub(crate) told: Vec<&'a SiblingComparison>,
    /// They share its leaf and no telling phrase: a row of dashes helps nobody. The first of them.
    pub(crate) untold: Vec<Citation>,
    /// What the paper speaks of and none of those that are told: said once, not in every row.
    pub(crate) only_the_paper: Vec<String>,
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
            only_the_paper: common(&told),
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

    /// What is said of the paper against all of them; empty where nothing is, or where it stands in the one row.
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
            "Only the paper, and none of the {} works below, speaks of {}.",
            self.told.len(),
            words::and_list(&terms)
        )
    }

    /// What the paper alone speaks of beside this work, less what is said of all.
    pub(crate) fn own_terms(&self, one: &SiblingComparison) -> Vec<String> {
        let own = one.target_only_terms.iter();
        own.filter(|term| !self.only_the_paper.contains(term))
            .cloned()
            .collect()
    }

    /// Whether any row has terms of its own.
    pub(crate) fn tells_own(&self) -> bool {
        self.told.iter().any(|one| !self.own_terms(one).is_empty())
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

/// Terms that the paper has beside every one of several works.
fn common(told: &[&SiblingComparison]) -> Vec<String> {
    let [first, rest @ ..] = told else { return Vec::new() };
    if rest.is_empty() {
        return Vec::new();
    }
    let everywhere = |term: &&String| rest.iter().all(|one| one.target_only_terms.contains(term));
    first.target_only_terms.iter().filter(everywhere).cloned().collect()
}
