use std::path::PathBuf;

use crate::runs::{ModelRequest, RunRequest};
use precedent_engine::domain::{Identifiers, PartialDate};
use precedent_engine::llm::{LlmError, NetworkPolicy};
use precedent_engine::model::StageModels;
use precedent_report::{BatchPaper, renderer};
use serde::{Deserialize, Serialize};

use super::store::{Store, is_hash};
use crate::batch::line_of;
use crate::{AppError, ErrorKind, RunResult, Settings, WorkerRequest, models};

/// The program that made a batch. Another version would give other reports.
pub(crate) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The provider that an allowed URL is for if it names none. It has no host and no key of its own.
const COMPATIBLE: &str = "compatible";

/// Most corpora, formats and concurrent requests that a batch may name. Chosen by hand, above what anybody needs.
const MOST_CORPORA: usize = 64;
const MOST_FORMATS: usize = 8;
const MOST_AT_ONCE: usize = 1024;

/// What all papers of a batch have in common. It names objects by hash and no path, so it means the same on every machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchSpec {
    /// [`PROGRAM`].
    pub(crate) program: String,
    /// Id of the store.
    pub(crate) store: String,
    /// Trees of the corpora.
    pub(crate) corpora: Vec<String>,
    pub(crate) full_texts: Option<usize>,
    pub(crate) as_of: Option<PartialDate>,
    pub(crate) formats: Vec<String>,
    pub(crate) seed: u64,
    pub(crate) model: Option<ModelRequest>,
}

/// A paper of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperSpec {
    /// Its tree.
    pub(crate) tree: String,
    /// Its identifiers, if it was named and fetched.
    #[serde(default)]
    pub(crate) named: Identifiers,
}

/// The result of a paper, which is written once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PaperResult {
    /// The tree of the run's folder.
    pub(crate) tree: String,
    /// Its line in the index.
    pub(crate) paper: BatchPaper,
    /// Whether fewer than half of the model's items are usable.
    pub(crate) unusable: bool,
    /// Why a requested format was not written.
    pub(crate) unwritten: Option<String>,
    /// What its model calls cost, in US dollars.
    pub(crate) dollars: f64,
    /// Whether calls failed for a reason that may pass.
    #[serde(default)]
    pub(crate) may_pass: bool,
}

impl PaperResult {
    /// That of the run in `tree`, for the paper `name`.
    pub(crate) fn new(name: &str, folder: &str, tree: String, result: &RunResult) -> Self {
        let mut kinds = result.manifest.models.iter().flat_map(|model| model.failed.keys());
        Self {
            may_pass: kinds.any(|kind| LlmError::kind_may_pass(kind)),
            tree,
            paper: line_of(name, folder, result),
            unusable: result.coverage().is_unusable(),
            unwritten: result.unwritten.as_ref().map(ToString::to_string),
            dollars: result.manifest.models.iter().filter_map(|model| model.dollars).sum(),
        }
    }
}

/// The name of a result in the store.
pub(crate) fn result_name(batch: &str, folder: &str, round: i64) -> String {
    format!("runs/{batch}/{folder}/{round}")
}

pub(crate) fn read_result(store: &Store, name: &str, bytes: &[u8]) -> Result<PaperResult, AppError> {
    serde_json::from_slice(bytes).map_err(|_| store.damaged(name).into())
}

/// Whether a run's folder is named by its id. The same paper in two folders of a batch has a number too.
pub(crate) fn is_folder_of(folder: &str, id: &str) -> bool {
    let rest = folder.strip_prefix(id);
    rest.is_some_and(|rest| {
        rest.is_empty()
            || rest
                .strip_prefix('-')
                .is_some_and(|number| number.parse::<u32>().is_ok())
    })
}

impl BatchSpec {
    /// The options of a request, which is the same for all papers but the paper itself.
    pub(crate) fn new(request: &RunRequest, store: &str, corpora: Vec<String>) -> Self {
        Self {
            program: PROGRAM.to_owned(),
            store: store.to_owned(),
            corpora,
            full_texts: request.full_texts,
            as_of: request.as_of,
            formats: request.formats.clone(),
            seed: request.seed,
            // A settings file is a path of one machine.
            model: request.model.clone().map(|model| ModelRequest {
                settings: None,
                ..model
            }),
        }
    }

    /// The options that decide what the batch is. How many calls it makes at the same time is not one of them.
    pub(crate) fn lasting(&self) -> Self {
        let mut lasting = self.clone();
        if let Some(model) = &mut lasting.model {
            // The number in batches of earlier versions, which are to be continued.
            model.at_once = Some(8);
        }
        lasting
    }

    /// Reads the options of a batch from the queue. The error says why they cannot be used with the store that is called `place`.
    pub(crate) fn parse(text: &str, store: &str, place: &str) -> Result<Self, AppError> {
        let spec: Self = serde_json::from_str(text)
            .map_err(|_| refused("its options cannot be read; the program that started it has another version"))?;
        if spec.store != store {
            let message = format!("its papers are not in the store {place}");
            return Err(refused(&message).hint("give the --store of the batch"));
        }
        let is_short = spec.corpora.len() <= MOST_CORPORA && spec.formats.len() <= MOST_FORMATS;
        if !is_short || !spec.corpora.iter().all(|hash| is_hash(hash)) {
            return Err(refused("its list of corpora or formats is not valid"));
        }
        Ok(spec)
    }

    /// As [`BatchSpec::parse`], and checks that this worker may run the batch.
    pub(crate) fn read(text: &str, store: &str, worker: &WorkerRequest) -> Result<Self, AppError> {
        let spec = Self::parse(text, store, &worker.fleet.store)?;
        if spec.program != PROGRAM {
            let message = format!("it was started by version {}, and this is {PROGRAM}", spec.program);
            return Err(refused(&message).hint("use the same version on all machines"));
        }
        for format in &spec.formats {
            renderer(format).map_err(|error| AppError::new(ErrorKind::Usage, error))?;
        }
        if let Some(model) = &spec.model {
            check_model(model, worker)?;
        }
        Ok(spec)
    }

    /// The model of the batch for a run that may be resumed on this machine: within the limits of its settings, and without a URL that they do not
    /// allow, so that a batch cannot choose where the keys of this machine are sent.
    pub(crate) fn model_here(&self, worker: &WorkerRequest) -> Result<Option<ModelRequest>, AppError> {
        let Some(model) = &self.model else {
            return Ok(None);
        };
        let settings = Settings::load(worker.settings.as_deref())?;
        let mut here = limited(model, worker, &settings);
        if check_model(model, worker).is_err() {
            here.url = None;
        }
        Ok(Some(here))
    }

    /// The hosts that a run may contact on this machine, if they are fewer than the batch allows.
    pub(crate) fn limit(&self, worker: &WorkerRequest) -> Result<Option<NetworkPolicy>, AppError> {
        let settings = Settings::load(worker.settings.as_deref())?;
        let limited = self.model.as_ref().map(|model| limited(model, worker, &settings));
        let limited = limited.filter(|limited| limited.local_only);
        Ok(limited.map(|limited| models::reach(&limited)))
    }

    /// The request for a paper of the batch on this machine.
    pub(crate) fn request(
        &self,
        input: PathBuf,
        named: Identifiers,
        corpora: Vec<PathBuf>,
        worker: &WorkerRequest,
    ) -> Result<RunRequest, AppError> {
        let model = self.model.clone().map(|model| {
            let model = ModelRequest {
                settings: worker.settings.clone(),
                ..model
            };
            let at_once = Some(models::at_once_of(&model, worker.jobs)?);
            Ok::<_, AppError>(ModelRequest { at_once, ..model })
        });
        Ok(RunRequest {
            input,
            named,
            corpora,
            sources: Vec::new(),
            refresh: false,
            settings: None,
            full_texts: self.full_texts,
            as_of: self.as_of,
            formats: self.formats.clone(),
            seed: self.seed,
            model: model.transpose()?,
            idea: None,
            points: None,
            review: None,
            rank: None,
            audit: None,
        })
    }
}

/// A batch chooses models, but not where the keys of this machine are sent.
fn check_model(model: &ModelRequest, worker: &WorkerRequest) -> Result<(), AppError> {
    let settings = Settings::load(worker.settings.as_deref())?;
    if model.settings.is_some() || model.at_once.is_some_and(|one| one == 0 || one > MOST_AT_ONCE) {
        return Err(refused("its model has options that a shared batch cannot have"));
    }
    if let Some(stage) = model
        .stages
        .keys()
        .find(|stage| !StageModels::STAGES.contains(&stage.as_str()))
    {
        return Err(refused(&format!("it names the unknown model stage {stage}")));
    }
    if let Some(url) = &model.url {
        let own = settings.model.as_deref().zip(settings.model_url.as_deref());
        let own = own.map(|(model, url)| (provider_of(model), url));
        let given = worker.model_urls.iter().map(|given| provider_and_url(given));
        // The key of a provider is sent only to the URLs that were allowed for it.
        if !given.chain(own).any(|one| one == (provider_of(&model.model), url)) {
            let (provider, url) = (provider_of(&model.model), crate::text::plain(url));
            let message = format!("it sends requests for {provider} to {url}");
            let hint = format!("to allow that, start the worker with --model-url {provider}={url}");
            return Err(refused(&message).hint(hint));
        }
    }
    models::within_reach(model, &settings)?;
    models::within_reach(&limited(model, worker, &settings), &settings)
}

/// A model request with the limits of this machine on hosts.
fn limited(model: &ModelRequest, worker: &WorkerRequest, settings: &Settings) -> ModelRequest {
    let mut private_hosts = [worker.private_hosts.as_slice(), &settings.private_hosts].concat();
    if model.local_only {
        private_hosts.retain(|host| model.private_hosts.contains(host));
    }
    ModelRequest {
        local_only: worker.local_only || settings.local_only,
        private_hosts,
        ..model.clone()
    }
}

/// The provider of a model's name.
fn provider_of(model: &str) -> &str {
    model.split(':').next().unwrap_or_default()
}

/// A URL that a worker allows, and the provider that it is allowed for.
fn provider_and_url(given: &str) -> (&str, &str) {
    match given.split_once('=') {
        Some((provider, url)) if !provider.contains([':', '/']) => (provider, url),
        _ => (COMPATIBLE, given),
    }
}

/// The URL of a model, as a worker allows it.
pub(crate) fn allowed_url(model: &ModelRequest) -> Option<String> {
    let url = model.url.as_ref()?;
    Some(format!("{}={url}", provider_of(&model.model)))
}

fn refused(message: &str) -> AppError {
    AppError::with_message(ErrorKind::Usage, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_allowed_for_one_provider() {
        assert_eq!(provider_and_url("http://vllm/v1"), ("compatible", "http://vllm/v1"));
        assert_eq!(provider_and_url("openai=http://x/v1"), ("openai", "http://x/v1"));
        assert_eq!(provider_and_url("http://x/v1?a=b"), ("compatible", "http://x/v1?a=b"));
        assert_eq!(provider_of("anthropic:claude"), "anthropic");
    }
}
