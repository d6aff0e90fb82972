use std::fmt::Write as _;

use precedent_domain::{ASSESSMENT_SCHEMA_VERSION, Assessment};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::plain::deceives;
use crate::{AnyReport, Renderer, ReportError};

/// The report as JSON: the assessment itself, according to the published schema.
#[derive(Debug, Clone, Copy)]
pub struct JsonRenderer;

impl Renderer for JsonRenderer {
    fn format(&self) -> &'static str {
        "json"
    }

    fn render(&self, report: AnyReport<'_>) -> Result<Vec<u8>, ReportError> {
        match report {
            AnyReport::Assessment(one) => written(one),
            AnyReport::Points(one) => written(one),
            AnyReport::Idea(one) => written(one),
            AnyReport::Review(one) => written(one),
            AnyReport::Ranking(one) => written(one),
            AnyReport::Audit(one) => written(one),
            AnyReport::Watch(one) => written(one),
        }
    }
}

/// Serializes a value as a JSON file.
pub(crate) fn written(value: &impl Serialize) -> Result<Vec<u8>, ReportError> {
    let plain = serde_json::to_string_pretty(value).map_err(|source| ReportError::Json { source })?;
    let mut json = visible(&plain);
    json.push('\n');
    Ok(json.into_bytes())
}

/// Escapes deceptive characters in JSON, so that a report shown in a terminal or an editor is not misleading. Such characters occur only
/// inside strings, where the escape means the same.
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

/// Reads a report written by [`JsonRenderer`], of this version or an earlier one with the same major version.
///
/// # Errors
/// When the bytes are not a report, or the major version differs.
pub fn read_assessment(bytes: &[u8]) -> Result<Assessment, ReportError> {
    read_versioned(bytes, ASSESSMENT_SCHEMA_VERSION)
}

/// Reads a value written by [`written`], of version `known` or an earlier one with the same major version.
///
/// # Errors
/// When the bytes do not match, or the major version differs.
pub(crate) fn read_versioned<T: DeserializeOwned>(bytes: &[u8], known: &'static str) -> Result<T, ReportError> {
    #[derive(Deserialize)]
    struct Versioned {
        schema_version: String,
    }
    let read = |source| ReportError::Read { source };
    // Check the version first, so that an incompatible version is not reported as a missing field.
    let versioned: Versioned = serde_json::from_slice(bytes).map_err(read)?;
    if major(&versioned.schema_version) != major(known) {
        return Err(ReportError::Version {
            found: versioned.schema_version,
            known,
        });
    }
    serde_json::from_slice(bytes).map_err(read)
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or(version)
}

/// The JSON Schema (draft 2020-12) of the output of [`JsonRenderer`]. Published in `docs/schema/`.
#[must_use]
pub fn assessment_schema() -> Value {
    schema_of::<Assessment>("assessment", "report", ASSESSMENT_SCHEMA_VERSION)
}

/// The JSON Schema of a type, with its name, its title and its version.
pub(crate) fn schema_of<T: JsonSchema>(name: &str, called: &str, version: &str) -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>();
    schema.insert("$id".into(), format!("urn:precedent:schema:{name}:{version}").into());
    schema.insert("title".into(), format!("Precedent {called} {version}").into());
    if let Some(own) = schema
        .pointer_mut("/properties/schema_version")
        .and_then(Value::as_object_mut)
    {
        own.insert("pattern".into(), format!("^{}\\.[0-9]+$", major(version)).into());
    }
    schema.to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_of_another_version_gives_a_version_error() {
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
