//! Watches of a server: those of the service layer in its data folder, each with the request of its checks as clients know it. A check is a run of the
//! queue, and its process records what it found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use precedent_app::domain::PartialDate;
use precedent_app::runs::write_whole;
use precedent_app::{App, Watch, WatchRequest, WatchSubject, Watches, today};
use precedent_report::slug;
use serde::{Deserialize, Serialize};

use crate::error::Problem;
use crate::jobs::{JobRecord, JobState};
use crate::request::{JobName, JobRequest};
use crate::state::State as Server;

/// The file with the request of a watch's checks, in the folder of the watch.
const FILE: &str = "server.json";
/// How often the server looks for watches that are due. They are due on a day, so minutes do not matter.
const BETWEEN: Duration = Duration::from_secs(600);

/// What a watch searches for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct WatchedRequest {
    /// The request of a check, without its date.
    pub(crate) request: JobRequest,
    /// Name of the uploaded file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input_name: Option<String>,
}

impl WatchedRequest {
    /// The watched part of a run's request. Checks use no model and write the files that a watch reads.
    fn new(request: &JobRequest, input_name: Option<String>) -> Self {
        Self {
            request: JobRequest {
                model: None,
                budget: None,
                as_of: None,
                formats: vec!["json".to_owned(), "html".to_owned()],
                ..request.clone()
            },
            input_name,
        }
    }
}

/// The watches in a data folder.
#[derive(Debug)]
pub(crate) struct WatchStore {
    folder: PathBuf,
    watches: Watches,
    /// By id, which is the name of the watch and of its folder.
    requests: Mutex<BTreeMap<String, WatchedRequest>>,
}

impl WatchStore {
    pub(crate) fn open(data: &Path) -> std::io::Result<Arc<Self>> {
        let folder = data.join("watches");
        fs::create_dir_all(&folder)?;
        let watches = Watches::at(folder.clone());
        let mut requests = BTreeMap::new();
        for entry in fs::read_dir(&folder)?.flatten() {
            // A watch that was added by the command line has no request that the server can check.
            let Ok(text) = fs::read(entry.path().join(FILE)) else {
                continue;
            };
            let id = entry.file_name().to_string_lossy().into_owned();
            if watches.get(&id).is_err() && fs::read_dir(entry.path())?.count() == 1 {
                // The server was killed while it added this watch.
                fs::remove_dir_all(entry.path())?;
                continue;
            }
            match serde_json::from_slice(&text) {
                Ok(request) => drop(requests.insert(id, request)),
                Err(error) => tracing::warn!("the watch {id} cannot be read: {error}"),
            }
        }
        Ok(Arc::new(Self {
            watches,
            folder,
            requests: Mutex::new(requests),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, WatchedRequest>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of a watch that is known.
    pub(crate) fn folder(&self, id: &str) -> PathBuf {
        self.folder.join(id)
    }

    /// Whether a watch needs an input.
    pub(crate) fn needs(&self, sha256: &str) -> bool {
        let needs = |one: &WatchedRequest| one.request.input.as_deref() == Some(sha256);
        self.lock().values().any(needs)
    }

    /// Whether a watch searches a corpus.
    pub(crate) fn needs_corpus(&self, name: &str) -> bool {
        self.lock()
            .values()
            .any(|one| one.request.corpora.iter().any(|corpus| corpus == name))
    }

    /// The inputs of all watches.
    pub(crate) fn inputs(&self) -> BTreeSet<String> {
        let requests = self.lock();
        requests.values().filter_map(|one| one.request.input.clone()).collect()
    }

    fn request(&self, id: &str) -> Result<WatchedRequest, Problem> {
        let known = self.lock().get(id).cloned();
        known.ok_or_else(|| Problem::not_found("watch"))
    }

    /// The watch of a run's request.
    pub(crate) fn of(&self, request: &JobRequest) -> Option<String> {
        let sought = WatchedRequest::new(request, None).request;
        let requests = self.lock();
        let found = requests.iter().find(|(_, one)| one.request == sought);
        found.map(|(id, _)| id.clone())
    }

    fn get(&self, id: &str) -> Result<(Watch, WatchedRequest), Problem> {
        let request = self.request(id)?;
        Ok((self.watches.get(id)?, request))
    }

    /// Every watch that can be read, by id.
    fn list(&self) -> Vec<(String, Watch, WatchedRequest)> {
        let ids: Vec<String> = self.lock().keys().cloned().collect();
        let read = |id: String| match self.get(&id) {
            Ok((watch, request)) => Some((id, watch, request)),
            Err(problem) => {
                tracing::warn!("the watch {id} cannot be read: {}", problem.detail);
                None
            }
        };
        ids.into_iter().filter_map(read).collect()
    }

    /// Adds a watch, with an id made of its name or its title. Returns the id and whether it is new: the same request is the same watch.
    fn add(&self, watched: WatchedRequest, title: &str, request: WatchRequest) -> Result<(String, bool), Problem> {
        let failed = |error: std::io::Error| Problem::io("record the watch", &error);
        let id = {
            let mut requests = self.lock();
            if let Some((known, _)) = requests.iter().find(|(_, one)| one.request == watched.request) {
                return Ok((known.clone(), false));
            }
            // Ids are part of addresses.
            let plain = |text: &str| -> String { text.chars().filter(char::is_ascii).collect() };
            let id = match &request.name {
                Some(name) => {
                    let id = slug(&plain(name), &mut BTreeSet::new());
                    if requests.contains_key(&id) || self.folder(&id).exists() {
                        return Err(Problem::conflict(format!("there is already a watch called {id}"))
                            .hint("choose another name, or none"));
                    }
                    id
                }
                None => {
                    let mut taken: BTreeSet<String> = requests.keys().cloned().collect();
                    let others = fs::read_dir(&self.folder).map_err(failed)?.flatten();
                    taken.extend(others.map(|entry| entry.file_name().to_string_lossy().into_owned()));
                    slug(&plain(title), &mut taken)
                }
            };
            // From now on its input is not deleted.
            requests.insert(id.clone(), watched.clone());
            id
        };
        let folder = self.folder(&id);
        let write = || {
            fs::create_dir_all(&folder)?;
            write_whole(&folder.join(FILE), &serde_json::to_vec_pretty(&watched)?)
        };
        let added = write().map_err(failed).and_then(|()| {
            let request = WatchRequest {
                name: Some(id.clone()),
                ..request
            };
            App::default().add_watch(&self.watches, request).map_err(Problem::from)
        });
        if let Err(problem) = added {
            self.lock().remove(&id);
            let _ = fs::remove_dir_all(&folder);
            return Err(problem);
        }
        Ok((id, true))
    }

    fn count(&self) -> usize {
        self.lock().len()
    }

    fn remove(&self, id: &str) -> Result<WatchedRequest, Problem> {
        let request = self.request(id)?;
        self.watches.remove(id)?;
        self.lock().remove(id);
        Ok(request)
    }
}

/// A watch with what the server knows about it.
#[derive(Debug)]
pub(crate) struct KnownWatch {
    pub(crate) id: String,
    pub(crate) watch: Watch,
    pub(crate) watched: WatchedRequest,
    /// The check that waits or runs.
    pub(crate) check: Option<JobRecord>,
}

/// What to watch.
#[derive(Debug)]
pub(crate) enum NewWatch {
    /// The paper or idea of a finished run.
    Run(String),
    /// A request. The first check is the start.
    Request(Box<JobRequest>),
}

impl Server {
    /// A watch.
    pub(crate) async fn watch(&self, id: &str) -> Result<KnownWatch, Problem> {
        let (store, sought) = (Arc::clone(&self.watches), id.to_owned());
        let (watch, watched) = in_background(move || store.get(&sought)).await??;
        Ok(self.known(id.to_owned(), watch, watched))
    }

    /// All watches, by id.
    pub(crate) async fn watches(&self) -> Result<Vec<KnownWatch>, Problem> {
        let store = Arc::clone(&self.watches);
        let all = in_background(move || store.list()).await?.into_iter();
        Ok(all.map(|(id, watch, watched)| self.known(id, watch, watched)).collect())
    }

    fn known(&self, id: String, watch: Watch, watched: WatchedRequest) -> KnownWatch {
        KnownWatch {
            check: self.checks(&id).into_iter().find(|run| run.state.is_active()),
            id,
            watch,
            watched,
        }
    }

    /// The runs that are checks of a watch, newest first.
    fn checks(&self, id: &str) -> Vec<JobRecord> {
        let is_check = |run: &JobRecord| run.watch.as_deref() == Some(id);
        self.jobs.page(is_check, 0, usize::MAX).0
    }

    /// Adds a watch. Returns its id, and whether it is new: the same request is the same watch.
    pub(crate) async fn add_watch(
        &self,
        what: NewWatch,
        options: impl FnOnce(WatchSubject) -> WatchRequest + Send + 'static,
    ) -> Result<(String, bool), Problem> {
        let (watched, subject, title) = match what {
            NewWatch::Run(id) => {
                let run = self.jobs.get(&id)?;
                if let Some(watch) = &run.watch {
                    return Err(Problem::conflict(format!("the run is a check of the watch {watch}")));
                }
                if run.state != JobState::Finished {
                    return Err(Problem::conflict("the run has no report").hint("wait until it has finished"));
                }
                let subject = WatchSubject::Run(self.jobs.dir(&run));
                (
                    WatchedRequest::new(&run.request, run.input_name.clone()),
                    subject,
                    run.name(),
                )
            }
            NewWatch::Request(asked) => {
                let name = asked.input.as_deref().map(|sha256| self.inputs.facts(sha256));
                let name = name.transpose()?.map(|facts| facts.name);
                let watched = WatchedRequest::new(&asked, name.clone());
                let (request, _) = self.validated(&watched.request).await?;
                let text = asked.text.as_deref().unwrap_or_default();
                let title = name.unwrap_or_else(|| text.chars().take(60).collect());
                (watched, WatchSubject::Request(Box::new(request)), title)
            }
        };
        if !matches!(watched.request.job, JobName::Assess | JobName::Idea) {
            return Err(
                Problem::usage(format!("a run of {} cannot be watched", watched.request.job.word()))
                    .hint("watch a run of assess or idea"),
            );
        }
        if let Some(id) = self.watches.of(&watched.request) {
            return Ok((id, false));
        }
        let watches = self.watches.count();
        if self.offer.most_active.is_some_and(|most| watches >= most) {
            return Err(Problem::too_many(format!("you have {watches} watches")).hint("remove some"));
        }
        let (store, request) = (Arc::clone(&self.watches), watched.request.clone());
        let (id, is_new) = in_background(move || store.add(watched, &title, options(subject))).await??;
        // They may have been deleted before the watch was known.
        let input = request
            .input
            .map_or(Ok(()), |sha256| self.inputs.facts(&sha256).map(drop));
        if is_new && let Err(problem) = input.and_then(|()| self.offer.corpora.not_deleted(&request.corpora)) {
            self.watches.remove(&id)?;
            return Err(problem);
        }
        Ok((id, is_new))
    }

    /// The request of a check today, with the id of its run.
    async fn check_request(
        &self,
        watch: &str,
        watched: &WatchedRequest,
    ) -> Result<(JobRequest, precedent_app::runs::RunRequest, String), Problem> {
        let asked = JobRequest {
            as_of: Some(today()?.to_string()),
            ..watched.request.clone()
        };
        let (request, id) = self.validated(&asked).await?;
        Ok((asked, request, check_id(&id, watch)))
    }

    /// Why a watch cannot be checked, such as options of the server that have changed.
    pub(crate) async fn cannot_check(&self, watch: &str, watched: &WatchedRequest) -> Option<Problem> {
        self.check_request(watch, watched).await.err()
    }

    /// Queues a check of a watch, unless one waits or runs. A check on the same day repeats only what failed.
    pub(crate) async fn search_now(&self, id: &str) -> Result<JobRecord, Problem> {
        let watched = self.watches.request(id)?;
        if let Some(active) = self.checks(id).into_iter().find(|run| run.state.is_active()) {
            return Ok(active);
        }
        let (asked, request, run) = self.check_request(id, &watched).await?;
        let run = self.jobs.add(&run, asked, watched.input_name, &request, Some(id))?;
        self.jobs.queue(&run.id, true)
    }

    /// Removes a watch with its reports and the runs of its checks.
    pub(crate) fn remove_watch(&self, id: &str) -> Result<(), Problem> {
        self.watches.request(id)?;
        let checks = self.checks(id);
        if checks.iter().any(|run| run.state.is_active()) {
            return Err(Problem::conflict("a check of the watch is waiting or running").hint("stop it first"));
        }
        let watched = self.watches.remove(id)?;
        for run in checks {
            self.jobs.delete(&run.id)?;
        }
        match watched.request.input {
            Some(sha256) if self.inputs.facts(&sha256).is_ok() => self.jobs.forget_input(&sha256),
            _ => Ok(()),
        }
    }

    /// Queues a check of each watch that is due. A check that failed is repeated on the next day, or when a user asks for it.
    async fn check_due(&self) -> Result<(), Problem> {
        let today = today()?;
        for known in self.watches().await? {
            if !known.watch.is_due(today) || self.was_checked(&known.id, today) {
                continue;
            }
            if let Err(problem) = self.search_now(&known.id).await {
                tracing::warn!("the watch {} cannot be checked: {}", known.id, problem.detail);
            }
        }
        Ok(())
    }

    fn was_checked(&self, id: &str, date: PartialDate) -> bool {
        let date = date.to_string();
        // A draft is a check that the queue refused.
        let is_of_date =
            |run: &JobRecord| run.state != JobState::Draft && run.request.as_of.as_deref() == Some(date.as_str());
        self.checks(id).iter().any(is_of_date)
    }
}

/// The id of a check's run. The same request may be a run that a user started, which records nothing in the watch, or the check of another watch.
pub(crate) fn check_id(run: &str, watch: &str) -> String {
    format!("{run}-watch-{watch}")
}

/// Checks watches when they are due, until the server ends or the user is removed.
pub(crate) async fn check_when_due(state: Weak<Server>) {
    while let Some(state) = state.upgrade() {
        if let Err(problem) = state.check_due().await {
            tracing::warn!("failed to look for watches that are due: {}", problem.detail);
        }
        drop(state);
        tokio::time::sleep(BETWEEN).await;
    }
}

async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Problem::bug("the watch could not be read"))
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use futures_util::stream;
    use precedent_app::WatchInterval;
    use precedent_report::ClaimLevel;

    use super::*;
    use crate::ServerOptions;
    use crate::state::Base;
    use crate::uploads::SizeLimit;

    const RECORD: &str = r#"{"id": "rope:a", "title": "Ropes as telegraphs", "abstract": "We send pulses over mooring ropes.", "year": 2019}"#;

    /// A server with a corpus that has one paper.
    async fn server(folder: &Path) -> Arc<Server> {
        let mut options = ServerOptions::new(([127, 0, 0, 1], 0).into(), folder.to_owned(), "/nonexistent".into());
        options.local_only = true;
        let base = Base::open(&options).unwrap();
        let server = Server::open(&base, base.data(), base.offer()).unwrap();
        server.offer.corpora.create("ropes").unwrap();
        let body = stream::iter([Ok::<_, std::io::Error>(Bytes::from(RECORD))]);
        let file = server.own.receive("a.jsonl", body, SizeLimit::of_file(1_000)).await;
        server.own.add("ropes", &[file.unwrap()], 1).unwrap();
        let task = server.own.begin("ropes").unwrap();
        fs::create_dir_all(&task.state).unwrap();
        let done = App::default().import_into_corpus(&task.import, &|_| {}).unwrap();
        server.own.end(&task, Some(Ok(done)), 1);
        server
    }

    #[test]
    fn no_watch_is_added_while_its_corpus_is_deleted() {
        let folder = std::env::temp_dir().join(format!("precedent-watched-corpus-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let add = |server: &Arc<Server>, meanwhile: fn(&Server)| {
            let request = r#"{"job": "idea", "text": "A telegraph over ropes.", "corpora": ["ropes"]}"#;
            let what = NewWatch::Request(serde_json::from_str(request).unwrap());
            let changed = Arc::clone(server);
            let options = move |subject| {
                // Its request has been checked, and nobody knows of it yet.
                meanwhile(&changed);
                WatchRequest {
                    subject,
                    name: None,
                    every: WatchInterval::Week,
                    level: ClaimLevel::Similar,
                }
            };
            let server = Arc::clone(server);
            async move { server.add_watch(what, options).await }
        };
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let server = server(&folder).await;
            let begun = add(&server, |server| server.own.set_deleting("ropes", true).unwrap()).await;
            assert_eq!(begun.unwrap_err().detail, "the corpus ropes is being deleted");
            server.own.set_deleting("ropes", false).unwrap();
            // A watch that is known keeps its corpus, which can still be used.
            let (id, is_new) = add(&server, |_| {}).await.unwrap();
            assert!(is_new);
            assert_eq!(server.jobs.delete_corpus("ropes").unwrap_err().status, 409);
            assert!(!add(&server, |_| {}).await.unwrap().1);
            server.remove_watch(&id).unwrap();
            let deleted = add(&server, |server| server.jobs.delete_corpus("ropes").unwrap()).await;
            assert_eq!(deleted.unwrap_err().detail, "there is no corpus ropes any more");
            assert!(server.watches.list().is_empty());
        });
        fs::remove_dir_all(folder).unwrap();
    }
}
