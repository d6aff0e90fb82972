use precedent_domain::{Document, QuotableDocument};
use precedent_llm::Fence;

use crate::assess::Material;
use crate::compare::{ComparisonSet, PriorReading};
use crate::model::texts::{SUMMARY, cut, one_line, running_text};

/// Context shared by all requests about one paper.
pub(crate) struct CompareContext<'a> {
    pub(crate) material: Material<'a>,
    pub(crate) target: &'a QuotableDocument,
    pub(crate) set: &'a ComparisonSet<'a>,
    /// One fence for all requests, so that they begin with the same text.
    pub(crate) fence: Fence,
}

impl<'a> CompareContext<'a> {
    /// The reading of candidate `number`.
    pub(crate) fn prior(&self, number: u32) -> Option<&PriorReading<'a>> {
        self.set.priors().iter().find(|prior| prior.candidate.number == number)
    }

    pub(crate) fn mark(&self) -> String {
        self.fence.mark().to_owned()
    }

    /// Title and abstract of the paper, if known.
    pub(crate) fn paper_in_short(&self) -> String {
        let paper = self.material.paper;
        let title = paper.title.as_deref().unwrap_or_default();
        let summary = paper.abstract_text().unwrap_or_default();
        format!("{}\n{}", one_line(title), cut(&one_line(summary), SUMMARY))
    }
}

/// Title and abstract of a work.
pub(crate) fn in_short(prior: &PriorReading<'_>) -> String {
    let work = &prior.candidate.work;
    let summary = work.summary.as_deref().unwrap_or_default();
    let short = match summary.trim().is_empty() {
        false => cut(&one_line(summary), SUMMARY),
        true => opening(prior.reading.document()),
    };
    format!("{}\n{short}", one_line(&work.title))
}

/// The beginning of the running text of a work without an abstract.
fn opening(document: &Document) -> String {
    cut(&one_line(&running_text(document)), SUMMARY / 2)
}
