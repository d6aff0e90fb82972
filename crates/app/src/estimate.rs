//! Estimates the requests and cost of a run without sending anything.

use std::sync::Arc;

use crate::runs::{JobKind, ModelRequest, RunRequest};
use precedent_engine::assess::{AssessOptions, assess};
use precedent_engine::audit::audit;
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::Usage;
use precedent_engine::model::{Depth, EstimatedStage, ModelAnalyst, ModelSettings};
use precedent_engine::points::MOST_POINTS;
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
    /// US dollars if answers have their usual length, and the usual share of comparisons is made and of full texts sent. `None` if a price is unknown.
    pub likely_dollars: Option<f64>,
    /// US dollars if every answer has its maximum length and is sent back once, and a model finds more papers, evidence and points. `None` if a price is
    /// unknown.
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
    /// Share of the full texts counted (`compare.whole`) that the likely cost includes, 0 to 1.
    pub whole_texts_likely: f64,
}

/// Prompts that are asked about each item, and how many times as many items a model may find as the program, for the upper bound. The queries of a model
/// find other papers: 68 instead of 53 in the runs of `docs/benchmarks.md`, and a paper with three claims is compared with at most 80. Its parts of an idea
/// have other evidence: 40 pairs instead of 20 in those runs, at most.
const MORE_ITEMS: [(&str, f64); 2] = [("compare.", 1.5), ("review.ground", 2.0)];
/// Prompts whose number or length grows with the points, of which a model may list more than the program finds.
const PER_POINT: [&str; 4] = ["points.compare", "points.validate", "points.conclude", "points.polish"];
/// A full text is sent whole only if its passages leave a claim open.
const WHOLE_TEXTS: &str = "compare.whole";
/// Share of the full texts counted that a run sends, with the scripted model: 14 of 117 in assessments of 14 papers, 13 of them for one paper. A model that
/// leaves more claims open sends more (docs/benchmarks.md, "Estimates").
const WHOLE_TEXTS_SENT: f64 = 0.12;

/// Comparisons by passages, counted for all papers that the program's own queries find.
const PASSAGES: &str = "compare.passages";
/// Share of these comparisons that a run makes, because the model leaves out papers that are not relevant: 487 of 993 in assessments of 19 papers with the
/// scripted model (docs/benchmarks.md, "Estimates").
const PASSAGES_SENT: f64 = 0.5;

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
#[expect(clippy::cast_precision_loss, reason = "a number of points")]
pub(crate) fn summed(request: Option<&ModelRequest>, mut stages: Vec<EstimatedStage>, settings: &Settings) -> Estimate {
    // A run reports an invalid share of the price.
    let prices = models::prices(request, settings).unwrap_or_else(|_| settings.prices.clone().with_built_in());
    let stage_of = |one: &EstimatedStage| one.prompt.split('.').next().unwrap_or_default().to_owned();
    let model_of = |one: &EstimatedStage| {
        request.map_or(OFFLINE, |request| {
            request.stages.get(&stage_of(one)).unwrap_or(&request.model)
        })
    };
    for one in &mut stages {
        let room = one.asks * u64::from(settings.room_for_thinking(model_of(one), &stage_of(one)));
        one.likely_output_tokens += room / USUAL_THOUGHT;
        one.most_output_tokens += room;
    }
    let sum = |of: fn(&EstimatedStage) -> u64| stages.iter().map(of).sum::<u64>();
    let whole_texts_likely = match request {
        Some(request) if request.depth == Depth::Full => 1.0,
        _ => WHOLE_TEXTS_SENT,
    };
    // An audit validates sentences without comparing points, so nothing is added there.
    let points = stages.iter().find(|stage| stage.prompt.starts_with("points.compare"));
    let more_points = points.map_or(1.0, |stage| {
        MOST_POINTS as f64 / stage.asks.clamp(1, MOST_POINTS as u64) as f64
    });
    let (mut likely, mut most) = (0.0, 0.0);
    let mut unpriced: Vec<String> = Vec::new();
    let mut days: Vec<String> = Vec::new();
    for one in &stages {
        let model = model_of(one);
        match prices.of(model) {
            Some(price) => {
                let sent = match one.prompt.split('@').next() {
                    Some(WHOLE_TEXTS) => whole_texts_likely,
                    Some(PASSAGES) => PASSAGES_SENT,
                    _ => 1.0,
                };
                likely += sent
                    * price.dollars(Usage {
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
                let is_of_points = PER_POINT.iter().any(|prompt| one.prompt.starts_with(prompt));
                let more = MORE_ITEMS.iter().find(|(prompts, _)| one.prompt.starts_with(prompts));
                most += bound * more.map_or(if is_of_points { more_points } else { 1.0 }, |(_, more)| *more);
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
        whole_texts_likely,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use precedent_engine::model::Policy;

    use super::*;

    fn stage(prompt: &str, asks: u64) -> EstimatedStage {
        EstimatedStage {
            prompt: prompt.to_owned(),
            asks,
            input_tokens: 1_000_000 * asks,
            ..EstimatedStage::default()
        }
    }

    /// The likely and the highest cost, with a model that has a price.
    fn dollars(depth: Depth, stages: &[EstimatedStage]) -> (f64, f64) {
        let request = ModelRequest {
            model: "openai:gpt-5-mini".to_owned(),
            depth,
            url: None,
            stages: BTreeMap::new(),
            policy: Policy::Open,
            at_once: None,
            local_only: false,
            private_hosts: Vec::new(),
            budget: None,
            budget_tokens: None,
            provider_batch: false,
            settings: None,
        };
        let estimate = summed(Some(&request), stages.to_vec(), &Settings::default());
        (estimate.likely_dollars.unwrap(), estimate.at_most_dollars.unwrap())
    }

    #[test]
    fn half_of_the_comparisons_by_passages_count_in_the_likely_cost() {
        let (passages, other) = ([stage("compare.passages@5", 10)], [stage("relevance.judge@4", 10)]);
        let share = dollars(Depth::default(), &passages).0 / dollars(Depth::default(), &other).0;
        assert!((share - PASSAGES_SENT).abs() < 0.01, "{share}");
    }

    #[test]
    fn full_texts_count_in_part_unless_all_are_sent() {
        let whole = [stage("compare.whole@4", 10)];
        let (adaptive, bound) = dollars(Depth::default(), &whole);
        let (full, same_bound) = dollars(Depth::Full, &whole);
        assert!(
            (adaptive / full - WHOLE_TEXTS_SENT).abs() < 0.01,
            "{adaptive} of {full}"
        );
        assert!((bound - same_bound).abs() < 1e-9 && bound > full);
    }

    #[test]
    fn a_model_may_find_more_points_than_the_program() {
        let of = |asks| [stage("points.compare@3", asks), stage("points.validate@2", 2 * asks)];
        let bounds = [1, 3, 5].map(|asks| dollars(Depth::default(), &of(asks)).1);
        assert!(
            bounds.iter().all(|bound| (bound / bounds[2] - 1.0).abs() < 0.05),
            "{bounds:?}"
        );
        // An audit validates without points.
        let audit = [stage("points.validate@2", 1)];
        assert!(dollars(Depth::default(), &audit).1 * 4.0 < dollars(Depth::default(), &of(1)).1);
    }
}
