use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_engine::domain::{Assessment, Paper, SourceReport, Status, Timing};
use precedent_engine::ledger::Ledger;
use precedent_engine::pipelines::{AssessOptions, assess};
use precedent_engine::runs::{MANIFEST_VERSION, Manifest, RunFile, RunFolder, RunRequest, RunStatus};
use precedent_engine::sources::{CorpusSource, Source, kinds};
use precedent_engine::{Budget, Clock, EngineError, OfflineAnalyst, SystemClock, World, library};
use precedent_report::{renderer, renderers};
use serde::Serialize;

use super::{corpus, input};
use crate::ExitCode;
use crate::args::AssessArguments;
use crate::exit::Failure;
use crate::printer::{Printer, plain};
use crate::progress::StageLines;

const OFFLINE: &str = "offline";

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    run: &'a str,
    dir: String,
    files: Vec<String>,
    status: &'static str,
    not_searched: Vec<&'a str>,
}

/// `precedent assess`.
pub(super) fn run(typed: AssessArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let request = meant(&typed)?;
    let dir = typed
        .out
        .unwrap_or_else(|| Path::new("runs").join(request.run_id().as_str()));
    resume(&dir, request, typed.json, printer)
}

/// What was typed, checked, as a request that can be made again from anywhere on this machine.
fn meant(typed: &AssessArguments) -> Result<RunRequest, Failure> {
    if typed.model != OFFLINE {
        let message = format!(
            "the model {} cannot be asked: this build has the offline analyst only",
            plain(&typed.model)
        );
        return Err(
            Failure::said(ExitCode::Model, message).hint("leave --model out, or use --model offline; it needs no key")
        );
    }
    if let Some(source) = typed
        .sources
        .iter()
        .find(|source| !kinds().iter().any(|kind| kind.id == source.as_str()))
    {
        let message = format!("there is no source called {}", plain(source));
        return Err(
            Failure::said(ExitCode::Usage, message).hint("this build searches corpora only; name them with --corpus")
        );
    }
    for format in &typed.formats {
        renderer(format).map_err(|error| {
            let known: Vec<&str> = renderers().iter().map(|renderer| renderer.format()).collect();
            Failure::new(ExitCode::Usage, error).hint(format!("the formats are {}", known.join(", ")))
        })?;
    }
    let absolute = |path: &PathBuf| path.canonicalize().map_err(|error| input::cannot_read(path, error));
    Ok(RunRequest {
        input: absolute(&typed.input)?,
        corpora: typed.corpus.corpora.iter().map(absolute).collect::<Result<_, _>>()?,
        as_of: typed.as_of,
        formats: typed.formats.clone(),
        seed: typed.seed,
    })
}

/// Does what `request` asks in `dir`; stages that were done there before are looked up.
pub(super) fn resume(dir: &Path, request: RunRequest, json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let clock = SystemClock;
    // The input is read first: a file that is no paper leaves no folder behind.
    let paper = input::paper(&request.input)?;
    for warning in &paper.warnings {
        printer.warning(&plain(&warning.message));
    }
    let io = |error| Failure::new(ExitCode::Input, error).hint("give another folder with --out");
    let folder = RunFolder::create(dir).map_err(io)?;
    if let Ok(there) = folder.manifest()
        && there
            .input_sha256
            .as_ref()
            .is_some_and(|known| *known != paper.origin.sha256)
    {
        let message = format!("{} holds the report on another paper", dir.display());
        return Err(Failure::said(ExitCode::Usage, message).hint("give another folder with --out"));
    }
    let mut manifest = Manifest {
        manifest_version: MANIFEST_VERSION,
        run: request.run_id(),
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        request,
        input_sha256: Some(paper.origin.sha256.clone()),
        title: paper.title.clone(),
        started: clock.unix_seconds(),
        ended: None,
        status: RunStatus::Running,
        files: Vec::new(),
    };
    folder.write_manifest(&manifest).map_err(io)?;
    let outcome = produce(&folder, &manifest, paper, printer);
    manifest.ended = Some(clock.unix_seconds());
    let answer = match outcome {
        Ok((assessment, files)) => {
            let holds_works = |source: &SourceReport| source.works != Some(0);
            let nothing =
                assessment.metadata.queries.is_empty() || !assessment.metadata.sources.iter().any(holds_works);
            manifest.status = if nothing {
                RunStatus::NothingSearched
            } else {
                RunStatus::Complete
            };
            manifest.files = files;
            Ok(assessment)
        }
        Err(failure) => {
            manifest.status = match failure.code {
                ExitCode::Interrupted => RunStatus::Interrupted,
                _ => RunStatus::Failed {
                    reason: failure.error.to_string(),
                },
            };
            Err(failure)
        }
    };
    folder.write_manifest(&manifest).map_err(io)?;
    tell(&folder, &manifest, &answer?, json, printer)
}

/// Runs the pipeline and writes the reports.
fn produce(
    folder: &RunFolder,
    manifest: &Manifest,
    paper: Paper,
    printer: Printer,
) -> Result<(Assessment, Vec<RunFile>), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::said(ExitCode::Bug, format!("failed to start: {error}")))?;
    let sources = open_sources(folder, manifest, printer)?;
    let progress = Arc::new(StageLines::new(printer));
    let heard = Arc::clone(&progress);
    let assessment = runtime.block_on(async move {
        let ledger = Ledger::open(&folder.ledger_path())
            .await
            .map_err(|error| Failure::new(ExitCode::Input, error))?;
        let world = World {
            clock: Arc::new(SystemClock),
            ledger: ledger.clone(),
            sources,
            analyst: Arc::new(OfflineAnalyst),
            progress: heard,
            budget: Budget::default(),
            seed: manifest.request.seed,
        };
        let options = AssessOptions {
            as_of: manifest.request.as_of,
            ..AssessOptions::default()
        };
        let outcome = tokio::select! {
            outcome = assess(paper, options, &world) => outcome.map_err(failure),
            _ = tokio::signal::ctrl_c() => Err(Failure::said(ExitCode::Interrupted, "interrupted")
                .hint("run the same command again to go on; what is done is kept")),
        };
        ledger.close().await;
        outcome
    });
    progress.end();
    let assessment = assessment?;
    let mut files = Vec::new();
    for format in &manifest.request.formats {
        let renderer = renderer(format).map_err(|error| Failure::new(ExitCode::Usage, error))?;
        let bytes = renderer
            .render(&assessment)
            .map_err(|error| Failure::new(ExitCode::Bug, error))?;
        let written = folder.write(renderer.file_name(), &bytes);
        files.push(written.map_err(|error| Failure::new(ExitCode::Input, error))?);
    }
    Ok((assessment, files))
}

/// An error of the engine, with the exit code it means.
fn failure(error: EngineError) -> Failure {
    let code = match &error {
        EngineError::EmptyPaper | EngineError::Ledger { .. } => ExitCode::Input,
        EngineError::NothingSearched { .. } => ExitCode::NothingSearched,
        _ => ExitCode::Bug,
    };
    Failure::new(code, error)
}

/// The corpora as sources; files of works are indexed into the run's folder first.
fn open_sources(folder: &RunFolder, manifest: &Manifest, printer: Printer) -> Result<Vec<Arc<dyn Source>>, Failure> {
    let mut sources: Vec<Arc<dyn Source>> = Vec::new();
    for (number, path) in manifest.request.corpora.iter().enumerate() {
        let scratch = folder.dir().join("index");
        let (corpus, report) = library::open(path, &scratch).map_err(corpus::failure)?;
        for bad in report.iter().flat_map(|report| &report.bad).take(5) {
            printer.warning(&plain(&format!("{}: {}", bad.file, bad.reason)));
        }
        sources.push(Arc::new(CorpusSource::new(source_name(path, number), corpus)));
    }
    if sources.is_empty() {
        printer.warning("no prior work is searched: name a corpus with --corpus; the report shows the paper alone");
    }
    Ok(sources)
}

/// How the report names a corpus: by the file's or folder's own name, never its path. A number tells two of one name apart.
fn source_name(path: &Path, number: usize) -> String {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    if number == 0 {
        format!("corpus {name}")
    } else {
        format!("corpus {name} ({})", number + 1)
    }
}

/// Says what came of it.
fn tell(
    folder: &RunFolder,
    manifest: &Manifest,
    assessment: &Assessment,
    json: bool,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    if json {
        printer.json(&Answer {
            run: manifest.run.as_str(),
            dir: folder.dir().display().to_string(),
            files: manifest.files.iter().map(|file| file.name.clone()).collect(),
            status: manifest.status.word(),
            not_searched: assessment
                .metadata
                .not_searched
                .iter()
                .map(|one| one.message.as_str())
                .collect(),
        })?;
    } else {
        printer.data(&summary(assessment));
        for file in &manifest.files {
            printer.line(&folder.dir().join(&file.name).display().to_string());
        }
    }
    Ok(match manifest.status {
        RunStatus::NothingSearched => ExitCode::NothingSearched,
        _ => ExitCode::Done,
    })
}

/// The report's first screen in a few lines.
fn summary(assessment: &Assessment) -> String {
    let analysis = &assessment.contribution_analysis;
    let mut lines = vec![plain(&assessment.original_paper.title)];
    if let Some(task) = &assessment.core_task_survey.core_task {
        lines.push(format!("  about: {}", plain(&task.phrase)));
    }
    for contribution in &analysis.contributions {
        lines.push(format!(
            "  claim {}: {}",
            contribution.number,
            plain(contribution.claim.text())
        ));
        let candidate = |number: u32| {
            let mut known = assessment.references.candidates.iter();
            known.find(|one| one.number == number)
        };
        // As in the reports: a concurrent or undated work is never among those that matter most.
        let of_claim = analysis
            .comparisons
            .iter()
            .filter(|one| one.contribution == contribution.number)
            .filter_map(|one| Some((one, candidate(one.candidate)?)))
            .filter(|(_, candidate)| candidate.timing == Timing::Earlier);
        for (one, candidate) in of_claim.take(3) {
            let status = crate::printer::word(&one.status);
            lines.push(format!(
                "    {status:<13}  {} [{}] {}",
                plain(&candidate.alias),
                candidate.number,
                plain(&candidate.work.title)
            ));
            if let Some(pair) = one.evidence.first().filter(|_| one.status != Status::CannotRefute) {
                lines.push(format!("                   “{}”", plain(pair.candidate.text())));
            }
        }
    }
    let count = analysis.missing_citations.len();
    if count > 0 {
        lines.push(format!("  near works not cited: {count}"));
    }
    for not in assessment.metadata.not_searched.iter().take(4) {
        lines.push(format!("  not searched: {}", plain(&not.message)));
    }
    lines.push(String::new());
    lines.join("\n")
}
