use precedent_domain::{IDEA_SCHEMA_VERSION, IdeaAssessment};
use serde_json::Value;

use crate::ReportError;
use crate::formats::json::{read_versioned, schema_of};

/// Reads a JSON report on an idea, of this version or an earlier one with the same major version.
///
/// # Errors
/// When the bytes are not such a report, or the major version differs.
pub fn read_idea(bytes: &[u8]) -> Result<IdeaAssessment, ReportError> {
    read_versioned(bytes, IDEA_SCHEMA_VERSION)
}

/// The JSON Schema (draft 2020-12) of the report on an idea. Published in `docs/schema/`.
#[must_use]
pub fn idea_schema() -> Value {
    schema_of::<IdeaAssessment>("idea", "report on an idea", IDEA_SCHEMA_VERSION)
}
