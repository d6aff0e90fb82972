//! Batches: named sets of runs that check papers. Each run is one of the queue like any other, so a batch only records which they are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use precedent_app::runs::write_whole;
use precedent_report::{BatchPaper, BatchStatus, BatchSummary, PaperSummary};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Problem;
use crate::evidence::Report;
use crate::jobs::{JobRecord, JobState, now};
use crate::request::{JobName, JobRequest};
use crate::state::State as Server;
use crate::users::hash_of;

/// Papers of a batch; chosen by hand. Half of what a user may have waiting.
pub(crate) const MOST_PAPERS: usize = 100;
/// Longest name, in characters.
const LONGEST_NAME: usize = 200;
/// Between the names of a file that was sent several times. Stored names have no comma.
const BETWEEN_NAMES: &str = ", ";

/// A named set of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Batch {
    /// Its id. The same papers with the same request and name are the same batch.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// Seconds since 1970-01-01, UTC.
    pub(crate) created: u64,
    /// Its papers, in their order.
    pub(crate) papers: Vec<BatchMember>,
}

/// A paper of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct BatchMember {
    /// The name of its file, or its names if it was sent several times.
    pub(crate) file: String,
    /// Id of its run.
    pub(crate) run: String,
    /// Whether the run was there before the batch, which then does not delete it.
    #[serde(default)]
    pub(crate) older: bool,
}

/// When a run was created, and how often it was executed since.
type Execution = (u64, u32);

/// The batches in a data folder.
#[derive(Debug)]
pub(crate) struct BatchStore {
    folder: PathBuf,
    batches: Mutex<BTreeMap<String, Batch>>,
    /// The findings of finished runs, with the execution that they are of. Reading a report takes some milliseconds.
    summaries: Mutex<HashMap<String, (Execution, PaperSummary)>>,
}

impl BatchStore {
    /// Reads the batches in the data folder. A batch without any run that `exists` is deleted.
    pub(crate) fn open(data: &Path, exists: impl Fn(&str) -> bool) -> std::io::Result<Arc<Self>> {
        let folder = data.join("batches");
        fs::create_dir_all(&folder)?;
        let mut batches = BTreeMap::new();
        for entry in fs::read_dir(&folder)?.flatten() {
            let text = fs::read(entry.path())?;
            match serde_json::from_slice::<Batch>(&text) {
                Ok(batch) if batch.papers.iter().any(|paper| exists(&paper.run)) => {
                    drop(batches.insert(batch.id.clone(), batch));
                }
                Ok(_) => fs::remove_file(entry.path())?,
                Err(error) => tracing::warn!("{} is not a batch: {error}", entry.path().display()),
            }
        }
        Ok(Arc::new(Self {
            folder,
            batches: Mutex::new(batches),
            summaries: Mutex::default(),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Batch>> {
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    pub(crate) fn get(&self, id: &str) -> Result<Batch, Problem> {
        let known = self.lock().get(id).cloned();
        known.ok_or_else(|| Problem::not_found("batch"))
    }

    /// All batches, newest first.
    pub(crate) fn list(&self) -> Vec<Batch> {
        let mut all: Vec<Batch> = self.lock().values().cloned().collect();
        all.sort_by(|a, b| b.created.cmp(&a.created).then_with(|| a.id.cmp(&b.id)));
        all
    }

    /// The batch with this run, the newest of several.
    pub(crate) fn of(&self, run: &str) -> Option<Batch> {
        let has = |batch: &Batch| batch.papers.iter().any(|paper| paper.run == run);
        self.list().into_iter().find(has)
    }

    fn add(&self, name: String, papers: Vec<BatchMember>) -> Result<Batch, Problem> {
        let runs: Vec<&str> = papers.iter().map(|paper| paper.run.as_str()).collect();
        // 64 bits are enough for some hundred batches.
        let id: String = hash_of(&format!("{name}\n{}", runs.join("\n")))
            .chars()
            .take(16)
            .collect();
        let mut batches = self.lock();
        if let Some(known) = batches.get(&id) {
            return Ok(known.clone());
        }
        let batch = Batch {
            id: id.clone(),
            name,
            created: now(),
            papers,
        };
        serde_json::to_vec_pretty(&batch)
            .map_err(std::io::Error::from)
            .and_then(|text| write_whole(&self.path(&id), &text))
            .map_err(|error| Problem::io("record the batch", &error))?;
        batches.insert(id, batch.clone());
        Ok(batch)
    }

    fn remove(&self, id: &str) -> Result<(), Problem> {
        let mut batches = self.lock();
        fs::remove_file(self.path(id)).map_err(|error| Problem::io("delete the batch", &error))?;
        batches.remove(id);
        Ok(())
    }

    /// The findings of a finished run, read once.
    fn summary(&self, run: &JobRecord, dir: &Path) -> Result<PaperSummary, Problem> {
        let lock = || self.summaries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((execution, known)) = lock().get(&run.id)
            && *execution == (run.created, run.executions)
        {
            return Ok(known.clone());
        }
        let found = Report::read(dir, &run.files)?.summary();
        lock().insert(run.id.clone(), ((run.created, run.executions), found.clone()));
        Ok(found)
    }
}

/// An uploaded file.
#[derive(Debug)]
pub(crate) struct NewPaper {
    pub(crate) sha256: String,
    /// Its name, if it is not that of the first upload with these bytes.
    pub(crate) name: Option<String>,
}

/// A batch to add: its papers, and the request that is the same for all.
#[derive(Debug)]
pub(crate) struct NewBatch {
    pub(crate) name: Option<String>,
    pub(crate) papers: Vec<NewPaper>,
    /// Without an input.
    pub(crate) request: JobRequest,
}

impl NewBatch {
    /// What needs no look at a paper.
    fn check(&self) -> Result<(), Problem> {
        if self.request.job != JobName::Assess {
            return Err(Problem::usage("a batch checks the claims of papers; its job is assess")
                .hint("give one paper at a time for other jobs"));
        }
        if self.request.input.is_some() || self.request.text.is_some() {
            return Err(Problem::usage("the request of a batch has neither an input nor a text")
                .hint("its papers are in the list of inputs"));
        }
        if self.papers.is_empty() || self.papers.len() > MOST_PAPERS {
            return Err(Problem::usage(format!("give 1 to {MOST_PAPERS} papers")));
        }
        let formats = &self.request.formats;
        if !formats.is_empty() && !formats.iter().any(|one| one == "json") {
            return Err(Problem::usage(
                "a batch needs the format json, which its table is made from",
            ));
        }
        let is_long = |name: &String| name.chars().count() > LONGEST_NAME;
        if self.name.as_ref().is_some_and(is_long) {
            return Err(Problem::usage(format!(
                "the name has more than {LONGEST_NAME} characters"
            )));
        }
        Ok(())
    }
}

/// A batch with its runs, those that were deleted being `None`.
#[derive(Debug)]
pub(crate) struct KnownBatch {
    pub(crate) batch: Batch,
    pub(crate) runs: Vec<Option<JobRecord>>,
}

impl KnownBatch {
    pub(crate) fn count(&self, state: JobState) -> usize {
        self.existing().filter(|run| run.state == state).count()
    }

    pub(crate) fn existing(&self) -> impl Iterator<Item = &JobRecord> {
        self.runs.iter().flatten()
    }
}

impl Server {
    /// A batch with its runs.
    pub(crate) fn batch(&self, id: &str) -> Result<KnownBatch, Problem> {
        Ok(self.known_batch(self.batches.get(id)?))
    }

    /// All batches, newest first.
    pub(crate) fn all_batches(&self) -> Vec<KnownBatch> {
        let all = self.batches.list().into_iter();
        all.map(|batch| self.known_batch(batch)).collect()
    }

    fn known_batch(&self, batch: Batch) -> KnownBatch {
        let runs = batch.papers.iter().map(|paper| self.jobs.get(&paper.run).ok());
        KnownBatch {
            runs: runs.collect(),
            batch,
        }
    }

    /// Adds a batch whose runs are not started. If a paper is refused, nothing is added.
    pub(crate) async fn draft_batch(&self, new: NewBatch) -> Result<Batch, Problem> {
        new.check()?;
        let known = self.batches.lock().len();
        if self.offer.most_active.is_some_and(|most| known >= most) {
            return Err(Problem::too_many(format!("you have {known} batches")).hint("delete some"));
        }
        let (mut papers, mut added) = (Vec::new(), Vec::new());
        for paper in &new.papers {
            let wanted = JobRequest {
                input: Some(paper.sha256.clone()),
                ..new.request.clone()
            };
            if let Err(problem) = self
                .draft_member(wanted, paper.name.clone(), &mut papers, &mut added)
                .await
            {
                for run in added {
                    // It was not there before, and nobody has seen it. The uploads stay for the next try.
                    let _ = self.jobs.discard(&run);
                }
                return Err(problem);
            }
        }
        let first = papers.first().map(|paper: &BatchMember| paper.file.clone());
        let usual = match papers.len() {
            1 => first.unwrap_or_default(),
            several => format!("{} and {} more", first.unwrap_or_default(), several - 1),
        };
        let name = new.name.map(|name| name.trim().to_owned());
        self.batches
            .add(name.filter(|name| !name.is_empty()).unwrap_or(usual), papers)
    }

    async fn draft_member(
        &self,
        wanted: JobRequest,
        name: Option<String>,
        papers: &mut Vec<BatchMember>,
        added: &mut Vec<String>,
    ) -> Result<(), Problem> {
        let file = self.input_name(&wanted, name)?.unwrap_or_default();
        let (request, run) = self.validated(&wanted).await?;
        if let Some(same) = papers.iter_mut().find(|paper| paper.run == run) {
            // The same file twice, perhaps by two names.
            if same.file.split(BETWEEN_NAMES).all(|name| name != file) {
                same.file = [same.file.as_str(), &file].join(BETWEEN_NAMES);
            }
            return Ok(());
        }
        let is_new = self.jobs.get(&run).is_err();
        let in_another = self.batches.of(&run);
        let older = match &in_another {
            Some(batch) => batch.papers.iter().any(|paper| paper.run == run && paper.older),
            None => !is_new,
        };
        self.jobs.add(&run, wanted, Some(file.clone()), &request, None)?;
        added.extend(is_new.then(|| run.clone()));
        papers.push(BatchMember { file, run, older });
        Ok(())
    }

    /// Queues every run of a batch that neither waits nor runs nor has finished. Those that the queue refuses stay as they are; if it refuses all,
    /// that is an error.
    pub(crate) async fn start_batch(&self, id: &str) -> Result<KnownBatch, Problem> {
        let (mut queued, mut refused) = (0, None);
        for run in self.batch(id)?.existing() {
            if run.state.is_active() || run.state == JobState::Finished {
                continue;
            }
            match self.queue(&run.id, false).await {
                Ok(_) => queued += 1,
                Err(problem) => refused = refused.or(Some(problem)),
            }
        }
        match refused {
            Some(problem) if queued == 0 => Err(problem),
            _ => self.batch(id),
        }
    }

    /// Stops every run of a batch that waits or runs.
    pub(crate) fn stop_batch(&self, id: &str) -> Result<KnownBatch, Problem> {
        let known = self.batch(id)?;
        let active: Vec<&JobRecord> = known.existing().filter(|run| run.state.is_active()).collect();
        if active.is_empty() {
            return Err(Problem::conflict("no run of the batch waits or runs"));
        }
        // The last first, so that none of those that wait is started meanwhile.
        for run in active.into_iter().rev() {
            match self.jobs.stop(&run.id) {
                // It has just ended.
                Err(problem) if problem.code() != StatusCode::CONFLICT => return Err(problem),
                _ => {}
            }
        }
        self.batch(id)
    }

    /// Deletes a batch with the runs that it added, except those that are in another batch too.
    pub(crate) fn delete_batch(&self, id: &str) -> Result<(), Problem> {
        let known = self.batch(id)?;
        if known.existing().any(|run| run.state.is_active()) {
            return Err(Problem::conflict("a run of the batch is waiting or running").hint("stop the batch first"));
        }
        self.batches.remove(id)?;
        let papers = known.batch.papers.iter().filter(|paper| !paper.older);
        for run in papers.filter_map(|paper| self.jobs.get(&paper.run).ok()) {
            if self.batches.of(&run.id).is_none() {
                match self.jobs.delete(&run.id) {
                    // Somebody has deleted it meanwhile.
                    Err(problem) if problem.code() != StatusCode::NOT_FOUND => return Err(problem),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// What the runs of a batch found: the same as the index of a batch of the command line.
    pub(crate) async fn batch_summary(&self, known: &KnownBatch) -> Result<BatchSummary, Problem> {
        let read: Vec<(String, Option<(JobRecord, PathBuf)>)> = std::iter::zip(&known.batch.papers, &known.runs)
            .map(|(paper, run)| {
                let run = run.clone().map(|run| (self.jobs.dir(&run), run));
                (paper.file.clone(), run.map(|(dir, run)| (run, dir)))
            })
            .collect();
        let store = Arc::clone(&self.batches);
        let work = move || {
            let papers = read.into_iter().map(|(file, run)| {
                let finished = run.as_ref().filter(|(run, _)| run.state == JobState::Finished);
                let summary = finished.map(|(run, dir)| store.summary(run, dir));
                batch_paper(file, run.map(|(run, _)| run), summary.transpose())
            });
            BatchSummary::new(papers.collect())
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|_| Problem::bug("the reports of the batch could not be read"))
    }
}

/// One paper in the index of a batch.
fn batch_paper(file: String, run: Option<JobRecord>, summary: Result<Option<PaperSummary>, Problem>) -> BatchPaper {
    let (status, error) = match (&run, &summary) {
        (None, _) => (BatchStatus::Failed, Some("the run was deleted".to_owned())),
        (Some(_), Err(problem)) => (BatchStatus::Failed, Some(problem.detail.clone())),
        (Some(run), Ok(_)) => {
            let word = run.status.clone().map(serde_json::Value::from);
            let ended = word.and_then(|word| serde_json::from_value(word).ok());
            let status = match run.state {
                JobState::Finished => ended.unwrap_or(BatchStatus::Failed),
                JobState::Failed => BatchStatus::Failed,
                _ => BatchStatus::Waiting,
            };
            (status, run.problem.as_ref().map(|problem| problem.detail.clone()))
        }
    };
    let run = run.filter(|run| !run.files.is_empty());
    BatchPaper {
        paper: file,
        // The address of its files on this server.
        folder: run.as_ref().map(|run| format!("/api/v1/runs/{}/files", run.id)),
        status,
        error,
        area: None,
        files: run.map(|run| run.files).unwrap_or_default(),
        summary: summary.unwrap_or_default(),
    }
}

/// The names of what the runs of a batch search.
pub(crate) fn searches(known: &KnownBatch) -> Vec<String> {
    let all = known.existing().flat_map(|run| {
        let request = &run.request;
        request.corpora.iter().chain(&request.sources).cloned()
    });
    let mut seen = BTreeSet::new();
    all.filter(|name| seen.insert(name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_cannot_be_read_is_a_failure_with_its_reason() {
        let text = r#"{"id": "x", "number": 1, "state": "finished", "status": "complete", "request": {"job": "assess"}, "created": 0, "executions": 1}"#;
        let run: JobRecord = serde_json::from_str(text).unwrap();
        let paper = batch_paper("a.pdf".to_owned(), Some(run), Err(Problem::not_found("report")));
        assert_eq!((paper.status, paper.summary), (BatchStatus::Failed, None));
        assert!(paper.error.unwrap().contains("report"));
        let deleted = batch_paper("a.pdf".to_owned(), None, Ok(None));
        assert_eq!(deleted.error.as_deref(), Some("the run was deleted"));
    }
}
