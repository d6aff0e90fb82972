use precedent_domain::Query;
use serde::{Deserialize, Serialize};

/// The queries of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryPlan {
    /// For the core task: the phrase itself, then variants.
    pub core_task: Vec<Query>,
    /// For each contribution, in order: the primary query, then variants.
    pub contributions: Vec<Vec<Query>>,
}

impl QueryPlan {
    /// All queries, core task first.
    #[must_use]
    pub fn all(&self) -> Vec<Query> {
        self.core_task
            .iter()
            .chain(self.contributions.iter().flatten())
            .cloned()
            .collect()
    }
}
