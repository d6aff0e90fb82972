use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::runs::{Manifest, RunFolder, RunRequest};
use precedent_engine::domain::{Assessment, ModelCoverage, Paper, RunId};

use crate::egress::{self, EgressList};
use crate::estimate::{self, Estimate};
use crate::input::absolute_corpus;
use crate::run::Run;
use crate::runtime::outside_runtime;
use crate::shared_access::SharedAccess;
use crate::{
    AppError, CancelToken, ClaimMatcher, CorporaRequest, ErrorKind, Input, Job, Observer, OpenedCorpora, OpenedText,
    OverlapAnswer, OverlapRequest, Report, Request, SearchAnswer, SearchRequest, ServiceChoice, SilentObserver,
    StoredRun, VerifyAnswer, VerifyRequest, contents, jobs, overlap, read, search, verify,
};

/// Runs jobs, reads papers, searches corpora and checks quotes. Front ends and library users call this and nothing below it.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct App {}

/// Assesses papers without a model, a literature service or any connection.
#[derive(Debug, Clone, Default)]
pub struct OfflineApp {
    corpora: Vec<PathBuf>,
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
    /// Why a requested format was not written. The other files were.
    pub unwritten: Option<AppError>,
}

impl RunResult {
    /// How many of the model's items are usable.
    #[must_use]
    pub fn coverage(&self) -> ModelCoverage {
        match &self.report {
            Report::Ideas(found) => found.coverage,
            Report::Reviews(found) => found.coverage,
            _ => ModelCoverage::of(&self.manifest.models),
        }
    }
}

impl OfflineApp {
    /// Also searches this corpus, file of records or folder of papers.
    ///
    /// # Errors
    /// If there is nothing at `path`.
    pub fn corpus(mut self, path: impl AsRef<Path>) -> Result<Self, AppError> {
        self.corpora.push(absolute_corpus(path.as_ref())?);
        Ok(self)
    }

    /// Checks the claims of a paper. The run's folder is temporary; use [`App::run`] to keep it.
    ///
    /// # Errors
    /// If the paper or a corpus cannot be read.
    pub async fn assess(&self, paper: impl Into<PathBuf>) -> Result<Assessment, AppError> {
        let request = Request {
            corpora: self.corpora.clone(),
            send_nothing: true,
            ..Request::new(Job::Assess, Input::File(paper.into()))
        };
        let result = in_background(CancelToken::new(), move |cancel| {
            let app = App::default();
            let request = app.validate(&request, &SilentObserver)?;
            // Deleted when the job has ended, even if nobody waits for it.
            let scratch = estimate::scratch()?;
            app.run_blocking(
                request,
                &scratch.path().join("run"),
                false,
                Arc::new(SilentObserver),
                cancel,
            )
        });
        match result.await?.report {
            Report::Assess(found) => Ok(*found),
            _ => Err(AppError::with_message(
                ErrorKind::Bug,
                "the run made a report of another kind",
            )),
        }
    }
}

/// Runs `work` on a thread of its own, because reading and comparing keep a thread busy for seconds. Dropping the future cancels the job.
async fn in_background<T: Send + 'static>(
    cancel: CancelToken,
    work: impl FnOnce(&CancelToken) -> Result<T, AppError> + Send + 'static,
) -> Result<T, AppError> {
    struct CancelOnDrop(Option<CancelToken>);
    impl Drop for CancelOnDrop {
        fn drop(&mut self) {
            if let Some(cancel) = self.0.take() {
                cancel.cancel();
            }
        }
    }
    let mut guard = CancelOnDrop(Some(cancel.clone()));
    let done = tokio::task::spawn_blocking(move || work(&cancel)).await;
    guard.0 = None;
    done.map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to run the job: {error}")))?
}

impl App {
    /// For papers that must not leave this machine: no model, no literature service, and no connection.
    #[must_use]
    pub fn offline() -> OfflineApp {
        OfflineApp::default()
    }

    /// Checks a request and resolves it to what a run records: paths become absolute, the settings are applied, and a paper given by name is
    /// downloaded. Blocks the calling thread.
    ///
    /// # Errors
    /// If an option, a file or a setting is not valid.
    pub fn validate(&self, request: &Request, observer: &dyn Observer) -> Result<RunRequest, AppError> {
        outside_runtime(|| request.resolve(observer))
    }

    /// The id of a request's run. It depends on the options and on the contents of the files, not on where they are.
    ///
    /// # Errors
    /// If no valid id can be derived from the request.
    pub fn run_id(&self, request: &RunRequest) -> Result<RunId, AppError> {
        contents::run_id(request)
    }

    /// Runs a request in the folder `dir`, reusing what an earlier run of the same request finished there. With `replay`, only recorded responses are
    /// used. Each run needs a token of its own. Dropping the future cancels the run.
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
        let (app, dir) = (*self, dir.to_owned());
        let work = move |cancel: &CancelToken| app.run_blocking(request, &dir, replay, observer, cancel);
        in_background(cancel, work).await
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
        self.run_in_folder(request, RunFolder::create(dir)?, replay, observer, cancel)
    }

    /// The same in a folder that this process already holds.
    ///
    /// # Errors
    /// As [`App::run`].
    pub fn run_in_folder(
        &self,
        request: RunRequest,
        folder: RunFolder,
        replay: bool,
        observer: Arc<dyn Observer>,
        cancel: &CancelToken,
    ) -> Result<RunResult, AppError> {
        self.run_in(request, folder, replay, SharedAccess::default(), observer, cancel)
    }

    /// The same with what other runs use too.
    pub(crate) fn run_in(
        &self,
        request: RunRequest,
        folder: RunFolder,
        replay: bool,
        shared: SharedAccess,
        observer: Arc<dyn Observer>,
        cancel: &CancelToken,
    ) -> Result<RunResult, AppError> {
        let mut run = Run::begin(folder, request, replay, shared, observer, cancel.clone())?;
        let report = jobs::work(&mut run)?;
        Ok(RunResult {
            dir: run.folder.dir().to_owned(),
            manifest: run.manifest.clone(),
            report,
            unwritten: run.unwritten.take(),
        })
    }

    /// Opens corpora for finding the papers that state a claim. Blocks the calling thread.
    ///
    /// # Errors
    /// If there is no corpus, or one cannot be read.
    pub fn claim_matcher(
        &self,
        corpora: &[PathBuf],
        services: ServiceChoice<'_>,
        observer: &dyn Observer,
    ) -> Result<ClaimMatcher, AppError> {
        ClaimMatcher::open(corpora, services, observer)
    }

    /// Reads a paper from a file or a text. Nothing is downloaded. Blocks the calling thread.
    ///
    /// ```no_run
    /// # use precedent_app::{App, AppError, Input};
    /// let paper = App::default().read(&Input::File("paper.pdf".into()))?;
    /// println!("{}", paper.document.text);
    /// # Ok::<(), AppError>(())
    /// ```
    ///
    /// # Errors
    /// If the input cannot be read, or is not a paper.
    pub fn read(&self, input: &Input) -> Result<Paper, AppError> {
        read::read(input)
    }

    /// Checks quotes against their source. Nothing is downloaded. Blocks the calling thread. [`App::open_text`] reads a source once for many calls.
    ///
    /// ```
    /// # use precedent_app::verify::Outcome;
    /// # use precedent_app::{App, AppError, Input, QuoteQuery, SilentObserver, VerifyRequest};
    /// let request = VerifyRequest {
    ///     source: Input::Text("The force on the rope fell by 12 % when the swell was low.".to_owned()),
    ///     quotes: vec![QuoteQuery::new("the rope fell by 21 % when the swell was low")],
    /// };
    /// let answers = App::default().verify(&request, &SilentObserver)?;
    /// assert_eq!(answers[0].outcome, Outcome::Altered);
    /// # Ok::<(), AppError>(())
    /// ```
    ///
    /// # Errors
    /// If the source cannot be read. A quote that the source does not contain is an answer, not an error.
    pub fn verify(&self, request: &VerifyRequest, observer: &dyn Observer) -> Result<Vec<VerifyAnswer>, AppError> {
        verify::verify(request, observer)
    }

    /// Finds the passages that a text shares with others. Nothing is downloaded. Blocks the calling thread. [`App::open_text`] reads a text once for
    /// many calls, and reports each text that cannot be read.
    ///
    /// ```no_run
    /// # use precedent_app::{App, AppError, Input, OverlapRequest, SilentObserver};
    /// let (draft, earlier) = (Input::File("draft.pdf".into()), Input::File("earlier.pdf".into()));
    /// let found = App::default().overlap(&OverlapRequest::new(draft, vec![earlier]), &SilentObserver)?;
    /// for passage in &found.passages {
    ///     println!("{} words: {}", passage.words, passage.a_text);
    /// }
    /// # Ok::<(), AppError>(())
    /// ```
    ///
    /// # Errors
    /// If a text cannot be read.
    pub fn overlap(&self, request: &OverlapRequest, observer: &dyn Observer) -> Result<OverlapAnswer, AppError> {
        overlap::overlap(request, observer)
    }

    /// Reads a text to check quotes against it with [`OpenedText::verify`], or to compare it with others with [`OpenedText::overlap`]. Nothing is
    /// downloaded. Blocks the calling thread.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn open_text(&self, input: &Input, observer: &dyn Observer) -> Result<OpenedText, AppError> {
        OpenedText::open(input, observer)
    }

    /// Searches corpora once. Blocks the calling thread. Opening corpora is slow, so use [`App::open_corpora`] for several queries.
    ///
    /// ```no_run
    /// # use precedent_app::{App, AppError, CorporaRequest, SearchQuery, SearchRequest, SilentObserver};
    /// let request = SearchRequest {
    ///     corpora: CorporaRequest::new(vec!["library".into()]),
    ///     query: SearchQuery::new("ropes that creep"),
    /// };
    /// for found in App::default().search(&request, &SilentObserver)?.results {
    ///     println!("{} {}", found.id, found.title);
    /// }
    /// # Ok::<(), AppError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no corpus, one cannot be read, or a model fails.
    pub fn search(&self, request: &SearchRequest, observer: &dyn Observer) -> Result<SearchAnswer, AppError> {
        outside_runtime(|| search::search(request, observer))
    }

    /// Opens corpora to search them with [`OpenedCorpora::search`]. Blocks the calling thread.
    ///
    /// # Errors
    /// If there is no corpus, one cannot be read, or a model cannot be opened.
    pub fn open_corpora(&self, request: &CorporaRequest, observer: &dyn Observer) -> Result<OpenedCorpora, AppError> {
        outside_runtime(|| OpenedCorpora::open(request, observer))
    }

    /// The run in the folder `dir`, with its current status.
    ///
    /// # Errors
    /// If there is no run, or its manifest is damaged.
    pub fn stored_run(&self, dir: &Path) -> Result<StoredRun, AppError> {
        StoredRun::open(dir)
    }

    /// The runs in the direct subfolders of `root`, by name. A damaged run is left out.
    ///
    /// # Errors
    /// If the folder cannot be read. A missing folder has no runs.
    pub fn stored_runs(&self, root: &Path) -> Result<Vec<StoredRun>, AppError> {
        StoredRun::list(root)
    }

    /// What a run of this request would send to models and services, and what it would cost at most. Nothing is sent. Blocks the calling thread.
    ///
    /// # Errors
    /// If the input or a corpus cannot be read.
    pub fn estimate(&self, request: &RunRequest, observer: &dyn Observer) -> Result<Estimate, AppError> {
        outside_runtime(|| estimate::estimate(request, observer))
    }

    /// The requests that a run would send to services and archives. Nothing is sent. Blocks the calling thread.
    ///
    /// # Errors
    /// If the input or a corpus cannot be read.
    pub fn egress(&self, request: &RunRequest, observer: &dyn Observer) -> Result<EgressList, AppError> {
        outside_runtime(|| egress::list(request, observer))
    }
}
