//! Tests of rendered reports.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should stop"
)]

mod batches;
mod fields;
mod fixture;
mod html;
mod ideas;
mod json;
mod look;
mod markdown;
mod paths;
mod pdf;
mod points;
mod rankings;
mod reviews;
mod safety;
mod sites;
mod statements;
mod watches;
