//! Emulated services that find papers, pages and repositories, on loopback, for tests.
//!
//! Input: a small library and a behavior for each service. Output: a server that answers in each service's own format, according to its documentation
//! and recorded traffic, including empty results and errors. It records every request. Base addresses are `base(service)`.

mod act;
mod answer;
mod arxiv;
mod brave;
mod crossref;
mod dblp;
mod errors;
mod europe_pmc;
mod github;
mod google_scholar;
mod kaggle;
mod openalex;
mod openreview;
mod opensearch;
mod record;
mod searxng;
mod semantic_scholar;
mod serper;
mod server;
mod tavily;
mod texts;

pub use act::Act;
pub use record::HeldText;
pub use record::LibraryRecord;
pub use server::{FINDERS, HOSTED, LiteratureServer, ReceivedRequest, SERVICES};
pub use texts::TEXTS;

pub(crate) use answer::{Answer, Play, page};
