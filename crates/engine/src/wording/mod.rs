//! The wording of a paper: words with positions, key phrases, coined names, and defined abbreviations.
//!
//! Input: plain text. Output: words, phrases and names with their positions. Uses no model and no list of technical terms, only function words, the
//! common vocabulary of papers, and the text itself. Out of scope: judging claims (see `stages::extract`), and querying sources.

pub(crate) use precedent_text::terms::stem;

mod announcing;
mod casing;
mod marks;
mod names;
mod phrases;
mod tagging;
mod vocabulary;
mod words;

pub(crate) use announcing::only_announces;
pub(crate) use casing::Casing;
pub(crate) use marks::{cited, without_marks};
pub(crate) use names::{Names, offer_end, plain_title, split_title, without_long_names};
pub(crate) use phrases::{KeyPhrase, key_phrases, keywords};
pub(crate) use tagging::{Tag, Tagged, holds_finite_verb, tagged, tagged_title};
pub(crate) use vocabulary::{is_evaluative, is_function_word, is_generic};
pub(crate) use words::{Word, agreeing, and_list, content_stems, first_words, word_count, words};
