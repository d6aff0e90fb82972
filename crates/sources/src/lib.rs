//! Sources of prior work.
//!
//! A source takes queries and returns works, pages and repositories, each with the name of the source. Rankings of several sources are fused and
//! records of the same work are merged. A source is one file and one line in a registry: `registry` for kinds of local sources, `service/chosen` for
//! services. Judging relevance, reading files and network access are in other crates.

mod anthology;
mod bulk;
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
mod source_kind;

pub use bulk::{BulkPage, OpenAlexBulk, anthology as download_anthology};
pub use corpus::CorpusSource;
pub use endpoint::{EndpointEmbedder, EndpointLine, EndpointReranker};
pub use error::SourceError;
pub use fuse::{FusedHit, fuse};
pub use merge::{MergedHit, merge, merge_with_later, merge_works};
pub use paper::{FetchLimits, Fetched, Form, PaperName, PaperPlaces, TitleMatch, fetch, forms, other_names, titled};
pub use registry::{kinds, open};
pub use results::{Lookup, SearchResults};
pub use service::{
    Ability, Called, Draft, Endpoint, Found, HealthCheck, Login, MOST_CHARACTERS, MOST_WORDS, Page, Relation,
    RelationAnswer, RelationQuery, Relations, Service, ServiceError, ServiceSettings, ServiceSource, Tariff, TextAt,
    Unreadable, WHOLE_WORDS, Words, WorkName, chosen, is_default, service, services,
};
pub use source::{Holdings, Source, cause_of};
pub use source_kind::SourceKind;
