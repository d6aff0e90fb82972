//! Finds the runs of a site: one per paper.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::runs::{JobKind, Manifest, RunFolder, RunStatus, list_runs};
use precedent_report::{BatchPaper, BatchStatus, BatchSummary, SupersededRun};

use crate::{AppError, ErrorKind};

/// A run that was found, or a paper of a batch that has none.
pub(crate) struct FoundRun {
    /// Its folder. For a paper without a run, the folder of the batch.
    pub(crate) dir: PathBuf,
    /// The paper.
    pub(crate) paper: BatchPaper,
    /// The file that was assessed. `None` for a paper without a run.
    input: Option<PathBuf>,
    /// When it started, in seconds.
    started: u64,
    /// Whether the latest batch in its folder lists it.
    is_listed: bool,
}

impl FoundRun {
    fn folder(&self) -> String {
        self.dir.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn has_result(&self) -> bool {
        !matches!(self.paper.status, BatchStatus::Failed | BatchStatus::Waiting)
    }

    /// Whether it is about the same paper as `other`, which is in the same folder of runs. A paper without a run is known by its name alone, which is the
    /// end of its path.
    fn is_of(&self, other: &Self) -> bool {
        match (&self.input, &other.input) {
            (Some(own), Some(other)) => own == other,
            (Some(own), None) => own.ends_with(&other.paper.paper),
            _ => false,
        }
    }
}

/// The run of each paper in `runs`: folders of runs, such as those of batches, and single runs. Of several runs of a paper, one counts: in the folder of a
/// batch the one that the latest batch lists, else the latest with a result. The others are named.
pub(crate) fn find(runs: &[PathBuf]) -> Result<(Vec<FoundRun>, Vec<SupersededRun>), AppError> {
    let mut found: Vec<FoundRun> = Vec::new();
    let mut superseded = Vec::new();
    let mut known = BTreeSet::new();
    for runs in runs {
        let mut papers = papers_in(runs)?;
        // A run that is given twice is one paper.
        papers.retain(|one| known.insert((one.dir.canonicalize().ok(), one.paper.paper.clone())));
        let (listed, others): (Vec<FoundRun>, Vec<FoundRun>) = papers.into_iter().partition(|one| one.is_listed);
        // Papers that the latest batch lists without a result, although an earlier run has one.
        let mut replaced = BTreeSet::new();
        for one in others {
            match listed.iter().enumerate().find(|(_, other)| one.is_of(other)) {
                // The run of a paper that the batch lists as failed or waiting.
                Some(_) if !one.has_result() => {}
                Some((at, other)) if !other.has_result() => {
                    replaced.insert(at);
                    found.push(one);
                }
                Some((_, other)) => superseded.push(SupersededRun {
                    paper: other.paper.paper.clone(),
                    run: one.folder(),
                    by: other.input.is_some().then(|| other.folder()),
                }),
                None => found.push(one),
            }
        }
        let kept = listed.into_iter().enumerate().filter(|(at, _)| !replaced.contains(at));
        found.extend(kept.map(|(_, one)| one));
    }
    let mut by_input: BTreeMap<PathBuf, Vec<FoundRun>> = BTreeMap::new();
    let mut kept = Vec::new();
    for one in found {
        match one.input.clone() {
            Some(input) => by_input.entry(input).or_default().push(one),
            None => kept.push(one),
        }
    }
    for mut runs in by_input.into_values() {
        // Of two that started in the same second, the one that was given later counts.
        runs.reverse();
        runs.sort_by_key(|one| Reverse((one.has_result(), one.started)));
        let mut runs = runs.into_iter();
        let Some(first) = runs.next() else { continue };
        superseded.extend(runs.map(|one| SupersededRun {
            paper: one.paper.paper.clone(),
            run: one.folder(),
            by: Some(first.folder()),
        }));
        kept.push(first);
    }
    kept.sort_by(|a, b| a.paper.paper.cmp(&b.paper.paper).then_with(|| a.dir.cmp(&b.dir)));
    superseded.sort_by(|a, b| a.paper.cmp(&b.paper).then_with(|| a.run.cmp(&b.run)));
    Ok((kept, superseded))
}

/// The papers of a run or of a folder of runs, with the names that a batch gave them, and those of the batch that have no run.
fn papers_in(runs: &Path) -> Result<Vec<FoundRun>, AppError> {
    let unreadable = |error| {
        AppError::new(ErrorKind::Input, error).hint("give the output folder of `precedent batch`, or a folder of runs")
    };
    if let Ok(folder) = RunFolder::open(runs) {
        let manifest = folder.current_manifest().map_err(unreadable)?;
        return Ok(found(runs.to_owned(), &manifest, None).into_iter().collect());
    }
    let mut listed: BTreeMap<String, BatchPaper> = BTreeMap::new();
    let mut all = Vec::new();
    let without_run = |paper| FoundRun {
        dir: runs.to_owned(),
        paper,
        input: None,
        started: 0,
        is_listed: true,
    };
    for paper in batch_summary(runs)? {
        match &paper.folder {
            Some(folder) => {
                listed.insert(folder.clone(), paper);
            }
            None => all.push(without_run(paper)),
        }
    }
    for (dir, manifest) in list_runs(runs).map_err(unreadable)? {
        let folder = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let paper = listed.remove(&folder);
        match manifest {
            Ok(manifest) => all.extend(found(dir, &manifest, paper.as_ref())),
            Err(error) => all.push(FoundRun {
                dir,
                is_listed: paper.is_some(),
                paper: failed(paper.map_or(folder, |one| one.paper), error.to_string()),
                input: None,
                started: 0,
            }),
        }
    }
    // The batch was interrupted before these began.
    all.extend(listed.into_values().map(|paper| {
        without_run(BatchPaper {
            status: BatchStatus::Waiting,
            folder: None,
            files: Vec::new(),
            summary: None,
            ..paper
        })
    }));
    all.sort_by(|a, b| a.paper.paper.cmp(&b.paper.paper));
    Ok(all)
}

/// The papers in the summary of a batch. Empty for a folder of runs without one.
fn batch_summary(runs: &Path) -> Result<Vec<BatchPaper>, AppError> {
    let path = runs.join("summary.json");
    let wrong = |error: String| {
        AppError::with_message(ErrorKind::Input, format!("failed to read {}: {error}", path.display()))
            .hint("repeat the batch to write it again, or remove it to name the papers by their runs")
    };
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(wrong(error.to_string())),
    };
    let summary: BatchSummary = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    Ok(summary.papers)
}

/// A run of `assess`; other runs are left out.
fn found(dir: PathBuf, manifest: &Manifest, listed: Option<&BatchPaper>) -> Option<FoundRun> {
    (manifest.request.job() == JobKind::Assess).then_some(())?;
    let file = manifest.request.input.file_name().unwrap_or_default();
    let name = listed.map_or_else(|| file.to_string_lossy().into_owned(), |one| one.paper.clone());
    let (status, error) = match &manifest.status {
        RunStatus::Complete => (BatchStatus::Complete, None),
        RunStatus::Incomplete => (BatchStatus::Incomplete, None),
        RunStatus::NothingSearched => (BatchStatus::NothingSearched, None),
        RunStatus::OverBudget => (BatchStatus::OverBudget, None),
        RunStatus::Failed { reason } => (BatchStatus::Failed, Some(reason.clone())),
        _ => (BatchStatus::Waiting, None),
    };
    Some(FoundRun {
        dir,
        paper: paper(name, status, error),
        input: Some(manifest.request.input.clone()),
        started: manifest.started,
        is_listed: listed.is_some(),
    })
}

fn failed(name: String, error: String) -> BatchPaper {
    paper(name, BatchStatus::Failed, Some(error))
}

fn paper(name: String, status: BatchStatus, error: Option<String>) -> BatchPaper {
    BatchPaper {
        paper: name,
        folder: None,
        status,
        error,
        area: None,
        files: Vec::new(),
        summary: None,
    }
}
