//! One module per command: it validates the arguments, calls the engine and prints the result.

mod aligned;
mod assess;
pub(crate) mod audit;
mod bench;
mod bench_idea;
mod bench_innoeval;
mod bench_points;
pub(crate) mod config;
mod corpus;
mod dispatch;
mod doctor;
mod egress;
mod encoders;
mod estimate;
pub(crate) mod export;
pub(crate) mod idea;
mod init;
mod input;
mod job;
mod match_claims;
mod online;
pub(crate) mod overlap;
mod overlap_shown;
mod pdf;
pub(crate) mod points;
mod quotes;
pub(crate) mod rank;
mod read;
pub(crate) mod review;
mod runs;
mod search;
mod shown;
mod summary;
pub(crate) mod verify;
mod verify_shown;

pub use dispatch::run;
