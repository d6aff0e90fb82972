//! Creates model clients and analysts from the arguments and settings.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::runs::ModelRequest;
use precedent_engine::Progress;
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{
    Ask, AskUsage, BatchQueue, Checks, HttpGateway, LlmError, Meter, Mode, Model, ModelName, NetworkPolicy, Prices,
    Secret, Settings as GatewaySettings, SharedBudget, Speaker, Turn, ask_within,
};
use precedent_engine::model::{ModelAnalyst, ModelSettings, StageModels};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::connection::connection;
use crate::runtime::host_limits;
use crate::settings::{ProviderSettings, Settings, unknown_stage};
use crate::{AppError, ErrorKind, ModelChoice};

/// The name for offline analysis, without a model.
pub const OFFLINE: &str = "offline";
/// Maximum output tokens of the test question: a few words, with room for a model that reasons first.
const TEST_OUTPUT: u32 = 1024;
/// Time limit for all attempts of the test question. Chosen by hand: a user waits for it.
const IMPATIENT: Duration = Duration::from_secs(10);
/// Default for the maximum number of concurrent requests.
const AT_ONCE: usize = 8;
/// Concurrent requests of a paper on average, rounded up: 2.5, from 24 requests of a second each in 9.5 s (a short paper, scripted model, 2026-11-27).
const OF_A_PAPER: usize = 3;
/// Concurrent requests in batches. They only wait, so every request of a stage should be in one batch.
const IN_BATCHES: usize = 10_000;
/// User agent of requests to models.
pub(crate) const USER_AGENT: &str = concat!("precedent/", env!("CARGO_PKG_VERSION"));

/// Validates the arguments and combines them with the settings. `None` for the offline analyst.
pub fn selected(typed: &ModelChoice) -> Result<Option<ModelRequest>, AppError> {
    let settings = Settings::load(typed.settings.as_deref())?;
    let model = typed.model.clone().or_else(|| settings.model.clone());
    let Some(model) = model.filter(|model| model != OFFLINE) else {
        if typed.provider_batch {
            let message = "--provider-batch needs a model";
            return Err(AppError::with_message(ErrorKind::Usage, message).hint("name one with --model"));
        }
        if !typed.stages.is_empty() {
            let message = "--stage-model needs a model for the other stages";
            return Err(AppError::with_message(ErrorKind::Usage, message).hint("name one with --model"));
        }
        return Ok(None);
    };
    let of_file = settings.stages.iter();
    let mut stages: BTreeMap<String, String> = of_file
        .filter_map(|(stage, own)| Some((stage.clone(), own.model.clone()?)))
        .collect();
    for one in &typed.stages {
        let Some((stage, model)) = one.split_once('=') else {
            let message = format!("invalid --stage-model {one}: expected STAGE=PROVIDER:NAME");
            return Err(AppError::with_message(ErrorKind::Usage, message));
        };
        stages.insert(stage.to_owned(), model.to_owned());
    }
    if let Some(stage) = stages
        .keys()
        .find(|stage| !StageModels::STAGES.contains(&stage.as_str()))
    {
        return Err(AppError::with_message(ErrorKind::Usage, unknown_stage(stage)));
    }
    for name in std::iter::once(&model).chain(stages.values()) {
        let parsed = settings.model_name(name).map_err(AppError::from)?;
        if typed.provider_batch {
            parsed.check_batch().map_err(AppError::from)?;
        }
    }
    // Absolute, so that a run can be resumed from any folder.
    let absolute = |path: &Path| {
        std::path::absolute(path).map_err(|error| {
            let message = format!("failed to find the settings {}: {error}", path.display());
            AppError::with_message(ErrorKind::Usage, message)
        })
    };
    let own_settings = typed.settings.as_deref().map(absolute).transpose()?;
    let mut private_hosts = settings.private_hosts.clone();
    private_hosts.extend(typed.private_hosts.iter().cloned());
    let request = ModelRequest {
        model,
        url: typed.url.clone().or_else(|| settings.model_url.clone()),
        stages,
        depth: typed.depth,
        policy: typed.policy,
        at_once: typed.at_once.map(usize::from).or(settings.at_once),
        local_only: typed.local_only || settings.local_only,
        private_hosts,
        budget: typed.budget,
        budget_tokens: typed.budget_tokens,
        provider_batch: typed.provider_batch,
        settings: own_settings,
    };
    within_reach(&request, &settings)?;
    if request.budget.is_some() {
        // A command need not use the models of single stages. If each has its own, it does not use this one.
        let is_used = request.stages.len() < StageModels::STAGES.len();
        let prices = prices(Some(&request), &settings)?;
        if is_used && prices.of(&request.model).is_none() {
            let model = request.model.clone();
            return Err(AppError::from(LlmError::NoPrice { model }));
        }
    }
    Ok(Some(request))
}

/// Concurrent requests of a process that runs `jobs` papers at the same time. By default, so many that papers do not wait for each other: a provider that
/// asks to slow down gets fewer. A server of the user may just become slow.
pub(crate) fn at_once_of(request: &ModelRequest, jobs: usize) -> Result<usize, AppError> {
    if let Some(at_once) = request.at_once {
        return Ok(at_once);
    }
    let settings = Settings::load(request.settings.as_deref())?;
    let here = NetworkPolicy::Local { named: Vec::new() };
    for name in std::iter::once(&request.model).chain(request.stages.values()) {
        let name = settings.model_name(name).map_err(AppError::from)?;
        let own = settings.providers.get(name.provider_id());
        let has_own_url = request.url.is_some() || own.is_some_and(|own| own.url.is_some());
        if has_own_url || name.base().is_none_or(|base| here.permits(base).is_ok()) {
            return Ok(AT_ONCE);
        }
    }
    Ok(AT_ONCE.max(jobs.saturating_mul(OF_A_PAPER)))
}

/// Checks the model URLs (of the default model and of single stages) before anything else: they must be valid and contain no secrets, and in a
/// local-only run they must be local.
pub(crate) fn within_reach(request: &ModelRequest, settings: &Settings) -> Result<(), AppError> {
    let reach = reach(request);
    for name in std::iter::once(&request.model).chain(request.stages.values()) {
        let parsed = settings.model_name(name).map_err(AppError::from)?;
        let typed = request.url.as_deref().filter(|_| is_of_default(name, request));
        let own = settings.providers.get(parsed.provider_id());
        let own = own.and_then(|own| own.url.as_deref());
        if let Some(address) = typed.or(own).or(parsed.base()) {
            parsed.check_address(address).map_err(AppError::from)?;
            reach
                .permits(address)
                .map_err(|error| AppError::from(LlmError::Http(error)))?;
        }
    }
    Ok(())
}

/// Which hosts a run may contact.
pub(crate) fn reach(request: &ModelRequest) -> NetworkPolicy {
    if request.local_only {
        NetworkPolicy::Local {
            named: request.private_hosts.clone(),
        }
    } else {
        NetworkPolicy::Anywhere
    }
}

/// Whether a model has the same provider as the default model. The URL in the arguments applies only to that provider.
fn is_of_default(name: &str, request: &ModelRequest) -> bool {
    let provider_of = |name: &str| name.split(':').next().unwrap_or_default().to_owned();
    provider_of(name) == provider_of(&request.model)
}

/// How a run calls models.
pub struct ModelAccess<'r> {
    /// The models.
    pub request: &'r ModelRequest,
    /// Seed of all random sampling.
    pub seed: u64,
    /// Make no new requests.
    pub replay: bool,
    /// Whether the replayed run exceeded its budget.
    pub budget_had_ended: bool,
    /// Fail at once if the server is down, instead of waiting for it.
    pub impatient: bool,
    /// Where the requests go if the request wants batches.
    pub queue: Option<BatchQueue>,
    /// Hosts that may be contacted, if fewer than those of the request.
    pub limit: Option<NetworkPolicy>,
    /// A budget that other runs share, in addition to that of the request.
    pub budget: Option<Arc<dyn SharedBudget>>,
    /// Receives warnings while waiting for a server that is down.
    pub progress: Arc<dyn Progress>,
}

/// A model analyst. Every response is recorded in `ledger`.
pub fn analyst(access: &ModelAccess<'_>, ledger: &Ledger) -> Result<ModelAnalyst, AppError> {
    Ok(open(access, ledger)?.analyst())
}

/// OpenModels models. All analysts created from them share the HTTP client, rate limit and budget.
pub struct OpenModels {
    models: StageModels,
    settings: ModelSettings,
    meter: Arc<Meter>,
    /// In a replay, whether the run had exceeded its budget.
    replaying: Option<bool>,
    progress: Arc<dyn Progress>,
}

impl OpenModels {
    /// An analyst with its own request log.
    pub fn analyst(&self) -> ModelAnalyst {
        let analyst = ModelAnalyst::new(self.models.clone(), self.settings, Arc::clone(&self.meter));
        let analyst = analyst.watched_by(Arc::clone(&self.progress));
        match self.replaying {
            Some(budget_had_ended) => analyst.replaying(budget_had_ended),
            None => analyst,
        }
    }
}

/// A model that answered a test question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestedModel {
    /// `provider:name`.
    pub model: String,
    /// The stage that uses it with other settings, or instead of the default model.
    pub stage: Option<String>,
    /// The host that received the question.
    pub host: String,
    /// Tokens of the question and the answer.
    pub tokens: u64,
    /// Whether only its second answer was the requested JSON.
    pub repaired: bool,
    /// Whether it refused the JSON Schema, which then goes into the text of each prompt.
    pub refused_schema: bool,
}

/// The answer to the test question.
#[derive(Debug, Deserialize, JsonSchema)]
struct TestAnswer {
    #[serde(rename = "ready")]
    _ready: bool,
}

impl OpenModels {
    /// Sends the default model and each model of a stage one short question that wants JSON.
    ///
    /// # Errors
    /// If a model gives no answer, or not the requested JSON even when asked again.
    pub async fn test(&self) -> Result<Vec<TestedModel>, AppError> {
        let mut tested: Vec<TestedModel> = Vec::new();
        let mut asked = BTreeSet::new();
        let of_stages = self.models.by_stage.iter().map(|(stage, model)| (Some(stage), model));
        for (stage, model) in std::iter::once((None, &self.models.default)).chain(of_stages) {
            let name = model.name().to_string();
            let options = model.options();
            // The names of secret headers, which are no part of the key.
            let headers = options.secret_headers.keys().cloned().collect::<Vec<_>>();
            if !asked.insert((name.clone(), options.key(), headers)) {
                continue;
            }
            let ask = Ask {
                id: "doctor".to_owned(),
                system: "Task: doctor\nAnswer with one JSON object that matches the schema.".to_owned(),
                turns: vec![Turn {
                    speaker: Speaker::User,
                    text: "Set ready to true: {\"ready\": true}".to_owned(),
                }],
                temperature: 0.0,
                most_output: TEST_OUTPUT,
                schema: None,
                mark: String::new(),
                stable: 0,
            };
            let mut taken = AskUsage::default();
            let checks = Checks { must: &[], should: &[] };
            let answer = ask_within::<TestAnswer>(model.as_ref(), ask, checks, &mut taken).await?;
            tested.push(TestedModel {
                model: name,
                stage: stage.cloned(),
                host: model.host(),
                tokens: taken.usage.input + taken.usage.output,
                repaired: answer.repaired,
                refused_schema: model.refuses_schema_of("doctor"),
            });
        }
        Ok(tested)
    }
}

/// Opens the models of a request. Every response is recorded in `ledger`.
pub fn open(access: &ModelAccess<'_>, ledger: &Ledger) -> Result<OpenModels, AppError> {
    let request = access.request;
    let settings = Settings::load(request.settings.as_deref())?;
    within_reach(request, &settings)?;
    let gateway = HttpGateway::new(
        GatewaySettings {
            reach: access.limit.clone().unwrap_or_else(|| reach(request)),
            mode: if access.replay { Mode::Replay } else { Mode::Live },
            user_agent: USER_AGENT.to_owned(),
            limits: host_limits(),
            connection: connection(&settings)?,
        },
        ledger.clone(),
    );
    let progress = Arc::clone(&access.progress);
    let gateway = gateway.map_err(|error| AppError::from(LlmError::from(error)))?;
    let waiting = Arc::clone(&progress);
    let gateway = gateway
        .noting(move |notice| progress.warning(notice))
        .counting_waits(move |calls| waiting.waiting(calls));
    let gateway = Arc::new(gateway);
    // A replay uses only recorded responses, which cost nothing.
    let budget = request.budget.filter(|_| !access.replay);
    let tokens = request.budget_tokens.filter(|_| !access.replay);
    let meter = Meter::new(prices(Some(request), &settings)?, budget).within_tokens(tokens);
    let meter = Arc::new(meter.sharing(access.budget.clone().filter(|_| !access.replay)));
    let in_batches = request.provider_batch && !access.replay;
    if in_batches && access.queue.is_none() {
        let message = "this command sends no batches to a provider";
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("remove --provider-batch"));
    }
    let queue = access.queue.as_ref().filter(|_| in_batches);
    let at_once = request.at_once.unwrap_or(AT_ONCE);
    let model = |name: &str, url: Option<&str>, stage: Option<&str>| {
        let name = settings.model_name(name).map_err(AppError::from)?;
        let tables = match stage {
            Some(stage) => format!(
                "see [providers.{}] and [stages.{stage}] in the settings",
                name.provider_id()
            ),
            None => format!("see [providers.{}] in the settings", name.provider_id()),
        };
        let own = settings.request_settings(&name, stage);
        let own = own.as_ref();
        let key = match access.replay {
            true => Some(Secret::new("unused in a replay")),
            false => key(&name, own)?,
        };
        let url = url.or_else(|| own.and_then(|own| own.url.as_deref()));
        let model =
            Model::new(name, url, key, at_once, Arc::clone(&gateway), Arc::clone(&meter)).map_err(AppError::from)?;
        let options = own
            .map(|own| own.options(access.replay))
            .transpose()
            .map_err(|error| error.hint(tables))?
            .unwrap_or_default();
        let per_minute = own.and_then(|own| own.requests_per_minute);
        let model = model
            .with_options(options)
            .at_most_per_minute(per_minute.map(NonZeroU32::get));
        let model = match queue {
            Some(queue) => model.in_batches(queue.clone())?,
            None => model,
        };
        let model = match own.and_then(|own| own.answer_seconds) {
            Some(seconds) => model.answering_within(Duration::from_secs(seconds.get().into())),
            None => model,
        };
        let outage = own.and_then(|own| own.outage_seconds);
        Ok::<_, AppError>(Arc::new(match outage {
            _ if access.impatient => model.waiting_for(Duration::ZERO).patient_for(IMPATIENT),
            Some(seconds) => model.waiting_for(Duration::from_secs(seconds.into())),
            None => model,
        }))
    };
    let default = model(&request.model, request.url.as_deref(), None)?;
    let mut by_stage = BTreeMap::new();
    for stage in StageModels::STAGES {
        let name = request.stages.get(stage).unwrap_or(&request.model);
        let parsed = settings.model_name(name).map_err(AppError::from)?;
        if !request.stages.contains_key(stage) && settings.stage_settings(stage, &parsed).is_none() {
            continue;
        }
        let same = is_of_default(name, request);
        let url = request.url.as_deref().filter(|_| same);
        by_stage.insert(stage.to_owned(), model(name, url, Some(stage))?);
    }
    let models = StageModels { default, by_stage };
    let settings = ModelSettings {
        depth: request.depth,
        policy: request.policy,
        at_once: if in_batches { IN_BATCHES } else { at_once },
        seed: access.seed,
    };
    Ok(OpenModels {
        models,
        settings,
        meter,
        replaying: access.replay.then_some(access.budget_had_ended),
        progress: Arc::clone(&access.progress),
    })
}

/// The prices of models, at the share that providers charge for batches if the request wants them.
pub(crate) fn prices(request: Option<&ModelRequest>, settings: &Settings) -> Result<Prices, AppError> {
    let mut prices = settings.prices.clone().with_built_in();
    let in_batches = request.filter(|request| request.provider_batch);
    let names = in_batches
        .into_iter()
        .flat_map(|request| std::iter::once(&request.model).chain(request.stages.values()));
    let providers: BTreeSet<&str> = names.filter_map(|name| name.split(':').next()).collect();
    for provider in providers {
        prices = prices.at_share(provider, settings.batch_share(provider)?);
    }
    Ok(prices)
}

/// The key in the environment variable of the settings, else of the provider, else in the general one. A server that the user named gets only the key of
/// its own settings, because the general one may belong to another server.
fn key(name: &ModelName, own: Option<&ProviderSettings>) -> Result<Option<Secret>, AppError> {
    let held = |variable: &str| {
        let held = std::env::var(variable).ok()?;
        Some(Secret::new(&held)).filter(|key| !key.is_empty())
    };
    match own.and_then(|own| own.key_variable.as_deref()) {
        Some(variable) => match held(variable) {
            Some(key) => Ok(Some(key)),
            None => Err(AppError::from(LlmError::NoKey {
                provider: name.provider_id().to_owned(),
                variable: variable.to_owned(),
            })),
        },
        None if name.is_named() => Ok(None),
        None => Ok(held(name.key_variable().unwrap_or("PRECEDENT_MODEL_KEY"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_service_of_a_provider_gets_more_calls_with_more_papers() {
        let dir = tempfile::tempdir().unwrap();
        let settings = dir.path().join("settings.toml");
        std::fs::write(&settings, "[providers.anthropic]\nurl = 'http://gpu.lab/v1'\n").unwrap();
        let calls = |model: &str, url: Option<&str>, at_once| {
            let choice = ModelChoice {
                model: Some(model.to_owned()),
                url: url.map(str::to_owned),
                local_only: false,
                at_once,
                settings: Some(settings.clone()),
                ..ModelChoice::offline()
            };
            at_once_of(&selected(&choice).unwrap().unwrap(), 16).unwrap()
        };
        assert_eq!(calls("openai:gpt-5-mini", None, None), 48);
        assert_eq!(calls("openai:gpt-5-mini", None, Some(2)), 2);
        assert_eq!(calls("openai:gpt-5-mini", Some("http://models.lab/v1"), None), 8);
        assert_eq!(calls("ollama:qwen3:8b", None, None), 8);
        assert_eq!(
            calls("anthropic:claude-haiku-4-5", None, None),
            8,
            "its URL is in the settings"
        );
        let mut request = selected(&ModelChoice {
            model: Some("openai:gpt-5-mini".to_owned()),
            local_only: false,
            settings: Some(settings.clone()),
            ..ModelChoice::offline()
        })
        .unwrap()
        .unwrap();
        request
            .stages
            .insert("relevance".to_owned(), "ollama:qwen3:8b".to_owned());
        assert_eq!(at_once_of(&request, 16).unwrap(), 8);
    }
}
