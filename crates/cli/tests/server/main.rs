//! Tests of `precedent serve`: each starts the program and talks HTTP to it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

mod api;
mod batches;
mod client;
mod corpora;
mod downloads;
mod events;
mod hostile;
mod pages;
mod restarts;
mod safety;
mod shared_batches;
mod users;
mod watches;
