//! The reference list: where it is, where its entries begin, and what each entry says.
//!
//! In: the blocks of a draft. Out: one block per entry, and the parsed entries.
//! Deliberately not here: which work an entry is (that takes a corpus), and citation marks (`citations`).

mod arrange;
mod authors;
mod entry;
mod list;
mod split;
mod year;

pub(crate) use arrange::arrange;
pub(crate) use list::{ReferenceList, collect};
pub(crate) use split::holds_several;

#[cfg(test)]
mod tests;
