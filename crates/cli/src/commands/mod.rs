//! One file a command: what was typed becomes what is meant, the engine is asked, the answer is printed.

mod aligned;
mod assess;
mod bench;
mod corpus;
mod dispatch;
mod doctor;
mod input;
mod overlap;
mod pdf;
mod read;
mod runs;
mod search;
mod summary;
mod verify;

pub use dispatch::run;
