//! Extracts a paper's contributions before the search.

use precedent_domain::Paper;

use super::class::class_of;
use super::material::{PointDraft, PointsReading};
use super::model;
use super::queries::own_queries;
use crate::extract::{ExtractedContribution, Extraction, extract_up_to};
use crate::model::ModelAnalyst;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "points.read",
    version: 3,
};
/// Maximum number of points per paper (NoveltyAgent, A.2).
pub const MOST_POINTS: usize = 5;

/// Up to five typed points, each with its queries.
///
/// # Errors
/// If the analyst cannot be called, or the ledger fails.
pub(super) async fn read(paper: &Paper, world: &World) -> Result<PointsReading> {
    let work = async {
        let is_estimate = world.model.as_deref().is_some_and(ModelAnalyst::only_counts);
        let own = own_reading(extract_up_to(paper, MOST_POINTS, None, is_estimate).await?);
        match &world.model {
            None => Ok(own),
            Some(model) => {
                let reading = model::read_points(model, paper, own).await?;
                model::word_points(model, reading).await
            }
        }
    };
    world.stage(STAGE, paper, work).await
}

/// The reading without a model.
fn own_reading(extraction: Extraction) -> PointsReading {
    let points = extraction
        .contributions
        .iter()
        .map(|one| draft(one, &extraction.coined))
        .collect();
    PointsReading {
        points,
        notes: extraction.notes.clone(),
        summary: Vec::new(),
        extraction,
    }
}

fn draft(one: &ExtractedContribution, coined: &[String]) -> PointDraft {
    let (class, rule) = class_of(one.class, one.claim.text());
    let mut draft = PointDraft {
        name: one.name.clone(),
        class,
        class_rule: Some(rule),
        claim: one.claim.clone(),
        also_stated: one.also_stated.clone(),
        said_of_it: one.description_quotes.clone(),
        how: String::new(),
        evidence: String::new(),
        queries: Vec::new(),
    };
    draft.queries = own_queries(&draft, coined);
    draft
}
