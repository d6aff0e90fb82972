use std::fs;
use std::path::{Path, PathBuf};

use crate::runs::write_whole;
use precedent_engine::ledger::SharedPaper;
use precedent_report::{BatchPaper, BatchStatus, BatchSummary};

use super::coordinator::Fleet;
use super::spec::{BatchSpec, PaperSpec, is_folder_of};
use super::store_and_queue::check_exists;
use super::tree::is_safe_name;
use super::worker_files::{CORPORA, fetch_into};
use crate::batch::write;
use crate::batch_papers::waiting;
use crate::database::unusable;
use crate::{App, AppError, ErrorKind, PulledBatch, WorkerRequest, contents};

/// The folder of the papers in that of a pulled batch.
const PAPERS: &str = "papers";
/// In the folder of a pulled batch: its id. Written first, so that an interrupted pull can be continued.
const MARK: &str = ".pulled";
/// Names what is being written, beside that of a worker.
const NAME: &str = "pull";

/// Writes what has ended of a shared batch into the folder `dir`: its papers and corpora, the runs and the index. `progress` gets the papers that were
/// looked at, and all. What is there already is not fetched again.
pub(crate) fn pull(
    app: App,
    request: &WorkerRequest,
    batch: &str,
    dir: &Path,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<PulledBatch, AppError> {
    let is_used = fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some());
    if is_used && !fs::read_to_string(dir.join(MARK)).is_ok_and(|id| id == batch) {
        let message = format!("the folder {} has other files", dir.display());
        return Err(AppError::with_message(ErrorKind::Usage, message)
            .hint("choose a new folder, or that of an earlier pull of the same batch"));
    }
    check_exists(&request.fleet.store)?;
    let fleet = Fleet::open(app, request, dir)?;
    let opened = &fleet.opened;
    let (text, papers, inputs) = opened.runtime.block_on(async {
        let queue = &opened.queue;
        let found = (
            queue.request(batch).await.map_err(unusable)?,
            queue.papers(batch).await.map_err(unusable)?,
            queue.inputs(batch).await.map_err(unusable)?,
        );
        Ok::<_, AppError>(found)
    })?;
    let Some(text) = text else {
        let message = format!("there is no batch {}", crate::text::plain(batch));
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("list them with `precedent batches`"));
    };
    let spec = BatchSpec::parse(&text, &opened.store_id, &request.fleet.store)?;
    // They are written into manifests, which mean the same from every working directory.
    fs::create_dir_all(dir).map_err(|error| crate::cannot_write(dir, &error))?;
    let dir = dir.canonicalize().map_err(|error| crate::cannot_write(dir, &error))?;
    write_whole(&dir.join(MARK), batch.as_bytes()).map_err(|error| crate::cannot_write(&dir, &error))?;
    let model = spec.model_here(request)?;
    let fetched = |kind: &str, hash: &str| -> Result<PathBuf, AppError> {
        let all = dir.join(kind);
        opened.runtime.block_on(fetch_into(&opened.store, &all, NAME, hash))
    };
    let corpora = spec.corpora.iter().map(|hash| fetched(CORPORA, hash));
    let corpora: Vec<PathBuf> = corpora.collect::<Result<_, AppError>>()?;
    let (mut lines, mut lost) = (Vec::new(), 0);
    for (at, paper) in papers.iter().enumerate() {
        progress(at, papers.len());
        let line = || {
            let input = inputs.get(&paper.folder).map(String::as_str).unwrap_or_default();
            let of_paper: PaperSpec = serde_json::from_str(input).map_err(|_| not_valid(paper))?;
            let path = fetched(PAPERS, &of_paper.tree)?;
            let mut run = spec.request(path, of_paper.named, corpora.clone(), request)?;
            let id = contents::run_id(&run)?;
            if !is_safe_name(&paper.folder) || !is_folder_of(&paper.folder, id.as_str()) {
                return Err(not_valid(paper));
            }
            if let (Some(asked), Some(here)) = (&mut run.model, &model) {
                asked.url.clone_from(&here.url);
                asked.private_hosts.clone_from(&here.private_hosts);
                asked.local_only = here.local_only;
            }
            fleet.fetch(batch, paper, &run).map(|settled| settled.paper)
        };
        let is_failed = matches!(paper.state.as_str(), "failed" | "parked" | "cancelled");
        lines.push(match paper.state.as_str() {
            "done" | "partial" => match line() {
                Ok(line) => line,
                // That of another paper may be whole.
                Err(error) if error.lost_object().is_some() || is_not_valid(&error) => {
                    lost += 1;
                    failed(paper, Some(error.to_string()))
                }
                Err(error) => return Err(error.hint("repeat the command to continue")),
            },
            _ if is_failed => failed(paper, paper.error.clone()),
            _ => waiting(&paper.name, None),
        });
    }
    progress(papers.len(), papers.len());
    opened.runtime.block_on(opened.queue.close());
    let summary = BatchSummary::new(lines);
    write(&dir, &summary)?;
    Ok(PulledBatch { summary, lost })
}

fn failed(paper: &SharedPaper, error: Option<String>) -> BatchPaper {
    BatchPaper {
        status: BatchStatus::Failed,
        error,
        ..waiting(&paper.name, None)
    }
}

/// A job in the database that no version of this program wrote.
#[derive(Debug, thiserror::Error)]
#[error("the job of {0} in the database is not valid")]
struct NotValid(String);

fn is_not_valid(error: &AppError) -> bool {
    error.causes().any(|cause| cause.is::<NotValid>())
}

fn not_valid(paper: &SharedPaper) -> AppError {
    AppError::new(ErrorKind::Input, NotValid(crate::text::plain(&paper.name)))
}
