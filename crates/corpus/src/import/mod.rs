//! Records from files: one at a time, in bounded memory, whatever the file holds.
//!
//! In: a file of any kind that the registry in `kind.rs` lists, packed with gzip or Zstandard or not; both are told from its first bytes.
//! Out: its records in order. A record that cannot be used is an item of its own with the line it starts on and the reason; it never stops
//! what follows. Deliberately not here: papers (room `read`), and what is done with a record (`CorpusWriter`).

mod acl_xml;
mod arxiv;
mod bad_record;
mod bibtex;
mod bibtex_entries;
mod csl_json;
mod csv;
mod dates;
mod format;
mod full_text;
mod head;
mod json_lines;
mod json_objects;
mod kind;
mod lines;
mod openalex;
mod records;
mod ris;
mod run;
mod semantic_scholar;
mod session;
mod values;
mod work_builder;
mod zotero_rdf;

pub use bad_record::BadRecord;
pub use format::ImportFormat;
pub(crate) use format::format_titles;
pub use records::{Records, records};
pub use run::{ImportReport, detect, open};
pub(crate) use session::rejects_file;
pub use session::{Import, ImportSource, ImportStart};
