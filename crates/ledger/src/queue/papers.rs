use std::collections::BTreeMap;
use std::time::Duration;

use apalis_core::task::task_id::TaskId;

/// A batch to be shared.
#[derive(Debug, Clone, PartialEq)]
pub struct QueuedBatch {
    /// Its id: the same for the same papers and options.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Its options, as JSON.
    pub request: String,
    /// What all its papers together may cost, in US dollars.
    pub budget: Option<f64>,
    /// The user whose budget it counts towards.
    pub user: Option<String>,
    /// Its papers, in order.
    pub papers: Vec<QueuedPaper>,
}

/// A paper of a batch to be shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedPaper {
    /// The folder of its run, which names it in the batch.
    pub folder: String,
    /// What people call it.
    pub name: String,
    /// Where it is, as JSON.
    pub input: String,
}

/// A batch that has papers to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenBatch {
    /// Its id.
    pub id: String,
    /// Its options, as JSON.
    pub request: String,
}

/// A paper that this process may run. Its result counts only while nobody else took the paper.
#[derive(Debug, Clone)]
pub struct TakenPaper {
    /// The batch.
    pub batch: String,
    /// The folder of its run.
    pub folder: String,
    /// What people call it.
    pub name: String,
    /// Where it is, as JSON.
    pub input: String,
    /// How often the batch was started with this paper to do. A result belongs to one round.
    pub round: i64,
    /// How often the paper was started in this round.
    pub attempts: i64,
    /// How often it was run again because its end might pass.
    pub retries: i64,
    pub(super) worker: String,
    pub(super) token: i64,
    pub(super) task: TaskId,
}

/// What a paper gets of the budget of its batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BudgetChunk {
    /// US dollars that the calls to come may cost; infinite if the batch has no budget.
    pub dollars: f64,
    /// Whether other running papers may give something back.
    pub may_grow: bool,
}

/// How the run of a paper ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Settlement {
    /// It has a result.
    Done {
        /// Its status.
        status: String,
        /// Whether it is complete. If not, the next start of the batch runs the paper again.
        complete: bool,
        /// What its model calls cost, in US dollars.
        dollars: f64,
        /// Whether another attempt may have another result.
        may_pass: bool,
    },
    /// It failed.
    Failed {
        /// The kind of the error.
        kind: String,
        /// The error.
        error: String,
        /// Whether another attempt may have another result.
        may_pass: bool,
    },
}

/// What the end of a run led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettlementOutcome {
    /// Another worker has taken the paper since, so it changed nothing.
    ByOther,
    /// The paper is run again after this time.
    Again(Duration),
    /// The paper has ended.
    Finally,
}

/// A user of shared batches.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueUser {
    /// The name.
    pub name: String,
    /// What all batches of the user together may cost, in US dollars.
    pub budget: Option<f64>,
    /// What they cost, without runs in progress, in US dollars.
    pub dollars: f64,
    /// What counts towards the budget: also runs in progress, and what calls without an answer may have cost.
    pub taken: f64,
    /// How many there are.
    pub batches: u64,
}

/// Which papers of a batch are wanted. The default is all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PaperFilter<'c> {
    /// The one with this folder.
    pub folder: Option<&'c str>,
    /// Those in this state.
    pub state: Option<&'c str>,
    /// How many to leave out at the beginning.
    pub skip: u32,
    /// How many at most.
    pub most: Option<u32>,
}

/// The state of a paper.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedPaper {
    /// The folder of its run.
    pub folder: String,
    /// What people call it.
    pub name: String,
    /// `waiting`, `running`, `done`, `partial` (done, but not complete), `failed`, `parked` or `cancelled`.
    pub state: String,
    /// The round that its state is of.
    pub round: i64,
    /// The worker that runs it or ran it.
    pub worker: Option<String>,
    /// The kind of its error.
    pub kind: Option<String>,
    /// Why it failed or was parked.
    pub error: Option<String>,
}

/// A batch in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchCounts {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// `open`, `paused` or `cancelled`.
    pub state: String,
    /// Papers by state.
    pub papers: BTreeMap<String, u64>,
    /// What its runs cost, without those in progress, in US dollars.
    pub dollars: f64,
    /// Workers that run its papers.
    pub workers: u64,
    /// What all papers together may cost, in US dollars.
    pub budget: Option<f64>,
    /// The user whose budget it counts towards.
    pub user: Option<String>,
    /// Papers of a batch with a higher priority are started first.
    pub priority: i64,
    /// Papers that ended in the last ten minutes.
    pub lately: u64,
    /// Minutes since the first of these started, at most ten; 0 if there are none.
    pub lately_minutes: f64,
    /// Papers by the reason why they failed or were parked, most frequent first.
    pub failures: Vec<(String, u64)>,
}
