//! Embedders and rerankers: lookup, selection and setup.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::runs::EncoderRequest;
use precedent_engine::corpus::{
    BertEmbedder, BertReranker, Corpus, Embedder, EncodeError, Found, KnownModel, Refiner, Reranker, SearchOptions,
    VectorCache,
};
use precedent_engine::ledger::{Ledger, LedgerError};
use precedent_engine::llm::{HttpGateway, Mode, NetworkPolicy, Secret, Settings as GatewaySettings};
use precedent_engine::sources::{EndpointEmbedder, EndpointLine, EndpointReranker};

use crate::connection::connection;
use crate::run::Run;
use crate::runtime::{host_limits, runtime};
use crate::shared::{data_folder, set};
use crate::text::plain;
use crate::{AppError, EncoderChoice, ErrorKind, RefineChoice, Settings};

/// The folder of a known model. `None` if no data folder is set on this machine.
pub fn folder_of(model: &KnownModel) -> Option<PathBuf> {
    let all = set("PRECEDENT_MODELS").or_else(|| Some(data_folder()?.join("models")))?;
    Some(all.join(model.name))
}

/// The known model with this name, and its folder.
pub fn known(name: &str) -> Result<(&'static KnownModel, PathBuf), AppError> {
    let names: Vec<&str> = KnownModel::all().iter().map(|model| model.name).collect();
    let Some(model) = KnownModel::named(name) else {
        let message = format!("unknown model {}; available models: {}", plain(name), names.join(", "));
        return Err(AppError::with_message(ErrorKind::Usage, message));
    };
    let folder = folder_of(model).ok_or_else(|| {
        AppError::with_message(ErrorKind::Usage, "no folder for models").hint("set one with PRECEDENT_MODELS")
    })?;
    Ok((model, folder))
}

/// Which hosts may be contacted for models.
pub fn reach(local_only: bool, private_hosts: Vec<String>) -> NetworkPolicy {
    match local_only {
        true => NetworkPolicy::Local { named: private_hosts },
        false => NetworkPolicy::Anywhere,
    }
}

/// Combines the arguments with the settings and validates them before any work. Hosts that may not be contacted are refused. `None` without a model.
pub fn selected(
    typed: &EncoderChoice,
    settings: Settings,
    reach: &NetworkPolicy,
) -> Result<Option<EncoderRequest>, AppError> {
    let (embedder, embedder_url) = resolve_service(
        (&typed.embedder, &typed.embedder_url),
        (settings.embedder, settings.embedder_url),
    );
    let (reranker, reranker_url) = resolve_service(
        (&typed.reranker, &typed.reranker_url),
        (settings.reranker, settings.reranker_url),
    );
    if embedder.is_none() && reranker.is_none() {
        return match (embedder_url, reranker_url) {
            (None, None) => Ok(None),
            _ => {
                let message = "a model URL was given without a model";
                Err(AppError::with_message(ErrorKind::Usage, message)
                    .hint("choose the model with --embedder or --reranker"))
            }
        };
    }
    if let (Some(name), None) = (&reranker, &reranker_url)
        && !Path::new(name).is_dir()
    {
        let message = format!("the reranker {} is not a folder, and no URL was given", plain(name));
        return Err(AppError::with_message(ErrorKind::Usage, message)
            .hint("use the folder of a BERT cross-encoder, or set its URL with --reranker-url"));
    }
    for url in [&embedder_url, &reranker_url].into_iter().flatten() {
        reach
            .permits(url)
            .map_err(|error| AppError::new(ErrorKind::Model, error))?;
        if url.contains(['?', '#']) {
            let message = "the URL of a model cannot have a query";
            return Err(AppError::with_message(ErrorKind::Usage, message)
                .hint("give a key in PRECEDENT_EMBEDDER_KEY or PRECEDENT_RERANKER_KEY"));
        }
    }
    let (local_only, private_hosts) = match reach {
        NetworkPolicy::Local { named } => (true, named.clone()),
        NetworkPolicy::Anywhere => (false, Vec::new()),
    };
    Ok(Some(EncoderRequest {
        embedder: embedder.map(|name| absolute(name, embedder_url.is_none())),
        embedder_url,
        reranker: reranker.map(|name| absolute(name, reranker_url.is_none())),
        reranker_url,
        local_only,
        private_hosts,
    }))
}

/// The absolute path of a model folder on this machine, so that a run can be resumed from any folder.
fn absolute(name: String, is_here: bool) -> String {
    if !is_here || KnownModel::named(&name).is_some() {
        return name;
    }
    match Path::new(&name).canonicalize() {
        Ok(path) if path.is_dir() => path.to_string_lossy().into_owned(),
        _ => name,
    }
}

/// OpenModels models.
pub struct Encoders {
    /// Turns texts into vectors.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Ranks texts for a query.
    pub reranker: Option<Arc<dyn Reranker>>,
}

/// Opens the models of a request. `line` connects to models on other hosts.
pub fn open(
    selected: &EncoderRequest,
    line: impl FnOnce() -> Result<EndpointLine, AppError>,
) -> Result<Encoders, AppError> {
    let line = match (&selected.embedder_url, &selected.reranker_url) {
        (None, None) => None,
        _ => Some(line()?),
    };
    let embedder = match (&selected.embedder, &selected.embedder_url, &line) {
        (None, ..) => None,
        (Some(model), Some(url), Some(line)) => {
            let key = key("PRECEDENT_EMBEDDER_KEY");
            Some(Arc::new(EndpointEmbedder::new(line.clone(), url, model, key)) as Arc<dyn Embedder>)
        }
        (Some(model), ..) => Some(Arc::new(here(model)?) as Arc<dyn Embedder>),
    };
    let reranker = match (&selected.reranker, &selected.reranker_url, line) {
        (Some(model), Some(url), Some(line)) => {
            let key = key("PRECEDENT_RERANKER_KEY");
            Some(Arc::new(EndpointReranker::new(line, url, model, key)) as Arc<dyn Reranker>)
        }
        (Some(folder), None, _) => {
            let folder = Path::new(folder);
            Some(Arc::new(BertReranker::open(folder, &called(folder)).map_err(failure)?) as Arc<dyn Reranker>)
        }
        _ => None,
    };
    Ok(Encoders { embedder, reranker })
}

/// Opens the models of a run. Their responses are recorded in the run's ledger.
pub(crate) fn open_for_run(run: &Run, selected: &EncoderRequest) -> Result<Encoders, AppError> {
    let request = &run.manifest.request;
    let settings = Settings::load(request.settings.as_deref())?;
    // Runs of earlier versions have it only with their model.
    let model = request.model.as_ref();
    let local_only = selected.local_only || settings.local_only || model.is_some_and(|model| model.local_only);
    let hosts = selected.private_hosts.iter().chain(&settings.private_hosts);
    let hosts = hosts.chain(model.into_iter().flat_map(|model| &model.private_hosts));
    let reach = reach(local_only, hosts.cloned().collect());
    let ledger = run.folder.ledger_path();
    open(selected, || line_of_run(reach, &ledger, run.replay))
}

/// Models that rerank the candidates of searches, ready for any corpus.
pub struct ChosenEncoders {
    encoders: Encoders,
    candidates: usize,
}

impl ChosenEncoders {
    /// Opens the models of the choice and the settings. `None` if there are none.
    pub fn open(choice: &RefineChoice) -> Result<Option<Self>, AppError> {
        let settings = Settings::load(choice.settings.as_deref())?;
        let reach = reach(choice.local_only || settings.local_only, settings.private_hosts.clone());
        let Some(selected) = selected(&choice.encoders, settings, &reach)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            encoders: open(&selected, || line(reach))?,
            candidates: choice.candidates,
        }))
    }

    /// A refiner for one corpus. Vectors of its papers are cached in its folder.
    pub fn refiner(&self, corpus: &Corpus) -> Refiner {
        let embedder = self.encoders.embedder.as_ref().map(|embedder| {
            let kept = VectorCache::open(&corpus.dir().join("vectors"), embedder.name());
            (Arc::clone(embedder), kept)
        });
        let mut refiner = Refiner::new(embedder, self.encoders.reranker.clone());
        refiner.candidates = self.candidates;
        refiner.reranked = self.candidates.div_ceil(4);
        refiner
    }
}

/// Searches a corpus and reranks the candidates if there are models.
pub fn search(
    corpus: &Corpus,
    refiner: Option<&Refiner>,
    query: &str,
    options: &SearchOptions,
) -> Result<Vec<Found>, AppError> {
    let failed = |error| AppError::new(ErrorKind::NothingSearched, error);
    let Some(refiner) = refiner else {
        return corpus.search(query, options).map_err(failed);
    };
    let wide = SearchOptions {
        limit: options.limit.max(refiner.candidates),
        ..options.clone()
    };
    let found = corpus.search_works(query, &wide).map_err(failed)?;
    let refined = refiner.refine(query, found).map_err(failure)?;
    let found = refined.into_iter().map(|(found, _)| found);
    Ok(found.take(options.limit).collect())
}

/// The model and its URL, from the arguments or else the settings. A model from the arguments never uses a URL from the settings, which belongs to
/// another model: data that should stay on this machine would be sent there.
fn resolve_service(
    (model, url): (&Option<String>, &Option<String>),
    (set, set_url): (Option<String>, Option<String>),
) -> (Option<String>, Option<String>) {
    match model {
        Some(model) => (Some(model.clone()), url.clone()),
        None => (set, url.clone().or(set_url)),
    }
}

/// Opens a known or local model on this machine.
pub fn here(name: &str) -> Result<BertEmbedder, AppError> {
    let folder = Path::new(name);
    if KnownModel::named(name).is_none() && folder.is_dir() {
        return BertEmbedder::open(folder, &called(folder)).map_err(failure);
    }
    let (model, folder) = known(name)?;
    if !model.is_in(&folder) {
        let message = format!("the model {name} is not installed");
        return Err(AppError::with_message(ErrorKind::Model, message).hint("install it with `precedent models pull`"));
    }
    model.check(&folder).map_err(failure)?;
    BertEmbedder::open(&folder, model.name).map_err(failure)
}

/// The name of the model in a folder.
fn called(folder: &Path) -> String {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "model".to_owned())
}

/// A connection that records nothing.
pub fn line(reach: NetworkPolicy) -> Result<EndpointLine, AppError> {
    line_through(reach, Mode::Live, Ledger::in_memory())
}

/// A connection that records every response in the ledger of a run.
pub fn line_of_run(reach: NetworkPolicy, ledger: &Path, replay: bool) -> Result<EndpointLine, AppError> {
    let mode = if replay { Mode::Replay } else { Mode::Live };
    line_through(reach, mode, Ledger::open(ledger))
}

fn line_through(
    reach: NetworkPolicy,
    mode: Mode,
    ledger: impl Future<Output = Result<Ledger, LedgerError>>,
) -> Result<EndpointLine, AppError> {
    let runtime = runtime()?;
    let ledger = runtime
        .block_on(ledger)
        .map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    // The commands without --settings use this file.
    let file = std::env::var_os("PRECEDENT_SETTINGS").map(PathBuf::from);
    let settings = GatewaySettings {
        reach,
        mode,
        user_agent: concat!("precedent/", env!("CARGO_PKG_VERSION")).to_owned(),
        limits: host_limits(),
        connection: connection(&Settings::load(file.as_deref())?)?,
    };
    let gateway = HttpGateway::new(settings, ledger).map_err(|error| AppError::new(ErrorKind::Model, error))?;
    Ok(EndpointLine::new(Arc::new(gateway), Arc::new(runtime)))
}

fn key(variable: &str) -> Option<Secret> {
    let value = std::env::var(variable).ok()?;
    Some(Secret::new(&value)).filter(|key| !key.is_empty())
}

/// An error of an encoder, with its kind.
pub fn failure(error: EncodeError) -> AppError {
    let kind = match &error {
        EncodeError::Answer { .. } => ErrorKind::Model,
        _ => ErrorKind::Input,
    };
    AppError::new(kind, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_from_the_arguments_never_uses_a_url_from_the_settings() {
        let some = |text: &str| Some(text.to_owned());
        let set = || (some("served"), some("https://models.example.org/v1"));
        assert_eq!(resolve_service((&some("minilm"), &None), set()), (some("minilm"), None));
        assert_eq!(resolve_service((&None, &None), set()), set());
        let (model, url) = resolve_service((&None, &some("http://localhost/v1")), set());
        assert_eq!((model, url), (some("served"), some("http://localhost/v1")));
    }
}
