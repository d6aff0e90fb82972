//! Corpora from services and dumps that are open to everybody.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use precedent_engine::domain::ArxivId;
use precedent_engine::ledger::Ledger;
use precedent_engine::library::{self, AddProgress, AddReport};
use precedent_engine::sources::{OpenAlexBulk, download_anthology};
use serde::{Deserialize, Serialize};

use crate::observer::Messages as _;
use crate::runtime::{outside_runtime, runtime};
use crate::services::bulk_settings;
use crate::text::counted;
use crate::{App, AppError, CancelToken, ErrorKind, Observer, Settings, cannot_write};

/// A corpus to build.
#[derive(Debug, Clone, PartialEq)]
pub struct StarterCorpus {
    /// Where the records come from.
    pub source: StarterSource,
    /// Folder of the corpus. Records are added to a corpus that is there.
    pub dir: PathBuf,
    /// First and last year of publication.
    pub years: Option<(u16, u16)>,
    /// Maximum number of records.
    pub cap: u64,
    /// The settings file, if not the usual one.
    pub settings: Option<PathBuf>,
}

/// Where the records of a corpus come from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StarterSource {
    /// OpenAlex, through its API.
    OpenAlex {
        /// A field such as `Computer Science`.
        field: Option<String>,
        /// Words that title or abstract contain.
        search: Option<String>,
        /// Further conditions in OpenAlex's own form.
        filter: Option<String>,
    },
    /// The ACL Anthology, as one file.
    Acl,
    /// A downloaded snapshot of arXiv's metadata, as JSON Lines.
    Arxiv {
        /// The file.
        dump: PathBuf,
        /// Categories such as `cs.CL`, or archives such as `cs`; empty for all.
        categories: Vec<String>,
    },
}

/// What building a corpus takes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StarterEstimate {
    /// Records that match.
    pub matching: u64,
    /// Records that would be added.
    pub records: u64,
    /// Requests.
    pub requests: u64,
    /// Bytes to download, from the size of the first page.
    pub bytes: u64,
    /// Seconds at the service's pace, without the time it takes to answer.
    pub seconds: u64,
}

/// OpenAlex's fields, which are the subject areas of Scopus, with their numbers. From its documentation, November 2026.
const FIELDS: [(&str, u8); 26] = [
    ("Agricultural and Biological Sciences", 11),
    ("Arts and Humanities", 12),
    ("Biochemistry, Genetics and Molecular Biology", 13),
    ("Business, Management and Accounting", 14),
    ("Chemical Engineering", 15),
    ("Chemistry", 16),
    ("Computer Science", 17),
    ("Decision Sciences", 18),
    ("Earth and Planetary Sciences", 19),
    ("Economics, Econometrics and Finance", 20),
    ("Energy", 21),
    ("Engineering", 22),
    ("Environmental Science", 23),
    ("Immunology and Microbiology", 24),
    ("Materials Science", 25),
    ("Mathematics", 26),
    ("Medicine", 27),
    ("Neuroscience", 28),
    ("Nursing", 29),
    ("Pharmacology, Toxicology and Pharmaceutics", 30),
    ("Physics and Astronomy", 31),
    ("Psychology", 32),
    ("Social Sciences", 33),
    ("Veterinary", 34),
    ("Dentistry", 35),
    ("Health Professions", 36),
];

impl App {
    /// What building a corpus takes. OpenAlex receives one request; nothing else is sent. `None` for sources that are one file.
    ///
    /// # Errors
    /// If the filter is not valid, or OpenAlex does not answer.
    pub fn estimate_corpus(
        &self,
        request: &StarterCorpus,
        observer: &dyn Observer,
    ) -> Result<Option<StarterEstimate>, AppError> {
        let StarterSource::OpenAlex { .. } = request.source else {
            return Ok(None);
        };
        outside_runtime(|| Download::open(request)?.estimate(request, observer)).map(Some)
    }

    /// Downloads the records of a corpus and indexes them. Repeating a call that was interrupted continues it: no page is fetched twice. Blocks the
    /// calling thread.
    ///
    /// # Errors
    /// If the source does not answer, the dump cannot be read, or the corpus cannot be written.
    pub fn get_corpus(
        &self,
        request: &StarterCorpus,
        observer: &dyn Observer,
        indexing: &dyn Fn(&AddProgress),
        cancel: &CancelToken,
    ) -> Result<AddReport, AppError> {
        let records = outside_runtime(|| match &request.source {
            StarterSource::OpenAlex { .. } => {
                Download::open(request)?.then_close(|download| download.openalex(request, observer, cancel))
            }
            StarterSource::Acl => Download::open(request)?.then_close(|download| download.anthology(observer)),
            StarterSource::Arxiv { dump, categories } => chosen_of_dump(request, dump, categories, observer),
        })?;
        let commit_every = library::COMMIT_EVERY;
        let (_, report) = library::fill(&request.dir, &[records], commit_every, indexing, &library::read_paper)
            .map_err(AppError::from)?;
        remove_download(&request.dir)?;
        Ok(report)
    }
}

/// The folder beside the corpus that keeps what was downloaded until the corpus is complete.
fn download_folder(dir: &Path) -> PathBuf {
    let mut name = dir.file_name().unwrap_or_default().to_owned();
    name.push(".download");
    dir.with_file_name(name)
}

/// Files that a download makes. Only they are deleted, the answers last: without them, a repeated call would fetch every page again. By then the
/// record is closed, so they are all in one file.
const FILES: [&str; 6] = [
    "openalex.jsonl",
    "anthology.bib.gz",
    "arxiv.jsonl",
    "answers.sqlite-wal",
    "answers.sqlite-shm",
    "answers.sqlite",
];

fn remove_download(dir: &Path) -> Result<(), AppError> {
    let folder = download_folder(dir);
    for name in FILES {
        let file = folder.join(name);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(cannot_write(&file, &error)),
            _ => {}
        }
    }
    // A folder with anything else stays.
    let _ = fs::remove_dir(&folder);
    Ok(())
}

fn make_folder(dir: &Path) -> Result<PathBuf, AppError> {
    let folder = download_folder(dir);
    fs::create_dir_all(&folder).map_err(|error| cannot_write(&folder, &error))?;
    Ok(folder)
}

/// A download in progress: its folder and the record of its answers.
struct Download {
    folder: PathBuf,
    runtime: tokio::runtime::Runtime,
    ledger: Ledger,
    settings: Settings,
}

impl Download {
    fn open(request: &StarterCorpus) -> Result<Self, AppError> {
        let settings = Settings::load(request.settings.as_deref())?;
        if settings.local_only {
            let message = "the settings are local-only, but a corpus is downloaded from an online service";
            return Err(AppError::with_message(ErrorKind::Usage, message).hint(
                "remove `local_only` from the settings, or download a dump yourself and use `precedent corpus add`",
            ));
        }
        let folder = make_folder(&request.dir)?;
        let runtime = runtime()?;
        let ledger = runtime.block_on(Ledger::open(&folder.join("answers.sqlite")));
        Ok(Self {
            ledger: ledger.map_err(|error| AppError::new(ErrorKind::Input, error))?,
            folder,
            runtime,
            settings,
        })
    }

    /// Downloads something, then closes the record of the answers.
    fn then_close<T>(self, download: impl FnOnce(&Self) -> Result<T, AppError>) -> Result<T, AppError> {
        let outcome = download(&self);
        self.runtime.block_on(self.ledger.close());
        outcome
    }

    fn estimate(&self, request: &StarterCorpus, observer: &dyn Observer) -> Result<StarterEstimate, AppError> {
        let (gateway, service) = bulk_settings(&self.ledger, &self.settings)?;
        let bulk = openalex(request, service)?;
        let first = self
            .runtime
            .block_on(bulk.page(&gateway, OpenAlexBulk::START))
            .map_err(unsearched)?;
        let estimate = estimated(request, first.count, first.works.len(), first.bytes);
        observer.note(&estimate.in_words());
        Ok(estimate)
    }

    /// The file with the records.
    fn openalex(
        &self,
        request: &StarterCorpus,
        observer: &dyn Observer,
        cancel: &CancelToken,
    ) -> Result<PathBuf, AppError> {
        let (gateway, service) = bulk_settings(&self.ledger, &self.settings)?;
        let bulk = openalex(request, service)?;
        let file = self.folder.join("openalex.jsonl");
        let failed = |error: std::io::Error| cannot_write(&file, &error);
        let mut out = BufWriter::new(File::create(&file).map_err(failed)?);
        let (mut cursor, mut taken, mut pages) = (Some(OpenAlexBulk::START.to_owned()), 0, 0u64);
        while let Some(at) = cursor.take().filter(|_| taken < request.cap) {
            if cancel.is_cancelled() {
                return Err(AppError::with_message(ErrorKind::Interrupted, "interrupted"));
            }
            let page = self.runtime.block_on(bulk.page(&gateway, &at)).map_err(unsearched)?;
            if pages == 0 {
                observer.note(&estimated(request, page.count, page.works.len(), page.bytes).in_words());
            }
            let room = usize::try_from(request.cap - taken).unwrap_or(usize::MAX);
            for work in page.works.iter().take(room) {
                writeln!(out, "{work}").map_err(failed)?;
                taken += 1;
            }
            pages += 1;
            if !page.recorded {
                observer.note(&format!("{taken} of {} records", page.count.min(request.cap)));
            }
            cursor = page.next;
        }
        out.flush().map_err(failed)?;
        match taken {
            0 => Err(nothing("no record of OpenAlex matches the filter")),
            _ => Ok(file),
        }
    }

    fn anthology(&self, observer: &dyn Observer) -> Result<PathBuf, AppError> {
        let (gateway, _) = bulk_settings(&self.ledger, &self.settings)?;
        observer.note("downloading the ACL Anthology with abstracts, about 30 MB");
        let bytes = self
            .runtime
            .block_on(download_anthology(&gateway, &self.settings.places().acl));
        let file = self.folder.join("anthology.bib.gz");
        fs::write(&file, bytes.map_err(unsearched)?).map_err(|error| cannot_write(&file, &error))?;
        Ok(file)
    }
}

impl StarterEstimate {
    /// In one sentence.
    #[must_use]
    pub fn in_words(&self) -> String {
        let minutes = self.seconds.div_ceil(60);
        let megabytes = self.bytes.div_ceil(1_000_000);
        format!(
            "{} of {} matching records, {}, about {megabytes} MB to download, at least {minutes} min",
            self.records,
            self.matching,
            counted(usize::try_from(self.requests).unwrap_or(usize::MAX), "request")
        )
    }
}

fn estimated(request: &StarterCorpus, matching: u64, on_page: usize, bytes: usize) -> StarterEstimate {
    let records = matching.min(request.cap);
    let requests = records.div_ceil(OpenAlexBulk::PER_PAGE as u64).max(1);
    let per_record = bytes.checked_div(on_page).unwrap_or_default() as u64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a rounded estimate of small positive numbers"
    )]
    let seconds = (requests as f64 * OpenAlexBulk::SECONDS_PER_PAGE).ceil() as u64;
    StarterEstimate {
        matching,
        records,
        requests,
        bytes: per_record * records,
        seconds,
    }
}

/// The request to OpenAlex. Papers without an abstract say too little to be compared, so they are left out.
fn openalex(request: &StarterCorpus, mut bulk: OpenAlexBulk) -> Result<OpenAlexBulk, AppError> {
    let StarterSource::OpenAlex { field, search, filter } = &request.source else {
        return Ok(bulk);
    };
    let mut conditions = vec!["has_abstract:true".to_owned()];
    if let Some(field) = field {
        let known = FIELDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(field.trim()));
        let (_, number) = known.ok_or_else(|| {
            let names: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
            AppError::with_message(ErrorKind::Usage, format!("OpenAlex has no field {field}"))
                .hint(format!("its fields are {}", names.join("; ")))
        })?;
        conditions.push(format!("primary_topic.field.id:{number}"));
    }
    if let Some((first, last)) = request.years {
        conditions.push(format!("publication_year:{first}-{last}"));
    }
    if let Some(filter) = filter {
        // The filter is part of the address.
        let is_safe = |c: char| c.is_ascii_alphanumeric() || "_.:|,+!<>-/".contains(c);
        if filter.is_empty() || !filter.chars().all(is_safe) {
            let message = format!("invalid filter {filter}");
            return Err(AppError::with_message(ErrorKind::Usage, message).hint(
                "write it like `type:article,primary_topic.subfield.id:1702`, without spaces; words go to --search",
            ));
        }
        conditions.push(filter.clone());
    }
    if field.is_none() && search.is_none() && filter.is_none() {
        let message = "a corpus of all of OpenAlex would be too large";
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("choose with --field, --search or --filter"));
    }
    if let Some(search) = search {
        // The plain search of OpenAlex also looks into full texts. Other characters than letters and digits would end the condition.
        let words: Vec<&str> = search
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        if words.is_empty() {
            return Err(AppError::with_message(ErrorKind::Usage, "--search contains no word"));
        }
        conditions.push(format!("title_and_abstract.search:{}", words.join("%20")));
    }
    bulk.filter = conditions.join(",");
    Ok(bulk)
}

/// The newest lines of a snapshot with these categories and years, as a file. Snapshots are in the order of ids, oldest first.
fn chosen_of_dump(
    request: &StarterCorpus,
    dump: &Path,
    categories: &[String],
    observer: &dyn Observer,
) -> Result<PathBuf, AppError> {
    #[derive(Deserialize)]
    struct Line<'l> {
        #[serde(borrow)]
        id: std::borrow::Cow<'l, str>,
        #[serde(default)]
        categories: String,
    }
    let unread = |error: &dyn std::fmt::Display| {
        let message = format!("failed to read {}: {error}", dump.display());
        AppError::with_message(ErrorKind::Input, message)
            .hint("give the snapshot of arXiv's metadata as JSON Lines, unpacked")
    };
    let input = BufReader::new(File::open(dump).map_err(|error| unread(&error))?);
    if dump
        .parent()
        .is_some_and(|parent| parent.ends_with(download_folder(&request.dir)))
    {
        let message = "the snapshot is in the folder for the download";
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("move it to another folder"));
    }
    let file = make_folder(&request.dir)?.join("arxiv.jsonl");
    let failed = |error: std::io::Error| cannot_write(&file, &error);
    // By date of submission, and within a month in the order of the snapshot.
    let mut newest: BTreeMap<(u16, u8, u64), String> = BTreeMap::new();
    let (mut matching, mut wrong) = (0, None);
    for line in input.lines() {
        let line = line.map_err(|error| unread(&error))?;
        if line.trim().is_empty() {
            continue;
        }
        let record: Line<'_> = match serde_json::from_str(&line) {
            Ok(record) => record,
            Err(error) => {
                wrong.get_or_insert(error);
                continue;
            }
        };
        let is_in = |wanted: &String| {
            let mut own = record.categories.split_whitespace();
            own.any(|one| one == wanted || one.split('.').next() == Some(wanted))
        };
        let submitted = record.id.parse::<ArxivId>().ok().and_then(|id| id.submitted());
        let is_of_years = request
            .years
            .is_none_or(|(first, last)| submitted.is_some_and(|date| (first..=last).contains(&date.year())));
        if is_of_years && (categories.is_empty() || categories.iter().any(is_in)) {
            matching += 1;
            let (year, month, _) = submitted.map_or((0, 0, 0), |date| date.first_day());
            newest.insert((year, month, matching), line);
            if newest.len() as u64 > request.cap {
                newest.pop_first();
            }
        }
    }
    if matching > request.cap {
        observer.warning(&format!(
            "the corpus has the newest {} of {matching} matching records; raise --cap for more",
            request.cap
        ));
    }
    let mut out = BufWriter::new(File::create(&file).map_err(failed)?);
    for line in newest.values() {
        writeln!(out, "{line}").map_err(failed)?;
    }
    out.flush().map_err(failed)?;
    match (matching, wrong) {
        (0, Some(error)) => Err(unread(&error)),
        (0, None) => Err(nothing("no record of the snapshot has these categories and years")),
        _ => Ok(file),
    }
}

fn nothing(message: &str) -> AppError {
    AppError::with_message(ErrorKind::NothingSearched, message).hint("choose a wider field, category or range of years")
}

fn unsearched(error: precedent_engine::sources::SourceError) -> AppError {
    AppError::new(ErrorKind::NothingSearched, error).hint("repeat the command to continue; what was downloaded is kept")
}
