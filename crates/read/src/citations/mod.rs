//! Citation marks in running text, linked to the reference list.
//!
//! In: the blocks, where they stand, and the list. Out: marks with the numbers of the references meant, in order, none over another.
//! Deliberately not here: marks in the reference list itself, in headings, in listings and in mathematics.

mod author_year;
mod explicit;
mod label;
mod marks;

pub(crate) use marks::find;

#[cfg(test)]
mod tests;
