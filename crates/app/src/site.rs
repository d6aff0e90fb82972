//! A site for a venue, from the reports of many papers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use precedent_engine::runs::{JobKind, Manifest, RunFolder, RunStatus, list_runs};
use precedent_report::{BatchPaper, BatchStatus, BatchSummary, Site, SitePaper, SiteSettings, read_assessment, slug};

use crate::assignments::Assignments;
use crate::{App, AppError, CancelToken, ErrorKind, cannot_write};

/// The file that marks a folder as a site.
const MARKER: &str = "site.json";
const MARKER_TEXT: &str = "{\n  \"site_version\": 1\n}\n";
const REPORT: &str = "report.json";

/// A request for a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteRequest {
    /// Folders of runs, such as the folder of a batch, and single runs.
    pub runs: Vec<PathBuf>,
    /// The site's folder. It is replaced as a whole if it is a site already.
    pub dir: PathBuf,
    /// The title; `None` for one that counts the papers.
    pub title: Option<String>,
    /// A table of people, papers and areas.
    pub assignments: Option<PathBuf>,
    /// Whether pages are marked as confidential and leave out authors.
    pub confidential: bool,
}

/// A finished site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteResult {
    /// The first page.
    pub index: PathBuf,
    /// Papers with a page.
    pub papers: usize,
    /// Papers without a result.
    pub unfinished: usize,
    /// People with a site of their own.
    pub people: usize,
    /// Papers that nobody is assigned to, if there are assignments.
    pub unassigned: usize,
    /// Files written.
    pub files: usize,
    /// Bytes written.
    pub bytes: u64,
}

/// A run that was found.
struct Found {
    dir: PathBuf,
    paper: BatchPaper,
}

/// The site while it is written.
struct Writer<'w> {
    dir: &'w Path,
    files: usize,
    bytes: u64,
}

impl App {
    /// Makes a site from the reports of papers. `progress` is called with the papers done and the papers in all. Nothing of a site in the folder is
    /// replaced before the new one is complete.
    ///
    /// # Errors
    /// If the folder has other content, no run has a report, the assignments name unknown papers, or a file cannot be written.
    pub fn site(
        &self,
        request: &SiteRequest,
        progress: &dyn Fn(usize, usize),
        cancel: &CancelToken,
    ) -> Result<SiteResult, AppError> {
        may_replace(&request.dir)?;
        let mut found = Vec::new();
        for runs in &request.runs {
            found.extend(papers_in(runs)?);
        }
        if found.is_empty() {
            return Err(AppError::with_message(ErrorKind::Input, "no run of `assess` was found")
                .hint("give the output folder of `precedent batch`, or a folder of runs"));
        }
        let mut papers = named(&found);
        let people = match &request.assignments {
            Some(file) => Assignments::read(file)?.apply(&mut papers, &found_names(&found))?,
            None => Vec::new(),
        };
        let partial = partial_folder(&request.dir);
        remove(&partial)?;
        let settings = SiteSettings {
            title: String::new(),
            confidential: request.confidential,
            reader: None,
        };
        let mut site = Site {
            settings,
            papers,
            people,
        };
        let written = write_site(request, &found, &mut site, &partial, progress, cancel);
        let written = written.and_then(|(files, bytes)| {
            replace(&partial, &request.dir)?;
            Ok((files, bytes))
        });
        if written.is_err() {
            // The error says what went wrong; a rest is removed by the next call.
            let _ = fs::remove_dir_all(&partial);
        }
        let (files, bytes) = written?;
        let with_page = site.papers.iter().filter(|one| one.paper.summary.is_some()).count();
        let assigned: BTreeSet<usize> = site.people.iter().flat_map(|one| one.papers.iter().copied()).collect();
        Ok(SiteResult {
            index: request.dir.join("index.html"),
            papers: with_page,
            unfinished: site.papers.len() - with_page,
            people: site.people.len(),
            unassigned: if site.people.is_empty() {
                0
            } else {
                site.papers.len() - assigned.len()
            },
            files,
            bytes,
        })
    }
}

/// Writes everything into the folder `partial`.
fn write_site(
    request: &SiteRequest,
    found: &[Found],
    site: &mut Site,
    partial: &Path,
    progress: &dyn Fn(usize, usize),
    cancel: &CancelToken,
) -> Result<(usize, u64), AppError> {
    let mut writer = Writer {
        dir: partial,
        files: 0,
        bytes: 0,
    };
    let mut readers: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for person in &site.people {
        for at in &person.papers {
            readers.entry(*at).or_default().push(&person.id);
        }
    }
    let total = site.papers.len();
    for (at, (one, run)) in site.papers.iter_mut().zip(found).enumerate() {
        if cancel.is_cancelled() {
            return Err(AppError::with_message(ErrorKind::Interrupted, "interrupted")
                .hint("to make the site, repeat the command"));
        }
        match page(&site.settings, run) {
            Ok(Some((html, summary))) => {
                let path = one.path();
                for reader in readers.get(&at).into_iter().flatten() {
                    writer.write(&format!("people/{reader}/{path}"), &html)?;
                }
                writer.write(&path, &html)?;
                one.paper.summary = Some(summary);
            }
            Ok(None) => {}
            Err(error) => {
                one.paper.status = BatchStatus::Failed;
                one.paper.error = Some(error);
            }
        }
        progress(at + 1, total);
    }
    let with_page = site.papers.iter().filter(|one| one.paper.summary.is_some()).count();
    if with_page == 0 {
        return Err(
            AppError::with_message(ErrorKind::Input, "no run has a readable report.json")
                .hint("assess the papers with `json` among the formats, which is the default"),
        );
    }
    site.settings.title = match &request.title {
        Some(title) => title.clone(),
        None if with_page == 1 => "1 paper".to_owned(),
        None => format!("{with_page} papers"),
    };
    for (path, bytes) in site.files().map_err(|error| AppError::new(ErrorKind::Bug, error))? {
        writer.write(&path, &bytes)?;
    }
    writer.write(MARKER, MARKER_TEXT.as_bytes())?;
    Ok((writer.files, writer.bytes))
}

impl Writer<'_> {
    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), AppError> {
        let file = self.dir.join(path);
        let folder = file.parent().unwrap_or(self.dir);
        fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        fs::write(&file, bytes).map_err(|error| cannot_write(&file, &error))?;
        self.files += 1;
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

/// The page and summary of a run. `None` if it has no report; an error for the list of papers without a result.
fn page(settings: &SiteSettings, run: &Found) -> Result<Option<(Vec<u8>, precedent_report::PaperSummary)>, String> {
    if matches!(run.paper.status, BatchStatus::Failed | BatchStatus::Waiting) {
        return Ok(None);
    }
    let path = run.dir.join(REPORT);
    let bytes = fs::read(&path).map_err(|error| format!("failed to read {REPORT}: {error}"))?;
    let report = read_assessment(&bytes).map_err(|error| error.to_string())?;
    settings
        .paper_page(&report)
        .map(Some)
        .map_err(|error| error.to_string())
}

/// The papers of a run or of a folder of runs, with the names that a batch gave them, and those that failed in a batch.
fn papers_in(runs: &Path) -> Result<Vec<Found>, AppError> {
    let unreadable = |error: &dyn std::fmt::Display| {
        AppError::with_message(ErrorKind::Input, format!("failed to read {}: {error}", runs.display()))
            .hint("give the output folder of `precedent batch`, or a folder of runs")
    };
    if let Ok(folder) = RunFolder::open(runs) {
        let manifest = folder.standing().map_err(|error| unreadable(&error))?;
        return Ok(found(runs.to_owned(), &manifest, None).into_iter().collect());
    }
    let mut names = BTreeMap::new();
    let mut all = Vec::new();
    if let Ok(bytes) = fs::read(runs.join("summary.json"))
        && let Ok(summary) = serde_json::from_slice::<BatchSummary>(&bytes)
    {
        for paper in summary.papers {
            match paper.folder {
                Some(folder) => {
                    names.insert(folder, paper.paper);
                }
                None => all.push(Found {
                    dir: runs.to_owned(),
                    paper,
                }),
            }
        }
    }
    let failed: BTreeSet<String> = all.iter().map(|one| file_name(&one.paper.paper)).collect();
    for (dir, manifest) in list_runs(runs).map_err(|error| unreadable(&error))? {
        let folder = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match manifest {
            Ok(manifest) => {
                // The run of a paper that the batch lists as failed.
                let is_listed = |one: &Found| {
                    one.paper.status == BatchStatus::Failed && failed.contains(&file_name(&one.paper.paper))
                };
                let one = found(dir, &manifest, names.get(&folder));
                all.extend(one.filter(|one| names.contains_key(&folder) || !is_listed(one)));
            }
            Err(error) => all.push(Found {
                dir,
                paper: paper(folder, BatchStatus::Failed, Some(error.to_string())),
            }),
        }
    }
    all.sort_by(|a, b| a.paper.paper.cmp(&b.paper.paper));
    Ok(all)
}

fn file_name(name: &str) -> String {
    Path::new(name)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// A run of `assess`; other runs are left out.
fn found(dir: PathBuf, manifest: &Manifest, name: Option<&String>) -> Option<Found> {
    (manifest.request.job() == JobKind::Assess).then_some(())?;
    let file = manifest.request.input.file_name().unwrap_or_default();
    let name = name.cloned().unwrap_or_else(|| file.to_string_lossy().into_owned());
    let (status, error) = match &manifest.status {
        RunStatus::Complete => (BatchStatus::Complete, None),
        RunStatus::Incomplete => (BatchStatus::Incomplete, None),
        RunStatus::NothingSearched => (BatchStatus::NothingSearched, None),
        RunStatus::OverBudget => (BatchStatus::OverBudget, None),
        RunStatus::Failed { reason } => (BatchStatus::Failed, Some(reason.clone())),
        _ => (BatchStatus::Waiting, None),
    };
    Some(Found {
        dir,
        paper: paper(name, status, error),
    })
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

/// The papers with the names of their pages.
fn named(found: &[Found]) -> Vec<SitePaper> {
    let mut taken = BTreeSet::new();
    let site_paper = |one: &Found| {
        let name = Path::new(&one.paper.paper).with_extension("");
        SitePaper {
            id: slug(&name.to_string_lossy(), &mut taken),
            paper: one.paper.clone(),
        }
    };
    found.iter().map(site_paper).collect()
}

/// What an assignment may call each paper, besides its name: the name of its run's folder.
fn found_names(found: &[Found]) -> Vec<String> {
    let folder = |one: &Found| one.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    found.iter().map(folder).collect()
}

/// Refuses a folder with content that is not a site.
fn may_replace(dir: &Path) -> Result<(), AppError> {
    let entries = match fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) => return Err(cannot_write(dir, &error)),
    };
    if entries && !dir.join(MARKER).is_file() {
        let message = format!("{} is not empty and is not a site", dir.display());
        return Err(AppError::with_message(ErrorKind::Usage, message)
            .hint("choose another folder with --out; a site of this program is replaced"));
    }
    Ok(())
}

/// The folder beside `dir` in which the new site is written.
fn partial_folder(dir: &Path) -> PathBuf {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    dir.with_file_name(format!(".{name}.partial"))
}

fn remove(dir: &Path) -> Result<(), AppError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(cannot_write(dir, &error)),
        _ => Ok(()),
    }
}

/// Puts the folder `new` in the place of `dir`.
fn replace(new: &Path, dir: &Path) -> Result<(), AppError> {
    let old = dir.with_file_name(format!(
        ".{}.old",
        dir.file_name().unwrap_or_default().to_string_lossy()
    ));
    remove(&old)?;
    if dir.exists() {
        fs::rename(dir, &old).map_err(|error| cannot_write(dir, &error))?;
    }
    fs::rename(new, dir).map_err(|error| {
        // The earlier site stays in place.
        let _ = fs::rename(&old, dir);
        cannot_write(dir, &error)
    })?;
    remove(&old)
}
