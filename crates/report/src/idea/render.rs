use precedent_domain::IdeaAssessment;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, publish, renderer};

/// The formats that reports on ideas are written in, in the order in which a user meets them.
#[must_use]
pub fn idea_formats() -> Vec<&'static str> {
    formats_with(|one| one.idea_file_name())
}

/// The name of the file that a format is kept in.
///
/// # Errors
/// When there is no such format, or reports on ideas are not written in it.
pub fn idea_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.idea_file_name())
}

/// The report in one format. The same assessment gives the same bytes.
///
/// # Errors
/// When there is no such format, or its own machinery fails; never because of what an idea or a work says.
pub fn render_idea(assessment: &IdeaAssessment, format: &str) -> Result<Vec<u8>, ReportError> {
    renderer(format)?.render_idea(&publishable(assessment))
}

/// As it may leave the machine: only links to open web addresses, and no folder of a local path in what the program itself wrote.
fn publishable(assessment: &IdeaAssessment) -> IdeaAssessment {
    let mut report = assessment.clone();
    for one in &mut report.works {
        publish::work(&mut one.work, &mut one.found_by);
    }
    publish::set_aside(&mut report.set_aside);
    publish::scrub(&mut report.examples.name);
    publish::run(&mut report.metadata);
    report
}
