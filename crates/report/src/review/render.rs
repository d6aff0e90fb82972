use precedent_domain::IdeaReview;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, RunSubject, publish, renderer};

/// The formats that support reviews, in the order shown to users.
#[must_use]
pub fn review_formats() -> Vec<&'static str> {
    formats_with(|one| one.review_file_name())
}

/// The file name in a format.
///
/// # Errors
/// When the format is unknown or does not support reviews.
pub fn review_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.review_file_name())
}

/// Renders the review in one format. The same review gives the same bytes.
///
/// # Errors
/// When the format is unknown or the renderer fails; never because of the content of an idea or a document.
pub fn render_review(review: &IdeaReview, format: &str) -> Result<Vec<u8>, ReportError> {
    renderer(format)?.render_review(&publishable(review))
}

/// The publishable form: only links to web addresses, and no folders of local paths in text written by Precedent.
fn publishable(review: &IdeaReview) -> IdeaReview {
    let mut report = review.clone();
    for one in &mut report.knowledge {
        publish::work(&mut one.work, &mut one.found_by);
    }
    publish::set_aside(&mut report.set_aside);
    publish::run(&mut report.metadata, RunSubject::Review);
    report
}
