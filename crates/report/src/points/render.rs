use precedent_domain::PointsReport;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, publish, renderer};

/// The formats that reports on points are written in, in the order in which a user meets them.
#[must_use]
pub fn points_formats() -> Vec<&'static str> {
    formats_with(|one| one.points_file_name())
}

/// The name of the file that a format is kept in.
///
/// # Errors
/// When there is no such format, or reports on points are not written in it.
pub fn points_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.points_file_name())
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
    publish::paper(&mut report.original_paper);
    for one in &mut report.references {
        publish::work(&mut one.work, &mut one.found_by);
    }
    publish::set_aside(&mut report.set_aside);
    publish::run(&mut report.metadata);
    report
}
