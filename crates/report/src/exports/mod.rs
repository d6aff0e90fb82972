//! The papers of a report for a reference manager: BibTeX, RIS and CSL-JSON.
//!
//! In: a saved assessment. Out: one text per format, the same for the same report. Titles and names are escaped, so that nothing in them ends a
//! field, an entry or a line. Out of scope: data that a report lacks (pages, volumes, publishers). No field is invented.
//!
//! To add a format: add its file here, one line in the list below, and a round trip in the command-line tests.

mod bibtex;
mod csl;
mod entry;
mod exporter;
mod name;
mod ris;
mod venue;

#[cfg(test)]
mod tests;

pub use exporter::{Exporter, Selection};

const EXPORTERS: &[&dyn Exporter] = &[&bibtex::BibTexExporter, &ris::RisExporter, &csl::CslExporter];

/// Every export format.
#[must_use]
pub fn exporters() -> &'static [&'static dyn Exporter] {
    EXPORTERS
}
