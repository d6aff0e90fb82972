//! The topic of texts in comparable terms.
//!
//! Input: plain text. Output: words with their stems and kinds, document frequencies over a set of papers, term vectors with cosine, and the
//! noun phrases that papers share, as their authors print them.
//! Positions, quotes (the crate `precedent-text`) and judgements are out of scope.

mod kinds;
mod lists;
mod nouns;
mod phrases;
mod short_text;
mod vectors;
mod vocabulary;
mod words;

pub use kinds::{WordKind, is_verb};
pub use phrases::{Phrase, PhraseTable};
pub use short_text::ShortText;
pub use vectors::{DocumentFrequencies, TermVector};
pub use vocabulary::{TermId, Vocabulary, Word};
