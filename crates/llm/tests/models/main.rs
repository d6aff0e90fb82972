//! Every registered provider against responses in its own format, and complete requests against a server on loopback.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop")]

mod asking;
mod conformance;
mod cut_off;
mod forms;
