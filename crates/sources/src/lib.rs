//! Prior work from anywhere.
//!
//! In: queries. Out: works, pages and repositories, each with the source that gave it; several sources' answers fused into one ranking and records of one work merged.
//! A source is one file and one line in a registry: kinds of local sources in `registry`, services in `service/chosen`. Deliberately not here: judging
//! relevance, reading files, the network itself.

mod anthology;
mod corpus;
mod endpoint;
mod error;
mod fuse;
mod merge;
mod paper;
mod registry;
mod results;
mod service;
mod services;
mod source;

pub use corpus::CorpusSource;
pub use endpoint::{EndpointEmbedder, EndpointLine, EndpointReranker};
pub use error::SourceError;
pub use fuse::{FusedHit, fuse};
pub use merge::{MergedHit, merge, merge_with_later, merge_works};
pub use paper::{Errand, Fetched, Form, Meant, PaperName, PaperPlaces, fetch, forms, other_names, titled};
pub use registry::{SourceKind, kinds, open};
pub use results::{Lookup, SearchResults};
pub use service::{
    Ability, Called, Draft, Endpoint, Found, Inquiry, Login, MOST_CHARACTERS, MOST_WORDS, Page, Relation, Relations,
    Service, ServiceSettings, ServiceSource, Tariff, TextAt, Told, Trial, Trouble, Unreadable, WHOLE_WORDS, Words,
    WorkName, chosen, is_default, service, services,
};
pub use source::{Holdings, Source, cause_of};
