//! What the runs of a server may spend on its model, together.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use precedent_app::domain::ModelUse;

/// The budget of a server, and what its runs have spent. Runs with a model take turns, so that each may use all that is left.
#[derive(Debug, Default)]
pub(crate) struct Spending {
    dollars: Option<f64>,
    tokens: Option<u64>,
    turn: Mutex<()>,
    /// By run. A continued run reports the cost of all its answers again, so the latest figure replaces the one before.
    spent: Mutex<BTreeMap<String, Spent>>,
}

/// What a run has spent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Spent {
    /// US dollars.
    pub(crate) dollars: f64,
    /// Tokens of input and output.
    pub(crate) tokens: u64,
}

/// What is left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Left {
    /// US dollars; `None` without a limit.
    pub(crate) dollars: Option<f64>,
    /// Tokens; `None` without a limit.
    pub(crate) tokens: Option<u64>,
}

impl Spending {
    /// With these limits.
    pub(crate) fn new(dollars: Option<f64>, tokens: Option<u64>) -> Self {
        Self {
            dollars,
            tokens,
            ..Self::default()
        }
    }

    /// Waits until no other run uses the model.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the run `id` may spend in all: what other runs have left. `None` if nothing is left.
    pub(crate) fn left_for(&self, id: &str) -> Option<Left> {
        let left = self.left_without(id);
        let is_spent = left.dollars.is_some_and(|dollars| dollars <= 0.0) || left.tokens == Some(0);
        (!is_spent).then_some(left)
    }

    /// What is left for further runs.
    pub(crate) fn left(&self) -> Left {
        self.left_without("")
    }

    fn left_without(&self, id: &str) -> Left {
        let spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let others = || spent.iter().filter(|(run, _)| *run != id).map(|(_, spent)| spent);
        let dollars: f64 = others().map(|one| one.dollars).sum();
        let tokens: u64 = others().map(|one| one.tokens).sum();
        Left {
            dollars: self.dollars.map(|limit| (limit - dollars).max(0.0)),
            tokens: self.tokens.map(|limit| limit.saturating_sub(tokens)),
        }
    }

    /// Records what the run `id` has spent so far.
    pub(crate) fn record(&self, id: &str, spent: Spent) {
        let mut all = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let own = all.entry(id.to_owned()).or_default();
        own.dollars = own.dollars.max(spent.dollars);
        own.tokens = own.tokens.max(spent.tokens);
    }
}

impl Spent {
    /// The cost of these answers.
    pub(crate) fn of(models: &[ModelUse]) -> Self {
        Self {
            dollars: models.iter().filter_map(|one| one.dollars).sum(),
            tokens: models
                .iter()
                .map(|one| one.input_tokens + one.output_tokens + one.lost_input_tokens + one.lost_output_tokens)
                .sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_share_one_budget() {
        let spending = Spending::new(Some(2.0), Some(100));
        let spent = |dollars, tokens| Spent { dollars, tokens };
        spending.record("a", spent(1.5, 40));
        assert_eq!(
            spending.left_for("b"),
            Some(Left {
                dollars: Some(0.5),
                tokens: Some(60)
            })
        );
        // The cost of its own recorded answers counts again when a run continues.
        assert_eq!(spending.left_for("a").unwrap().dollars, Some(2.0));
        spending.record("a", spent(1.0, 30));
        assert_eq!(spending.left().tokens, Some(60));
        spending.record("b", spent(0.1, 60));
        assert_eq!(spending.left_for("c"), None);
        assert!(spending.left_for("b").is_some());
    }
}
