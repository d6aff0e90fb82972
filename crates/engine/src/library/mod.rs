//! Files into corpora.
//!
//! In: files of records (of every kind that the room `corpus` lists), papers, folders of both. Out: a corpus, and a list of what could not be used.
//! One bad record or paper never stops the rest, and what was broken off goes on where its last commit was. Deliberately not here: what a record or a paper looks like inside.

mod add;
mod error;
mod fill;
mod left_out;
mod open;
mod paper_record;

pub use add::{AddProgress, AddReport, BadInput, COMMIT_EVERY, add};
pub use error::LibraryError;
pub use fill::fill;
pub use left_out::LeftOut;
pub use open::open;
pub use paper_record::paper_record;

#[cfg(test)]
mod tests;
