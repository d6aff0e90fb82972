//! From the model that was named to one that can be asked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use precedent_engine::Progress;
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{
    Door, HttpError, LlmError, Meter, Mode, Model, ModelName, Reach, Secret, Settings as DoorSettings,
};
use precedent_engine::model::{ModelAnalyst, ModelSettings, StageModels};
use precedent_engine::runs::ModelRequest;

use crate::ExitCode;
use crate::args::ModelChoice;
use crate::exit::Failure;
use crate::settings::{ProviderSettings, Settings};

/// The name that asks for no model.
pub(super) const OFFLINE: &str = "offline";
/// Questions at the same time, unless told.
const AT_ONCE: usize = 8;

/// What was typed, with what the settings add; `None` for the offline analyst.
pub(super) fn meant(typed: &ModelChoice) -> Result<Option<ModelRequest>, Failure> {
    let settings = Settings::load(typed.settings.as_deref())?;
    let model = typed.model.clone().or(settings.model);
    let Some(model) = model.filter(|model| model != OFFLINE) else {
        return Ok(None);
    };
    let mut stages = settings.stages;
    for one in &typed.stage_models {
        let Some((stage, model)) = one.split_once('=') else {
            let message = format!("--stage-model {one} is not of the form STAGE=PROVIDER:NAME");
            return Err(Failure::said(ExitCode::Usage, message));
        };
        stages.insert(stage.to_owned(), model.to_owned());
    }
    if let Some(stage) = stages
        .keys()
        .find(|stage| !StageModels::STAGES.contains(&stage.as_str()))
    {
        let message = format!("there is no stage called {stage} that asks a model");
        let hint = format!("the stages are {}", StageModels::STAGES.join(", "));
        return Err(Failure::said(ExitCode::Usage, message).hint(hint));
    }
    for name in std::iter::once(&model).chain(stages.values()) {
        ModelName::parse(name).map_err(failure)?;
    }
    // A run is resumed from any folder.
    let absolute = |path: &Path| {
        std::path::absolute(path).map_err(|error| {
            let message = format!("failed to find the settings {}: {error}", path.display());
            Failure::said(ExitCode::Usage, message)
        })
    };
    let own_settings = typed.settings.as_deref().map(absolute).transpose()?;
    let mut private_hosts = settings.private_hosts;
    private_hosts.extend(typed.private_hosts.iter().cloned());
    let request = ModelRequest {
        model,
        url: typed.model_url.clone().or(settings.model_url),
        stages,
        depth: typed.depth.into(),
        policy: typed.policy.into(),
        at_once: typed.at_once.map(usize::from).or(settings.at_once).unwrap_or(AT_ONCE),
        local_only: typed.local_only || settings.local_only,
        private_hosts,
        budget: typed.budget,
        settings: own_settings,
    };
    within_reach(&request, &settings.providers)?;
    Ok(Some(request))
}

/// Refuses, before anything is read or made, addresses of models (of the default one and of those of single stages) that are none or that hold more than a place, and
/// where the run is local only, those that are not.
fn within_reach(request: &ModelRequest, providers: &BTreeMap<String, ProviderSettings>) -> Result<(), Failure> {
    let reach = reach(request);
    for name in std::iter::once(&request.model).chain(request.stages.values()) {
        let parsed = ModelName::parse(name).map_err(failure)?;
        let provider = parsed.provider();
        let typed = request.url.as_deref().filter(|_| is_of_default(name, request));
        let own = || providers.get(provider.id()).and_then(|own| own.url.as_deref());
        if let Some(address) = typed.or_else(own).or(provider.base()) {
            parsed.check_address(address).map_err(failure)?;
            reach.permits(address).map_err(|error| failure(LlmError::Http(error)))?;
        }
    }
    Ok(())
}

/// How far the requests of a run may go.
fn reach(request: &ModelRequest) -> Reach {
    if request.local_only {
        Reach::Local {
            named: request.private_hosts.clone(),
        }
    } else {
        Reach::Anywhere
    }
}

/// Whether a model is of the default model's provider: the address typed is that one's, and another provider's model is not looked for there.
fn is_of_default(name: &str, request: &ModelRequest) -> bool {
    let provider_of = |name: &str| name.split(':').next().unwrap_or_default().to_owned();
    provider_of(name) == provider_of(&request.model)
}

/// How a run may ask.
pub(super) struct Asking<'r> {
    pub(super) request: &'r ModelRequest,
    pub(super) seed: u64,
    /// Nothing new is asked.
    pub(super) replay: bool,
    /// Whether the run that is replayed was ended by its budget.
    pub(super) budget_had_ended: bool,
    /// Hears of waits for a server that is down.
    pub(super) progress: Arc<dyn Progress>,
}

/// An analyst that asks, through a door that keeps every answer in `ledger`.
pub(super) fn analyst(asking: &Asking<'_>, ledger: &Ledger) -> Result<ModelAnalyst, Failure> {
    Ok(open(asking, ledger)?.analyst())
}

/// Models that can be asked: their door, their pace and their budget are one for all analysts made of them.
pub(super) struct Opened {
    models: StageModels,
    settings: ModelSettings,
    meter: Arc<Meter>,
    /// In a replay, whether the budget had ended the run.
    replaying: Option<bool>,
}

impl Opened {
    /// An analyst with a record of its own of what it asked.
    pub(super) fn analyst(&self) -> ModelAnalyst {
        let analyst = ModelAnalyst::new(self.models.clone(), self.settings, Arc::clone(&self.meter));
        match self.replaying {
            Some(budget_had_ended) => analyst.replaying(budget_had_ended),
            None => analyst,
        }
    }
}

/// The models that are meant, behind a door that keeps every answer in `ledger`.
pub(super) fn open(asking: &Asking<'_>, ledger: &Ledger) -> Result<Opened, Failure> {
    let request = asking.request;
    let settings = Settings::load(request.settings.as_deref())?;
    within_reach(request, &settings.providers)?;
    let door = Door::new(
        DoorSettings {
            reach: reach(request),
            mode: if asking.replay { Mode::Replay } else { Mode::Live },
            user_agent: concat!("precedent/", env!("CARGO_PKG_VERSION")).to_owned(),
        },
        ledger.clone(),
    );
    let progress = Arc::clone(&asking.progress);
    let door = door.map_err(|error| failure(error.into()))?;
    let door = Arc::new(door.noting(move |notice| progress.warning(notice)));
    // What is on record costs nothing, and a replay asks for nothing else.
    let budget = request.budget.filter(|_| !asking.replay);
    let meter = Arc::new(Meter::new(settings.prices.clone().with_built_in(), budget));
    let model = |name: &str, url: Option<&str>| {
        let name = ModelName::parse(name).map_err(failure)?;
        let provider = name.provider();
        let own = settings.providers.get(provider.id());
        let variable = own
            .and_then(|own| own.key_variable.as_deref())
            .or(provider.key_variable());
        let key = match asking.replay {
            true => Some(Secret::new("none: nothing is asked")),
            false => key(variable),
        };
        let url = url.or_else(|| own.and_then(|own| own.url.as_deref()));
        let model =
            Model::new(name, url, key, request.at_once, Arc::clone(&door), Arc::clone(&meter)).map_err(failure)?;
        let model = match own.and_then(|own| own.answer_seconds) {
            Some(seconds) => model.answering_within(Duration::from_secs(seconds.into())),
            None => model,
        };
        Ok(Arc::new(match own.and_then(|own| own.outage_seconds) {
            Some(seconds) => model.waiting_for(Duration::from_secs(seconds.into())),
            None => model,
        }))
    };
    let default = model(&request.model, request.url.as_deref())?;
    let mut by_stage = BTreeMap::new();
    for (stage, name) in &request.stages {
        let same = is_of_default(name, request);
        by_stage.insert(stage.clone(), model(name, request.url.as_deref().filter(|_| same))?);
    }
    let models = StageModels { default, by_stage };
    let settings = ModelSettings {
        depth: request.depth,
        policy: request.policy,
        at_once: request.at_once,
        seed: asking.seed,
    };
    Ok(Opened {
        models,
        settings,
        meter,
        replaying: asking.replay.then_some(asking.budget_had_ended),
    })
}

/// The key in the environment variable, or in the one for servers that want none of their own.
fn key(variable: Option<&str>) -> Option<Secret> {
    let held = std::env::var(variable.unwrap_or("PRECEDENT_MODEL_KEY")).ok()?;
    Some(Secret::new(&held)).filter(|key| !key.is_empty())
}

/// An error of a model, with the exit code it means.
pub(super) fn failure(error: LlmError) -> Failure {
    let (code, hint) = match &error {
        LlmError::BadModelName { .. } | LlmError::NoSuchProvider { .. } => {
            (ExitCode::Usage, Some("--model offline needs no model and no key"))
        }
        LlmError::SecretAddress { .. } => (
            ExitCode::Usage,
            Some("PRECEDENT_MODEL_KEY holds the key of a compatible server; docs/models.md names the others"),
        ),
        LlmError::NoPrice { .. } => (
            ExitCode::Usage,
            Some("put the model's prices under [prices] in the settings file; docs/models.md shows how"),
        ),
        LlmError::Http(HttpError::NotAllowed { .. }) => (
            ExitCode::Usage,
            Some("leave --local-only out, or name a host of your own network with --private-host"),
        ),
        LlmError::Http(HttpError::Ledger(_)) => (ExitCode::Input, None),
        LlmError::Http(HttpError::BadAddress { .. }) => (ExitCode::Usage, None),
        LlmError::Prompt(_) => (ExitCode::Bug, None),
        LlmError::Http(HttpError::NotRecorded { .. }) => (
            ExitCode::Model,
            Some("a replay needs the record of a finished run with the same paper, corpora and options"),
        ),
        _ => (ExitCode::Model, Some("--model offline needs no model and no key")),
    };
    let failure = Failure::new(code, error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
