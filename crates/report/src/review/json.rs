use precedent_domain::{IdeaReview, REVIEW_SCHEMA_VERSION};
use serde_json::Value;

use crate::ReportError;
use crate::formats::json::{read_versioned, schema_of};

/// Reads a JSON review, of this version or an earlier one with the same major version.
///
/// # Errors
/// When the bytes are not a review, or the major version differs.
pub fn read_review(bytes: &[u8]) -> Result<IdeaReview, ReportError> {
    read_versioned(bytes, REVIEW_SCHEMA_VERSION)
}

/// The JSON Schema (draft 2020-12) of the review. Published in `docs/schema/`.
#[must_use]
pub fn review_schema() -> Value {
    schema_of::<IdeaReview>("review", "review of an idea", REVIEW_SCHEMA_VERSION)
}
