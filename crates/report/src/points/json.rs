use precedent_domain::{POINTS_SCHEMA_VERSION, PointsReport};
use serde_json::Value;

use crate::ReportError;
use crate::formats::json::{read_versioned, schema_of, written};

pub(crate) fn json(report: &PointsReport) -> Result<Vec<u8>, ReportError> {
    written(report)
}

/// Reads a report on points that was written as JSON, of this version or an earlier one of the same first number.
///
/// # Errors
/// When the bytes are no such report, or it is of another first number.
pub fn read_points(bytes: &[u8]) -> Result<PointsReport, ReportError> {
    read_versioned(bytes, POINTS_SCHEMA_VERSION)
}

/// The JSON Schema (draft 2020-12) of the report on points. Kept at `docs/schema/`.
#[must_use]
pub fn points_schema() -> Value {
    schema_of::<PointsReport>("points", "report on points", POINTS_SCHEMA_VERSION)
}
