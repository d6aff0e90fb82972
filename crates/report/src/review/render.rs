use precedent_domain::IdeaReview;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, publish, renderer};

/// The formats that reviews are written in, in the order in which a user meets them.
#[must_use]
pub fn review_formats() -> Vec<&'static str> {
    formats_with(|one| one.review_file_name())
}

/// The name of the file that a format is kept in.
///
/// # Errors
/// When there is no such format, or reviews are not written in it.
pub fn review_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.review_file_name())
}

/// The review in one format. The same review gives the same bytes.
///
/// # Errors
/// When there is no such format, or its own machinery fails; never because of what an idea or a piece of knowledge says.
pub fn render_review(review: &IdeaReview, format: &str) -> Result<Vec<u8>, ReportError> {
    renderer(format)?.render_review(&publishable(review))
}

/// As it may leave the machine: only links to open web addresses, and no folder of a local path in what the program itself wrote.
fn publishable(review: &IdeaReview) -> IdeaReview {
    let mut report = review.clone();
    for one in &mut report.knowledge {
        publish::work(&mut one.work, &mut one.found_by);
    }
    publish::set_aside(&mut report.set_aside);
    publish::run(&mut report.metadata);
    report
}
