//! Models that read whole sentences: a local BERT encoder, and the traits of other embedders and rerankers.
//!
//! Input: texts. Output: unit vectors ([`Embedder`]) or relevance scores ([`Reranker`]). They rerank the candidates of a search of this crate
//! ([`Refiner`]), never a whole corpus, and the vectors of works are cached beside the corpus ([`VectorCache`]).
//! [`similarities`] is for texts outside a corpus. [`TableEmbedder`] puts the built-in table behind the same trait.
//! The encoder is 300 lines of our own on top of a matrix product instead of a framework: it builds in seconds and needs no feature flag, no C and no
//! download at build time. `docs/embedders.md` has a comparison. Not included: the network; remote embedders are in the crate `sources`.

mod bert;
mod cross;
mod embedder;
mod error;
mod folder;
mod forward;
mod maths;
mod refine;
mod table;
mod vector_cache;
mod weights;
mod wordpiece;

pub use bert::BertEmbedder;
pub use cross::BertReranker;
pub use embedder::{Embedder, Reranker, TextKind};
pub use error::EncodeError;
pub use folder::{KnownModel, ModelFile};
pub use refine::{Refiner, embedded_text, similarities};
pub use table::TableEmbedder;
pub use vector_cache::VectorCache;

#[cfg(test)]
mod tests;
