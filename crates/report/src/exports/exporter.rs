use precedent_domain::Assessment;

use super::entry::{self, Entry};
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

/// The selected papers as entries.
pub(super) fn entries(assessment: &Assessment, which: Selection) -> Vec<Entry> {
    let report = assessment.publishable();
    let missing = report.contribution_analysis.missing_citations.iter();
    let missing: Vec<u32> = missing.map(|one| one.candidate).collect();
    let chosen = report.references.candidates.iter();
    let chosen = chosen.filter(|one| which == Selection::Related || missing.contains(&one.number));
    let mut entries: Vec<Entry> = chosen
        .map(|one| Entry::of(one, missing.contains(&one.number)))
        .collect();
    entry::disambiguate(&mut entries);
    entries
}
