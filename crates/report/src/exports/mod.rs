//! The papers of a report for a reference manager: BibTeX, RIS and CSL-JSON.
//!
//! In: a saved assessment. Out: one text per format, the same for the same report. Titles and names are escaped, so that nothing in them ends a
//! field, an entry or a line. Out of scope: data that a report lacks (pages, volumes, publishers). No field is invented.
//!
//! To add a format: add its file here, one line in the list below, and a round trip in the command-line tests.

mod bibtex;
mod csl;
mod entry;
mod name;
mod ris;
mod venue;

#[cfg(test)]
mod tests;

use precedent_domain::Assessment;

use entry::Entry;

use crate::publish::Publish as _;

/// The papers to export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// Every candidate of the report.
    #[default]
    Related,
    /// Similar papers missing from the paper's reference list.
    Missing,
}

/// Writes papers in one format.
pub trait Exporter: Sync {
    /// The name of the format on the command line: `bibtex`, …
    fn format(&self) -> &'static str;

    /// The papers of a report as one text, in the order of their numbers.
    fn export(&self, assessment: &Assessment, which: Selection) -> String;
}

const EXPORTERS: &[&dyn Exporter] = &[&bibtex::BibTexExporter, &ris::RisExporter, &csl::CslExporter];

/// Every export format.
#[must_use]
pub fn exporters() -> &'static [&'static dyn Exporter] {
    EXPORTERS
}

/// The selected papers as entries.
fn entries(assessment: &Assessment, which: Selection) -> Vec<Entry> {
    let report = assessment.publishable();
    let missing = report.contribution_analysis.missing_citations.iter();
    let missing: Vec<u32> = missing.map(|one| one.candidate).collect();
    let chosen = report.references.candidates.iter();
    let chosen = chosen.filter(|one| which == Selection::Related || missing.contains(&one.number));
    let mut entries: Vec<Entry> = chosen
        .map(|one| Entry::of(one, missing.contains(&one.number)))
        .collect();
    entry::tell_apart(&mut entries);
    entries
}
