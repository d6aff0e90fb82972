//! Every provider of the registry against answers of its own form, and whole asks against a server on loopback.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop")]

mod asking;
mod conformance;
mod forms;
