//! The HTTP client, the only crate with network access.
//!
//! A [`Request`] names the part of the program that sends it, and says whether its address was configured or found in a document. The result is a
//! [`Response`], or an error if there is none. The client checks which hosts may be reached ([`NetworkPolicy`]), and checks the addresses of found links at
//! every hop. It sets a pace for each host, retries with respect for `Retry-After`, has a circuit breaker for hosts that are down, and limits time
//! and bytes. Every request is recorded in the ledger before it is sent, and every answer is stored there before it is used. A stored answer needs no
//! socket, and replay never opens one.
//!
//! The meaning of a service's answers and prices are handled in other crates. Proxies are used only if the
//! caller asks for them, never for this machine, and never in a local-only run.

mod address;
mod attempt;
mod breaker;
mod claims;
mod classify;
mod clients;
mod concurrency;
mod connection;
mod delivered;
mod error;
mod failure;
mod gateway;
mod hosts;
mod key;
mod log;
mod machine;
mod notice;
mod pace;
mod policy;
mod record;
mod redirect;
mod request;
mod requested_wait;
mod resolve;
mod response;
mod retry;
mod secret;
mod shared;
mod shared_pace;
mod waits;

pub use address::is_public;
pub use attempt::{Attempt, Effort, Lost};
pub use connection::Connection;
pub use error::HttpError;
pub use gateway::{HttpGateway, Mode, Settings};
pub use hosts::HostLimits;
pub use pace::Pace;
pub use policy::{NetworkPolicy, Origin};
pub use request::{Method, Request};
pub use requested_wait::wait_in_words;
pub use response::Response;
pub use secret::Secret;
pub use shared::SharedAnswers;
