//! The only door to the network.
//!
//! In: a [`Request`] that says who asks and whether the address was typed by the user or found in a document. Out: what the server said, as a
//! [`Response`], or why nothing was said. On the way: what may be reached at all ([`Reach`]), addresses of found links checked at every hop, a
//! pace for each host, retries that honour `Retry-After`, a breaker for hosts that are down, bounded time and bytes, every sending noted in the
//! ledger before it happens and every answer kept there before it is used. Asked again, a kept answer opens no socket; in replay nothing does.
//!
//! Deliberately not here: what any service's answers mean, prices, and proxies (none is taken from the environment).

mod address;
mod attempt;
mod breaker;
mod dial;
mod door;
mod error;
mod failure;
mod hosts;
mod key;
mod notice;
mod pace;
mod reach;
mod record;
mod request;
mod resolve;
mod response;
mod retry;
mod secret;

pub use address::is_public;
pub use attempt::{Attempt, Effort, Lost};
pub use door::{Door, Mode, Settings};
pub use error::HttpError;
pub use pace::Pace;
pub use reach::{Origin, Reach};
pub use request::{Method, Request};
pub use response::Response;
pub use secret::Secret;
