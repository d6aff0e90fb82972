use std::fmt;

use futures_util::future::BoxFuture;
use precedent_ledger::RunCost;

use crate::LlmError;

/// A part of a budget, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chunk {
    /// What the calls to come may cost; infinite if nothing limits them at the moment.
    pub dollars: f64,
    /// Whether other runs may give something back.
    pub may_grow: bool,
}

/// What a [`SharedBudget`] answers.
pub type BudgetAnswer<'b, T> = BoxFuture<'b, Result<T, LlmError>>;

/// A budget that several runs share. A run reserves chunks of it. All amounts are US dollars.
pub trait SharedBudget: fmt::Debug + Send + Sync {
    /// Reserves a chunk, of at least `wanted` if so much is left. The calls that the run made cost `spent`, and those in flight cost `held` at most. What
    /// it had reserved beyond that is given back.
    ///
    /// # Errors
    /// If the budget cannot be read, or is no longer for this run.
    fn reserve(&self, spent: f64, held: f64, wanted: f64) -> BudgetAnswer<'_, Chunk>;

    /// Whether the reserved chunk is certainly still of this run.
    fn is_fresh(&self) -> bool;

    /// Reports that a call did not fit, although no other run holds a part.
    ///
    /// # Errors
    /// If that cannot be recorded.
    fn use_up(&self) -> BudgetAnswer<'_, ()>;

    /// Receives what the calls of the run cost so far.
    fn costs(&self, so_far: RunCost);
}
