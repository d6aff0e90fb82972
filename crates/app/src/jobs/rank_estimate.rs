//! Estimates the requests of a ranking, with those of the reviews of its ideas, without sending them.

use crate::runs::{ModelRequest, RunRequest};
use precedent_engine::EngineError;
use precedent_engine::rank::rank;
use precedent_engine::review::{ReviewInput, review};

use super::{rank_input, review_estimate, review_input};
use crate::corpora::sources_of;
use crate::egress::{Egress, encoders};
use crate::estimate::{Estimate, counting, scratch, settings_of, summed};
use crate::observer::Messages;
use crate::{AppError, Observer};

/// Runs everything that needs no model and no service, and counts the requests.
pub(crate) fn estimate(
    request: &RunRequest,
    model: &ModelRequest,
    observer: &dyn Observer,
) -> Result<Estimate, AppError> {
    let settings = settings_of(request)?;
    let scratch = scratch()?;
    let mut ideas = rank_input::ideas(request, observer)?;
    let options = rank_input::options(request)?;
    let inputs = inputs(request)?;
    let reviewing = review_input::options_to_estimate(request, scratch.path())?;
    let sources = match inputs.is_empty() {
        true => Vec::new(),
        false => sources_of(&request.corpora, scratch.path(), observer)?,
    };
    let stages = counting(model, request.seed, sources, async |world| {
        let mut unsearched = false;
        for (one, input) in ideas.iter_mut().zip(&inputs) {
            match review(input, &reviewing, world).await {
                Ok(found) => one.review = Some(Box::new(found)),
                // Without a corpus there is no evidence to assess. The requests up to this point are counted.
                Err(EngineError::NothingSearched { .. }) => unsearched = true,
                Err(error) => return Err(error),
            }
        }
        if unsearched {
            ideas.iter_mut().for_each(|one| one.review = None);
        }
        match rank(&ideas, &options, world).await {
            // Nobody answers an estimate.
            Ok(_) | Err(EngineError::NoRanking { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    })?;
    if !inputs.is_empty() && !request.sources.is_empty() {
        observer.warning(review_estimate::UNCOUNTED);
    }
    let mut answer = summed(Some(model), stages, &settings);
    answer.sources = egress(request)?;
    answer.encoders = encoders(request);
    Ok(answer)
}

/// Requests of the reviews to each service in the first round.
pub(crate) fn egress(request: &RunRequest) -> Result<Vec<Egress>, AppError> {
    review_estimate::egress_of(request, &inputs(request)?)
}

/// What is reviewed; nothing if the judge sees only the texts.
fn inputs(request: &RunRequest) -> Result<Vec<ReviewInput>, AppError> {
    if request.review.is_none() {
        return Ok(Vec::new());
    }
    let paths = rank_input::paths(request).into_iter();
    paths.map(|path| Ok(review_input::input_at(path)?.0)).collect()
}
