//! What is understood of repositories, and what hostile ones cannot do.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop")]

mod hostile;
mod languages;
mod support;
mod whole;
