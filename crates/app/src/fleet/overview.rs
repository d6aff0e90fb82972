use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use precedent_engine::ledger::{JobQueue, PaperFilter, SharedPaper};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinSet;

use super::spec::{BatchSpec, PaperResult, read_result, result_name};
use super::status::status_in;
use super::store::Store;
use super::store_and_queue::{check_exists, open_store};
use super::tree;
use crate::database::unusable;
use crate::{AppError, BatchControl, BatchState, DEFAULT_LEASE, Database, Settings, SharedPaperState};

/// Results that are remembered. Each has a few kB, and a page shows 50. Chosen by hand.
const REMEMBERED: usize = 2_000;
/// Results that are read at the same time. Chosen by hand.
const AT_ONCE: usize = 16;
/// How long a page waits for results. Shorter than the server waits for the whole answer.
const PATIENCE: Duration = Duration::from_secs(4);

/// The shared batches of a database, with the reports in their store.
pub(crate) struct Overview {
    database: Database,
    store: Option<Store>,
    /// That of the store, if it has one.
    store_id: OnceCell<Option<String>>,
    /// Opened when it is first needed, on the runtime of the server.
    queue: OnceCell<JobQueue>,
    /// Results by their name in the store. They never change.
    results: Mutex<HashMap<String, Arc<PaperResult>>>,
}

impl fmt::Debug for Overview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overview")
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

impl Overview {
    /// Checks that the database can be used.
    pub(crate) fn new(
        database: &Database,
        store: Option<&str>,
        local_only: bool,
        settings: Option<&Path>,
    ) -> Result<Self, AppError> {
        let settings = Settings::load(settings)?;
        let local_only = local_only || settings.local_only;
        let open = |place| {
            check_exists(place)?;
            open_store(place, local_only, settings.private_hosts.clone())
        };
        let store = store.map(open).transpose()?;
        database.check()?;
        Ok(Self {
            database: database.clone(),
            store,
            store_id: OnceCell::new(),
            queue: OnceCell::new(),
            results: Mutex::default(),
        })
    }

    pub(crate) fn has_store(&self) -> bool {
        self.store.is_some()
    }

    async fn queue(&self) -> Result<&JobQueue, AppError> {
        let open = || self.database.queue(Duration::from_secs(DEFAULT_LEASE.into()));
        self.queue.get_or_try_init(open).await
    }

    pub(crate) async fn batches(
        &self,
        batch: Option<&str>,
        control: Option<BatchControl>,
    ) -> Result<Vec<BatchState>, AppError> {
        status_in(self.queue().await?, batch, control).await
    }

    pub(crate) async fn papers(
        self: &Arc<Self>,
        batch: &str,
        filter: PaperFilter<'_>,
    ) -> Result<Vec<SharedPaperState>, AppError> {
        let papers = self.queue().await?.some_papers(batch, filter).await.map_err(unusable)?;
        // A lost object would be a wrong explanation.
        let (store, unread) = match &self.store {
            Some(store) if self.has(store, batch).await? => (Some(store), "the store did not answer in time"),
            _ => (None, "its report is not in the store of this server"),
        };
        let (mut reading, turns) = (JoinSet::new(), Arc::new(Semaphore::new(AT_ONCE)));
        for (at, paper) in papers.iter().enumerate() {
            if let (Some(name), Some(store)) = (name_of_result(batch, paper), store.cloned()) {
                let (overview, turns) = (Arc::clone(self), Arc::clone(&turns));
                reading.spawn(async move {
                    // It is never closed.
                    let _turn = turns.acquire().await;
                    (at, overview.result(&store, &name).await)
                });
            }
        }
        let mut shown: Vec<SharedPaperState> = papers.into_iter().map(without_result).collect();
        let until = tokio::time::Instant::now() + PATIENCE;
        // A store that does not answer must not hide what the database says.
        while let Ok(Some(read)) = tokio::time::timeout_at(until, reading.join_next()).await {
            let Ok((at, result)) = read else {
                continue;
            };
            let Some(paper) = shown.get_mut(at) else {
                continue;
            };
            match result {
                Ok(result) => paper.result = Some(result.paper.clone()),
                // One lost result must not hide the others.
                Err(error) => paper.error = Some(error.to_string()),
            }
        }
        for paper in shown.iter_mut().filter(|_| self.has_store()) {
            let has_result = matches!(paper.state.as_str(), "done" | "incomplete");
            if has_result && paper.result.is_none() && paper.error.is_none() {
                paper.error = Some(unread.to_owned());
            }
        }
        Ok(shown)
    }

    /// A file of the run of a paper.
    pub(crate) async fn file(&self, batch: &str, folder: &str, name: &str) -> Result<Option<Vec<u8>>, AppError> {
        let filter = PaperFilter {
            folder: Some(folder),
            ..PaperFilter::default()
        };
        let papers = self.queue().await?.some_papers(batch, filter).await.map_err(unusable)?;
        let result = papers.first().and_then(|paper| name_of_result(batch, paper));
        let (Some(result), Some(store)) = (result, &self.store) else {
            return Ok(None);
        };
        if !self.has(store, batch).await? {
            return Ok(None);
        }
        match self.file_of(store, &result, name).await {
            Err(error) if error.lost_object().is_some() => {
                tracing::warn!("{error}");
                Ok(None)
            }
            file => file,
        }
    }

    /// A file of the run with this result.
    async fn file_of(&self, store: &Store, result: &str, name: &str) -> Result<Option<Vec<u8>>, AppError> {
        let result = self.result(store, result).await?;
        // Only what the run reported.
        if !result.paper.files.iter().any(|file| file == name) {
            return Ok(None);
        }
        tree::tree(store, &result.tree).await?.file(store, name).await
    }

    /// Whether `store` is that of the batch.
    async fn has(&self, store: &Store, batch: &str) -> Result<bool, AppError> {
        let request = self.queue().await?.request(batch).await.map_err(unusable)?;
        let id = self.store_id.get_or_try_init(|| store.known_id()).await?;
        Ok(request
            .zip(id.as_ref())
            .is_some_and(|(request, id)| BatchSpec::parse(&request, id, "").is_ok()))
    }

    async fn result(&self, store: &Store, name: &str) -> Result<Arc<PaperResult>, AppError> {
        let known = || self.results.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(result) = known().get(name) {
            return Ok(Arc::clone(result));
        }
        let bytes = store.named(name).await?.ok_or_else(|| store.missing(name))?;
        let result = Arc::new(read_result(store, name, &bytes)?);
        let mut known = known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(name.to_owned(), Arc::clone(&result));
        Ok(result)
    }
}

/// The name of a paper's result in the store, if it has one.
fn name_of_result(batch: &str, paper: &SharedPaper) -> Option<String> {
    let has_result = matches!(paper.state.as_str(), "done" | "partial");
    has_result.then(|| result_name(batch, &paper.folder, paper.round))
}

fn without_result(paper: SharedPaper) -> SharedPaperState {
    SharedPaperState {
        name: paper.name,
        folder: paper.folder,
        worker: paper.worker.filter(|_| paper.state == "running"),
        state: match paper.state.as_str() {
            "partial" => "incomplete".to_owned(),
            _ => paper.state,
        },
        error: paper.error,
        result: None,
    }
}
