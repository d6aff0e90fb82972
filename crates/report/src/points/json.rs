use precedent_domain::{POINTS_SCHEMA_VERSION, PointsReport};
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::Value;

use crate::ReportError;
use crate::formats::json::visible;

pub(crate) fn json(report: &PointsReport) -> Result<Vec<u8>, ReportError> {
    let plain = serde_json::to_string_pretty(report).map_err(|source| ReportError::Json { source })?;
    let mut json = visible(&plain);
    json.push('\n');
    Ok(json.into_bytes())
}

/// Reads a report on points that was written as JSON, of this version or an earlier one of the same first number.
///
/// # Errors
/// When the bytes are no such report, or it is of another first number.
pub fn read_points(bytes: &[u8]) -> Result<PointsReport, ReportError> {
    #[derive(Deserialize)]
    struct Versioned {
        schema_version: String,
    }
    let read = |source| ReportError::Read { source };
    let versioned: Versioned = serde_json::from_slice(bytes).map_err(read)?;
    if major(&versioned.schema_version) != major(POINTS_SCHEMA_VERSION) {
        return Err(ReportError::Version {
            found: versioned.schema_version,
            known: POINTS_SCHEMA_VERSION,
        });
    }
    serde_json::from_slice(bytes).map_err(read)
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or(version)
}

/// The JSON Schema (draft 2020-12) of the report on points. Kept at `docs/schema/`.
#[must_use]
pub fn points_schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<PointsReport>();
    schema.insert(
        "$id".into(),
        format!("urn:precedent:schema:points:{POINTS_SCHEMA_VERSION}").into(),
    );
    schema.insert(
        "title".into(),
        format!("Precedent report on points {POINTS_SCHEMA_VERSION}").into(),
    );
    if let Some(version) = schema
        .pointer_mut("/properties/schema_version")
        .and_then(Value::as_object_mut)
    {
        version.insert(
            "pattern".into(),
            format!("^{}\\.[0-9]+$", major(POINTS_SCHEMA_VERSION)).into(),
        );
    }
    schema.to_value()
}
