//! Runs: their records on disk, the queue, and the processes that execute them.
//!
//! A run is a folder with `job.json` (the state of the run), `request.json` (what its process reads) and everything that a run of the command line
//! writes. All state that must survive is in these files, so a killed server starts with what they say.

mod execute;
mod feed;
mod imports;
mod places;
mod process;
mod queue;
mod record;
mod spent;
mod stream;

pub(crate) use places::Places;
pub(crate) use queue::Jobs;
pub(crate) use record::{JobRecord, JobState, now};
pub(crate) use stream::{LastEvent, events};
