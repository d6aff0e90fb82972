//! Which words of an idea or an abstract state its purpose, its mechanism, its evaluation and its domain.
//!
//! A logistic regression gives each word, for each facet, the probability that the statement includes it, begins with it and ends with it. The
//! statement is the range within a sentence that is most probable as a whole ([`find`]). How it was trained and how good it is: `docs/facets-card.md`.

mod features;
mod statements;
mod table;

pub use features::{ROWS, Reading};
pub use statements::{Statements, find, statements};
pub use table::FACETS;
pub use table::{OUTPUTS, Table};
