//! Plain text to a draft.
//!
//! In: text as a converter or a person wrote it, wrapped or one paragraph a line, with or without form feeds. Out: a [`Draft`](crate::draft::Draft).
//! Deliberately not here: what a heading means and what a reference entry holds; the assembler tells that for all formats alike.

mod entries;
mod headings;
mod join;
mod lines;
mod reader;
#[cfg(test)]
mod tests;

pub(crate) use entries::label_of;
pub(crate) use headings::is_reference_heading;
pub(crate) use reader::read_text;
