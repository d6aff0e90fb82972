use precedent_domain::{POINTS_SCHEMA_VERSION, PointsReport};
use serde_json::Value;

use crate::ReportError;
use crate::formats::json::{read_versioned, schema_of};

/// Reads a JSON report on points, of this version or an earlier one with the same major version.
///
/// # Errors
/// When the bytes are not such a report, or the major version differs.
pub fn read_points(bytes: &[u8]) -> Result<PointsReport, ReportError> {
    read_versioned(bytes, POINTS_SCHEMA_VERSION)
}

/// The JSON Schema (draft 2020-12) of the report on points. Published in `docs/schema/`.
#[must_use]
pub fn points_schema() -> Value {
    schema_of::<PointsReport>("points", "report on points", POINTS_SCHEMA_VERSION)
}
