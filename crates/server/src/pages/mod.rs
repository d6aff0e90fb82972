//! The pages. Each works without JavaScript: forms, links, and a page that loads itself again while a run is active.

mod assets;
mod batches;
mod corpora;
mod evidence;
mod form;
mod frame;
mod new;
mod papers;
mod plan;
mod progress;
mod routes;
mod run;
mod shared_batches;
mod sign_in;
mod tools;
mod watches;

pub(crate) use assets::show as asset;
pub(crate) use frame::{LINKS, dollars, place, probability, problem, time};
pub(crate) use routes::router;
pub(crate) use shared_batches::cost as shared_cost;
pub(crate) use sign_in::sign_in;
