//! Models that read whole sentences: vectors by an encoder of the BERT kind, on this machine, and what any other embedder or reranker must do.
//!
//! In: texts. Out: unit vectors ([`Embedder`]) or how well works fit a query ([`Reranker`]). They are set over the candidates that a search of this
//! room gives ([`Refiner`]), never over a whole corpus, and each work's vector is kept beside the corpus ([`KeptVectors`]).
//! [`nearness`] is for texts that lie in no corpus; [`TableEmbedder`] is the table that the program brings, behind the same trait.
//! The encoder is our own 300 lines over a matrix product, in place of a framework: it builds in seconds, needs no feature, no C and no download
//! at build time, and `docs/embedders.md` says how it compares. Deliberately not here: the network; embedders that are asked over it live in
//! the room `sources`.

mod bert;
mod cross;
mod embedder;
mod error;
mod folder;
mod forward;
mod kept;
mod maths;
mod refine;
mod table;
mod weights;
mod wordpiece;

pub use bert::BertEmbedder;
pub use cross::BertReranker;
pub use embedder::{Embedder, Reranker, TextKind};
pub use error::EncodeError;
pub use folder::{KnownModel, ModelFile};
pub use kept::KeptVectors;
pub use refine::{Refiner, embedded_text, nearness};
pub use table::TableEmbedder;

#[cfg(test)]
mod tests;
