//! Text algorithms without dependencies on other Precedent crates.
//!
//! Input: plain text. Output: tokens with byte offsets, the location of a quote, passages shared by two texts, sentences. This crate knows nothing
//! about files, papers, models or the network.

mod align;
mod alignment;
pub mod bibtex;
mod citation;
mod confidence;
mod edits;
mod index;
mod lexicon;
mod locate;
mod location;
mod marks;
mod neighbours;
mod numbers;
mod one_line;
mod overlap;
mod overlap_edits;
mod paraphrase;
mod passages;
mod pattern;
mod print;
mod resemblance;
mod sentence;
mod shared_passage;
mod signs;
mod source;
mod span;
mod stem;
mod stitch;
mod stop_words;
mod surroundings;
pub mod terms;
mod token;
mod tokenize;

pub use lexicon::negates;
pub use locate::{locate, locate_in_sections};
pub use location::{AlteredReason, Border, Edit, EditKind, EditNote, Gap, Location};
pub use one_line::one_line;
pub use overlap::{Overlap, OverlapOptions, overlap};
pub use overlap_edits::PassageEdit;
pub use paraphrase::paraphrases;
pub use pattern::compile_pattern;
#[doc(hidden)]
pub use regex::Regex;
pub use resemblance::{Resemblance, resemblance};
pub use sentence::sentences;
pub use shared_passage::{OverlapKind, OverlapMark, SharedPassage};
pub use source::Source;
pub use span::Span;
pub use surroundings::{CutOff, Surroundings, surroundings};
pub use token::{Token, TokenKind};
