//! Tests of `precedent serve`: each starts the program and talks HTTP to it.

mod api;
mod client;
mod events;
mod pages;
mod restarts;
mod safety;
