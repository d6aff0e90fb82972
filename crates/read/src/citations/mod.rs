//! Citation marks in running text, linked to the reference list.
//!
//! Input: the blocks with their spans, and the reference list. Output: sorted marks that do not overlap, with the numbers of their references. Not
//! covered: marks in the reference list itself, in headings, in listings and in mathematics.

mod author_year;
mod explicit;
mod label;
mod marks;

pub(crate) use marks::find;

#[cfg(test)]
mod tests;
