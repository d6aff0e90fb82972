//! Calls that open an upload or a corpus run in a process of their own, which may take a limited time.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use precedent_app::domain::WorkId;
use precedent_app::runs::RunRequest;
use precedent_app::verify::QuoteId;
use precedent_app::{
    App, AppError, CorporaRequest, Download, ErrorKind, Input, OverlapRequest, PaperChoice, Password, QuoteQuery,
    SearchQuery, ServiceChoice, SilentObserver, VerifyRequest, answer_of, end_with_stdin,
};
use precedent_app::{ClaimMatch, ClaimQuery};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::ServerOptions;
use crate::error::Problem;
use crate::options::PDF_PASSWORD;

/// Maximum length of an answer: the texts of two papers at the limit of the readers, with escapes.
const LONGEST_ANSWER: u64 = 64 << 20;

/// A text to work on.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TextPlace {
    File(PathBuf),
    Text(String),
}

impl From<TextPlace> for Input {
    fn from(place: TextPlace) -> Self {
        match place {
            TextPlace::File(path) => Self::File(path),
            TextPlace::Text(text) => Self::Text(text),
        }
    }
}

/// What a process is started for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub(crate) enum Call {
    /// What a run would send and cost.
    Estimate { request: Box<RunRequest> },
    /// Check quotes.
    Verify { source: TextPlace, quotes: Vec<String> },
    /// Find passages that texts share.
    Overlap {
        target: TextPlace,
        others: Vec<TextPlace>,
        min_words: Option<usize>,
    },
    /// Find papers that state a claim.
    Match {
        claim: String,
        corpora: Vec<PathBuf>,
        as_of: Option<String>,
        limit: usize,
    },
    /// Search corpora.
    Search {
        query: String,
        corpora: Vec<PathBuf>,
        as_of: Option<String>,
        limit: usize,
    },
    /// Statistics of a corpus.
    Statistics { corpus: PathBuf },
    /// Download a paper to the folder for temporary files.
    Download {
        paper: PaperChoice,
        settings: Option<PathBuf>,
    },
    /// The texts of the paper and of a candidate.
    Texts {
        paper: PathBuf,
        corpora: Vec<PathBuf>,
        candidate: WorkId,
    },
}

impl Call {
    /// The corpora that it opens.
    pub(crate) fn corpora(&self) -> &[PathBuf] {
        match self {
            Self::Estimate { request } => &request.corpora,
            Self::Match { corpora, .. } | Self::Search { corpora, .. } | Self::Texts { corpora, .. } => corpora,
            Self::Statistics { corpus } => std::slice::from_ref(corpus),
            Self::Verify { .. } | Self::Overlap { .. } | Self::Download { .. } => &[],
        }
    }
}

/// The texts that [`Call::Texts`] returns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Texts {
    /// The text of the paper, as `precedent read` prints it.
    pub(crate) paper: String,
    /// The text of the candidate, if a corpus has it.
    pub(crate) candidate: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Found(Value),
    Failed(Problem),
}

#[derive(Serialize)]
struct Matches {
    results: Vec<ClaimMatch>,
}

/// Reads a call from the first line of stdin, answers it and prints the answer on stdout.
///
/// # Errors
/// If the call cannot be read, or the answer cannot be printed. An error of the call itself is an answer.
pub fn answer_call() -> Result<(), AppError> {
    let wrong = |error: &dyn std::fmt::Display| {
        AppError::with_message(ErrorKind::Usage, format!("failed to read the call: {error}"))
    };
    let mut text = String::new();
    std::io::stdin().read_line(&mut text).map_err(|error| wrong(&error))?;
    let call: Call = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    end_with_stdin().map_err(|error| wrong(&error))?;
    let answer = match answer(call) {
        Ok(found) => Answer::Found(found),
        Err(error) => Answer::Failed(error.into()),
    };
    let printed = serde_json::to_vec(&answer).map_err(|error| AppError::with_message(ErrorKind::Bug, error))?;
    let written = std::io::stdout().lock().write_all(&printed);
    written.map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to print the answer: {error}")))
}

fn answer(call: Call) -> Result<Value, AppError> {
    let (app, observer) = (App::default(), &SilentObserver);
    let date = |as_of: Option<String>| {
        let date = as_of.as_deref().map(str::parse).transpose();
        date.map_err(|error| AppError::with_message(ErrorKind::Usage, format!("the cutoff date is not valid: {error}")))
    };
    match call {
        Call::Estimate { request } => {
            let egress = app.egress(&request, observer)?;
            let estimate = match request.model.is_some() || !request.sources.is_empty() {
                true => json(&app.estimate(&request, observer)?)?,
                false => Value::Null,
            };
            let url = request.model.as_ref().and_then(|model| model.url.as_deref());
            Ok(serde_json::json!({ "estimate": estimate, "egress": json(&egress)?, "model_url": url }))
        }
        Call::Verify { source, quotes } => {
            let quotes = (1..).zip(quotes).map(|(number, quote)| QuoteQuery {
                id: QuoteId::Natural(number),
                quote,
            });
            let source = source.into();
            json(&app.verify(
                &VerifyRequest {
                    source,
                    quotes: quotes.collect(),
                },
                observer,
            )?)
        }
        Call::Overlap {
            target,
            others,
            min_words,
        } => {
            let mut request = OverlapRequest::new(target.into(), Vec::new());
            request.min_words = min_words.unwrap_or(request.min_words);
            let open = |(number, place): (usize, TextPlace)| {
                // In the answer, without the folder of the server.
                let text = app.open_text(&place.into(), observer)?;
                Ok(text.named(format!("text {number}")))
            };
            let others: Vec<_> = (1..).zip(others).map(open).collect::<Result<_, AppError>>()?;
            let target = app.open_text(&request.target, observer)?;
            json(&target.overlap(&others, request.min_words))
        }
        Call::Match {
            claim,
            corpora,
            as_of,
            limit,
        } => {
            let matcher = app.claim_matcher(&corpora, ServiceChoice::default(), observer)?;
            let found = matcher.matches(&ClaimQuery {
                text: claim,
                exclude: Vec::new(),
                as_of: date(as_of)?,
                limit,
            })?;
            json(&Matches { results: found.results })
        }
        Call::Search {
            query,
            corpora,
            as_of,
            limit,
        } => {
            let corpora = app.open_corpora(&CorporaRequest::new(corpora), observer)?;
            json(&corpora.search(&SearchQuery {
                as_of: date(as_of)?,
                limit,
                ..SearchQuery::new(query)
            })?)
        }
        Call::Statistics { corpus } => {
            let opened = app.open_corpora(&CorporaRequest::new(vec![corpus]), observer)?;
            let mut found = opened.statistics()?.into_iter().next();
            for import in found.iter_mut().flat_map(|found| &mut found.imports) {
                // A client needs no path of this machine.
                let name = import.source.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
                import.source = name;
            }
            json(&found)
        }
        Call::Download { paper, settings } => {
            json(&app.download(&paper, settings.as_deref(), &std::env::temp_dir())?)
        }
        Call::Texts {
            paper,
            corpora,
            candidate,
        } => {
            let paper = app.read(&Input::File(paper))?.document.text;
            let candidate = match corpora.is_empty() {
                true => None,
                false => app
                    .open_corpora(&CorporaRequest::new(corpora), observer)?
                    .paper(&candidate)?,
            };
            let candidate = candidate.map(|found| found.document.text);
            json(&Texts { paper, candidate })
        }
    }
}

fn json(value: &impl Serialize) -> Result<Value, AppError> {
    serde_json::to_value(value).map_err(|error| AppError::with_message(ErrorKind::Bug, error))
}

/// A folder that is deleted when dropped.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    fn in_folder(folder: &Path) -> std::io::Result<Self> {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let path = folder.join(CALLS.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            tracing::warn!("failed to delete the temporary files of a call: {error}");
        }
    }
}

/// Starts a process for each call.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    program: PathBuf,
    arguments: Vec<String>,
    pdf_password: Option<Password>,
    limit: Duration,
    /// Folder for temporary files of calls.
    scratch: PathBuf,
    /// Calls at the same time.
    free: Arc<Semaphore>,
    /// Downloads at the same time. They mostly wait, so they take no place of a call.
    downloads: Arc<Semaphore>,
}

/// Downloads at the same time; chosen by hand. Archives set the pace of one after the other.
const MOST_DOWNLOADS: usize = 4;

impl Caller {
    /// Deletes what the calls of a killed server left in the data folder.
    pub(crate) fn new(options: &ServerOptions, data: &Path) -> std::io::Result<Self> {
        let scratch = data.join("tmp");
        match fs::remove_dir_all(&scratch) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(&scratch)?,
        }
        // Calls are short and keep one processor busy.
        let most = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Self {
            program: options.program.clone(),
            arguments: options.arguments.clone(),
            pdf_password: options.pdf_password.clone(),
            limit: options.call_limit,
            scratch,
            free: Arc::new(Semaphore::new(most)),
            downloads: Arc::new(Semaphore::new(MOST_DOWNLOADS)),
        })
    }

    /// The answer to a call, read as `T`.
    /// `held` is kept until its process has ended.
    pub(crate) async fn call<T: DeserializeOwned + Send + 'static>(
        &self,
        call: Call,
        held: impl Send + 'static,
    ) -> Result<T, Problem> {
        let take = move |found, _: &Path| {
            drop(held);
            Ok(found)
        };
        self.call_in(Arc::clone(&self.free), call, take).await
    }

    /// Downloads a paper. `keep` gets it before the temporary files of the call are deleted.
    pub(crate) async fn download<T: Send + 'static>(
        &self,
        paper: PaperChoice,
        settings: Option<PathBuf>,
        keep: impl FnOnce(&Download) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let call = Call::Download { paper, settings };
        self.call_in(Arc::clone(&self.downloads), call, move |found: Download, scratch| {
            // The process has read a file of somebody else, so its answer is checked.
            let own = |path: &Path| {
                path.canonicalize()
                    .map_err(|error| Problem::io("find the download", &error))
            };
            let (path, scratch) = (own(&found.path)?, own(scratch)?);
            match path.starts_with(scratch) && path.is_file() {
                true => keep(&Download { path }),
                false => Err(Problem::bug("the download is not where it should be")),
            }
        })
        .await
    }

    /// The answer to a call that waits for a place in `free`, as `take` sees it before the temporary files are deleted.
    async fn call_in<T: DeserializeOwned, U: Send + 'static>(
        &self,
        free: Arc<Semaphore>,
        call: Call,
        take: impl FnOnce(T, &Path) -> Result<U, Problem> + Send + 'static,
    ) -> Result<U, Problem> {
        let permit = free.acquire_owned().await;
        let caller = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            // Held until the process has ended, even if the client is gone.
            let _permit = permit;
            // A call that is ended deletes nothing itself, and its index of a corpus may have gigabytes.
            let scratch =
                Scratch::in_folder(&caller.scratch).map_err(|error| Problem::io("start a process", &error))?;
            let found = caller.in_process(&call, &scratch)?;
            let found = serde_json::from_value(found)
                .map_err(|error| Problem::bug(format!("the answer cannot be read: {error}")))?;
            take(found, &scratch.0)
        });
        done.await.map_err(|_| Problem::bug("the call failed"))?
    }

    fn in_process(&self, call: &Call, scratch: &Scratch) -> Result<Value, Problem> {
        let input =
            serde_json::to_vec(call).map_err(|error| Problem::bug(format!("failed to write the call: {error}")))?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).args(["work", "--call"]);
        command.envs(self.pdf_password.as_deref().map(|password| (PDF_PASSWORD, password)));
        // On Unix, then on Windows.
        for name in ["TMPDIR", "TMP", "TEMP"] {
            command.env(name, &scratch.0);
        }
        let answer = answer_of(&mut command, input, self.limit, LONGEST_ANSWER)
            .map_err(|error| Problem::io("start a process", &error))?;
        let Some(text) = answer.text else {
            let seconds = self.limit.as_secs();
            return Err(Problem::timeout(format!(
                "the call took more than {seconds} s and was ended"
            )));
        };
        match serde_json::from_slice(&text) {
            Ok(Answer::Found(found)) => Ok(found),
            Ok(Answer::Failed(problem)) => Err(problem),
            Err(_) => {
                tracing::warn!("a call ended without an answer: {}", answer.ended);
                let detail = "the process of this call ended without an answer";
                let hint = "the file or the text may be too large; the server is not affected";
                Err(Problem::of(ErrorKind::Input, detail).hint(hint))
            }
        }
    }
}
