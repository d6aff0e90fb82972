//! Reads plain text into a draft.
//!
//! Input: text from a converter or a person, wrapped or with one paragraph per line, with or without form feeds. Output: a
//! [`Draft`](crate::draft::Draft). The assembler classifies headings and parses reference entries, for all formats alike.

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
