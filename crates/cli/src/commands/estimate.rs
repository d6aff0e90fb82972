//! What a run with a model would ask, counted without asking.

use std::sync::Arc;

use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{Prices, Usage};
use precedent_engine::model::{EstimatedStage, ModelAnalyst, ModelSettings};
use precedent_engine::pipelines::{AssessOptions, assess};
use precedent_engine::runs::{ModelRequest, RunRequest};
use precedent_engine::{Analyst, Budget, SilentProgress, SystemClock, World};
use serde::Serialize;

use super::assess::{failure, sources_of};
use super::input;
use super::models::{OFFLINE, meant};
use super::services::{self, Egress, TextEgress};
use crate::ExitCode;
use crate::args::EstimateArguments;
use crate::exit::Failure;
use crate::printer::Printer;
use crate::settings::Settings;

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Answer {
    model: String,
    stages: Vec<EstimatedStage>,
    asks: u64,
    input_tokens: u64,
    most_output_tokens: u64,
    bytes: u64,
    /// US dollars if every answer is as long as it may be; `None` where the price is not known.
    at_most_dollars: Option<f64>,
    /// What literature services would be sent.
    sources: Vec<Egress>,
    /// What archives would be sent, where services are asked.
    full_texts: Option<TextEgress>,
    /// The day on which that price was looked up, where it is known.
    prices_as_of: Option<String>,
}

/// `precedent estimate`.
pub(super) fn run(typed: &EstimateArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let settings = Settings::load(typed.model.settings.as_deref())?;
    let request = meant(&typed.model)?;
    let name = request
        .as_ref()
        .map_or(OFFLINE, |request| request.model.as_str())
        .to_owned();
    let stages = match &request {
        None => Vec::new(),
        Some(request) => counted(typed, request, printer)?,
    };
    let (sources, full_texts) = egress(typed, printer)?;
    let answer = Answer {
        sources,
        full_texts,
        ..summed(name, stages, &settings.prices.with_built_in())
    };
    if typed.json {
        printer.json(&answer)?;
    } else {
        printer.data(&table(&answer));
    }
    Ok(ExitCode::Done)
}

/// What literature services would be sent.
fn egress(typed: &EstimateArguments, printer: Printer) -> Result<(Vec<Egress>, Option<TextEgress>), Failure> {
    let sources = services::meant(&typed.sources, typed.model.settings.as_deref(), typed.model.local_only)?;
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
    };
    Ok((services::egress(&request, printer)?, services::text_egress(&request)?))
}

/// Runs everything that needs no model, and counts the questions on the way.
fn counted(
    typed: &EstimateArguments,
    request: &ModelRequest,
    printer: Printer,
) -> Result<Vec<EstimatedStage>, Failure> {
    let paper = input::paper(&typed.input)?;
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::said(ExitCode::Input, format!("failed to make a folder: {error}")))?;
    let sources = sources_of(&typed.corpus.corpora, scratch.path(), printer)?;
    let settings = ModelSettings {
        depth: request.depth,
        policy: request.policy,
        at_once: request.at_once,
        seed: 0,
    };
    let analyst = Arc::new(ModelAnalyst::counting(&request.model, settings));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::said(ExitCode::Bug, format!("failed to start: {error}")))?;
    let heard: Arc<dyn Analyst> = Arc::clone(&analyst) as Arc<dyn Analyst>;
    runtime.block_on(async {
        let ledger = Ledger::in_memory()
            .await
            .map_err(|error| Failure::new(ExitCode::Bug, error))?;
        let world = World {
            clock: Arc::new(SystemClock),
            ledger,
            sources,
            texts: None,
            analyst: heard,
            progress: Arc::new(SilentProgress),
            budget: Budget::default(),
            seed: 0,
        };
        let options = AssessOptions {
            as_of: typed.as_of,
            ..AssessOptions::default()
        };
        assess(paper, options, &world).await.map_err(failure)
    })?;
    Ok(analyst.counted())
}

fn summed(model: String, stages: Vec<EstimatedStage>, prices: &Prices) -> Answer {
    let sum = |of: fn(&EstimatedStage) -> u64| stages.iter().map(of).sum::<u64>();
    let usage = Usage {
        input: sum(|one| one.input_tokens),
        cached: 0,
        output: sum(|one| one.most_output_tokens),
    };
    Answer {
        at_most_dollars: match model.as_str() {
            OFFLINE => Some(0.0),
            name => prices.of(name).map(|price| price.dollars(usage)),
        },
        prices_as_of: prices
            .of(&model)
            .map(|price| price.as_of.clone())
            .filter(|day| !day.is_empty()),
        asks: sum(|one| one.asks),
        input_tokens: usage.input,
        most_output_tokens: usage.output,
        bytes: sum(|one| one.bytes),
        model,
        stages,
        sources: Vec::new(),
        full_texts: None,
    }
}

fn table(answer: &Answer) -> String {
    let mut lines = vec![format!(
        "{:<24}  {:>6}  {:>13}  {:>18}",
        "prompt", "asks", "tokens asked", "tokens answered ≤"
    )];
    let row =
        |name: &str, asks: u64, input: u64, output: u64| format!("{name:<24}  {asks:>6}  {input:>13}  {output:>18}");
    for one in &answer.stages {
        lines.push(row(&one.prompt, one.asks, one.input_tokens, one.most_output_tokens));
    }
    lines.push(row(
        "in all",
        answer.asks,
        answer.input_tokens,
        answer.most_output_tokens,
    ));
    lines.push(match answer.at_most_dollars {
        Some(dollars) => match &answer.prices_as_of {
            Some(day) => format!(
                "{}: at most ${dollars:.2} by its price of {day}, repairs not counted",
                answer.model
            ),
            None => format!("{}: at most ${dollars:.2}, repairs not counted", answer.model),
        },
        None => format!(
            "{}: price unknown; put it under [prices] in the settings file",
            answer.model
        ),
    });
    lines.push(format!(
        "{} bytes of text would leave for the model's host",
        answer.bytes
    ));
    if answer.stages.iter().any(|one| one.prompt.starts_with("compare.whole")) {
        lines.push("compare.whole is the most that may be read whole; what the passages settle is not".to_owned());
    }
    lines.extend(answer.sources.iter().map(services::summary));
    lines.extend(answer.full_texts.as_ref().map(TextEgress::summary));
    lines.push(String::new());
    lines.join("\n")
}
