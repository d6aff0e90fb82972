//! A site for a venue, from the reports of many papers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use precedent_report::{BatchStatus, Site, SitePaper, SiteSettings, read_assessment, slug};
use serde::{Deserialize, Serialize};

use crate::assignments::Assignments;
use crate::site_runs::{self, FoundRun};
use crate::{App, AppError, CancelToken, ErrorKind, cannot_write};

/// The file that marks a folder as a site and lists what is directly in it.
const MARKER: &str = "site.json";
const SITE_VERSION: u32 = 1;
/// The file that a process keeps locked while it writes a site.
const LOCK: &str = ".lock";
const REPORT: &str = "report.json";

/// A request for a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteRequest {
    /// Folders of runs, such as the folder of a batch, and single runs.
    pub runs: Vec<PathBuf>,
    /// The site's folder. It is replaced as a whole if it is a site already and contains nothing else.
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
    /// Runs that are left out, because another run of the same paper counts.
    pub superseded: usize,
    /// Papers that nobody is assigned to, if there are assignments.
    pub unassigned: usize,
    /// Files written.
    pub files: usize,
    /// Bytes written.
    pub bytes: u64,
}

/// The site while it is written.
struct SiteWriter<'w> {
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
        let dir = &place(&request.dir)?;
        may_replace(dir)?;
        if let Some(runs) = request.runs.iter().find(|runs| is_in(runs, dir)) {
            let message = format!("{} is in the folder of the site, which is replaced", runs.display());
            return Err(AppError::with_message(ErrorKind::Usage, message).hint("choose another folder with --out"));
        }
        let (found, superseded) = site_runs::find(&request.runs)?;
        if found.is_empty() {
            return Err(AppError::with_message(ErrorKind::Input, "no run of `assess` was found")
                .hint("give the output folder of `precedent batch`, or a folder of runs"));
        }
        let mut papers = named(&found);
        let people = match &request.assignments {
            Some(file) => Assignments::read(file)?.apply(&mut papers, &found_names(&found))?,
            None => Vec::new(),
        };
        let settings = SiteSettings {
            title: String::new(),
            confidential: request.confidential,
            reader: None,
        };
        let mut site = Site {
            settings,
            papers,
            people,
            superseded,
        };
        let partial = Partial::create(dir)?;
        let written = write_site(request, &found, &mut site, &partial.dir, progress, cancel);
        let (files, bytes) = match written {
            Ok(written) => written,
            Err(error) => {
                // The error says what went wrong; the next call removes what is left.
                let _ = fs::remove_dir_all(&partial.dir);
                return Err(error);
            }
        };
        partial.take_the_place_of(dir)?;
        let with_page = site.papers.iter().filter(|one| one.paper.summary.is_some()).count();
        let assigned: BTreeSet<usize> = site.people.iter().flat_map(|one| one.papers.iter().copied()).collect();
        Ok(SiteResult {
            index: request.dir.join("index.html"),
            papers: with_page,
            unfinished: site.papers.len() - with_page,
            people: site.people.len(),
            superseded: site.superseded.len(),
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
    found: &[FoundRun],
    site: &mut Site,
    partial: &Path,
    progress: &dyn Fn(usize, usize),
    cancel: &CancelToken,
) -> Result<(usize, u64), AppError> {
    let mut writer = SiteWriter {
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
    let mut entries = entries(partial).map_err(|error| cannot_write(partial, &error))?;
    entries.remove(LOCK);
    entries.insert(MARKER.to_owned());
    let marker = Marker {
        site_version: SITE_VERSION,
        entries,
    };
    let marker = serde_json::to_vec_pretty(&marker).map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    writer.write(MARKER, &marker)?;
    Ok((writer.files, writer.bytes))
}

impl SiteWriter<'_> {
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
fn page(settings: &SiteSettings, run: &FoundRun) -> Result<Option<(Vec<u8>, precedent_report::PaperSummary)>, String> {
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

/// The papers with the names of their pages.
fn named(found: &[FoundRun]) -> Vec<SitePaper> {
    let mut taken = BTreeSet::new();
    let site_paper = |one: &FoundRun| {
        let name = Path::new(&one.paper.paper).with_extension("");
        SitePaper {
            id: slug(&name.to_string_lossy(), &mut taken),
            paper: one.paper.clone(),
        }
    };
    found.iter().map(site_paper).collect()
}

/// What an assignment may call each paper, besides its name: the name of its run's folder.
fn found_names(found: &[FoundRun]) -> Vec<String> {
    let folder = |one: &FoundRun| one.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    found.iter().map(folder).collect()
}

/// The folder as an absolute path without links.
fn place(dir: &Path) -> Result<PathBuf, AppError> {
    let absolute = dir.canonicalize().or_else(|_| std::path::absolute(dir));
    let absolute = absolute.map_err(|error| cannot_write(dir, &error))?;
    match absolute.file_name() {
        Some(_) => Ok(absolute),
        None => Err(AppError::with_message(
            ErrorKind::Usage,
            format!("{} cannot be the folder of a site", dir.display()),
        )
        .hint("name a new folder with --out")),
    }
}

fn is_in(inner: &Path, outer: &Path) -> bool {
    inner.canonicalize().is_ok_and(|inner| inner.starts_with(outer))
}

/// The content of [`MARKER`].
#[derive(Serialize, Deserialize)]
struct Marker {
    site_version: u32,
    /// Names of the files and folders directly in the site.
    entries: BTreeSet<String>,
}

/// Names of the files and folders directly in `dir`.
fn entries(dir: &Path) -> std::io::Result<BTreeSet<String>> {
    let name = |entry: std::io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    fs::read_dir(dir)?.map(name).collect()
}

/// Refuses a folder with content that is not of a site.
fn may_replace(dir: &Path) -> Result<(), AppError> {
    let found = match entries(dir) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(cannot_write(dir, &error)),
    };
    let marker = fs::read(dir.join(MARKER)).ok();
    let marker = marker.and_then(|bytes| serde_json::from_slice::<Marker>(&bytes).ok());
    let known = marker.map(|marker| marker.entries);
    let foreign = found
        .iter()
        .find(|name| known.as_ref().is_none_or(|known| !known.contains(*name)));
    let Some(foreign) = foreign else {
        return Ok(());
    };
    let message = format!("{} contains {foreign}, which is not of a site", dir.display());
    Err(AppError::with_message(ErrorKind::Usage, message)
        .hint("choose another folder with --out; a site of this program with nothing else in it is replaced"))
}

/// The folder beside a site in which the new one is written. Locked, so that two processes do not write it at once.
struct Partial {
    dir: PathBuf,
    lock: File,
}

impl Partial {
    fn create(site: &Path) -> Result<Self, AppError> {
        let dir = beside(site, "partial");
        fs::create_dir_all(&dir).map_err(|error| cannot_write(&dir, &error))?;
        let path = dir.join(LOCK);
        let lock = File::create(&path).map_err(|error| cannot_write(&path, &error))?;
        if lock.try_lock().is_err() {
            let message = format!("another process is writing {}", site.display());
            return Err(AppError::with_message(ErrorKind::Usage, message)
                .hint("wait until it is done, or choose another folder with --out"));
        }
        // What a killed process left.
        for name in entries(&dir).map_err(|error| cannot_write(&dir, &error))? {
            let path = dir.join(&name);
            match path.is_dir() {
                _ if name == LOCK => Ok(()),
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            }
            .map_err(|error| cannot_write(&path, &error))?;
        }
        Ok(Self { dir, lock })
    }

    /// Puts the new site in the place of the old one.
    fn take_the_place_of(self, site: &Path) -> Result<(), AppError> {
        let old = beside(site, "old");
        remove(&old)?;
        let lock = self.dir.join(LOCK);
        drop(self.lock);
        fs::remove_file(&lock).map_err(|error| cannot_write(&lock, &error))?;
        let has_old = site.exists();
        if has_old {
            fs::rename(site, &old).map_err(|error| cannot_write(site, &error))?;
        }
        if let Err(error) = fs::rename(&self.dir, site) {
            if has_old {
                fs::rename(&old, site).map_err(|error| cannot_write(site, &error))?;
            }
            return Err(cannot_write(site, &error));
        }
        remove(&old)
    }
}

/// A hidden folder beside `dir`.
fn beside(dir: &Path, ending: &str) -> PathBuf {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    dir.with_file_name(format!(".{name}.precedent-{ending}"))
}

fn remove(dir: &Path) -> Result<(), AppError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(cannot_write(dir, &error)),
        _ => Ok(()),
    }
}
