//! Who may use a server that other machines can reach.
//!
//! `users.json` in the data folder has the users and the hashes of their tokens. Each user has a folder with inputs and runs and a router of their own,
//! so that no handler can reach what belongs to somebody else. Without users, a server has one router and accepts only this machine.

mod file;
mod gate;
mod secret;
mod sessions;

pub use file::{User, UserLimits, Users, UsersError};
pub(crate) use gate::{Gate, signed_in, users_router};
pub(crate) use secret::{hash_of, hex, new_secret};
