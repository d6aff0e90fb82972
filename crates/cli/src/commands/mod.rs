//! One module per command: it validates the arguments, calls the engine and prints the result.

mod aligned;
mod assess;
pub(crate) mod audit;
mod batch;
mod bench;
mod bench_idea;
mod bench_innoeval;
mod bench_points;
pub(crate) mod config;
mod corpus;
pub(crate) mod corpus_get;
mod dispatch;
mod doctor;
mod doctor_finding;
mod egress;
mod encoders;
mod estimate;
pub(crate) mod export;
pub(crate) mod idea;
mod init;
mod input;
mod job;
pub(crate) mod match_arguments;
mod match_claims;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
mod online;
mod overlap;
mod overlap_shown;
pub(crate) mod paper_arguments;
mod pdf;
pub(crate) mod points;
mod quotes;
pub(crate) mod rank;
mod read;
pub(crate) mod review;
mod runs;
mod search;
pub(crate) mod serve;
mod shown;
pub(crate) mod site;
mod summary;
mod verify;
mod verify_shown;
pub(crate) mod watch;

pub use dispatch::run;
