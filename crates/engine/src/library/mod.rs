//! Imports files into corpora.
//!
//! Input: files of records (of every kind that `precedent-corpus` supports), papers, and folders of both. Output: a corpus and a list of unusable
//! inputs. One bad record or paper never stops the rest. An interrupted import resumes from its last commit. Out of scope: the formats of records and
//! papers.

mod add;
mod error;
mod fill;
mod left_out;
mod open;
mod paper_record;

pub use add::{AddProgress, AddReport, COMMIT_EVERY, ReadPaper, add, read_paper};
pub use error::LibraryError;
pub use fill::fill;
pub use left_out::BadInput;
pub use left_out::LeftOut;
pub use open::open;
pub use paper_record::paper_record;

#[cfg(test)]
mod tests;
