//! What texts are about, in terms that can be compared.
//!
//! In: plain text. Out: words with their stems and what they contribute, document frequencies over a set of works, term vectors with
//! cosine, and the noun phrases that works share, as their authors print them.
//! Deliberately not here: places, quotes (the room `text`), any judgement.

mod kinds;
mod lists;
mod nouns;
mod phrases;
mod vectors;
mod vocabulary;
mod words;

pub use kinds::{WordKind, is_verb};
pub use phrases::{Phrase, PhraseTable, ShortText};
pub use vectors::{DocumentFrequencies, TermVector};
pub use vocabulary::{TermId, Vocabulary, Word};
