//! One file a command: what was typed becomes what is meant, the engine is asked, the answer is printed.

mod aligned;
mod assess;
pub(crate) mod audit;
mod bench;
mod bench_idea;
mod bench_innoeval;
mod corpora;
mod corpus;
mod decoded;
mod dispatch;
mod doctor;
mod egress;
mod encoders;
mod estimate;
mod export;
pub(crate) mod idea;
mod input;
mod models;
mod named;
mod online;
pub(crate) mod overlap;
mod overlap_shown;
mod pdf;
pub(crate) mod points;
mod quotes;
pub(crate) mod rank;
mod read;
mod runs;
mod search;
mod services;
mod shelves;
mod shown;
mod summary;
pub(crate) mod verify;
mod verify_shown;

pub use dispatch::run;
