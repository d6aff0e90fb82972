use precedent_domain::PointsReport;

use crate::plain::{file_name_of, open_link, without_paths};
use crate::{ReportError, renderer, renderers};

/// The formats that reports on points are written in, in the order in which a user meets them.
#[must_use]
pub fn points_formats() -> Vec<&'static str> {
    let written = renderers().iter().filter(|one| one.points_file_name().is_some());
    written.map(|one| one.format()).collect()
}

/// The name of the file that a format is kept in.
///
/// # Errors
/// When there is no such format, or reports on points are not written in it.
pub fn points_file_name(format: &str) -> Result<&'static str, ReportError> {
    renderer(format)?
        .points_file_name()
        .ok_or_else(|| ReportError::UnknownFormat {
            format: format.to_owned(),
            known: points_formats().join(", "),
        })
}

/// The report in one format. The same report gives the same bytes.
///
/// # Errors
/// When there is no such format, or its own machinery fails; never because of what a paper or a work says.
pub fn render_points(report: &PointsReport, format: &str) -> Result<Vec<u8>, ReportError> {
    renderer(format)?.render_points(&publishable(report))
}

/// As it may leave the machine: only links to open web addresses, and no folder of a local path in what the program itself wrote.
fn publishable(report: &PointsReport) -> PointsReport {
    let mut report = report.clone();
    let paper = &mut report.original_paper;
    paper.origin.file_name = file_name_of(&paper.origin.file_name);
    if !paper.title_found {
        paper.title = file_name_of(&paper.title);
    }
    for warning in &mut paper.warnings {
        warning.message = without_paths(&warning.message);
    }
    for one in &mut report.references {
        one.work.url = one.work.url.as_deref().and_then(open_link);
        one.found_by.iter_mut().for_each(|name| *name = without_paths(name));
    }
    for one in &mut report.set_aside {
        one.url = one.url.as_deref().and_then(open_link);
    }
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
