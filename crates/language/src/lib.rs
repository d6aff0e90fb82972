//! The language of papers.
//!
//! Input: plain text. Output: words with their kinds, key phrases, names and abbreviations with their positions ([`wording`]), and the topic of
//! texts in comparable terms ([`terms`]). Uses no model but a small tagger, and no list of technical terms. Not included: the layout of papers
//! (`domain`), tokens and quotes (`text`), and what a phrase means for a paper (`engine`).

pub mod facets;
pub mod terms;
pub mod wording;
