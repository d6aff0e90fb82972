use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use precedent_app::domain::EvidenceKind;
use precedent_app::{AppError, ErrorKind, ModelChoice, models, services};
use serde_json::Value;

use crate::answer::{Answer, Arguments};
use crate::call::{Call, interrupted};
use crate::catalogue::{Effect, Tool};
use crate::corpus_cache::CorpusCache;
use crate::error::Failure;
use crate::files::Root;
use crate::pages;
use crate::pending::PendingCalls;
use crate::runs::Runs;
use crate::spending::Spending;

/// Answers kept for their further pages.
const KEPT: usize = 8;

/// Calls that are not about runs are given this time even if the user wants no waiting for runs. Few take as long.
const LEAST_WAIT: Duration = Duration::from_secs(45);

/// What the user allows a server to read, search and spend.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// Files below this folder may be read.
    pub root: PathBuf,
    /// The folder of runs; `runs` in the root if not set.
    pub runs: Option<PathBuf>,
    /// Corpora to search. They may be anywhere.
    pub corpora: Vec<PathBuf>,
    /// Literature services that may be searched.
    pub sources: Vec<String>,
    /// The model; offline if not set. The models and the model URL of the settings file are ignored. Its budget is the limit of all runs together.
    pub model: ModelChoice,
    /// How long a call waits for a run before it returns the run's id.
    pub wait: Duration,
}

/// A server's state, which all its clients share.
#[derive(Debug)]
pub struct Server {
    pub(crate) root: Root,
    pub(crate) corpora: Vec<(String, PathBuf)>,
    pub(crate) sources: Vec<String>,
    /// As given, because `default` selects other services for an idea than single names do.
    pub(crate) source_names: Vec<String>,
    pub(crate) model: ModelChoice,
    pub(crate) has_model: Option<String>,
    /// How long a call waits for a run.
    pub(crate) wait: Duration,
    /// How long any other call takes at most.
    most: Duration,
    pub(crate) runs: Arc<Runs>,
    pub(crate) corpus_cache: CorpusCache,
    pending: PendingCalls,
    /// Answers with further pages, latest last, by the digest of their call.
    kept: Mutex<VecDeque<(String, Arc<Answer>)>>,
}

impl Server {
    /// Checks the options. Opens no corpus and no connection.
    ///
    /// # Errors
    /// If an option is not valid, or a model is named without a budget.
    pub fn new(mut options: ServerOptions) -> Result<Self, AppError> {
        let root = Root::new(&options.root).map_err(|failure| {
            let error = AppError::with_message(ErrorKind::Usage, failure.message);
            error.hint(failure.hint.unwrap_or_else(|| "give a folder with --root".to_owned()))
        })?;
        // An agent gets no model of the settings file.
        options.model.model = options.model.model.or(ModelChoice::offline().model);
        let has_model = models::selected(&options.model)?.map(|chosen| chosen.model);
        if has_model.is_some() && options.model.budget.is_none() && options.model.budget_tokens.is_none() {
            let message = "an agent may only use a model with a budget";
            return Err(AppError::with_message(ErrorKind::Usage, message)
                .hint("set the limit of all runs together with --budget or --budget-tokens"));
        }
        let sources = services::selected(
            &[EvidenceKind::Literature],
            &options.sources,
            options.model.settings.as_deref(),
            options.model.local_only,
        )?;
        let corpora = named(&options.corpora)?;
        let runs = options.runs.unwrap_or_else(|| root.path().join("runs"));
        let spending = Spending::new(options.model.budget, options.model.budget_tokens);
        Ok(Self {
            runs: Arc::new(Runs::new(runs, spending)),
            root,
            corpora,
            sources,
            source_names: options.sources,
            model: options.model,
            has_model,
            wait: options.wait,
            most: options.wait.max(LEAST_WAIT),
            corpus_cache: CorpusCache::default(),
            pending: PendingCalls::new(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)),
            kept: Mutex::default(),
        })
    }

    /// Cancels the runs in progress, which records that they can be resumed.
    pub fn stop(&self) {
        self.runs.cancel_all();
    }

    /// Whether calls may send anything to other machines.
    pub(crate) fn is_online(&self) -> bool {
        !self.sources.is_empty() || self.has_model.is_some()
    }

    /// The page of a tool's answer that the arguments name. Blocks the calling thread, but not longer than a client waits.
    pub(crate) fn call(
        self: &Arc<Self>,
        tool: &'static Tool,
        mut arguments: Arguments,
        call: &Arc<Call>,
    ) -> Result<Value, Failure> {
        let cursor = match tool.is_paged {
            true => pages::take_cursor(&mut arguments)?,
            false => None,
        };
        let digest = pages::digest(tool.name, &arguments);
        let start = cursor
            .as_ref()
            .map(|cursor| pages::start_of(cursor, &digest))
            .transpose()?;
        // All pages are of one answer, even if files change in between. Only an answer that is no longer kept is made again.
        let kept = start.and_then(|_| self.kept_answer(&digest));
        let answer = match kept {
            Some(answer) => answer,
            None => self.answer(tool, arguments, &digest, call)?,
        };
        let (mut page, next) = pages::page(&answer, start.unwrap_or(0));
        if let Some(next) = next {
            if let Some(fields) = page.as_object_mut() {
                fields.insert("next_cursor".to_owned(), pages::cursor(next, &digest).into());
            }
            self.keep(digest, answer);
        }
        Ok(page)
    }

    /// The whole answer of a tool.
    fn answer(
        self: &Arc<Self>,
        tool: &'static Tool,
        arguments: Arguments,
        digest: &str,
        call: &Arc<Call>,
    ) -> Result<Arc<Answer>, Failure> {
        let (server, own) = (Arc::clone(self), Arc::clone(call));
        let work = move || {
            // It may have waited for its turn.
            if own.is_cancelled() {
                return Err(interrupted());
            }
            let mut answer = (tool.run)(&server, &arguments, &own)?;
            answer.add_warnings(own.take_warnings());
            Ok(Arc::new(answer))
        };
        match tool.effect {
            Effect::Reads => self.pending.answer(digest, self.most, || call.is_cancelled(), work),
            // They return in time by themselves.
            Effect::Waits | Effect::Runs => work(),
        }
    }

    fn kept_answer(&self, digest: &str) -> Option<Arc<Answer>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter()
            .rev()
            .find(|(own, _)| own == digest)
            .map(|(_, answer)| Arc::clone(answer))
    }

    fn keep(&self, digest: String, answer: Arc<Answer>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(own, _)| *own != digest);
        kept.push_back((digest, answer));
        if kept.len() > KEPT {
            kept.pop_front();
        }
    }
}

/// The corpora with names for arguments: the file or folder name, numbered if there are several of that name.
fn named(paths: &[PathBuf]) -> Result<Vec<(String, PathBuf)>, AppError> {
    let mut named: Vec<(String, PathBuf)> = Vec::new();
    for path in paths {
        let path = precedent_app::input::absolute(path)?;
        let name = file_name(&path);
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        if let Some(free) = candidates.find(|one| named.iter().all(|(taken, _)| taken != one)) {
            named.push((free, path));
        }
    }
    Ok(named)
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if name.is_empty() { "corpus".to_owned() } else { name }
}
