//! The wording of a paper: words with positions, key phrases, coined names, and defined abbreviations.
//!
//! Input: plain text. Output: words, phrases and names with their positions. Uses no model and no list of technical terms, only function words, the
//! common vocabulary of papers, and the text itself. Out of scope: judging claims (see `stages::extract`), and querying sources.

pub use precedent_text::terms::stem;

mod announcing;
mod casing;
mod marks;
mod names;
mod phrases;
mod tagging;
mod vocabulary;
mod words;

pub use announcing::only_announces;
pub use casing::Casing;
pub use marks::{cited, without_marks};
pub use names::{Names, offer_end, plain_title, split_title, without_long_names};
pub use phrases::{KeyPhrase, key_phrases, keywords};
pub use tagging::{Tag, Tagged, holds_finite_verb, tagged, tagged_title};
pub use vocabulary::{is_evaluative, is_function_word, is_generic};
pub use words::{Word, agreeing, and_list, content_stems, first_words, word_count, words};
