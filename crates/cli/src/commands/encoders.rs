//! Embedders and rerankers: download, lookup and setup.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_engine::corpus::{
    BertEmbedder, BertReranker, Corpus, Embedder, EncodeError, Found, KnownModel, Refiner, Reranker, SearchOptions,
    VectorCache,
};
use precedent_engine::ledger::{Ledger, LedgerError};
use precedent_engine::llm::{HttpGateway, Mode, NetworkPolicy, Secret, Settings as DoorSettings};
use precedent_engine::runs::EncoderRequest;
use precedent_engine::sources::{EndpointEmbedder, EndpointLine, EndpointReranker};
use serde::Serialize;

use crate::ExitCode;
use crate::exit::Failure;
use crate::printer::{Printer, plain};
use crate::refining::{EncoderChoice, ModelsCommand, RefineChoice};
use crate::runtime::runtime;
use crate::settings::Settings;

/// Maximum size of a downloaded model file.
const LARGEST_FILE: u64 = 600 << 20;

/// `precedent models …`.
pub(super) fn run(typed: &ModelsCommand, printer: Printer) -> Result<ExitCode, Failure> {
    match typed {
        ModelsCommand::Pull { name, from, hub } => pull(name, from.as_deref(), hub.as_deref(), printer),
        ModelsCommand::List { json } => list(*json, printer),
    }
}

/// The folder of a known model. `None` if no data folder is set on this machine.
pub(super) fn folder_of(model: &KnownModel) -> Option<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let all = set("PRECEDENT_MODELS").or_else(|| {
        let data = set("XDG_DATA_HOME")
            .or_else(|| set("HOME").map(|home| home.join(".local/share")))
            .or_else(|| set("LOCALAPPDATA"))?;
        Some(data.join("precedent/models"))
    })?;
    Some(all.join(model.name))
}

fn known(name: &str) -> Result<(&'static KnownModel, PathBuf), Failure> {
    let names: Vec<&str> = KnownModel::all().iter().map(|model| model.name).collect();
    let Some(model) = KnownModel::named(name) else {
        let message = format!("unknown model {}; available models: {}", plain(name), names.join(", "));
        return Err(Failure::said(ExitCode::Usage, message));
    };
    let folder = folder_of(model)
        .ok_or_else(|| Failure::said(ExitCode::Usage, "no folder for models").hint("set one with PRECEDENT_MODELS"))?;
    Ok((model, folder))
}

fn pull(name: &str, from: Option<&Path>, hub: Option<&str>, printer: Printer) -> Result<ExitCode, Failure> {
    let (model, folder) = known(name)?;
    match from {
        Some(archive) if archive.is_file() => {
            let unpacked = tempfile::tempdir().map_err(|error| Failure::new(ExitCode::Bug, error))?;
            model.unpack(archive, unpacked.path()).map_err(failure)?;
            model.take_from(unpacked.path(), &folder).map_err(failure)?;
        }
        Some(from) if !from.exists() => {
            let message = format!("{} does not exist", from.display());
            return Err(Failure::said(ExitCode::Input, message)
                .hint("--from needs a folder or package that contains the model's files"));
        }
        Some(from) => model.take_from(from, &folder).map_err(failure)?,
        None => {
            let fetched = tempfile::tempdir().map_err(|error| Failure::new(ExitCode::Bug, error))?;
            let line = line(NetworkPolicy::Anywhere)?;
            for file in model.files {
                let address = model.address(hub.unwrap_or(KnownModel::HUB), file);
                printer.note(&format!("downloading {address}"));
                let bytes = line.fetch(model.name, &address, LARGEST_FILE).map_err(|error| {
                    failure(error)
                        .hint("without a network, use --from with a folder or package that contains the model's files")
                })?;
                std::fs::write(fetched.path().join(file.path), bytes)
                    .map_err(|error| Failure::new(ExitCode::Bug, error))?;
            }
            model.take_from(fetched.path(), &folder).map_err(failure)?;
        }
    }
    printer.line(&format!("{} is installed in {}", model.name, folder.display()));
    Ok(ExitCode::Done)
}

#[derive(Debug, Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    folder: Option<PathBuf>,
    here: bool,
}

fn list(json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    for model in KnownModel::all() {
        let folder = folder_of(model);
        let here = folder.as_deref().is_some_and(|folder| model.is_in(folder));
        if json {
            printer.json(&Listed {
                name: model.name,
                about: model.about,
                folder,
                here,
            })?;
        } else {
            let place = match folder.filter(|_| here) {
                Some(folder) => format!("in {}", folder.display()),
                None => format!("not installed; run `precedent models pull {}`", model.name),
            };
            printer.line(&format!("{}  {}  {place}", model.name, model.about));
        }
    }
    Ok(ExitCode::Done)
}

/// The chosen models, ready for the candidates of any corpus.
pub(super) struct Chosen {
    embedder: Option<Arc<dyn Embedder>>,
    reranker: Option<Arc<dyn Reranker>>,
    candidates: usize,
}

/// The models chosen by the arguments and settings. `None` if there are none.
pub(super) fn chosen(typed: &RefineChoice) -> Result<Option<Chosen>, Failure> {
    let file = std::env::var_os("PRECEDENT_SETTINGS").map(PathBuf::from);
    let settings = Settings::load(file.as_deref())?;
    let reach = reach(typed.local_only || settings.local_only, settings.private_hosts.clone());
    let Some(selected) = selected(&typed.encoders, settings, &reach)? else {
        return Ok(None);
    };
    let opened = open(&selected, || line(reach))?;
    Ok(Some(Chosen {
        embedder: opened.embedder,
        reranker: opened.reranker,
        candidates: usize::from(typed.candidates),
    }))
}

/// Which hosts may be contacted for models.
pub(super) fn reach(local_only: bool, private_hosts: Vec<String>) -> NetworkPolicy {
    match local_only {
        true => NetworkPolicy::Local { named: private_hosts },
        false => NetworkPolicy::Anywhere,
    }
}

/// Combines the arguments with the settings and validates them before any work. Hosts that may not be contacted are refused. `None` without a model.
pub(super) fn selected(
    typed: &EncoderChoice,
    settings: Settings,
    reach: &NetworkPolicy,
) -> Result<Option<EncoderRequest>, Failure> {
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
                Err(Failure::said(ExitCode::Usage, message).hint("choose the model with --embedder or --reranker"))
            }
        };
    }
    if let (Some(name), None) = (&reranker, &reranker_url)
        && !Path::new(name).is_dir()
    {
        let message = format!("the reranker {} is not a folder, and no URL was given", plain(name));
        return Err(Failure::said(ExitCode::Usage, message)
            .hint("use the folder of a BERT cross-encoder, or set its URL with --reranker-url"));
    }
    for url in [&embedder_url, &reranker_url].into_iter().flatten() {
        reach
            .permits(url)
            .map_err(|error| Failure::new(ExitCode::Model, error))?;
    }
    Ok(Some(EncoderRequest {
        embedder: embedder.map(|name| absolute(name, embedder_url.is_none())),
        embedder_url,
        reranker: reranker.map(|name| absolute(name, reranker_url.is_none())),
        reranker_url,
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

/// Opened models.
pub(super) struct Encoders {
    pub(super) embedder: Option<Arc<dyn Embedder>>,
    pub(super) reranker: Option<Arc<dyn Reranker>>,
}

/// Opens the models of a request. `line` connects to models on other hosts.
pub(super) fn open(
    selected: &EncoderRequest,
    line: impl FnOnce() -> Result<EndpointLine, Failure>,
) -> Result<Encoders, Failure> {
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
pub(super) fn here(name: &str) -> Result<BertEmbedder, Failure> {
    let folder = Path::new(name);
    if KnownModel::named(name).is_none() && folder.is_dir() {
        return BertEmbedder::open(folder, &called(folder)).map_err(failure);
    }
    let (model, folder) = known(name)?;
    if !model.is_in(&folder) {
        let message = format!("the model {name} is not installed");
        return Err(Failure::said(ExitCode::Model, message).hint("install it with `precedent models pull`"));
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
fn line(reach: NetworkPolicy) -> Result<EndpointLine, Failure> {
    line_through(reach, Mode::Live, Ledger::in_memory())
}

/// A connection that records every response in the ledger of a run.
pub(super) fn line_of_run(reach: NetworkPolicy, ledger: &Path, replay: bool) -> Result<EndpointLine, Failure> {
    let mode = if replay { Mode::Replay } else { Mode::Live };
    line_through(reach, mode, Ledger::open(ledger))
}

fn line_through(
    reach: NetworkPolicy,
    mode: Mode,
    ledger: impl Future<Output = Result<Ledger, LedgerError>>,
) -> Result<EndpointLine, Failure> {
    let runtime = runtime()?;
    let ledger = runtime
        .block_on(ledger)
        .map_err(|error| Failure::new(ExitCode::Bug, error))?;
    let settings = DoorSettings {
        reach,
        mode,
        user_agent: concat!("precedent/", env!("CARGO_PKG_VERSION")).to_owned(),
    };
    let door = HttpGateway::new(settings, ledger).map_err(|error| Failure::new(ExitCode::Model, error))?;
    Ok(EndpointLine::new(Arc::new(door), Arc::new(runtime)))
}

fn key(variable: &str) -> Option<Secret> {
    let held = std::env::var(variable).ok()?;
    Some(Secret::new(&held)).filter(|key| !key.is_empty())
}

fn failure(error: EncodeError) -> Failure {
    let code = match &error {
        EncodeError::Answer { .. } => ExitCode::Model,
        _ => ExitCode::Input,
    };
    Failure::new(code, error)
}

impl Chosen {
    /// A refiner for one corpus. Vectors of its papers are cached in its folder.
    pub(super) fn over(&self, corpus: &Corpus) -> Refiner {
        let embedder = self.embedder.as_ref().map(|embedder| {
            let kept = VectorCache::open(&corpus.dir().join("vectors"), embedder.name());
            (Arc::clone(embedder), kept)
        });
        let mut refiner = Refiner::new(embedder, self.reranker.clone());
        refiner.candidates = self.candidates;
        refiner.reranked = self.candidates.div_ceil(4);
        refiner
    }
}

/// Searches a corpus and reranks the candidates if there are models.
pub(super) fn search(
    corpus: &Corpus,
    refiner: Option<&Refiner>,
    query: &str,
    options: &SearchOptions,
) -> Result<Vec<Found>, Failure> {
    let failed = |error| Failure::new(ExitCode::NothingSearched, error);
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
