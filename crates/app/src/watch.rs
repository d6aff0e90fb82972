//! Watches: requests that are repeated to see what appeared since.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::runs::{JobKind, RunRequest, write_whole};
use precedent_engine::domain::{PartialDate, SourceReport};
use precedent_engine::{Clock, SystemClock};
use precedent_report::{ClaimLevel, WatchChange, WatchCheck, WatchReport, render, slug};
use serde::{Deserialize, Serialize};
use time::{Date, Duration, Month, OffsetDateTime};

use crate::shared::data_folder;
use crate::watch_papers::{SeenPaper, of_assessment, of_idea};
use crate::{App, AppError, CancelToken, ErrorKind, Observer, Report, StoredRun, cannot_write};

/// The file of a watch in its folder.
const FILE: &str = "state.json";
/// Version of [`FILE`].
const WATCH_VERSION: u32 = 1;

/// A request that is repeated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    /// Version of this format.
    pub watch_version: u32,
    /// The request. Its cutoff date is set by each check.
    pub request: RunRequest,
    /// How often it is due.
    pub every: WatchInterval,
    /// The day it was added.
    pub added: PartialDate,
    /// What the checks found.
    pub report: WatchReport,
    /// Whether the next check only notes where the watch starts from: no report shows what the same search found before.
    first: bool,
    /// Date of the last check in which every source answered every query.
    since: PartialDate,
    /// Every known paper, by id and by title, with its level.
    known: BTreeMap<String, ClaimLevel>,
    /// Whether nobody was shown what the latest check found, because the program was killed after it recorded the check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unreported: bool,
}

/// How often a watch is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WatchInterval {
    /// After one day.
    Day,
    /// After seven days.
    Week,
    /// After thirty days.
    Month,
}

/// What to watch.
#[derive(Debug, Clone, PartialEq)]
pub enum WatchSubject {
    /// The paper or idea of a run, compared with the run's report. The folder of the run.
    Run(PathBuf),
    /// A request of `assess` or `idea`. The first check is the start.
    Request(Box<RunRequest>),
}

/// A watch to add.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchRequest {
    /// What to watch.
    pub subject: WatchSubject,
    /// Its name; `None` for one from the title.
    pub name: Option<String>,
    /// How often it is due.
    pub every: WatchInterval,
    /// A paper of this level or closer is an alert.
    pub level: ClaimLevel,
}

/// The folder of all watches of a user.
#[derive(Debug, Clone)]
pub struct Watches {
    root: PathBuf,
}

impl WatchInterval {
    fn days(self) -> i64 {
        match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 30,
        }
    }
}

/// The date of today, UTC.
///
/// # Errors
/// If the clock is wrong by more than a thousand years.
pub fn today() -> Result<PartialDate, AppError> {
    let now = i64::try_from(SystemClock.unix_seconds()).unwrap_or(i64::MAX);
    let date = OffsetDateTime::from_unix_timestamp(now).map(OffsetDateTime::date);
    let wrong = || AppError::with_message(ErrorKind::Bug, "the clock of this machine shows no valid date");
    let date = date.map_err(|_| wrong())?;
    let year = u16::try_from(date.year()).map_err(|_| wrong())?;
    PartialDate::new(year, Some(date.month().into()), Some(date.day())).map_err(|_| wrong())
}

/// Days before the last complete check in which a paper may have appeared unseen: services list papers days or weeks after their date. Chosen by hand;
/// not measured.
const INDEXING_DAYS: i64 = 60;

/// Whether a paper of this date may have appeared in a service since the day `since`.
fn is_lately(date: PartialDate, since: PartialDate) -> bool {
    let (year, month, day) = date.last_day();
    let last = PartialDate::new(year, Some(month), Some(day)).ok().and_then(day_number);
    match (last, day_number(since)) {
        (Some(last), Some(since)) => last >= since - INDEXING_DAYS,
        _ => true,
    }
}

/// Days since some fixed day.
fn day_number(date: PartialDate) -> Option<i64> {
    let (year, month, day) = date.first_day();
    let month = Month::try_from(month).ok()?;
    let date = Date::from_calendar_date(i32::from(year), month, day).ok()?;
    Some(i64::from(date.to_julian_day()))
}

impl Watch {
    /// Whether a check is due on this day.
    #[must_use]
    pub fn is_due(&self, today: PartialDate) -> bool {
        let Some(last) = self.report.checks.last() else {
            return true;
        };
        match (day_number(today), day_number(last.date)) {
            (Some(today), Some(last)) => today - last >= self.every.days(),
            _ => true,
        }
    }

    /// The day on which the next check is due. `None` before the first one: it is due now.
    #[must_use]
    pub fn next_due(&self) -> Option<PartialDate> {
        let (year, month, day) = self.report.checks.last()?.date.first_day();
        let last = Date::from_calendar_date(i32::from(year), Month::try_from(month).ok()?, day).ok()?;
        let due = last.checked_add(Duration::days(self.every.days()))?;
        PartialDate::new(
            u16::try_from(due.year()).ok()?,
            Some(due.month().into()),
            Some(due.day()),
        )
        .ok()
    }

    /// Whether the latest check was recorded, but its result was not shown (see [`Watches::set_reported`]).
    #[must_use]
    pub fn is_unreported(&self) -> bool {
        self.unreported
    }

    /// The request of a check on a day.
    #[must_use]
    pub fn check_request(&self, date: PartialDate) -> RunRequest {
        RunRequest {
            as_of: Some(date),
            // What other runs were answered days ago is not new.
            refresh: true,
            ..self.request.clone()
        }
    }

    /// Adds what a check found. A paper counts if it is new or closer than before; one that is similar to no claim counts only if it may have
    /// appeared lately, because services order their results differently every time. What a repetition of the same `run` finds belongs to the same check.
    fn add(&mut self, date: PartialDate, mut found: Vec<SeenPaper>, sources: &[SourceReport], run: Option<&str>) {
        let first = self.first;
        let complete = sources
            .iter()
            .all(|source| source.unanswered == 0 && source.failures.is_empty());
        found.sort_by_key(|seen| seen.paper.level);
        let mut noticed = Vec::new();
        for mut seen in found
            .iter()
            .filter(|_| !first)
            .map(|seen| (seen.paper.clone(), &seen.keys))
        {
            let before = seen.1.iter().filter_map(|key| self.known.get(key)).min();
            let appeared = seen.0.date.is_some_and(|date| is_lately(date, self.since));
            let counts = match before {
                None => seen.0.level <= ClaimLevel::Similar || appeared,
                Some(before) => seen.0.level < *before && seen.0.level <= ClaimLevel::Similar,
            };
            if counts {
                seen.0.change = if before.is_some() {
                    WatchChange::Closer
                } else {
                    WatchChange::New
                };
                noticed.push(seen.0);
            }
        }
        let failures = sources.iter().flat_map(|source| source.failures.clone()).collect();
        match self.report.checks.last_mut() {
            Some(last) if run.is_some() && last.run.as_deref() == run => {
                (last.compared, last.failures) = (found.len(), failures);
                last.noticed += noticed.len();
            }
            _ => self.report.checks.push(WatchCheck {
                date,
                compared: found.len(),
                noticed: noticed.len(),
                first,
                failures,
                run: run.map(str::to_owned),
            }),
        }
        self.report.papers.extend(noticed);
        // After a failure of a source, the next check covers its time too.
        if complete {
            (self.first, self.since) = (false, date);
        }
        for seen in &found {
            for key in &seen.keys {
                let level = self.known.entry(key.clone()).or_insert(seen.paper.level);
                *level = (*level).min(seen.paper.level);
            }
        }
    }
}

impl Watches {
    /// The watches of this user.
    ///
    /// # Errors
    /// If there is no data folder.
    pub fn of_user() -> Result<Self, AppError> {
        let message = "failed to find your data folder: neither XDG_DATA_HOME nor HOME is set";
        let data = data_folder().ok_or_else(|| AppError::with_message(ErrorKind::Input, message))?;
        Ok(Self::at(data.join("watches")))
    }

    /// The watches in a folder.
    #[must_use]
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The folder of a watch.
    #[must_use]
    pub fn folder(&self, name: &str) -> PathBuf {
        self.root.join(folder_name(name))
    }

    /// Every watch, by name, or why it cannot be read.
    ///
    /// # Errors
    /// If the folder of the watches cannot be read.
    pub fn list(&self) -> Result<Vec<Result<Watch, AppError>>, AppError> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(cannot_read(&self.root, error)),
        };
        let folders: Result<BTreeSet<PathBuf>, _> = entries.map(|entry| entry.map(|one| one.path())).collect();
        let folders = folders.map_err(|error| cannot_read(&self.root, error))?;
        let watches = folders.iter().filter(|folder| folder.join(FILE).is_file());
        Ok(watches.map(|folder| read(&folder.join(FILE))).collect())
    }

    /// One watch.
    ///
    /// # Errors
    /// If there is none of this name, or it cannot be read.
    pub fn get(&self, name: &str) -> Result<Watch, AppError> {
        let file = self.folder(name).join(FILE);
        match file.is_file() {
            true => read(&file),
            false => Err(
                AppError::with_message(ErrorKind::Usage, format!("no watch is called {name}"))
                    .hint("list them with `precedent watch list`"),
            ),
        }
    }

    /// Removes a watch with its reports.
    ///
    /// # Errors
    /// If there is none of this name, or it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), AppError> {
        let folder = self.folder(name);
        // A watch that cannot be read can be removed too.
        if !folder.join(FILE).is_file() {
            self.get(name)?;
        }
        fs::remove_dir_all(&folder).map_err(|error| cannot_write(&folder, &error))
    }

    /// Records that somebody was shown what the latest check found.
    ///
    /// # Errors
    /// If the watch cannot be written.
    pub fn set_reported(&self, watch: &mut Watch) -> Result<(), AppError> {
        watch.unreported = false;
        self.save(watch)
    }

    fn save(&self, watch: &Watch) -> Result<(), AppError> {
        let folder = self.folder(&watch.report.name);
        fs::create_dir_all(&folder).map_err(|error| cannot_write(&folder, &error))?;
        let bug = |error| AppError::new(ErrorKind::Bug, error);
        let mut files = Vec::new();
        for format in ["json", "html"] {
            files.push((format!("watch.{format}"), render(&watch.report, format).map_err(bug)?));
        }
        files.push(("feed.xml".to_owned(), watch.report.feed().map_err(bug)?));
        // Last, so that a check that was killed is made again.
        let state = serde_json::to_vec_pretty(watch).map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        files.push((FILE.to_owned(), state));
        for (name, bytes) in files {
            let file = folder.join(name);
            write_whole(&file, &bytes).map_err(|error| cannot_write(&file, &error))?;
        }
        Ok(())
    }
}

impl App {
    /// Adds a watch. Nothing is searched and nothing is sent.
    ///
    /// # Errors
    /// If the run or request is of another kind than `assess` or `idea`, or the name is taken.
    pub fn add_watch(&self, watches: &Watches, request: WatchRequest) -> Result<Watch, AppError> {
        let (mut asked, title, known, first) = match request.subject {
            WatchSubject::Request(asked) => {
                let text = asked.idea.as_ref().and_then(|idea| idea.text.clone());
                let file = asked.input.file_stem().map(|name| name.to_string_lossy().into_owned());
                let title = text.map(|text| crate::jobs::idea_input::title_of(&text));
                (*asked, title.or(file).unwrap_or_default(), BTreeMap::new(), true)
            }
            WatchSubject::Run(dir) => {
                let run = StoredRun::open(&dir)?;
                check_job(&run.manifest.request)?;
                let known = known_to(&run)?;
                let title = run.manifest.title.clone().unwrap_or_else(|| "paper".to_owned());
                // A model has other claims, queries and levels than a check, which uses none.
                let first = run.manifest.request.model.is_some();
                (run.manifest.request, title, known, first)
            }
        };
        check_job(&asked)?;
        // A check costs nothing, and writes the reports that it needs.
        (asked.model, asked.formats) = (None, vec!["json".to_owned(), "html".to_owned()]);
        let name = request.name.unwrap_or_else(|| folder_name(&title));
        if watches.folder(&name).join(FILE).exists() {
            let message = format!("there is already a watch called {name}");
            return Err(AppError::with_message(ErrorKind::Usage, message).hint("choose another name with --name"));
        }
        let watch = Watch {
            watch_version: WATCH_VERSION,
            request: asked,
            every: request.every,
            added: today()?,
            report: WatchReport::new(&name, &title, request.level),
            first,
            since: today()?,
            known,
            unreported: false,
        };
        watches.save(&watch)?;
        Ok(watch)
    }

    /// Searches again for the papers of a watch until the day `date`, and records what is new. The reports are in the watch's folder. Blocks the
    /// calling thread.
    ///
    /// # Errors
    /// If there is no such watch, or its request fails. Then nothing is recorded.
    pub fn check_watch(
        &self,
        watches: &Watches,
        name: &str,
        date: PartialDate,
        observer: Arc<dyn Observer>,
        cancel: &CancelToken,
    ) -> Result<Watch, AppError> {
        let request = watches.get(name)?.check_request(date);
        let run = format!("{date}-{}", self.run_id(&request)?);
        let dir = watches.folder(name).join("runs").join(run);
        let result = self.run_blocking(request, &dir, false, observer, cancel)?;
        self.record_check(watches, name, date, &result.report, None)
    }

    /// Records the report of a [`Watch::check_request`] as a check. A program that keeps runs elsewhere than in the watch's folder gives the id of the
    /// `run`: what a repetition of it finds is added to its check, and the program shows the result itself.
    ///
    /// # Errors
    /// If there is no such watch, or no source could be searched. Then nothing is recorded.
    pub fn record_check(
        &self,
        watches: &Watches,
        name: &str,
        date: PartialDate,
        report: &Report,
        run: Option<&str>,
    ) -> Result<Watch, AppError> {
        let mut watch = watches.get(name)?;
        let (found, sources) = match report {
            Report::Assess(report) => (of_assessment(report, date), &report.metadata.sources),
            Report::Idea(report) => (of_idea(report, date)?, &report.metadata.sources),
            _ => {
                return Err(AppError::with_message(
                    ErrorKind::Bug,
                    "the run made a report of another kind",
                ));
            }
        };
        if found.is_empty() && sources.iter().all(|source| source.answered == 0) {
            let failures: Vec<&str> = sources
                .iter()
                .flat_map(|one| &one.failures)
                .map(String::as_str)
                .collect();
            let message = format!("no source could be searched: {}", failures.join("; "));
            return Err(AppError::with_message(ErrorKind::NothingSearched, message)
                .hint("repeat the command later; nothing was recorded"));
        }
        watch.add(date, found, sources, run);
        watch.unreported = run.is_none();
        watches.save(&watch)?;
        Ok(watch)
    }
}

/// The papers that the report of a run knows, with their levels.
fn known_to(run: &StoredRun) -> Result<BTreeMap<String, ClaimLevel>, AppError> {
    // The date of the first check replaces this one.
    let date = today()?;
    let found = match run.report()? {
        Report::Assess(report) => of_assessment(&report, date),
        Report::Idea(report) => of_idea(&report, date)?,
        _ => Vec::new(),
    };
    let known = found
        .iter()
        .flat_map(|seen| seen.keys.iter().map(|key| (key.clone(), seen.paper.level)));
    Ok(known.collect())
}

/// Refuses jobs whose papers a watch cannot compare.
fn check_job(request: &RunRequest) -> Result<(), AppError> {
    match request.job() {
        JobKind::Assess | JobKind::Idea => Ok(()),
        other => {
            let message = format!("a run of {} cannot be watched", other.command());
            Err(AppError::with_message(ErrorKind::Usage, message)
                .hint("watch a run of assess or idea, or give the idea as text"))
        }
    }
}

/// The name of a watch's folder, which is also its name unless the user chose another.
fn folder_name(name: &str) -> String {
    slug(name, &mut BTreeSet::new())
}

fn read(file: &Path) -> Result<Watch, AppError> {
    let bytes = fs::read(file).map_err(|error| cannot_read(file, error))?;
    let watch: Watch = serde_json::from_slice(&bytes).map_err(|error| cannot_read(file, error))?;
    match watch.watch_version {
        WATCH_VERSION => Ok(watch),
        other => Err(cannot_read(file, format!("it has version {other}, of a later program"))),
    }
}

fn cannot_read(path: &Path, why: impl std::fmt::Display) -> AppError {
    AppError::with_message(ErrorKind::Input, format!("failed to read {}: {why}", path.display()))
}
