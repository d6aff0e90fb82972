//! Reads records from files, one at a time and in bounded memory.
//!
//! Input: a file in any format of the registry in `kind.rs`, plain or compressed with gzip or Zstandard; both are detected from its first bytes.
//! Output: its records in order.
//! A record that cannot be used is an item with its line and the reason, and does not stop the import. Not included: papers (crate `read`), and
//! storing the records (`CorpusWriter`).

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
