//! The REST API under `/api/v1`, described by OpenAPI.

mod batches;
mod body;
mod calls;
mod corpora;
mod inputs;
mod papers;
mod routes;
mod runs;
mod server;
mod shared_batches;
mod watches;

pub(crate) use inputs::content_length;
pub use routes::openapi;
pub(crate) use routes::router;
pub(crate) use runs::{RunQuery, RunView, file_of};
pub(crate) use server::Health;
pub(crate) use watches::{AlertLevel, Interval, WatchView};
