//! The index of a batch: many papers, one line per claim.
//!
//! In: a [`BatchSummary`]. Out: the bytes of `index.html`, `summary.csv` and `summary.json`.

mod batch_summary;
pub(crate) mod csv;
mod html;

pub use batch_summary::{BatchPaper, BatchStatus, BatchSummary, batch_schema};
pub(crate) use html::{covered, lead};
