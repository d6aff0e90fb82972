use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_engine::domain::{Assessment, ModelCoverage, RunId};
use precedent_engine::runs::{Manifest, RunRequest};

use crate::egress::{self, EgressList};
use crate::estimate::{self, Estimate};
use crate::run::Run;
use crate::{
    AppError, CancelToken, ErrorKind, Input, Job, ModelChoice, Observer, Report, Request, SilentObserver, contents, jobs,
};

/// Runs jobs. Front ends and library users call this and nothing below it.
#[derive(Debug, Clone)]
pub struct App {
    corpora: Vec<PathBuf>,
    sources: Vec<String>,
    model: ModelChoice,
}

/// A finished run.
#[derive(Debug)]
pub struct RunResult {
    /// The run's folder.
    pub dir: PathBuf,
    /// The run's manifest: what was asked for, how it ended, its files and what was sent.
    pub manifest: Manifest,
    /// The report.
    pub report: Report,
}

impl RunResult {
    /// How many of the model's items are usable.
    #[must_use]
    pub fn coverage(&self) -> ModelCoverage {
        ModelCoverage::of(&self.manifest.models)
    }
}

impl Default for App {
    fn default() -> Self {
        Self::offline()
    }
}

impl App {
    /// Offline analysis: no model, no literature service, and no connection. Add corpora with [`App::corpus`].
    #[must_use]
    pub fn offline() -> Self {
        Self {
            corpora: Vec::new(),
            sources: Vec::new(),
            model: ModelChoice::offline(),
        }
    }

    /// Also searches this corpus, file of records or folder of papers.
    #[must_use]
    pub fn corpus(mut self, path: impl Into<PathBuf>) -> Self {
        self.corpora.push(path.into());
        self
    }

    /// Checks the claims of a paper. The run's folder is temporary; use [`App::run`] to keep it.
    ///
    /// # Errors
    /// If the paper or a corpus cannot be read.
    pub async fn assess(&self, paper: impl Into<PathBuf>) -> Result<Assessment, AppError> {
        let request = Request {
            job: Job::Assess,
            input: Input::File(paper.into()),
            corpora: self.corpora.clone(),
            sources: self.sources.clone(),
            full_texts: None,
            as_of: None,
            formats: Vec::new(),
            seed: 0,
            model: self.model.clone(),
            send_nothing: true,
        };
        let scratch = estimate::scratch()?;
        let dir = scratch.path().join("run");
        let request = self.validate(&request, &SilentObserver)?;
        let observer: Arc<dyn Observer> = Arc::new(SilentObserver);
        let result = self.run(request, &dir, false, observer, CancelToken::new()).await?;
        match result.report {
            Report::Assess(found) => Ok(*found),
            _ => Err(AppError::said(ErrorKind::Bug, "the run made a report of another kind")),
        }
    }

    /// Checks a request and resolves it to what a run records: paths become absolute, the settings are applied, and a paper given by name is
    /// downloaded.
    ///
    /// # Errors
    /// If an option, a file or a setting is not valid.
    pub fn validate(&self, request: &Request, observer: &dyn Observer) -> Result<RunRequest, AppError> {
        request.resolve(observer)
    }

    /// The id of a request's run. It depends on the options and on the contents of the files, not on where they are.
    ///
    /// # Errors
    /// If no valid id can be derived from the request.
    pub fn run_id(&self, request: &RunRequest) -> Result<RunId, AppError> {
        contents::run_id(request)
    }

    /// Runs a request in the folder `dir`, reusing what an earlier run of the same request finished there. With `replay`, only recorded responses are
    /// used.
    ///
    /// # Errors
    /// If the job fails, is cancelled, or the folder belongs to another run.
    pub async fn run(
        &self,
        request: RunRequest,
        dir: &Path,
        replay: bool,
        observer: Arc<dyn Observer>,
        cancel: CancelToken,
    ) -> Result<RunResult, AppError> {
        let (app, dir) = (self.clone(), dir.to_owned());
        // Reading and comparing keep a thread busy for seconds.
        let work = tokio::task::spawn_blocking(move || app.run_blocking(request, &dir, replay, observer, &cancel));
        work.await
            .map_err(|error| AppError::said(ErrorKind::Bug, format!("failed to run the job: {error}")))?
    }

    /// The same on the calling thread, for programs without an asynchronous runtime.
    ///
    /// # Errors
    /// As [`App::run`].
    pub fn run_blocking(
        &self,
        request: RunRequest,
        dir: &Path,
        replay: bool,
        observer: Arc<dyn Observer>,
        cancel: &CancelToken,
    ) -> Result<RunResult, AppError> {
        let mut run = Run::begin(dir, request, replay, observer, cancel.clone())?;
        let report = jobs::work(&mut run)?;
        Ok(RunResult {
            dir: run.folder.dir().to_owned(),
            manifest: run.manifest,
            report,
        })
    }

    /// What a run of this request would send to models and services, and what it would cost at most. Nothing is sent.
    ///
    /// # Errors
    /// If the input or a corpus cannot be read.
    pub fn estimate(&self, request: &RunRequest, observer: &dyn Observer) -> Result<Estimate, AppError> {
        estimate::estimate(request, observer)
    }

    /// The requests that a run would send to services and archives. Nothing is sent.
    ///
    /// # Errors
    /// If the input or a corpus cannot be read.
    pub fn egress(&self, request: &RunRequest, observer: &dyn Observer) -> Result<EgressList, AppError> {
        Ok(EgressList {
            egress: egress::egress(request, observer)?,
            full_texts: egress::text_egress(request)?,
            encoders: egress::encoders(request),
        })
    }
}
