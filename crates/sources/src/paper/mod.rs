//! Fetches a paper by its name in the best available form.
//!
//! Names are arXiv ids, DOIs, OpenReview forums, ACL Anthology ids and addresses, as people type and copy them. The result is the bytes of one form
//! after the other, best first, with size and type checked. A title is looked up in the index of works; if it is ambiguous, the user chooses. Parsing
//! is in another crate.

mod address;
mod fetch;
mod name;
mod titled;
mod unpaywall;

pub(crate) use address::doi_in_address;
pub use fetch::{FetchLimits, Fetched, Form, PaperPlaces, fetch, forms, other_names};
pub use name::PaperName;
pub use titled::{TitleMatch, titled};
