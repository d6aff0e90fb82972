//! A paper by its name, fetched in the form that reads best.
//!
//! In: an arXiv id, a DOI, an OpenReview forum, an ACL Anthology id or an address, as people type and copy them. Out: the bytes of one form after the other,
//! best first, size and kind checked. A title is looked up in the index of works; which of several it means is for the user to say. Deliberately not here: reading them.

mod fetch;
mod name;
mod titled;
mod unpaywall;

pub use fetch::{Errand, Fetched, Form, PaperPlaces, fetch, forms, other_names};
pub use name::PaperName;
pub use titled::{Meant, titled};
