//! The record of what a run has already worked out, what outside services answered, and what was sent to them.
//!
//! In: the output of a stage, keyed by the stage, its version and the hash of what went in; an outside answer, keyed by what was asked; a note of
//! every sending. Out: the same bytes, on any later run. A killed run resumes because finished stages are look-ups, a finished one replays because
//! answers are. Deliberately not here: what the bytes mean, reports, the network.
//!
//! One SQLite file (write-ahead log) holds everything; the tables carry a format version and a newer one is refused, not guessed at.

mod answer;
mod error;
mod key;
mod ledger;

pub use answer::{Answer, Sent};
pub use error::LedgerError;
pub use key::InputHash;
pub use ledger::Ledger;
