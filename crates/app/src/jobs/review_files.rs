//! The files of the reviews of several ideas.

use crate::runs::RunFile;
use precedent_engine::domain::IdeaReview;
use precedent_report::{render, renderer};

use crate::{AppError, ErrorKind};

/// The formats in which each review is written. A PDF of each would start a browser for each.
const FORMATS: [&str; 3] = ["json", "md", "html"];

/// The formats of each review: those requested, or else HTML.
pub(super) fn formats(requested: &[String]) -> Vec<&'static str> {
    let mut formats = FORMATS.to_vec();
    formats.retain(|format| {
        let is_same = |one: &String| renderer(one).is_ok_and(|known| known.format() == *format);
        requested.iter().any(is_same)
    });
    if formats.is_empty() {
        formats.push("html");
    }
    formats
}

/// Writes a review under a number, in each format.
pub(super) fn write(
    review: &IdeaReview,
    number: usize,
    formats: &[&str],
    to: impl Fn(&str, &[u8]) -> Result<RunFile, AppError>,
) -> Result<Vec<RunFile>, AppError> {
    let file = |format: &&str| {
        let bytes = render(review, format).map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        to(&format!("review-{number}.{format}"), &bytes)
    };
    formats.iter().map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reviews_are_pages_if_no_requested_format_is_possible() {
        let requested = |names: &[&str]| formats(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(requested(&["pdf"]), ["html"]);
        assert_eq!(requested(&["pdf", "MD", "json"]), ["json", "md"]);
    }
}
