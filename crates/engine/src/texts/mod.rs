//! Full texts of works that services know by title and abstract alone.
//!
//! In: works, best first. Out: for each its text, or why there is none. Texts come from open archives by the works' own identifiers and, where it is allowed,
//! from the open copies that an index names; what comes must be the work and nothing else. Deliberately not here: which works deserve it.

mod had;
mod same;
mod whole;

pub(crate) use had::{Had, Tally};
pub use whole::{TextSettings, WholeTexts};
