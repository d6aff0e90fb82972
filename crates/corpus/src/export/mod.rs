//! Exports of a whole corpus for search engines on other machines.
//!
//! Input: a corpus. Output: files that the engine's own tools load. One file per engine. Searching such an engine is in the crate `sources`.

mod opensearch;

pub use opensearch::{Export, ExportReport, VECTOR_PREFIX, export_opensearch, vector_field};
