//! The local corpus: works on this machine, and the search over them.
//!
//! In: records from files ([`import`]) or programs, each a work with or without its full text. Out: works ranked by BM25 over title, abstract and
//! full-text passages and by vectors ([`Corpus::search`]), their texts, and how common a term is.
//! A corpus is a folder: `manifest.json` says what format it has, `index/` is a tantivy index that holds everything else, `rejects/` lists
//! what could not be imported, `vectors/` holds what can be made anew from the index. Every commit is one atomic step, and holds how far each import has come; what was not committed is gone after a
//! crash, nothing else is, and the import goes on from there.
//! Deliberately not here: the network, models, any judgement of relevance. Readers of papers live in the room `read`.

mod analysis;
mod check;
mod corpus;
mod embed;
mod encode;
mod error;
pub mod evaluation;
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
pub use embed::Gist;
pub use encode::{
    BertEmbedder, BertReranker, Embedder, EncodeError, KeptVectors, KnownModel, ModelFile, Refiner, Reranker,
    TableEmbedder, TextKind, embedded_text, nearness,
};
pub use error::CorpusError;
pub use record::{Addition, Record};
pub use search::{Found, Ranking, SearchOptions};
pub use stats::{CorpusStats, FieldCount, VenueCount, YearCount};
pub use store::ImportEntry;
pub use writer::CorpusWriter;
