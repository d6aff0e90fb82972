//! Estimates the model and service requests of `points` without sending them.

use crate::runs::RunRequest;
use precedent_engine::points::{PointsOptions, points};

use crate::corpora::sources_of;
use crate::estimate::{Estimate, counting, scratch, settings_of, summed};
use crate::{AppError, Observer, egress, input};

/// Runs everything that needs no model and no service, and counts the requests.
pub(crate) fn estimate(request: &RunRequest, observer: &dyn Observer) -> Result<Estimate, AppError> {
    let settings = settings_of(request)?;
    let stages = match &request.model {
        Some(model) => {
            let paper = input::paper(&request.input)?;
            let scratch = scratch()?;
            let sources = sources_of(&request.corpora, scratch.path(), observer)?;
            let asked = request.points.clone().unwrap_or_default();
            let options = PointsOptions {
                as_of: request.as_of,
                capacity: asked.capacity,
                ..PointsOptions::default()
            };
            counting(model, request.seed, sources, async |world| {
                points(&paper, &options, world).await.map(drop)
            })?
        }
        None => Vec::new(),
    };
    let mut answer = summed(request.model.as_ref(), stages, &settings);
    answer.sources = egress::egress(request, observer)?;
    answer.encoders = egress::encoders(request);
    answer.full_texts = egress::text_egress(request)?;
    Ok(answer)
}
