use precedent_domain::{GroupRanking, RANKING_SCHEMA_VERSION};
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::ReportError;
use crate::formats::json::visible;

/// The ranking as JSON, in the shape of the published schema.
///
/// # Errors
/// When it cannot be written; never because of what an idea says.
pub fn ranking_json(ranking: &GroupRanking) -> Result<Vec<u8>, ReportError> {
    let plain = serde_json::to_string_pretty(ranking).map_err(|source| ReportError::Json { source })?;
    let mut json = visible(&plain);
    json.push('\n');
    Ok(json.into_bytes())
}

/// The JSON Schema (draft 2020-12) of the ranking. Kept at `docs/schema/`.
#[must_use]
pub fn ranking_schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<GroupRanking>();
    schema.insert(
        "$id".into(),
        format!("urn:precedent:schema:ranking:{RANKING_SCHEMA_VERSION}").into(),
    );
    schema.insert(
        "title".into(),
        format!("Precedent ranking {RANKING_SCHEMA_VERSION}").into(),
    );
    schema.to_value()
}
