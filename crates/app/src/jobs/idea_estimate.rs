//! Estimates the model and service requests for an idea without sending them.

use crate::runs::RunRequest;
use precedent_engine::EgressGate;
use precedent_engine::domain::Query;
use precedent_engine::idea::{Idea, IdeaOptions, idea, idea_queries, seed_query};
use precedent_engine::sources::{Ability, Relation, ServiceSource, Source, Words, WorkName};

use super::idea_input::{self, IdeaInput};
use crate::corpora::sources_of;
use crate::egress::{Egress, queries_to};
use crate::estimate::{Estimate, counting, scratch, settings_to_estimate, summed, world_for_estimate};
use crate::runtime::runtime;
use crate::services::opened;
use crate::{AppError, ErrorKind, Observer, Settings};

/// Runs everything that needs no model and no service, and counts the requests.
pub(crate) fn estimate(request: &RunRequest, observer: &dyn Observer) -> Result<Estimate, AppError> {
    let settings = settings_to_estimate(request)?;
    let scratch = scratch()?;
    let IdeaInput { idea: text, own, .. } = idea_input::idea(request)?;
    let options = idea_input::options(request, own, scratch.path())?;
    let stages = match &request.model {
        Some(model) => {
            let sources = sources_of(&request.corpora, scratch.path(), observer)?;
            counting(model, request.seed, sources, async |world| {
                idea(&text, &options, world).await.map(drop)
            })?
        }
        None => Vec::new(),
    };
    let mut answer = summed(request.model.as_ref(), stages, &settings);
    answer.sources = egress_of(request, &text, &options)?;
    Ok(answer)
}

/// What would be sent to each service.
pub(crate) fn egress(request: &RunRequest) -> Result<Vec<Egress>, AppError> {
    let scratch = scratch()?;
    let IdeaInput { idea: text, own, .. } = idea_input::idea(request)?;
    let options = idea_input::options(request, own, scratch.path())?;
    egress_of(request, &text, &options)
}

fn egress_of(request: &RunRequest, text: &Idea, options: &IdeaOptions) -> Result<Vec<Egress>, AppError> {
    if request.sources.is_empty() {
        return Ok(Vec::new());
    }
    let settings = Settings::load(request.settings.as_deref())?;
    runtime()?.block_on(async {
        let world = world_for_estimate(None, Vec::new(), request.seed).await?;
        let mut queries = idea_queries(text, &world).await.map_err(AppError::from)?;
        queries.extend(options.seeds.iter().filter_map(|seed| seed_query(&seed.title)));
        // Replay of an empty record guarantees that no connection is opened.
        let services = opened(&request.sources, &settings, &world.ledger, true)?;
        let gate = EgressGate::of_idea(&text.document(), options.own.as_ref());
        services
            .iter()
            .map(|source| of_one(source, &queries, text, options, &gate))
            .collect()
    })
}

fn of_one(
    source: &ServiceSource,
    queries: &[Query],
    text: &Idea,
    options: &IdeaOptions,
    gate: &EgressGate,
) -> Result<Egress, AppError> {
    let (mut asked, mut perhaps) = queries_to(source, queries, options.as_of, gate)?;
    let mut price = source.price((asked.len() + perhaps.len()) as u64);
    let mut put = |relation: Relation<'_>, first: usize| -> Result<(), AppError> {
        let Some(checked) = gate.relation(&relation) else {
            return Ok(());
        };
        let would = source.would_ask(&checked.relation(), options.as_of, 100);
        let mut addresses = would.map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        price += source.price_of(relation.ability()) * addresses.len() as u64;
        perhaps.extend(addresses.split_off(first.min(addresses.len())));
        asked.extend(addresses);
        Ok(())
    };
    if options.whole_to.contains(source.name()) {
        put(Relation::Passages(&text.document().text), 1)?;
    }
    for seed in options.seeds.iter().filter(|_| source.can(Ability::Recommended)) {
        match seed.names.first() {
            Some(name) => put(Relation::Recommended(name), 1)?,
            None => put(Relation::Titled(&seed.title), 1)?,
        }
    }
    for seed in options.seeds.iter().filter(|seed| seed.title.is_empty()) {
        let Some(name) = seed.names.first() else { continue };
        let wordings = source.service().wordings(&Words::of("words of a title")).len();
        price += source.price(wordings as u64);
        perhaps.extend(
            (1..=wordings).map(|at| format!("a search for the title of {name}, wording {at}, once it is known")),
        );
    }
    for seed in options.seeds.iter().filter(|seed| seed.names.is_empty()) {
        if source.can(Ability::Recommended) {
            let beside = |way| format!("papers recommended for {:?}, {way}, once it is found", seed.title);
            perhaps.extend([beside("first request"), beside("fallback request")]);
        }
    }
    let names: Vec<WorkName> = options.seeds.iter().flat_map(|seed| seed.names.clone()).collect();
    let looked_up = source.would_look_up(&names);
    price += source.price_of(Ability::LookUp) * looked_up.len() as u64;
    asked.extend(looked_up);
    Ok(Egress::of(source, asked, perhaps, price))
}
