use std::fmt::Write as _;

use precedent_domain::{ASSESSMENT_SCHEMA_VERSION, Assessment, IdeaAssessment, PointsReport};
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::Value;

use crate::plain::deceives;
use crate::publish::publishable;
use crate::{Renderer, ReportError};

/// The report as JSON: the assessment itself, in the shape of the published schema.
#[derive(Debug, Clone, Copy)]
pub struct JsonRenderer;

impl Renderer for JsonRenderer {
    fn format(&self) -> &'static str {
        "json"
    }

    fn file_name(&self) -> &'static str {
        "report.json"
    }

    fn idea_file_name(&self) -> Option<&'static str> {
        Some("idea.json")
    }

    fn points_file_name(&self) -> Option<&'static str> {
        Some("points.json")
    }

    fn render_points(&self, report: &PointsReport) -> Result<Vec<u8>, ReportError> {
        crate::points::json(report)
    }

    fn render_idea(&self, assessment: &IdeaAssessment) -> Result<Vec<u8>, ReportError> {
        crate::idea::json(assessment)
    }

    fn render(&self, assessment: &Assessment) -> Result<Vec<u8>, ReportError> {
        let plain =
            serde_json::to_string_pretty(&publishable(assessment)).map_err(|source| ReportError::Json { source })?;
        let mut json = visible(&plain);
        json.push('\n');
        Ok(json.into_bytes())
    }
}

/// The same JSON with every character that deceives the eye written as its escape, so that a report shown in a terminal or an editor is what
/// it seems. Such characters stand inside strings only, where both ways of writing mean the same.
pub(crate) fn visible(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 1);
    let mut units = [0u16; 2];
    for c in json.chars() {
        if deceives(c) {
            for unit in c.encode_utf16(&mut units) {
                let written = write!(out, "\\u{unit:04x}");
                debug_assert!(written.is_ok(), "writing to a string");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Reads a report that [`JsonRenderer`] wrote, of this version or an earlier one of the same first number.
///
/// # Errors
/// When the bytes are no report, or the report is of another first number.
pub fn read_assessment(bytes: &[u8]) -> Result<Assessment, ReportError> {
    #[derive(Deserialize)]
    struct Versioned {
        schema_version: String,
    }
    let read = |source| ReportError::Read { source };
    // The version is looked at first, so that another shape is named as such and not as a missing field.
    let versioned: Versioned = serde_json::from_slice(bytes).map_err(read)?;
    if major(&versioned.schema_version) != major(ASSESSMENT_SCHEMA_VERSION) {
        return Err(ReportError::Version {
            found: versioned.schema_version,
            known: ASSESSMENT_SCHEMA_VERSION,
        });
    }
    serde_json::from_slice(bytes).map_err(read)
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or(version)
}

/// The JSON Schema (draft 2020-12) of what [`JsonRenderer`] writes. Kept at `docs/schema/`.
#[must_use]
pub fn assessment_schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Assessment>();
    let major = major(ASSESSMENT_SCHEMA_VERSION);
    schema.insert(
        "$id".into(),
        format!("urn:precedent:schema:assessment:{ASSESSMENT_SCHEMA_VERSION}").into(),
    );
    schema.insert(
        "title".into(),
        format!("Precedent report {ASSESSMENT_SCHEMA_VERSION}").into(),
    );
    if let Some(version) = schema
        .pointer_mut("/properties/schema_version")
        .and_then(Value::as_object_mut)
    {
        version.insert("pattern".into(), format!("^{major}\\.[0-9]+$").into());
    }
    schema.to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_of_another_version_is_named_as_such() {
        let error = read_assessment(br#"{"schema_version": "2.0", "anything": 1}"#).unwrap_err();
        assert!(
            matches!(error, ReportError::Version { ref found, .. } if found == "2.0"),
            "{error}"
        );
        for bytes in [&b""[..], b"[]", b"{}", b"{\"schema_version\": \"1.0\"}"] {
            assert!(matches!(read_assessment(bytes), Err(ReportError::Read { .. })));
        }
    }
}
