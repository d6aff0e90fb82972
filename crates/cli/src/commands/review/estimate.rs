//! Estimates the model and service requests of a review without sending them.

use std::sync::Arc;

use precedent_engine::domain::{EvidenceKind, Query, Scope};
use precedent_engine::pipelines::{ReviewInput, review, review_queries};
use precedent_engine::runs::RunRequest;
use precedent_engine::sources::{ServiceSource, Source};
use precedent_engine::{EgressGate, EngineError, OfflineAnalyst};

use super::request;
use crate::ExitCode;
use crate::commands::assess::failure;
use crate::commands::corpora::sources_of;
use crate::commands::egress::{Egress, queries_to};
use crate::commands::estimate::{counting, nobody_asked, summed, table};
use crate::commands::services::opened;
use crate::exit::Failure;
use crate::printer::Printer;
use crate::runtime::runtime;
use crate::settings::Settings;

/// Runs everything that needs no model and no service, and counts the requests. Requests about results of services cannot be counted.
pub(super) fn run(request: &RunRequest, json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    if request.model.is_none() && request.sources.is_empty() {
        return Err(
            Failure::said(ExitCode::Usage, "nothing to estimate without a model or services")
                .hint("choose one with --model or --sources"),
        );
    }
    let settings = match &request.model {
        Some(model) => Settings::load(model.settings.as_deref())?,
        None => Settings::load(request.settings.as_deref())?,
    };
    let scratch = tempfile::tempdir().map_err(|error| Failure::new(ExitCode::Bug, error))?;
    let input = request::input_of(request)?;
    let options = request::options(request, scratch.path(), true)?;
    let stages = match &request.model {
        Some(model) => {
            let sources = sources_of(&request.corpora, scratch.path(), printer)?;
            counting(model, request.seed, sources, async |world| {
                match review(&input, &options, world).await {
                    // Without a corpus there is no evidence to assess. The requests up to this point are counted.
                    Ok(_) | Err(EngineError::NothingSearched { .. }) => Ok(()),
                    Err(error) => Err(error),
                }
            })?
        }
        None => Vec::new(),
    };
    if request.model.is_some() && !request.sources.is_empty() {
        printer.warning("results of services are unknown in advance, so the model requests about them are not counted");
    }
    let mut answer = summed(request.model.as_ref(), stages, &settings.prices.with_built_in());
    answer.sources = egress(request, &input)?;
    match json {
        true => printer.json(&answer)?,
        false => printer.data(&table(&answer)),
    }
    Ok(ExitCode::Done)
}

/// Requests to each service in the first round.
fn egress(request: &RunRequest, input: &ReviewInput) -> Result<Vec<Egress>, Failure> {
    if request.sources.is_empty() {
        return Ok(Vec::new());
    }
    let settings = Settings::load(request.settings.as_deref())?;
    runtime()?.block_on(async {
        let world = nobody_asked(Arc::new(OfflineAnalyst), Vec::new(), request.seed).await?;
        // Replay of an empty record guarantees that no connection is opened.
        let services = opened(&request.sources, &settings, &world.ledger, true)?;
        let services: Vec<Arc<ServiceSource>> = services.into_iter().map(Arc::new).collect();
        let asking = precedent_engine::World {
            sources: services.iter().map(|one| Arc::clone(one) as Arc<dyn Source>).collect(),
            ..world
        };
        let queries = review_queries(input, &asking).await.map_err(failure)?;
        let gate = input.egress_gate();
        services
            .iter()
            .map(|source| {
                let of_kind = queries.iter().filter(|one| one.kind == source.kind());
                let queries: Vec<Query> = of_kind
                    .map(|one| Query {
                        text: one.text.clone(),
                        scope: Scope::CoreTask,
                        variant: 0,
                    })
                    .collect();
                of_one(source, &queries, request, &gate)
            })
            .collect()
    })
}

fn of_one(
    source: &ServiceSource,
    queries: &[Query],
    request: &RunRequest,
    gate: &EgressGate,
) -> Result<Egress, Failure> {
    let (asked, mut perhaps) = queries_to(source, queries, request.as_of, gate)?;
    let price = source.price((asked.len() + perhaps.len()) as u64);
    perhaps.extend(source.would_fetch());
    let kind = match source.kind() {
        EvidenceKind::Code => "repositories",
        EvidenceKind::Web => "pages",
        EvidenceKind::Literature => "papers",
    };
    perhaps.push(format!(
        "the same number of requests in each further round, with other queries, and requests for later {kind}"
    ));
    Ok(Egress::of(source, asked, perhaps, price))
}
