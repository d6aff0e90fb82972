//! Parsing of repositories, and protection against hostile ones.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop")]

mod hostile;
mod languages;
mod support;
mod whole;
