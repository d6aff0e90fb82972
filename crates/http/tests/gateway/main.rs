//! The HTTP client against a scripted server on loopback.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop")]

mod bounds;
mod claiming;
mod keeping;
mod server;
mod tls;
mod trying;
