//! Reads LaTeX sources into a draft.
//!
//! Input: a `.tex` file, a folder, or an arXiv source download as bytes. Output: a [`Draft`](crate::draft::Draft). This is a tolerant reader, not
//! TeX: it follows `\input`, expands the paper's own macros within limits, and knows the common classes and packages. Files are looked up only
//! among the given ones.

mod bib;
mod biblatex;
mod bibliography;
mod boxes;
mod cite;
mod commands;
mod conditions;
mod counters;
mod define;
mod environments;
mod execute;
mod expander;
mod files;
mod front;
pub(crate) mod math;
mod names;
mod plain;
mod read;
mod reader;
mod sink;
mod symbols;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod theorem;
mod token;

pub(crate) use files::{
    LatexFiles, cited_entries, from_bytes, from_file, from_folder, from_names, from_source, from_zip,
};
pub use plain::plain_latex;
pub(crate) use read::read_latex;
pub(crate) use symbols::symbol;
