//! The door against a server that does as it is told, on this machine's loopback.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop")]

mod bounds;
mod keeping;
mod server;
mod trying;
