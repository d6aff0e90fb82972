use precedent_domain::PointsReport;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, RunSubject, publish, renderer};

/// The formats that support reports on points, in the order shown to users.
#[must_use]
pub fn points_formats() -> Vec<&'static str> {
    formats_with(|one| one.points_file_name())
}

/// The file name in a format.
///
/// # Errors
/// When the format is unknown or does not support reports on points.
pub fn points_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.points_file_name())
}

/// Renders the report in one format. The same report gives the same bytes.
///
/// # Errors
/// When the format is unknown or the renderer fails; never because of the content of a paper.
pub fn render_points(report: &PointsReport, format: &str) -> Result<Vec<u8>, ReportError> {
    renderer(format)?.render_points(&publishable(report))
}

/// The publishable form: only links to web addresses, and no folders of local paths in text written by Precedent.
fn publishable(report: &PointsReport) -> PointsReport {
    let mut report = report.clone();
    publish::paper(&mut report.original_paper);
    for one in &mut report.references {
        publish::work(&mut one.work, &mut one.found_by);
    }
    publish::set_aside(&mut report.set_aside);
    publish::run(&mut report.metadata, RunSubject::Points);
    report
}
