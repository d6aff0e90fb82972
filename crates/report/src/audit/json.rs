use precedent_domain::{AUDIT_SCHEMA_VERSION, Audit};
use serde_json::Value;

use crate::formats::json::schema_of;

/// The JSON Schema (draft 2020-12) of the audit. Published in `docs/schema/`.
#[must_use]
pub fn audit_schema() -> Value {
    schema_of::<Audit>("audit", "audit", AUDIT_SCHEMA_VERSION)
}
