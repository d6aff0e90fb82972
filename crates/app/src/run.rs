//! A run in its folder: it is locked, its request is recorded, its pipeline gets sources and a model, and its end is recorded.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::runs::{MANIFEST_VERSION, Manifest, RunError, RunFolder, RunRequest, RunStatus, SentTotal};
use precedent_engine::domain::{
    ModelCoverage, ModelUse, NotSearched, NotSearchedKind, Paper, ReadWarning, RunMetadata, SourceReport,
};
use precedent_engine::ledger::{Ledger, Sent};
use precedent_engine::model::ModelAnalyst;
use precedent_engine::sources::Source;
use precedent_engine::{Budget, Clock, EngineError, Progress, SystemClock, World};

use precedent_report::{AnyReport, ReportError, file_name, render};

use crate::corpora::open_sources;
use crate::models::{self, ModelAccess, OpenModels};
use crate::observer::{EVENTS_FILE, EventLog, Messages, PipelineProgress};
use crate::replay::{check_models_and_sources, needs_record, nothing_recorded};
use crate::runtime::runtime;
use crate::shared_access::SharedAccess;
use crate::text::plain;
use crate::{AppError, CancelToken, ErrorKind, Observer, RunEvent, contents, input, provider_batches, services};

/// A run in progress.
pub(crate) struct Run {
    pub(crate) folder: RunFolder,
    pub(crate) manifest: Manifest,
    /// Receives every event of the run.
    pub(crate) events: Arc<dyn Observer>,
    log: Arc<EventLog>,
    /// Only recorded responses are used.
    pub(crate) replay: bool,
    /// The manifest of an earlier run in this folder.
    pub(crate) before: Option<Manifest>,
    /// Whether the folder had no run before. Then it is deleted if the run cannot start.
    is_new: bool,
    cancel: CancelToken,
    pub(crate) shared: SharedAccess,
    /// The analysts of the run, which know what its calls cost so far. A cancellation records it.
    analysts: Arc<Mutex<Vec<Arc<ModelAnalyst>>>>,
    /// Why a report was not written, while others were.
    pub(crate) unwritten: Option<AppError>,
}

impl Run {
    /// Writes the request to the manifest of the run folder.
    pub(crate) fn begin(
        folder: RunFolder,
        request: RunRequest,
        replay: bool,
        mut shared: SharedAccess,
        observer: Arc<dyn Observer>,
        cancel: CancelToken,
    ) -> Result<Self, AppError> {
        let before = match RunFolder::open(folder.dir()).and_then(|folder| folder.manifest()) {
            Ok(manifest) => Some(manifest),
            Err(error @ RunError::Newer { .. }) => return Err(error.into()),
            Err(error @ RunError::Manifest { .. }) if !folder.ledger_path().is_file() => {
                // Not a file of ours: it belongs to something else.
                return Err(error.into());
            }
            // The manifest is missing or damaged. The run starts anyway and reuses what its ledger contains.
            Err(_) => None,
        };
        let manifest = Manifest {
            manifest_version: MANIFEST_VERSION,
            run: contents::run_id(&request)?,
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            request,
            input_sha256: None,
            title: None,
            started: SystemClock.unix_seconds(),
            ended: None,
            status: RunStatus::Running,
            // The files of an earlier run exist until they are overwritten.
            files: before.as_ref().map(|before| before.files.clone()).unwrap_or_default(),
            models: Vec::new(),
            sent: Vec::new(),
        };
        // A record without a manifest is still a record: rankings of an earlier version have no manifest.
        let is_new = before.is_none() && !folder.ledger_path().is_file();
        if replay && is_new && needs_record(&manifest.request) {
            let error = nothing_recorded(folder.dir());
            folder.discard();
            return Err(error);
        }
        if let Some(recorded) = before.as_ref().filter(|_| replay) {
            check_models_and_sources(&recorded.request, &manifest.request, folder.dir())?;
        }
        let log = Arc::new(EventLog::new(observer));
        let events = Arc::clone(&log) as Arc<dyn Observer>;
        if shared.queue.is_none() {
            let events = Arc::clone(&events);
            let notice = move |message: &str| {
                let message = message.to_owned();
                events.event(&RunEvent::Progress { message });
            };
            shared.queue = provider_batches::open(folder.dir(), manifest.request.model.as_ref(), replay, notice)?;
        }
        let run = Self {
            events,
            shared,
            log,
            folder,
            manifest,
            cancel,
            replay,
            before,
            is_new,
            analysts: Arc::default(),
            unwritten: None,
        };
        if run.is_new {
            run.write_manifest()?;
        }
        // From here on there is a run that can be resumed if the caller is stopped.
        run.events.event(&RunEvent::Started {
            run: run.manifest.run.as_str().to_owned(),
        });
        Ok(run)
    }

    /// The manifest of the run that is replayed. A replay that fails or is cancelled leaves it unchanged.
    fn replayed(&self) -> Option<&Manifest> {
        self.before.as_ref().filter(|_| self.replay)
    }

    /// Reads the paper and records it in the manifest. A folder that belongs to another paper is an error.
    pub(crate) fn read_paper(&mut self) -> Result<Paper, AppError> {
        let path = &self.manifest.request.input;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.events.note(&format!("reading {}", plain(&name)));
        // If this fails, `settle` deletes the folder.
        let mut paper = input::paper(path)?;
        paper.identifiers.fill_from(&self.manifest.request.named);
        self.pass_on(&paper.warnings);
        self.note_input(&paper.origin.sha256, paper.title.as_deref(), "paper")?;
        Ok(paper)
    }

    /// Passes on the warnings of a reader.
    pub(crate) fn pass_on(&self, warnings: &[ReadWarning]) {
        for warning in warnings {
            self.events.warning(&plain(&warning.message));
        }
    }

    /// Records the hash and the title of the input in the manifest. A folder that belongs to another input is an error.
    pub(crate) fn note_input(&mut self, sha256: &str, title: Option<&str>, what: &str) -> Result<(), AppError> {
        let before = self.before.as_ref().and_then(|before| before.input_sha256.as_ref());
        if before.is_some_and(|known| *known != sha256) {
            let message = format!("{} contains a run on another {what}", self.folder.dir().display());
            return Err(AppError::with_message(ErrorKind::Usage, message).hint("choose another folder with --out"));
        }
        self.manifest.input_sha256 = Some(sha256.to_owned());
        self.manifest.title = title.map(str::to_owned);
        self.write_manifest()?;
        // Until now the folder could belong to another run. In a folder without a run, a file of this name is not ours.
        if !self.is_new || !self.folder.was_there(EVENTS_FILE) {
            self.log.start_file(self.folder.dir());
        }
        Ok(())
    }

    /// Writes the manifest. From here on, a cancellation marks the run as interrupted.
    fn write_manifest(&self) -> Result<(), AppError> {
        self.folder.write_manifest(&self.manifest)?;
        let (folder, mut manifest) = (self.folder.clone(), self.manifest.clone());
        let (replayed, analysts) = (self.replayed().cloned(), Arc::clone(&self.analysts));
        self.cancel.record_with(move || {
            manifest.status = RunStatus::Interrupted;
            manifest.ended = Some(SystemClock.unix_seconds());
            manifest.models = calls_of(&analysts);
            let manifest = replayed.unwrap_or(manifest);
            // The program may end here. If this write fails, the missing lock shows that the run is not running.
            let _ = folder.write_manifest(&manifest);
        });
        Ok(())
    }

    /// Runs `pipeline` with the corpora, services and model of the run. All requests go through its ledger, and what was sent is recorded however the
    /// pipeline ends.
    pub(crate) fn in_world<T>(
        &mut self,
        pipeline: impl AsyncFnOnce(&World) -> Result<T, EngineError>,
    ) -> Result<T, AppError> {
        self.in_worlds(async |new| pipeline(&new()).await)
    }

    /// The same for a pipeline that runs others. Each call of its argument gives a world with its own log of model calls. All share the rest.
    pub(crate) fn in_worlds<T>(
        &mut self,
        pipeline: impl AsyncFnOnce(&dyn Fn() -> World) -> Result<T, EngineError>,
    ) -> Result<T, AppError> {
        let sources = open_sources(&self.shared.index(&self.folder), &self.manifest, &*self.events)?;
        let progress = self.progress(false);
        let outcome = self.with_ledger(async |run, ledger| {
            let (world, models) = run.world(sources, progress, ledger)?;
            let new = || World {
                model: models.as_ref().map(|models| run.analyst(models)),
                ..world.clone()
            };
            Ok(pipeline(&new).await?)
        });
        if outcome.is_err() {
            // A run without a result has paid for its calls too.
            self.manifest.models = calls_of(&self.analysts);
        }
        outcome
    }

    /// Runs `work` with the ledger of the run until it ends or the run is cancelled.
    pub(crate) fn with_ledger<T>(
        &mut self,
        work: impl AsyncFnOnce(&Self, &Ledger) -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        runtime()?.block_on(async {
            let mut ledger = Ledger::open(&self.folder.ledger_path())
                .await
                .map_err(|error| AppError::new(ErrorKind::Input, error))?;
            if let Some(sent) = &self.shared.store {
                let noted = ledger.note_sent(sent).await;
                noted.map_err(|error| AppError::new(ErrorKind::Input, error))?;
            }
            if let Some(database) = self.shared.database.as_ref().filter(|_| !self.replay) {
                ledger = database.shared(ledger, &self.manifest.run).await?;
            }
            let outcome = tokio::select! {
                biased;
                () = self.cancel.cancelled() => Err(interrupted()),
                outcome = work(self, &ledger) => outcome,
            };
            let asks_services = !self.manifest.request.sources.is_empty();
            let outcome = outcome.map_err(|failure| match failure.kind {
                ErrorKind::NothingSearched if asks_services => failure.hint(services::ALL_DOWN),
                _ => failure,
            });
            let sent = ledger.everything_sent().await;
            ledger.close().await;
            match sent {
                Ok(sent) => {
                    self.manifest.sent = sent_in_all(&sent);
                    outcome
                }
                // A run that cannot report what it sent has failed. An earlier error takes precedence.
                Err(error) => outcome.and(Err(AppError::new(ErrorKind::Input, error))),
            }
        })
    }

    /// Where the pipeline reports its progress.
    pub(crate) fn progress(&self, only_warnings: bool) -> Arc<dyn Progress> {
        Arc::new(PipelineProgress {
            events: Arc::clone(&self.events),
            only_warnings,
        })
    }

    /// A new analyst, whose calls count as those of the run.
    fn analyst(&self, models: &OpenModels) -> Arc<ModelAnalyst> {
        let analyst = Arc::new(models.analyst());
        let mut analysts = self.analysts.lock().unwrap_or_else(PoisonError::into_inner);
        analysts.push(Arc::clone(&analyst));
        analyst
    }

    /// Dependencies of the pipeline: sources and services, and the models for its analysts. All requests go through `ledger`.
    fn world(
        &self,
        mut sources: Vec<Arc<dyn Source>>,
        progress: Arc<dyn Progress>,
        ledger: &Ledger,
    ) -> Result<(World, Option<OpenModels>), AppError> {
        let request = &self.manifest.request;
        sources.extend(services::open(request, ledger, self.replay)?);
        let models = match self.model_access(&progress) {
            None => None,
            Some(access) => Some(models::open(&access, ledger)?),
        };
        let world = World {
            clock: Arc::new(SystemClock),
            ledger: ledger.clone(),
            sources,
            texts: services::texts(request, ledger, self.replay)?,
            model: None,
            progress,
            budget: Budget {
                dollars: request.model.as_ref().and_then(|model| model.budget),
            },
            seed: request.seed,
        };
        Ok((world, models))
    }

    /// How the run calls its model. `None` for offline analysis.
    pub(crate) fn model_access(&self, progress: &Arc<dyn Progress>) -> Option<ModelAccess<'_>> {
        let before = self.before.as_ref();
        Some(ModelAccess {
            request: self.manifest.request.model.as_ref()?,
            seed: self.manifest.request.seed,
            replay: self.replay,
            budget_had_ended: before.is_some_and(|before| before.status == RunStatus::OverBudget),
            impatient: false,
            queue: self.shared.queue.clone(),
            limit: self.shared.limit.clone(),
            budget: self.shared.budget.clone(),
            progress: Arc::clone(progress),
        })
    }

    /// Writes a report in each requested format. A format that fails does not stop the others. If there is no PDF, the page that it would be printed from
    /// is written in any case.
    pub(crate) fn write_reports<'r>(&mut self, report: impl Into<AnyReport<'r>>) -> Result<(), AppError> {
        let report = report.into();
        let name_of = |format: &str| file_name(report, format).map_err(|error| AppError::new(ErrorKind::Usage, error));
        self.manifest.files.clear();
        let mut formats = self.manifest.request.formats.clone();
        let mut at = 0;
        while let Some(format) = formats.get(at).cloned() {
            at += 1;
            let name = name_of(&format)?;
            match render(report, &format) {
                Ok(bytes) => {
                    let file = self.write(&name, &bytes)?;
                    self.manifest.files.push(file);
                }
                Err(error) => {
                    let needs_browser = matches!(error, ReportError::NoBrowser | ReportError::Browser { .. });
                    if needs_browser && !formats.iter().any(|one| one == PAGE) {
                        formats.push(PAGE.to_owned());
                    }
                    self.unwritten = Some(unwritten(error, &name_of(PAGE)?));
                }
            }
        }
        Ok(())
    }

    /// Writes one file of the run.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<crate::runs::RunFile, AppError> {
        let written = self.folder.write(name, bytes);
        let file = written.map_err(|error| AppError::new(ErrorKind::Input, error))?;
        self.events.event(&RunEvent::FileWritten { name: name.to_owned() });
        Ok(file)
    }

    /// Does `work` and records how it ended.
    pub(crate) fn execute<T>(
        &mut self,
        work: fn(&mut Self) -> Result<T, AppError>,
        status: fn(&T) -> RunStatus,
    ) -> Result<Box<T>, AppError> {
        let outcome = work(self);
        self.settle(outcome, status).map(Box::new)
    }

    /// Records how the run ended. A new run that could not start is deleted.
    fn settle<T>(&mut self, outcome: Result<T, AppError>, status: impl Fn(&T) -> RunStatus) -> Result<T, AppError> {
        self.manifest.ended = Some(SystemClock.unix_seconds());
        let mut could_not_begin = false;
        match &outcome {
            Ok(found) => self.manifest.status = status(found),
            Err(failure) => {
                self.manifest.status = RunStatus::Failed {
                    reason: failure.error.to_string(),
                };
                if let Some(replayed) = self.replayed() {
                    self.manifest = replayed.clone();
                }
                could_not_begin = matches!(
                    failure.kind,
                    ErrorKind::Input | ErrorKind::NothingSearched | ErrorKind::Usage
                );
            }
        }
        // Until the paper is read, the folder may belong to an earlier run.
        let is_noted = self.manifest.input_sha256.is_some();
        let (folder, manifest) = (&self.folder, &self.manifest);
        let written = self.cancel.settle(|| match could_not_begin {
            // If something was sent, the record of it is kept.
            true if self.is_new && manifest.sent.is_empty() => {
                folder.clone().discard();
                Ok(())
            }
            _ if is_noted => folder.write_manifest(manifest),
            _ => Ok(()),
        });
        // The cancellation has recorded itself, but not what was sent until the job ended.
        let Some(written) = written else {
            if is_noted && self.replayed().is_none() {
                self.manifest.status = RunStatus::Interrupted;
                self.folder.write_manifest(&self.manifest)?;
            }
            self.events.event(&RunEvent::Finished {
                status: RunStatus::Interrupted,
            });
            return Err(interrupted());
        };
        // How this execution ended. The manifest of a failed replay still describes the replayed run.
        let status = match &outcome {
            Ok(_) => self.manifest.status.clone(),
            Err(failure) => RunStatus::Failed {
                reason: failure.error.to_string(),
            },
        };
        self.events.event(&RunEvent::Finished { status });
        let found = outcome?;
        written?;
        Ok(found)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // A token that is still held must not keep the folder locked.
        self.cancel.forget();
    }
}

/// The calls of all analysts so far.
fn calls_of(analysts: &Mutex<Vec<Arc<ModelAnalyst>>>) -> Vec<ModelUse> {
    let analysts = analysts.lock().unwrap_or_else(PoisonError::into_inner);
    ModelUse::together(analysts.iter().flat_map(|one| one.uses_so_far()))
}

fn interrupted() -> AppError {
    AppError::with_message(ErrorKind::Interrupted, "interrupted")
        .hint("to continue, repeat the command or use `precedent runs resume`")
}

/// Status of a run that searched for prior work. Without any prior work, the report covers the input alone.
pub(crate) fn status_of_search(metadata: &RunMetadata) -> RunStatus {
    let has_papers = |source: &SourceReport| source.works != Some(0);
    match status_of_answers(&metadata.models) {
        _ if is_over_budget(&metadata.not_searched) => RunStatus::OverBudget,
        _ if !metadata.sources.iter().any(has_papers) => RunStatus::NothingSearched,
        status => status,
    }
}

/// Status of a run about a paper. Without a query nothing was searched either.
pub(crate) fn status_of_paper(metadata: &RunMetadata) -> RunStatus {
    match status_of_search(metadata) {
        RunStatus::Complete | RunStatus::Incomplete if metadata.queries.is_empty() => RunStatus::NothingSearched,
        status => status,
    }
}

/// Status of a run with these uses of models.
pub(crate) fn status_of_answers(models: &[ModelUse]) -> RunStatus {
    let is_over_budget = models.iter().any(|one| one.failed.contains_key("budget"));
    match ModelCoverage::of(models).is_incomplete() {
        _ if is_over_budget => RunStatus::OverBudget,
        true => RunStatus::Incomplete,
        false => RunStatus::Complete,
    }
}

/// Whether the budget ended a run.
pub(crate) fn is_over_budget(not_searched: &[NotSearched]) -> bool {
    not_searched.iter().any(|one| one.kind == NotSearchedKind::Budget)
}

/// Totals of what was sent, by sender and host.
pub(crate) fn sent_in_all(sent: &[Sent]) -> Vec<SentTotal> {
    let mut totals: BTreeMap<(String, String), SentTotal> = BTreeMap::new();
    for one in sent {
        let total = totals
            .entry((one.who.clone(), one.host.clone()))
            .or_insert_with(|| SentTotal {
                who: one.who.clone(),
                host: one.host.clone(),
                ..SentTotal::default()
            });
        total.requests += 1;
        total.bytes_out += one.bytes_out;
        total.bytes_in += one.bytes_in;
        *total.outcomes.entry(one.outcome.clone()).or_default() += 1;
    }
    totals.into_values().collect()
}

/// The format that a PDF is printed from.
const PAGE: &str = "html";

/// The error for a report that could not be written. `page` is its file as HTML.
fn unwritten(error: ReportError, page: &str) -> AppError {
    match error {
        ReportError::NoBrowser => AppError::new(ErrorKind::Usage, error).hint(format!(
            "install Chromium or Chrome, or print {page} from any browser; `precedent doctor` shows what was found"
        )),
        ReportError::Browser { .. } => {
            AppError::new(ErrorKind::Usage, error).hint(format!("print {page} from any browser"))
        }
        error => AppError::new(ErrorKind::Bug, error),
    }
}
