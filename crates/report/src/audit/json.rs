use precedent_domain::{AUDIT_SCHEMA_VERSION, Audit};
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::ReportError;
use crate::formats::json::visible;

/// The audit as JSON, in the shape of the published schema.
///
/// # Errors
/// When it cannot be written; never because of what a report says.
pub fn audit_json(audit: &Audit) -> Result<Vec<u8>, ReportError> {
    let plain = serde_json::to_string_pretty(audit).map_err(|source| ReportError::Json { source })?;
    let mut json = visible(&plain);
    json.push('\n');
    Ok(json.into_bytes())
}

/// The JSON Schema (draft 2020-12) of the audit. Kept at `docs/schema/`.
#[must_use]
pub fn audit_schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Audit>();
    schema.insert(
        "$id".into(),
        format!("urn:precedent:schema:audit:{AUDIT_SCHEMA_VERSION}").into(),
    );
    schema.insert("title".into(), format!("Precedent audit {AUDIT_SCHEMA_VERSION}").into());
    schema.to_value()
}
