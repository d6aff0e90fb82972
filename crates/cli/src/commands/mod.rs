//! One file a command: what was typed becomes what is meant, the engine is asked, the answer is printed.

mod aligned;
mod assess;
mod bench;
mod corpus;
mod decoded;
mod dispatch;
mod doctor;
mod estimate;
mod input;
mod models;
pub(crate) mod overlap;
mod overlap_shown;
mod pdf;
mod quotes;
mod read;
mod runs;
mod search;
mod shown;
mod summary;
pub(crate) mod verify;
mod verify_shown;

pub use dispatch::run;
