//! Records from files: one at a time, in bounded memory, whatever the file holds.
//!
//! A record that cannot be used is an item of its own with the line it starts on and the reason; it never stops what follows.
//! Files may be packed with gzip or Zstandard; that is told from their first bytes.

mod bad_record;
mod bibtex;
mod bibtex_entries;
mod csl_json;
mod dates;
mod format;
mod full_text;
mod json_lines;
mod lines;
mod records;
mod ris;
mod run;
mod values;
mod work_builder;

pub use bad_record::BadRecord;
pub use format::ImportFormat;
pub use records::{Records, records};
pub use run::{ImportReport, open};
