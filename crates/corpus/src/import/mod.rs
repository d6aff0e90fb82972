//! Records from files: one at a time, in bounded memory, whatever the file holds.
//!
//! A record that cannot be used is an item of its own with the line it starts on and the reason; it never stops what follows.
//! Files may be packed with gzip or Zstandard; that is told from their first bytes.

mod bad_record;
mod dates;
mod format;
mod json_lines;
mod lines;
mod records;
mod work_builder;

pub use bad_record::BadRecord;
pub use format::ImportFormat;
pub use records::{Records, records};
