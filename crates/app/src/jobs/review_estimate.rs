//! Estimates the model and service requests of a review without sending them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::runs::{JobKind, RunRequest};
use precedent_engine::domain::{EvidenceKind, Query, Scope};
use precedent_engine::idea::Idea;
use precedent_engine::review::{ReviewInput, review, review_queries};
use precedent_engine::sources::{ServiceSource, Source};
use precedent_engine::{EngineError, World};

use super::batch_line::{LineToReview, numbered, parse};
use super::review_input;
use crate::corpora::sources_of;
use crate::egress::{Egress, encoders, queries_to};
use crate::estimate::{Estimate, counting, scratch, settings_to_estimate, summed, world_for_estimate};
use crate::input::text_of;
use crate::observer::Messages;
use crate::runtime::runtime;
use crate::services::opened;
use crate::{AppError, Observer, Settings};

pub(super) const UNCOUNTED: &str =
    "results of services are unknown in advance, so the model requests about them are not counted";

/// Runs everything that needs no model and no service, and counts the requests. Requests about results of services cannot be counted.
pub(crate) fn estimate(request: &RunRequest, observer: &dyn Observer) -> Result<Estimate, AppError> {
    let settings = settings_to_estimate(request)?;
    let scratch = scratch()?;
    let inputs = inputs(request)?;
    let options = review_input::options_to_estimate(request, scratch.path())?;
    let stages = match &request.model {
        Some(model) => {
            let sources = sources_of(&request.corpora, scratch.path(), observer)?;
            counting(model, request.seed, sources, async |world| {
                for input in &inputs {
                    match review(input, &options, world).await {
                        // Without a corpus there is no evidence to assess. The requests up to this point are counted.
                        Ok(_) | Err(EngineError::NothingSearched { .. }) => {}
                        // Such a line of a batch fails without a request.
                        Err(EngineError::EmptyIdea) if request.job() == JobKind::Reviews => {}
                        Err(error) => return Err(error),
                    }
                }
                Ok(())
            })?
        }
        None => Vec::new(),
    };
    if request.model.is_some() && !request.sources.is_empty() {
        observer.warning(UNCOUNTED);
    }
    let mut answer = summed(request.model.as_ref(), stages, &settings);
    answer.sources = egress_of(request, &inputs)?;
    answer.encoders = encoders(request);
    Ok(answer)
}

/// Requests to each service in the first round.
pub(crate) fn egress(request: &RunRequest) -> Result<Vec<Egress>, AppError> {
    egress_of(request, &inputs(request)?)
}

/// The idea, or each different idea of a batch. Lines without an idea are left out: they send nothing.
fn inputs(request: &RunRequest) -> Result<Vec<ReviewInput>, AppError> {
    if request.job() != JobKind::Reviews {
        return Ok(vec![review_input::input_of(request)?.0]);
    }
    let given = request.review.as_ref().and_then(|review| review.text.clone());
    let text = given.map_or_else(|| text_of(&request.input), Ok)?;
    let lines = numbered(&text).into_iter();
    let mut known = BTreeSet::new();
    let ideas = lines.filter_map(|(number, line)| Some(parse::<LineToReview>(number, &line).ok()?.idea));
    Ok(ideas
        .filter(|idea| !idea.trim().is_empty() && known.insert(idea.clone()))
        .map(|idea| ReviewInput::Idea(Idea::new(&idea)))
        .collect())
}

/// The same for the reviews of several ideas. A request that two of them send is counted once.
pub(super) fn egress_of(request: &RunRequest, inputs: &[ReviewInput]) -> Result<Vec<Egress>, AppError> {
    if request.sources.is_empty() {
        return Ok(Vec::new());
    }
    let settings = Settings::load(request.settings.as_deref())?;
    runtime()?.block_on(async {
        let world = world_for_estimate(None, Vec::new(), request.seed).await?;
        // Replay of an empty record guarantees that no connection is opened.
        let services = opened(&request.sources, &settings, &world.ledger, true)?;
        let services: Vec<Arc<ServiceSource>> = services.into_iter().map(Arc::new).collect();
        let searched = World {
            sources: services.iter().map(|one| Arc::clone(one) as Arc<dyn Source>).collect(),
            ..world
        };
        let mut queries = Vec::new();
        for input in inputs {
            let of_input = review_queries(input, &searched).await.map_err(AppError::from)?;
            queries.push((input.egress_gate(), of_input));
        }
        services
            .iter()
            .map(|source| {
                let (mut asked, mut perhaps) = (Vec::new(), Vec::new());
                for (gate, of_input) in &queries {
                    let of_kind = of_input.iter().filter(|one| one.kind == source.kind());
                    let of_kind: Vec<Query> = of_kind
                        .map(|one| Query {
                            text: one.text.clone(),
                            scope: Scope::CoreTask,
                            variant: 0,
                        })
                        .collect();
                    let (always, if_needed) = queries_to(source, &of_kind, request.as_of, gate)?;
                    asked.extend(always);
                    perhaps.extend(if_needed);
                }
                Ok(of_one(source, asked, perhaps))
            })
            .collect()
    })
}

fn of_one(source: &ServiceSource, asked: Vec<String>, mut perhaps: Vec<String>) -> Egress {
    let different: BTreeSet<&String> = asked.iter().chain(&perhaps).collect();
    let price = source.price(different.len() as u64);
    perhaps.extend(source.would_fetch());
    let kind = match source.kind() {
        EvidenceKind::Code => "repositories",
        EvidenceKind::Web => "pages",
        EvidenceKind::Literature => "papers",
    };
    perhaps.push(format!(
        "the same number of requests in each further round, with other queries, and requests for later {kind}"
    ));
    Egress::of(source, asked, perhaps, price)
}
