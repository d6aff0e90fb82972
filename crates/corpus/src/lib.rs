//! The local corpus: works on this machine, and search over them.
//!
//! Input: records from files ([`import`]) or programs, each a work with or without its full text. Output: works ranked by BM25 over title, abstract
//! and full-text passages and by vectors ([`Corpus::search`]), their texts,
//! term frequencies, and files for a search engine ([`export`]).
//! A corpus is a folder. `manifest.json` has its format, `index/` is a tantivy index with all data, `rejects/` lists what could not be imported, and
//! `vectors/` can be rebuilt from the index.
//! Every commit is atomic and includes the progress of each import. A crash loses only uncommitted data, and the import resumes after the last
//! commit. Not included: the network, language models, and judgements of relevance. Readers of papers are in the crate `read`.

mod analysis;
mod check;
mod corpus;
mod embed;
mod encode;
mod error;
pub mod evaluation;
pub mod export;
pub mod import;
mod passage;
mod record;
mod search;
mod stats;
mod store;
mod writer;

pub use analysis::terms;
pub use check::CorpusCheck;
pub use corpus::Corpus;
pub use embed::{TopicVector, term_weight, text_vector};
pub use encode::{
    BertEmbedder, BertReranker, Embedder, EncodeError, KnownModel, ModelFile, Refiner, Reranker, TableEmbedder,
    TextKind, VectorCache, embedded_text, similarities,
};
pub use error::CorpusError;
pub use record::{Addition, Record};
pub use search::{Found, Ranking, RankingFeatures, SearchOptions};
pub use stats::{CorpusStats, FieldCount, VenueCount, YearCount};
pub use store::ImportEntry;
pub use writer::CorpusWriter;
