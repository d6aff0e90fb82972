use precedent_domain::IdeaAssessment;

use crate::plain::{open_link, without_paths};
use crate::{ReportError, renderer, renderers};

/// The formats that reports on ideas are written in, in the order in which a user meets them.
#[must_use]
pub fn idea_formats() -> Vec<&'static str> {
    let written = renderers().iter().filter(|one| one.idea_file_name().is_some());
    written.map(|one| one.format()).collect()
}

/// The name of the file that a format is kept in.
///
/// # Errors
/// When there is no such format, or reports on ideas are not written in it.
pub fn idea_file_name(format: &str) -> Result<&'static str, ReportError> {
    renderer(format)?
        .idea_file_name()
        .ok_or_else(|| ReportError::UnknownFormat {
            format: format.to_owned(),
            known: idea_formats().join(", "),
        })
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
        one.work.url = one.work.url.as_deref().and_then(open_link);
        one.found_by.iter_mut().for_each(|name| *name = without_paths(name));
    }
    for one in &mut report.set_aside {
        one.url = one.url.as_deref().and_then(open_link);
    }
    report.examples.name = without_paths(&report.examples.name);
    for source in &mut report.metadata.sources {
        source.name = without_paths(&source.name);
        source
            .failures
            .iter_mut()
            .for_each(|failure| *failure = without_paths(failure));
    }
    for one in &mut report.metadata.not_searched {
        one.message = without_paths(&one.message);
    }
    report
}
