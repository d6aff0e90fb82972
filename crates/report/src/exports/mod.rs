//! The works of a report for a reference manager: BibTeX, RIS and CSL-JSON.
//!
//! In: an assessment as it was kept. Out: one text a format, the same for the same report. What a title or a name says is data in all three: nothing in it ends a field, an
//! entry or a line. Deliberately not here: anything that a report does not hold (pages, volumes, publishers); no field is made up.
//!
//! To add a format: its file here, one line in the list below, and its round trip in the tests of the command line.

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

/// Which works are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// Every candidate of the report.
    #[default]
    Related,
    /// Those that are near and that the paper's reference list lacks.
    Missing,
}

/// Writes works in one format.
pub trait Exporter: Sync {
    /// The name by which a user asks for it: `bibtex`, …
    fn format(&self) -> &'static str;

    /// The works of a report as one text, in the order of their numbers.
    fn export(&self, assessment: &Assessment, which: Selection) -> String;
}

const EXPORTERS: &[&dyn Exporter] = &[&bibtex::BibTexExporter, &ris::RisExporter, &csl::CslExporter];

/// Every format that works can be written in.
#[must_use]
pub fn exporters() -> &'static [&'static dyn Exporter] {
    EXPORTERS
}

/// The works chosen, as entries.
fn entries(assessment: &Assessment, which: Selection) -> Vec<Entry> {
    let report = crate::publish::publishable(assessment);
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
