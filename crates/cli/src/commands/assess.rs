use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_engine::domain::{Assessment, Paper, SentRecord, SourceReport};
use precedent_engine::ledger::{Ledger, Sent};
use precedent_engine::pipelines::{AssessOptions, assess};
use precedent_engine::runs::{MANIFEST_VERSION, Manifest, RunError, RunFolder, RunRequest, RunStatus, SentTotal};
use precedent_engine::sources::Source;
use precedent_engine::{Analyst, Budget, Clock, EngineError, OfflineAnalyst, SystemClock, World};
use precedent_report::{renderer, renderers};
use serde::Serialize;

use super::corpora::open_sources;
use super::models::{self, Asking};
use super::summary::summary;
use super::{egress, input, named, run_output, services};
use crate::ExitCode;
use crate::args::AssessArguments;
use crate::exit::Failure;
use crate::interrupt::Interrupt;
use crate::printer::{Printer, plain};
use crate::progress::StageLines;
use crate::runtime::runtime;

/// Extra fields in the output of `--json`: none.
#[derive(Debug, Serialize)]
struct Nothing {}

/// `precedent assess`.
pub(super) fn run(typed: AssessArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let request = request_from(&typed, printer)?;
    if typed.show_egress {
        return egress::show_egress(&request, typed.json, printer);
    }
    let dir = match typed.out {
        Some(dir) => dir,
        None => {
            let run = request.run_id().map_err(|error| Failure::new(ExitCode::Bug, error))?;
            Path::new("runs").join(run.as_str())
        }
    };
    let how = ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
    };
    resume(&dir, request, how, printer)
}

/// Execution options that are not part of the request, and so not of the run id.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ExecutionMode {
    /// Use only recorded responses.
    pub(super) replay: bool,
    /// Print JSON.
    pub(super) json: bool,
    /// Exit with 0 even if fewer than half of the model's items are usable.
    pub(super) allow_fallback: bool,
}

/// Validates the arguments. Paths in the request are absolute, so that a run can be resumed from any folder.
pub(super) fn request_from(typed: &AssessArguments, printer: Printer) -> Result<RunRequest, Failure> {
    let sources = services::selected(&typed.sources, typed.model.settings.as_deref(), typed.model.local_only)?;
    for format in &typed.formats {
        renderer(format).map_err(|error| {
            let known: Vec<&str> = renderers().iter().map(|renderer| renderer.format()).collect();
            Failure::new(ExitCode::Usage, error).hint(format!("available formats: {}", known.join(", ")))
        })?;
    }
    input::refuse_stdin(&typed.input)?;
    let absolute = |path: &PathBuf| path.canonicalize().map_err(|error| input::cannot_read(path, error));
    let leave = named::FetchPolicy {
        settings: typed.model.settings.as_deref(),
        local_only: typed.model.local_only,
        nothing: typed.show_egress || typed.replay,
    };
    let input = named::input(&typed.input, leave, printer)?;
    Ok(RunRequest {
        input: input.path,
        named: input.identifiers,
        corpora: typed.corpus.corpora.iter().map(absolute).collect::<Result<_, _>>()?,
        settings: services::settings_for(&sources, &typed.model)?,
        sources,
        full_texts: services::full_texts(typed.full_texts, typed.model.local_only),
        as_of: typed.as_of,
        formats: typed.formats.clone(),
        seed: typed.seed,
        model: models::selected(&typed.model)?,
        idea: None,
        points: None,
        review: None,
    })
}

/// Runs `request` in `dir`, reusing stages that were finished there before.
pub(super) fn resume(
    dir: &Path,
    request: RunRequest,
    how: ExecutionMode,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    let mut run = begin(dir, request, how, printer)?;
    let name = run
        .manifest
        .request
        .input
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    printer.note(&format!("reading {}", plain(&name)));
    let outcome = run.work();
    let assessment = run.settle(outcome, standing)?;
    let not_searched = &assessment.metadata.not_searched;
    run_output::tell(&run, not_searched, Nothing {}, || summary(&assessment), how)
}

/// Locks the run folder and writes the request to its manifest.
pub(super) fn begin(dir: &Path, request: RunRequest, how: ExecutionMode, printer: Printer) -> Result<Run, Failure> {
    let interrupt = Interrupt::listen(printer)
        .map_err(|error| Failure::said(ExitCode::Bug, format!("failed to listen for Ctrl-C: {error}")))?;
    let folder = RunFolder::create(dir).map_err(cannot_work)?;
    let before = match RunFolder::open(dir).and_then(|folder| folder.manifest()) {
        Ok(manifest) => Some(manifest),
        Err(error @ RunError::Newer { .. }) => return Err(cannot_work(error)),
        // The manifest is missing or damaged. The run starts anyway and reuses what its ledger contains.
        Err(_) => None,
    };
    let manifest = Manifest {
        manifest_version: MANIFEST_VERSION,
        run: request.run_id().map_err(|error| Failure::new(ExitCode::Bug, error))?,
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
    let asks_others = manifest.request.model.is_some() || !manifest.request.sources.is_empty();
    if how.replay && asks_others && before.is_none() {
        folder.discard();
        let message = format!("there is no run in {} to replay", dir.display());
        return Err(Failure::said(ExitCode::Model, message).hint("set the run's folder with --out"));
    }
    let run = Run {
        is_new: before.is_none(),
        folder,
        manifest,
        interrupt,
        printer,
        replay: how.replay,
        before,
    };
    if run.is_new {
        run.note_standing()?;
    }
    // From here on there is a run that can be resumed if the caller is stopped.
    Ok(run)
}

/// A failure for an error of the run folder, with a hint.
pub(super) fn cannot_work(error: RunError) -> Failure {
    let hint = match &error {
        RunError::InUse { .. } => "wait until it has finished, or choose another folder with --out",
        _ => "choose another folder with --out",
    };
    let code = match &error {
        RunError::InUse { .. } => ExitCode::Usage,
        _ => ExitCode::Input,
    };
    Failure::new(code, error).hint(hint)
}

/// A run in progress.
pub(super) struct Run {
    pub(super) folder: RunFolder,
    pub(super) manifest: Manifest,
    /// Whether the folder had no run before. Then it is deleted if the run cannot start.
    is_new: bool,
    interrupt: Interrupt,
    pub(super) printer: Printer,
    pub(super) replay: bool,
    /// The manifest of an earlier run in this folder.
    pub(super) before: Option<Manifest>,
}

impl Run {
    /// Reads, searches, compares and writes the reports.
    fn work(&mut self) -> Result<Assessment, Failure> {
        let paper = self.read_paper()?;
        self.produce(paper)
    }

    /// Reads the paper and records it in the manifest. A folder that belongs to another paper is an error.
    pub(super) fn read_paper(&mut self) -> Result<Paper, Failure> {
        // If this fails, `settle` deletes the folder.
        let mut paper = input::paper(&self.manifest.request.input)?;
        paper.identifiers.fill_from(&self.manifest.request.named);
        for warning in &paper.warnings {
            self.printer.warning(&plain(&warning.message));
        }
        let before = self.before.as_ref().and_then(|before| before.input_sha256.as_ref());
        if before.is_some_and(|known| *known != paper.origin.sha256) {
            let message = format!("{} contains the report of another paper", self.folder.dir().display());
            return Err(Failure::said(ExitCode::Usage, message).hint("choose another folder with --out"));
        }
        self.manifest.input_sha256 = Some(paper.origin.sha256.clone());
        self.manifest.title.clone_from(&paper.title);
        self.note_standing()?;
        Ok(paper)
    }

    /// Writes the manifest, and sets up Ctrl-C to mark the run as interrupted from here on.
    pub(super) fn note_standing(&self) -> Result<(), Failure> {
        self.folder.write_manifest(&self.manifest).map_err(cannot_work)?;
        let (folder, mut manifest) = (self.folder.clone(), self.manifest.clone());
        self.interrupt.before_leaving(move || {
            manifest.status = RunStatus::Interrupted;
            manifest.ended = Some(SystemClock.unix_seconds());
            // The program ends here. If this write fails, the missing lock shows that the run is not running.
            let _ = folder.write_manifest(&manifest);
        });
        Ok(())
    }

    /// Records how the run ended. A new run that could not start is deleted.
    pub(super) fn settle<T>(
        &mut self,
        outcome: Result<T, Failure>,
        standing: impl Fn(&T) -> RunStatus,
    ) -> Result<T, Failure> {
        self.manifest.ended = Some(SystemClock.unix_seconds());
        let could_not_begin = match &outcome {
            Ok(found) => {
                self.manifest.status = standing(found);
                false
            }
            Err(failure) => {
                self.manifest.status = RunStatus::Failed {
                    reason: failure.error.to_string(),
                };
                // A failed replay leaves the replayed run unchanged.
                if let (true, Some(before)) = (self.replay, &self.before) {
                    self.manifest = before.clone();
                }
                matches!(
                    failure.code,
                    ExitCode::Input | ExitCode::NothingSearched | ExitCode::Usage
                )
            }
        };
        // Until the paper is read, the folder may belong to an earlier run.
        let is_noted = self.manifest.input_sha256.is_some();
        let (folder, manifest) = (&self.folder, &self.manifest);
        let written = self.interrupt.settle(|| match could_not_begin {
            // If something was sent, the record of it is kept.
            true if self.is_new && manifest.sent.is_empty() => {
                folder.clone().discard();
                Ok(())
            }
            _ if is_noted => folder.write_manifest(manifest),
            _ => Ok(()),
        });
        let found = outcome?;
        written.map_err(cannot_work)?;
        Ok(found)
    }
}

/// Status of a run with this outcome.
fn standing(assessment: &Assessment) -> RunStatus {
    let holds_works = |source: &SourceReport| source.works != Some(0);
    let nothing = assessment.metadata.queries.is_empty() || !assessment.metadata.sources.iter().any(holds_works);
    run_output::standing(&assessment.metadata, nothing)
}

impl Run {
    /// Runs the pipeline, writes the reports, and lists them and the models used in the manifest.
    fn produce(&mut self, paper: Paper) -> Result<Assessment, Failure> {
        let runtime = runtime()?;
        let sources = open_sources(&self.folder, &self.manifest, self.printer)?;
        let progress = Arc::new(StageLines::new(self.printer));
        let heard = Arc::clone(&progress);
        let outcome = runtime.block_on(async {
            let ledger = Ledger::open(&self.folder.ledger_path())
                .await
                .map_err(|error| Failure::new(ExitCode::Input, error))?;
            let outcome = self.assess(paper, sources, heard, &ledger).await;
            ledger.close().await;
            outcome
        });
        progress.end();
        let assessment = outcome?;
        let mut files = Vec::new();
        for format in &self.manifest.request.formats {
            let renderer = renderer(format).map_err(|error| Failure::new(ExitCode::Usage, error))?;
            let bytes = renderer
                .render(&assessment)
                .map_err(|error| Failure::new(ExitCode::Bug, error))?;
            let written = self.folder.write(renderer.file_name(), &bytes);
            files.push(written.map_err(|error| Failure::new(ExitCode::Input, error))?);
        }
        self.manifest.files = files;
        self.manifest.models.clone_from(&assessment.metadata.models);
        Ok(assessment)
    }

    /// Dependencies of the pipeline: sources, services and model. All requests go through `ledger`.
    pub(super) fn world(
        &self,
        sources: Vec<Arc<dyn Source>>,
        progress: Arc<StageLines>,
        ledger: &Ledger,
    ) -> Result<World, Failure> {
        let request = &self.manifest.request;
        let mut sources = sources;
        sources.extend(services::open(request, ledger, self.replay)?);
        let analyst: Arc<dyn Analyst> = match &request.model {
            None => Arc::new(OfflineAnalyst),
            Some(model) => {
                let asking = Asking {
                    request: model,
                    seed: request.seed,
                    replay: self.replay,
                    budget_had_ended: self
                        .before
                        .as_ref()
                        .is_some_and(|before| before.status == RunStatus::OverBudget),
                    progress: progress.clone(),
                };
                Arc::new(models::analyst(&asking, ledger)?)
            }
        };
        Ok(World {
            clock: Arc::new(SystemClock),
            ledger: ledger.clone(),
            sources,
            texts: services::texts(request, ledger, self.replay)?,
            analyst,
            progress,
            budget: Budget {
                dollars: request.model.as_ref().and_then(|model| model.budget),
            },
            seed: request.seed,
        })
    }

    async fn assess(
        &mut self,
        paper: Paper,
        sources: Vec<Arc<dyn Source>>,
        progress: Arc<StageLines>,
        ledger: &Ledger,
    ) -> Result<Assessment, Failure> {
        let request = self.manifest.request.clone();
        let world = self.world(sources, progress, ledger)?;
        let options = AssessOptions {
            as_of: request.as_of,
            ..AssessOptions::default()
        };
        let asks_services = !request.sources.is_empty();
        let outcome = assess(paper, options, &world).await.map_err(failure);
        let outcome = outcome.map_err(|failure| match failure.code {
            ExitCode::NothingSearched if asks_services => failure.hint(services::ALL_DOWN),
            _ => failure,
        });
        // What was sent is recorded however the run ends.
        match ledger.everything_sent().await {
            Ok(sent) => {
                let fetched = named::sent_for(&self.manifest.request.input);
                self.manifest.sent = [fetched.clone(), sent_in_all(&sent)].concat();
                outcome.map(|mut assessment| {
                    assessment.metadata.sent.extend(fetched.into_iter().map(of_fetching));
                    assessment
                })
            }
            // A run that cannot report what it sent has failed. An earlier error takes precedence.
            Err(error) => outcome.and(Err(Failure::new(ExitCode::Input, error))),
        }
    }
}

/// Report entry for what was sent to download the paper itself.
fn of_fetching(total: SentTotal) -> SentRecord {
    SentRecord {
        what: format!("name of the paper ({} bytes), to download it", total.bytes_out),
        host: total.host,
        requests: usize::try_from(total.requests).unwrap_or(usize::MAX),
        bytes: total.bytes_out,
    }
}

/// Totals of what was sent, by sender and host.
pub(super) fn sent_in_all(sent: &[Sent]) -> Vec<SentTotal> {
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

/// A failure for an engine error, with its exit code.
pub(super) fn failure(error: EngineError) -> Failure {
    let code = match &error {
        EngineError::EmptyPaper | EngineError::EmptyIdea | EngineError::Ledger { .. } => ExitCode::Input,
        EngineError::BadGroup { .. } | EngineError::BoardFile { .. } => ExitCode::Input,
        EngineError::OverBudget { .. } => ExitCode::Budget,
        EngineError::NeedsModel { .. } | EngineError::NoRanking { .. } => ExitCode::Model,
        EngineError::NothingSearched { .. } => ExitCode::NothingSearched,
        _ => ExitCode::Bug,
    };
    match error {
        EngineError::Model { source } => models::failure(source),
        error @ EngineError::NoRanking { retryable: true, .. } => Failure::new(code, error).hint(run_output::RETRY),
        error => Failure::new(code, error),
    }
}
