//! The reference list: where it is, where its entries begin, and the fields of each entry.
//!
//! Input: the blocks of a draft. Output: one block per entry, and the parsed entries. Not covered: identifying the cited work (this needs a
//! corpus), and citation marks (see `citations`).

mod arrange;
mod authors;
mod entry;
mod list;
mod name_lists;
mod name_scan;
mod name_words;
mod split;
mod year;

pub(crate) use arrange::arrange;
pub(crate) use list::{ReferenceList, collect};
pub(crate) use split::{holds_several, is_entry};

#[cfg(test)]
mod tests;
