use precedent_domain::Audit;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, RunSubject, put_sent_in_words, renderer};

/// The formats that support audits, in the order shown to users.
#[must_use]
pub fn audit_formats() -> Vec<&'static str> {
    formats_with(|one| one.audit_file_name())
}

/// The file name in a format.
///
/// # Errors
/// When the format is unknown or does not support audits.
pub fn audit_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.audit_file_name())
}

/// Renders the audit in one format. The same audit gives the same bytes.
///
/// # Errors
/// When the format is unknown or the renderer fails; never because of the content of a report.
pub fn render_audit(audit: &Audit, format: &str) -> Result<Vec<u8>, ReportError> {
    let mut audit = audit.clone();
    put_sent_in_words(&mut audit.sent, RunSubject::Paper);
    renderer(format)?.render_audit(&audit)
}
