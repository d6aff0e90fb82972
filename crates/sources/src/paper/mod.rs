//! A paper by its name, fetched in the form that reads best.
//!
//! In: an arXiv id, a DOI, an OpenReview forum, an ACL Anthology id or an address, as people type and copy them. Out: the bytes of one form after the other,
//! best first, size and kind checked. Deliberately not here: reading them, and guessing which paper a title may mean.

mod fetch;
mod name;

pub use fetch::{Errand, Fetched, Form, PaperPlaces, fetch, forms, other_names};
pub use name::PaperName;
