use precedent_domain::Audit;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, renderer};

/// The formats that audits are written in, in the order in which a user meets them.
#[must_use]
pub fn audit_formats() -> Vec<&'static str> {
    formats_with(|one| one.audit_file_name())
}

/// The name of the file that a format is kept in.
///
/// # Errors
/// When there is no such format, or audits are not written in it.
pub fn audit_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.audit_file_name())
}

/// The audit in one format. The same audit gives the same bytes.
///
/// # Errors
/// When there is no such format, or its own machinery fails; never because of what a report says.
pub fn render_audit(audit: &Audit, format: &str) -> Result<Vec<u8>, ReportError> {
    renderer(format)?.render_audit(audit)
}
