//! Web pages and a REST API over the service layer.
//!
//! Input: HTTP requests to one address. Output: pages, JSON and server-sent events. Each run, and each call that opens an upload, is a child process of
//! this program, so a file that crashes a reader or never ends cannot harm the server. Jobs, inputs and their state are in one data folder, so a
//! killed server continues where it stopped.
//! Without users, only this machine is served. With users, each has inputs and runs of their own, and every request needs a token.
//! Out of scope: TLS, and any part of an analysis.
//!
//! # What a request cannot do
//!
//! It cannot name a path or a host of this machine: models, services and corpora come from the options of the server or are made from uploads, and files
//! are named by hash.

mod api;
mod batches;
mod call;
mod corpora;
mod downloads;
mod error;
mod evidence;
mod guard;
mod inputs;
mod isolation;
mod jobs;
mod listen;
mod metrics;
mod options;
mod pages;
mod request;
mod shared_batches;
mod state;
mod uploads;
mod users;
mod watches;
mod work;

pub use api::openapi;
pub use call::answer_call;
pub use corpora::import;
pub use error::ServerError;
pub use isolation::{Isolation, answer_reading};
pub use listen::serve;
pub use options::ServerOptions;
pub use users::{User, UserLimits, Users, UsersError};
pub use work::work;
