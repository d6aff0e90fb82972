use precedent_domain::{GroupRanking, RANKING_SCHEMA_VERSION};
use serde_json::Value;

use crate::formats::json::schema_of;

/// The JSON Schema (draft 2020-12) of the ranking. Published in `docs/schema/`.
#[must_use]
pub fn ranking_schema() -> Value {
    schema_of::<GroupRanking>("ranking", "ranking", RANKING_SCHEMA_VERSION)
}
