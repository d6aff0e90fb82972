//! Estimates the requests and cost of a run without sending anything.

use std::sync::Arc;

use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{Prices, Usage};
use precedent_engine::model::{EstimatedStage, ModelAnalyst, ModelSettings};
use precedent_engine::pipelines::{AssessOptions, assess};
use precedent_engine::runs::{ModelRequest, RunRequest};
use precedent_engine::sources::Source;
use precedent_engine::{Analyst, Budget, EngineError, SilentProgress, SystemClock, World};
use serde::Serialize;

use super::assess::failure;
use super::corpora::sources_of;
use super::egress::{self, Egress, TextEgress};
use super::input;
use super::models::{OFFLINE, selected};
use super::services;
use crate::ExitCode;
use crate::args::EstimateArguments;
use crate::exit::Failure;
use crate::printer::Printer;
use crate::runtime::runtime;
use crate::settings::Settings;

/// Output of `--json`.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    model: String,
    stages: Vec<EstimatedStage>,
    asks: u64,
    input_tokens: u64,
    most_output_tokens: u64,
    bytes: u64,
    /// US dollars if every response has its maximum length. `None` if a price is unknown.
    at_most_dollars: Option<f64>,
    /// Models without a known price.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unpriced: Vec<String>,
    /// Requests to literature services.
    pub(super) sources: Vec<Egress>,
    /// Requests to archives for full texts, if services are searched.
    pub(super) full_texts: Option<TextEgress>,
    /// Date of the prices, if known.
    prices_as_of: Option<String>,
}

/// `precedent estimate`.
pub(super) fn run(typed: &EstimateArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let settings = Settings::load(typed.model.settings.as_deref())?;
    let request = selected(&typed.model)?;
    let stages = match &request {
        None => Vec::new(),
        Some(request) => counted(typed, request, printer)?,
    };
    let (sources, full_texts) = sent(typed, printer)?;
    let answer = Answer {
        sources,
        full_texts,
        ..summed(request.as_ref(), stages, &settings.prices.with_built_in())
    };
    if typed.json {
        printer.json(&answer)?;
    } else {
        printer.data(&table(&answer));
    }
    Ok(ExitCode::Done)
}

/// Requests to literature services and archives.
fn sent(typed: &EstimateArguments, printer: Printer) -> Result<(Vec<Egress>, Option<TextEgress>), Failure> {
    let sources = services::selected(&typed.sources, typed.model.settings.as_deref(), typed.model.local_only)?;
    let request = RunRequest {
        input: typed.input.clone(),
        named: Default::default(),
        corpora: typed.corpus.corpora.clone(),
        settings: services::settings_for(&sources, &typed.model)?,
        sources,
        full_texts: services::full_texts(typed.full_texts, typed.model.local_only),
        as_of: typed.as_of,
        formats: Vec::new(),
        seed: 0,
        model: None,
        idea: None,
        points: None,
        review: None,
    };
    Ok((egress::egress(&request, printer)?, egress::text_egress(&request)?))
}

/// Runs everything that needs no model and counts the model requests.
fn counted(
    typed: &EstimateArguments,
    request: &ModelRequest,
    printer: Printer,
) -> Result<Vec<EstimatedStage>, Failure> {
    let paper = input::paper(&typed.input)?;
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::said(ExitCode::Input, format!("failed to create a temporary folder: {error}")))?;
    let sources = sources_of(&typed.corpus.corpora, scratch.path(), printer)?;
    let options = AssessOptions {
        as_of: typed.as_of,
        ..AssessOptions::default()
    };
    counting(request, 0, sources, async |world| {
        assess(paper, options, world).await.map(drop)
    })
}

/// Counts the model requests of `work` without sending them.
pub(super) fn counting(
    request: &ModelRequest,
    seed: u64,
    sources: Vec<Arc<dyn Source>>,
    work: impl AsyncFnOnce(&World) -> Result<(), EngineError>,
) -> Result<Vec<EstimatedStage>, Failure> {
    let settings = ModelSettings {
        depth: request.depth,
        policy: request.policy,
        at_once: request.at_once,
        seed,
    };
    let analyst = Arc::new(ModelAnalyst::counting(&request.model, settings));
    let heard: Arc<dyn Analyst> = Arc::clone(&analyst) as Arc<dyn Analyst>;
    runtime()?.block_on(async {
        let world = nobody_asked(heard, sources, seed).await?;
        work(&world).await.map_err(failure)
    })?;
    Ok(analyst.counted())
}

/// Dependencies for an estimate, with an in-memory ledger.
pub(super) async fn nobody_asked(
    analyst: Arc<dyn Analyst>,
    sources: Vec<Arc<dyn Source>>,
    seed: u64,
) -> Result<World, Failure> {
    let ledger = Ledger::in_memory()
        .await
        .map_err(|error| Failure::new(ExitCode::Bug, error))?;
    Ok(World {
        clock: Arc::new(SystemClock),
        ledger,
        sources,
        texts: None,
        analyst,
        progress: Arc::new(SilentProgress),
        budget: Budget::default(),
        seed,
    })
}

/// Totals, with each stage at the price of its model.
pub(super) fn summed(request: Option<&ModelRequest>, stages: Vec<EstimatedStage>, prices: &Prices) -> Answer {
    let sum = |of: fn(&EstimatedStage) -> u64| stages.iter().map(of).sum::<u64>();
    let mut dollars = 0.0;
    let mut unpriced: Vec<String> = Vec::new();
    let mut days: Vec<String> = Vec::new();
    for one in &stages {
        let stage = one.prompt.split('.').next().unwrap_or_default();
        let model = request.map_or(OFFLINE, |request| request.stages.get(stage).unwrap_or(&request.model));
        match prices.of(model) {
            Some(price) => {
                dollars += price.dollars(Usage {
                    input: one.input_tokens,
                    cached: 0,
                    // Upper bound: the provider writes all input to its cache and charges for it.
                    written: one.input_tokens,
                    output: one.most_output_tokens,
                });
                days.push(price.as_of.clone());
            }
            None => unpriced.push(model.to_owned()),
        }
    }
    unpriced.sort();
    unpriced.dedup();
    days.retain(|day| !day.is_empty());
    Answer {
        at_most_dollars: unpriced.is_empty().then_some(dollars),
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
        full_texts: None,
    }
}

pub(super) fn table(answer: &Answer) -> String {
    let mut lines = vec![format!(
        "{:<24}  {:>6}  {:>13}  {:>18}",
        "prompt", "calls", "input tokens", "max output tokens"
    )];
    let row =
        |name: &str, asks: u64, input: u64, output: u64| format!("{name:<24}  {asks:>6}  {input:>13}  {output:>18}");
    for one in &answer.stages {
        lines.push(row(&one.prompt, one.asks, one.input_tokens, one.most_output_tokens));
    }
    lines.push(row(
        "total",
        answer.asks,
        answer.input_tokens,
        answer.most_output_tokens,
    ));
    let bound = if answer.sources.is_empty() {
        "at most"
    } else {
        "excluding papers from services, at most"
    };
    lines.push(match answer.at_most_dollars {
        Some(dollars) => match &answer.prices_as_of {
            Some(day) => format!(
                "{}: {bound} ${dollars:.2} at prices of {day}, excluding repair requests",
                answer.model
            ),
            None => format!("{}: {bound} ${dollars:.2}, excluding repair requests", answer.model),
        },
        None => format!(
            "{}: price unknown; add it to [prices] in the settings file",
            answer.unpriced.join(", ")
        ),
    });
    if !answer.sources.is_empty() && answer.asks > 0 {
        lines.push("papers found by services are also sent to the model and are not included: the total may be several times higher".to_owned());
    }
    lines.push(format!(
        "{} bytes of text would be sent to the model's host",
        answer.bytes
    ));
    if answer.stages.iter().any(|one| one.prompt.starts_with("compare.whole")) {
        lines.push("compare.whole is an upper bound: full texts are not sent where the passages decide".to_owned());
    }
    lines.extend(answer.sources.iter().map(egress::summary));
    lines.extend(answer.full_texts.as_ref().map(TextEgress::summary));
    lines.push(String::new());
    lines.join("\n")
}
