use precedent_domain::IdeaAssessment;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, RunSubject, publish, renderer};

/// The formats that support reports on ideas, in the order shown to users.
#[must_use]
pub fn idea_formats() -> Vec<&'static str> {
    formats_with(|one| one.idea_file_name())
}

/// The file name in a format.
///
/// # Errors
/// When the format is unknown or does not support reports on ideas.
pub fn idea_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.idea_file_name())
}

/// Renders the report in one format. The same assessment gives the same bytes.
///
/// # Errors
/// When the format is unknown or the renderer fails; never because of the content of an idea or a paper.
pub fn render_idea(assessment: &IdeaAssessment, format: &str) -> Result<Vec<u8>, ReportError> {
    renderer(format)?.render_idea(&publishable(assessment))
}

/// The publishable form: only links to web addresses, and no folders of local paths in text written by Precedent.
fn publishable(assessment: &IdeaAssessment) -> IdeaAssessment {
    let mut report = assessment.clone();
    for one in &mut report.works {
        publish::work(&mut one.work, &mut one.found_by);
    }
    publish::set_aside(&mut report.set_aside);
    publish::scrub(&mut report.examples.name);
    publish::run(&mut report.metadata, RunSubject::Idea);
    report
}
