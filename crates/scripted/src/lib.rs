//! A scripted model and scripted literature services on loopback, for tests and for measuring.
//!
//! In: a script, which is a function from a [`Question`] to what is to be [`Say`]. Out: a server that speaks OpenAI's and Anthropic's forms, keeps every
//! question it was asked, and adds latency, errors and garbage by seed. [`plain`] is a script that answers every prompt of this program sensibly, without
//! any model: by words that texts share. [`literature`] plays the services that works are searched with. Deliberately not here: anything that a user runs.

mod board;
mod faults;
mod fenced;
mod knowledge;
mod listen;
pub mod literature;
mod plain;
mod points;
mod question;
mod ranking;
mod say;
mod server;

pub use faults::Faults;
pub use fenced::{Block, blocks};
pub use plain::plain;
pub use question::{Question, Shape};
pub use say::Say;
pub use server::{ModelServer, Script};
