//! Estimates the requests and cost of a run without sending anything.

use std::sync::Arc;

use crate::runs::{JobKind, ModelRequest, RunRequest};
use precedent_engine::assess::{AssessOptions, assess};
use precedent_engine::audit::audit;
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::Usage;
use precedent_engine::model::{EstimatedStage, ModelAnalyst, ModelSettings};
use precedent_engine::sources::Source;
use precedent_engine::{Budget, EngineError, SilentProgress, SystemClock, World};
use schemars::JsonSchema;
use serde::Serialize;

use crate::corpora::sources_of;
use crate::egress::{self, Egress, TextEgress, encoders};
use crate::jobs::audit::AuditInput;
use crate::jobs::{idea_estimate, points_estimate, rank_estimate, rank_input, review_estimate};
use crate::models::{self, OFFLINE};
use crate::runtime::runtime;
use crate::{AppError, ErrorKind, Observer, Settings, input};

/// What a job would send, and what it would cost at most.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Estimate {
    /// The model, or `offline`.
    pub model: String,
    /// Requests by prompt.
    pub stages: Vec<EstimatedStage>,
    /// Model requests.
    pub asks: u64,
    /// Estimated input tokens.
    pub input_tokens: u64,
    /// Maximum output tokens.
    pub most_output_tokens: u64,
    /// Text sent to the model, in bytes.
    pub bytes: u64,
    /// US dollars if answers have their usual length. `None` if a price is unknown.
    pub likely_dollars: Option<f64>,
    /// US dollars if every answer has its maximum length and is sent back once. `None` if a price is unknown.
    pub at_most_dollars: Option<f64>,
    /// Models without a known price.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unpriced: Vec<String>,
    /// Requests to literature services.
    pub sources: Vec<Egress>,
    /// URLs of embedders and rerankers, which receive passages, or the idea and what was found. Their requests are not counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub encoders: Vec<String>,
    /// Requests to archives for full texts, if services are searched.
    pub full_texts: Option<TextEgress>,
    /// Date of the prices, if known.
    pub prices_as_of: Option<String>,
}

/// Prompts that are asked about each paper found.
const PER_PAPER: [&str; 2] = ["compare.", "lines."];
/// The queries of a model find other papers than those of the program: 68 instead of 53 in the runs of `docs/benchmarks.md`. A paper with three claims is
/// compared with at most 80, half as many again as 53.
const MORE_PAPERS: f64 = 1.5;

/// Estimates the requests of a run.
pub(crate) fn estimate(request: &RunRequest, observer: &dyn Observer) -> Result<Estimate, AppError> {
    match request.job() {
        JobKind::Assess => of_assess(request, observer),
        JobKind::Points => points_estimate::estimate(request, observer),
        JobKind::Idea | JobKind::Ideas => idea_estimate::estimate(request, observer),
        JobKind::Review | JobKind::Reviews => review_estimate::estimate(request, observer),
        JobKind::Rank => match &request.model {
            Some(model) => rank_estimate::estimate(request, model, observer),
            None => Err(rank_input::needs_model()),
        },
        JobKind::Audit => of_audit(request, observer),
    }
}

fn of_assess(request: &RunRequest, observer: &dyn Observer) -> Result<Estimate, AppError> {
    let settings = settings_of(request)?;
    let stages = match &request.model {
        None => Vec::new(),
        Some(model) => {
            let paper = input::paper(&request.input)?;
            let scratch = scratch()?;
            let sources = sources_of(&request.corpora, scratch.path(), observer)?;
            let options = AssessOptions {
                as_of: request.as_of,
                ..AssessOptions::default()
            };
            counting(model, request.seed, sources, async |world| {
                assess(paper, options, world).await.map(drop)
            })?
        }
    };
    Ok(Estimate {
        sources: egress::egress(request, observer)?,
        full_texts: egress::text_egress(request)?,
        ..summed(request.model.as_ref(), stages, &settings)
    })
}

/// What an audit asks of services is that of `points` on the paper.
fn of_audit(request: &RunRequest, observer: &dyn Observer) -> Result<Estimate, AppError> {
    let settings = settings_of(request)?;
    let stages = match &request.model {
        None => Vec::new(),
        Some(model) => {
            let read = AuditInput::read(request)?;
            let scratch = scratch()?;
            let sources = sources_of(&request.corpora, scratch.path(), observer)?;
            counting(model, request.seed, sources, async |world| {
                audit(&read.audited(), world).await.map(drop)
            })?
        }
    };
    Ok(summed(request.model.as_ref(), stages, &settings))
}

/// The settings that a run would use.
pub(crate) fn settings_of(request: &RunRequest) -> Result<Settings, AppError> {
    let file = request.model.as_ref().and_then(|model| model.settings.as_deref());
    Settings::load(file.or(request.settings.as_deref()))
}

/// The same, for a job that sends something only to a model or to services.
pub(crate) fn settings_to_estimate(request: &RunRequest) -> Result<Settings, AppError> {
    if request.model.is_none() && request.sources.is_empty() && encoders(request).is_empty() {
        let message = "nothing to estimate without a model or services";
        return Err(AppError::with_message(ErrorKind::Usage, message)
            .hint("choose one with --model, --sources or an option that names the URL of a model"));
    }
    settings_of(request)
}

/// A temporary folder for indexes.
pub(crate) fn scratch() -> Result<tempfile::TempDir, AppError> {
    tempfile::tempdir().map_err(|error| {
        AppError::with_message(
            ErrorKind::Input,
            format!("failed to create a temporary folder: {error}"),
        )
    })
}

/// Counts the model requests of `work` without sending them.
pub(crate) fn counting(
    request: &ModelRequest,
    seed: u64,
    sources: Vec<Arc<dyn Source>>,
    work: impl AsyncFnOnce(&World) -> Result<(), EngineError>,
) -> Result<Vec<EstimatedStage>, AppError> {
    let settings = ModelSettings {
        depth: request.depth,
        policy: request.policy,
        at_once: request.at_once.unwrap_or(ModelSettings::default().at_once),
        seed,
    };
    let analyst = Arc::new(ModelAnalyst::counting(&request.model, settings));
    let shared = Some(Arc::clone(&analyst));
    runtime()?.block_on(async {
        let world = world_for_estimate(shared, sources, seed).await?;
        work(&world).await.map_err(AppError::from)
    })?;
    Ok(analyst.counted())
}

/// Dependencies for an estimate, with an in-memory ledger.
pub(crate) async fn world_for_estimate(
    model: Option<Arc<ModelAnalyst>>,
    sources: Vec<Arc<dyn Source>>,
    seed: u64,
) -> Result<World, AppError> {
    let ledger = Ledger::in_memory()
        .await
        .map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    Ok(World {
        clock: Arc::new(SystemClock),
        ledger,
        sources,
        texts: None,
        model,
        progress: Arc::new(SilentProgress),
        budget: Budget::default(),
        seed,
    })
}

/// A model that thinks uses this fraction of the room for it. Published measurements of gpt-5 found 1,152 to 1,408 tokens of the 4,096.
const USUAL_THOUGHT: u64 = 3;

/// Totals, with each stage at the price of its model and with room for its model to think.
pub(crate) fn summed(request: Option<&ModelRequest>, mut stages: Vec<EstimatedStage>, settings: &Settings) -> Estimate {
    // A run reports an invalid share of the price.
    let prices = models::prices(request, settings).unwrap_or_else(|_| settings.prices.clone().with_built_in());
    let model_of = |stage: &EstimatedStage| {
        let name = stage.prompt.split('.').next().unwrap_or_default();
        request.map_or(OFFLINE, |request| request.stages.get(name).unwrap_or(&request.model))
    };
    for one in &mut stages {
        let room = one.asks * u64::from(settings.room_for_thinking(model_of(one)));
        one.likely_output_tokens += room / USUAL_THOUGHT;
        one.most_output_tokens += room;
    }
    let sum = |of: fn(&EstimatedStage) -> u64| stages.iter().map(of).sum::<u64>();
    let (mut likely, mut most) = (0.0, 0.0);
    let mut unpriced: Vec<String> = Vec::new();
    let mut days: Vec<String> = Vec::new();
    for one in &stages {
        let model = model_of(one);
        match prices.of(model) {
            Some(price) => {
                likely += price.dollars(Usage {
                    input: one.input_tokens,
                    output: one.likely_output_tokens,
                    ..Usage::default()
                });
                // Every request is counted twice, because an answer can be sent back, and the second contains the first answer.
                // A token has at least three bytes instead of four, and the provider charges for writing all input to its cache.
                let input = (2 * one.input_tokens).saturating_mul(4).div_ceil(3) + one.most_output_tokens;
                let bound = price.dollars(Usage {
                    input,
                    cached: 0,
                    written: input,
                    output: 2 * one.most_output_tokens,
                });
                most += match PER_PAPER.iter().any(|stage| one.prompt.starts_with(stage)) {
                    true => bound * MORE_PAPERS,
                    false => bound,
                };
                days.push(price.as_of.clone());
            }
            None => unpriced.push(model.to_owned()),
        }
    }
    unpriced.sort();
    unpriced.dedup();
    days.retain(|day| !day.is_empty());
    Estimate {
        likely_dollars: unpriced.is_empty().then_some(likely),
        at_most_dollars: unpriced.is_empty().then_some(most),
        unpriced,
        // The oldest date, because the total is only as recent as its oldest price.
        prices_as_of: days.into_iter().min(),
        asks: sum(|one| one.asks),
        input_tokens: sum(|one| one.input_tokens),
        most_output_tokens: sum(|one| one.most_output_tokens),
        bytes: sum(|one| one.bytes),
        model: request.map_or_else(|| OFFLINE.to_owned(), |request| request.model.clone()),
        stages,
        sources: Vec::new(),
        encoders: Vec::new(),
        full_texts: None,
    }
}
