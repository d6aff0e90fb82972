//! Services that find works, pages and repositories, on loopback, for tests.
//!
//! In: a small library and, for each service, how it behaves. Out: a server that answers in each service's own form, as the services' documentation and
//! recorded traffic have it, empty answers and errors included, and that keeps every request. Base addresses are `base(service)`.

mod act;
mod answer;
mod arxiv;
mod brave;
mod crossref;
mod dblp;
mod europe_pmc;
mod github;
mod openalex;
mod openreview;
mod record;
mod searxng;
mod semantic_scholar;
mod serper;
mod server;
mod tavily;
mod texts;
mod trouble;

pub use act::Act;
pub use record::LibraryRecord;
pub use server::{FINDERS, Heard, LiteratureServer, SERVICES};
pub use texts::{HeldText, TEXTS};

pub(crate) use answer::{Answer, Play, page};
