//! Phase III as whoever judges reads it (OpenNovelty, 2.3, C): what the program found, with the analyst's answers in the place of the program's.

use precedent_ledger::InputHash;

use super::analysis::Analysis;
use crate::model::{Judged, Material};
use crate::world::Stage;
use crate::{EngineError, Result, World};

const STAGE: Stage = Stage {
    name: "judge",
    version: 2,
};

/// What the world's analyst makes of what the program found. An analyst that asks no model leaves it as it is.
///
/// # Errors
/// When the analyst cannot be asked at all, or the ledger fails.
pub async fn judge(material: Material<'_>, analysis: Analysis, world: &World) -> Result<Judged> {
    if world.analyst.asked().is_none() {
        return Ok(Judged::by_program(analysis));
    }
    let input = (
        material.paper,
        material.topic,
        material.claims,
        material.found,
        &analysis,
    );
    let bytes = serde_json::to_vec(&input).map_err(|source| EngineError::Encode {
        stage: STAGE.name,
        source,
    })?;
    let key = InputHash::of([bytes.as_slice()]);
    let work = world.analyst.judge(material, analysis);
    world.stage(STAGE, key.as_str(), work).await
}
