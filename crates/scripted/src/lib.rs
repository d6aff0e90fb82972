//! A scripted model and scripted literature services on loopback, for tests and measurements.
//!
//! Input: a script, which is a function from a [`Question`] to a [`Say`]. Output: a server that speaks the formats of OpenAI, Anthropic and Gemini, records
//! every request, and adds seeded latency, errors and garbled answers.
//! [`plain`] is a script that answers every prompt of this program from shared words, without a model. [`literature`] emulates the services that are
//! searched for papers. [`PostgresServer`] is a database of a test's own. Not included: anything that a user runs.

mod batch;
mod board;
mod faults;
mod fenced;
pub mod idea_judges;
mod knowledge;
mod listen;
pub mod literature;
mod plain;
mod points;
mod postgres;
mod question;
mod ranking;
mod rounds;
mod say;
mod server;
mod wire_faults;
mod words;

pub use batch::{BatchBehaviour, SubmittedCalls};
pub use faults::Faults;
pub use fenced::{Block, blocks};
pub use plain::plain;
pub use postgres::PostgresServer;
pub use question::{Question, Shape, tokens};
pub use rounds::rounds;
pub use say::{Say, answer_body};
pub use server::{ModelServer, Script};
pub use wire_faults::{FaultScript, WireFault, wire_faults};
