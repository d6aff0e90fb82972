//! The language of papers.
//!
//! Input: plain text. Output: words with their kinds, key phrases, names and abbreviations with their positions ([`wording`]), the topic of texts in
//! comparable terms ([`terms`]), and the words that state an idea's facets ([`facets`]). Uses two small models, a tagger and one for facets, and no list
//! of technical terms. Not included: the layout of papers (`domain`), tokens and quotes (`text`), and what a phrase means for a paper (`engine`).

pub mod facets;
pub mod terms;
pub mod wording;
