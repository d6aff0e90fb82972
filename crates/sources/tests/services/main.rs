//! Every service under every behaviour, on a test server. No request leaves this machine.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot set up its server has failed"
)]

mod conformance;
mod finders;
mod login;
mod manners;
mod papers;
mod relations;
mod shapes;
mod support;
mod texts;
