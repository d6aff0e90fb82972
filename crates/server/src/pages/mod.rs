//! The pages. Each works without JavaScript: forms, links, and a page that loads itself again while a run is active.

mod assets;
mod evidence;
mod form;
mod frame;
mod new;
mod plan;
mod progress;
mod routes;
mod run;
mod tools;
mod watches;

pub(crate) use frame::{LINKS, dollars, percent, place, problem, time};
pub(crate) use routes::router;
