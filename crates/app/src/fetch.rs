//! Papers given by name instead of as a file. They are downloaded once, in the most readable format, and used as files from then on.

use std::fs;
use std::path::{Path, PathBuf};

use crate::runs::SentTotal;
use precedent_engine::domain::{Identifiers, Work};
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{HttpGateway, Mode, NetworkPolicy, Settings as GatewaySettings};
use precedent_engine::sources::{
    FetchLimits, Fetched, PaperName, PaperPlaces, SourceError, TitleMatch, fetch, forms, other_names, titled,
};
use serde::{Deserialize, Serialize};

use crate::connection::connection;
use crate::input::cannot_read;
use crate::observer::Messages;
use crate::run::sent_in_all;
use crate::runtime::{host_limits, runtime_here};
use crate::services::USER_AGENT;
use crate::settings::Settings;
use crate::text::plain;
use crate::{AppError, ErrorKind, Observer, SilentObserver, input};

/// Folder for downloaded papers of the command line, relative to the working directory.
pub(crate) const PAPERS: &str = "runs/papers";
/// Their file extensions, best format first.
const ENDS: [&str; 4] = [".tar.gz", ".html", ".xml", ".pdf"];

/// The paper as a file.
pub(crate) struct Input {
    /// Its absolute path.
    pub path: PathBuf,
    /// Identifiers from its name.
    pub identifiers: Identifiers,
}

/// Limits on downloading a paper.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FetchPolicy<'s> {
    /// Folder for downloaded papers.
    pub dir: &'s Path,
    pub settings: Option<&'s Path>,
    pub local_only: bool,
    /// Send nothing. A paper that was not downloaded before is an error.
    pub nothing: bool,
}

/// Stored next to a downloaded paper: its identifiers, and what was sent to download it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct DownloadNote {
    #[serde(default)]
    identifiers: Identifiers,
    #[serde(default)]
    sent: Vec<SentTotal>,
}

/// What was sent to download the paper at `path`. Empty for a file of the user.
pub(crate) fn sent_for(path: &Path) -> Vec<SentTotal> {
    download_note(path).sent
}

fn download_note(path: &Path) -> DownloadNote {
    let bytes = fs::read(note_path(path)).ok();
    let kept = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    kept.unwrap_or_default()
}

/// Path of the file stored next to a paper.
pub(crate) fn note_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = ENDS.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    path.with_file_name(format!("{stem}.fetched.json"))
}

/// The file at `typed`. If there is none, `typed` is a paper's identifier or URL, and the paper is downloaded unless it was before.
pub(crate) fn input(typed: &Path, policy: FetchPolicy<'_>, observer: &dyn Observer) -> Result<Input, AppError> {
    let text = typed.to_str().filter(|_| !typed.exists()).unwrap_or_default();
    if let Some(name) = PaperName::parse(text) {
        return named(&name, policy, observer);
    }
    if let Some(why) = PaperName::misnamed(text) {
        return Err(
            AppError::with_message(ErrorKind::Usage, format!("failed to {why}")).hint("check the name, or use a file")
        );
    }
    let path = typed.canonicalize().map_err(|error| match is_title(text) {
        true => cannot_read(typed, error)
            .hint("check the path; if it is the title of a paper, add --title to search for it online"),
        false => cannot_read(typed, error),
    })?;
    Ok(Input {
        path,
        identifiers: Identifiers::default(),
    })
}

/// The paper with this name, downloaded unless it was before. No file of the user is read.
pub(crate) fn named(name: &PaperName, policy: FetchPolicy<'_>, observer: &dyn Observer) -> Result<Input, AppError> {
    let path = match earlier_download(name, policy.dir) {
        Some(path) => path,
        None => fetched(WantedPaper::Named(name), policy, observer)?,
    };
    of_file(&path, name.identifiers())
}

/// The paper with this title, downloaded unless it was before. A file of this name is an error.
pub(crate) fn with_title(title: &str, policy: FetchPolicy<'_>, observer: &dyn Observer) -> Result<Input, AppError> {
    if Path::new(title).exists() {
        let message = format!("{title} is a file, not a title");
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("remove --title"));
    }
    searched(title, policy, observer)
}

/// The paper with this title, downloaded unless it was before.
pub(crate) fn searched(title: &str, policy: FetchPolicy<'_>, observer: &dyn Observer) -> Result<Input, AppError> {
    checked_title(title)?;
    let path = fetched(WantedPaper::Titled(title), policy, observer)?;
    of_file(&path, Identifiers::default())
}

/// Refuses what is too short for a title.
pub(crate) fn checked_title(title: &str) -> Result<(), AppError> {
    if title.split_whitespace().count() < 2 {
        let message = format!("{title:?} is too short for a title");
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("give the whole title"));
    }
    Ok(())
}

/// A file, with the identifiers that were stored beside it when it was downloaded.
pub(crate) fn of_file(path: &Path, mut identifiers: Identifiers) -> Result<Input, AppError> {
    let path = path.canonicalize().map_err(|error| cannot_read(path, error))?;
    identifiers.fill_from(&download_note(&path).identifiers);
    Ok(Input { path, identifiers })
}

/// Whether a text may be a title: several words, without path separators or a file extension.
fn is_title(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let ending = Path::new(text)
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    let ends = (1..=4).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphabetic());
    words > 2 && !ends && !text.contains(['/', '\\', '\n'])
}

/// What to download.
#[derive(Debug, Clone, Copy)]
enum WantedPaper<'n> {
    Named(&'n PaperName),
    Titled(&'n str),
}

/// The file of an earlier download.
fn earlier_download(name: &PaperName, dir: &Path) -> Option<PathBuf> {
    let at = |end: &&str| dir.join(format!("{}{end}", name.file_stem()));
    ENDS.iter().map(at).find(|path| path.is_file())
}

fn fetched(wanted: WantedPaper<'_>, policy: FetchPolicy<'_>, observer: &dyn Observer) -> Result<PathBuf, AppError> {
    let settings = Settings::load(policy.settings)?;
    let nothing = policy.nothing || policy.local_only || settings.local_only;
    let refused = || {
        let message = match wanted {
            WantedPaper::Named(name) => format!(
                "{} was not downloaded yet, and this command sends no requests",
                name.file_stem()
            ),
            WantedPaper::Titled(title) => {
                format!(
                    "the paper {title:?} was not downloaded yet, and this command sends no requests to search for it"
                )
            }
        };
        AppError::with_message(ErrorKind::Usage, message)
            .hint("run the command once without --local-only, --replay, --show-egress and --estimate, or use a file")
    };
    // Earlier lookups and downloads are recorded and need no network.
    let dir = policy.dir;
    let record = dir.join("ledger.sqlite");
    if nothing && !record.is_file() {
        return Err(refused());
    }
    let places = settings.places();
    fs::create_dir_all(dir).map_err(|error| cannot_write(dir, &error))?;
    let runtime = runtime_here()?;
    // Without requests there is nothing to announce.
    let observer: &dyn Observer = if nothing { &SilentObserver } else { observer };
    runtime.block_on(async {
        let ledger = Ledger::open(&record)
            .await
            .map_err(|error| AppError::new(ErrorKind::Input, error))?;
        let gateway = GatewaySettings {
            reach: NetworkPolicy::Anywhere,
            mode: if nothing { Mode::Replay } else { Mode::Live },
            user_agent: USER_AGENT.to_owned(),
            limits: host_limits(),
            connection: connection(&settings)?,
        };
        let outcome = match HttpGateway::new(gateway, ledger.clone()) {
            Ok(gateway) => through(&gateway, &ledger, wanted, &places, dir, observer).await,
            Err(error) => Err(AppError::new(ErrorKind::Input, error)),
        };
        ledger.close().await;
        match nothing {
            true => outcome.map_err(|_| refused()),
            false => outcome,
        }
    })
}

/// Downloads the paper and stores its identifiers and what was sent next to it.
async fn through(
    gateway: &HttpGateway,
    ledger: &Ledger,
    wanted: WantedPaper<'_>,
    places: &PaperPlaces,
    dir: &Path,
    observer: &dyn Observer,
) -> Result<PathBuf, AppError> {
    let unreadable = |error| AppError::new(ErrorKind::Input, error);
    let before = ledger.everything_sent().await.map_err(unreadable)?.len();
    let names = match wanted {
        WantedPaper::Named(name) => {
            let others = other_names(name, places, FetchLimits::PAPER, gateway).await;
            let others = others.map_err(|error| not_downloaded(&name.file_stem(), &[in_full(&error)]))?;
            // A record of a service is downloaded by its other names. The file keeps the given name.
            [vec![name.clone()], others].concat()
        }
        WantedPaper::Titled(title) => of_title(title, places, gateway, observer).await?,
    };
    let mut identifiers = Identifiers::default();
    for name in &names {
        identifiers.fill_from(&name.identifiers());
    }
    let already = names.iter().find_map(|name| earlier_download(name, dir));
    let path = match (already, names.split_first()) {
        (Some(path), _) => path,
        (None, Some((first, []))) => best(first, places, gateway, dir, observer).await?,
        (None, Some((first, others))) => first_of(first, others, wanted, places, gateway, dir, observer).await?,
        (None, None) => {
            return Err(not_downloaded("the paper", &["no open copy is known".to_owned()]));
        }
    };
    let after = ledger.everything_sent().await.map_err(unreadable)?;
    let note = note_path(&path);
    let known = download_note(&path);
    identifiers.fill_from(&known.identifiers);
    let mut sent = known.sent;
    sent.extend(sent_in_all(after.get(before..).unwrap_or_default()));
    let bytes = serde_json::to_vec_pretty(&DownloadNote { identifiers, sent })
        .map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    fs::write(&note, bytes).map_err(|error| cannot_write(&note, &error))?;
    Ok(path)
}

/// Downloads by the first name that works. A record of a service cannot be downloaded itself.
async fn first_of(
    first: &PaperName,
    others: &[PaperName],
    wanted: WantedPaper<'_>,
    places: &PaperPlaces,
    gateway: &HttpGateway,
    dir: &Path,
    observer: &dyn Observer,
) -> Result<PathBuf, AppError> {
    let is_place = |name: &&PaperName| !matches!(name, PaperName::Record(_));
    let mut last = None;
    for name in std::iter::once(first).chain(others).filter(is_place) {
        match best(name, places, gateway, dir, observer).await {
            Ok(path) => match wanted {
                // Saved under the given name, so that it is found again.
                WantedPaper::Named(typed) => return renamed(&path, typed, dir),
                WantedPaper::Titled(_) => return Ok(path),
            },
            Err(failure) => last = Some(failure),
        }
    }
    Err(last.unwrap_or_else(|| not_downloaded(&first.file_stem(), &["no open copy is known".to_owned()])))
}

fn renamed(path: &Path, name: &PaperName, dir: &Path) -> Result<PathBuf, AppError> {
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ending = ENDS
        .iter()
        .find(|end| file.ends_with(**end))
        .copied()
        .unwrap_or_default();
    let to = dir.join(format!("{}{ending}", name.file_stem()));
    fs::rename(path, &to).map_err(|error| cannot_write(&to, &error))?;
    Ok(to)
}

/// The names of the paper with this title.
async fn of_title(
    title: &str,
    places: &PaperPlaces,
    gateway: &HttpGateway,
    observer: &dyn Observer,
) -> Result<Vec<PaperName>, AppError> {
    observer.note(&format!("searching for a paper with the title {:?}", plain(title)));
    let found = titled(title, places, FetchLimits::PAPER, gateway).await;
    let found = found.map_err(|error| {
        AppError::with_message(
            ErrorKind::Input,
            format!("failed to search for the title: {}", in_full(&error)),
        )
        .hint("use the paper's arXiv id or DOI, or a file")
    })?;
    match found {
        TitleMatch::One(work) => Ok(PaperName::of_work(&work).into_iter().map(newest).collect()),
        TitleMatch::Several(works) => {
            let lines: Vec<String> = works.iter().map(what_to_type).collect();
            let message = format!("several papers match {title:?}");
            let hint = format!("use one of these instead:\n{}", lines.join("\n"));
            Err(AppError::with_message(ErrorKind::Usage, plain(&message)).hint(hint))
        }
        TitleMatch::Nothing => Err(AppError::with_message(
            ErrorKind::Input,
            plain(&format!("no paper with the title {title:?} was found")),
        )
        .hint("check the title, or use the paper's arXiv id or DOI")),
    }
}

/// Removes the version: the assessed paper is read in its newest version, while prior work is read in its first.
fn newest(name: PaperName) -> PaperName {
    match name {
        PaperName::Arxiv { id, .. } => PaperName::Arxiv { id, version: None },
        other => other,
    }
}

/// A line with a paper's name, title, author and year.
fn what_to_type(work: &Work) -> String {
    let name = match PaperName::of_work(work).into_iter().next() {
        Some(PaperName::Arxiv { id, .. }) => format!("arXiv:{id}"),
        Some(PaperName::Acl(id)) => id.to_string(),
        Some(PaperName::OpenReview(id)) => format!("openreview:{id}"),
        Some(PaperName::Pmc(id)) => id.to_string(),
        Some(PaperName::Doi(id)) => format!("doi:{id}"),
        _ => "(no downloadable id)".to_owned(),
    };
    let author = work.authors.first().map(|author| author.family_name().to_owned());
    let year = work.year().map(|year| year.to_string());
    let by: Vec<String> = [author, year].into_iter().flatten().collect();
    plain(&format!("  {name}  {} ({})", work.title, by.join(" ")))
}

/// Downloads the first format that is available and can be read as a paper.
async fn best(
    name: &PaperName,
    places: &PaperPlaces,
    gateway: &HttpGateway,
    dir: &Path,
    observer: &dyn Observer,
) -> Result<PathBuf, AppError> {
    let mut reasons = Vec::new();
    let mut unknown = true;
    for form in forms(name, places, FetchLimits::PAPER, gateway)
        .await
        .map_err(|error| not_downloaded(&name.file_stem(), &[in_full(&error)]))?
    {
        observer.note(&format!("downloading the {} from {}", form.what, plain(form.address())));
        match fetch(&form, FetchLimits::PAPER, gateway).await {
            Ok(file) => {
                let path = put(name, &file, dir)?;
                match input::paper(&path) {
                    Ok(_) => return Ok(path),
                    Err(error) => {
                        unknown = false;
                        reasons.push(format!("{}: {}", form.what, error.error));
                        // An unreadable file must not be reused next time.
                        fs::remove_file(&path).map_err(|error| cannot_write(&path, &error))?;
                    }
                }
            }
            Err(error) => {
                unknown &= matches!(error, SourceError::NotGiven { status: 404, .. });
                reasons.push(format!("{}: {}", form.what, in_full(&error)));
            }
        }
    }
    if unknown && !reasons.is_empty() {
        let message = format!(
            "failed to download {}: paper not found (status 404 for all formats)",
            name.file_stem()
        );
        return Err(AppError::with_message(ErrorKind::Input, message).hint("check the name"));
    }
    Err(not_downloaded(&name.file_stem(), &reasons))
}

/// Writes the file atomically.
fn put(name: &PaperName, file: &Fetched, dir: &Path) -> Result<PathBuf, AppError> {
    let path = dir.join(format!("{}.{}", name.file_stem(), file.ending));
    let half = path.with_extension("half");
    let written = fs::write(&half, &file.bytes).and_then(|()| fs::rename(&half, &path));
    written.map_err(|error| cannot_write(&path, &error))?;
    Ok(path)
}

fn not_downloaded(name: &str, reasons: &[String]) -> AppError {
    let message = format!("failed to download {name}: {}", plain(&reasons.join("; ")));
    AppError::with_message(ErrorKind::Input, message).hint("save the paper to a file and use that")
}

/// The error for a file that cannot be written.
pub fn cannot_write(path: &Path, error: &std::io::Error) -> AppError {
    let message = format!("failed to write {}: {error}", path.display());
    AppError {
        kind: ErrorKind::Input,
        // The kind of the cause is kept: a full disk is a problem of this machine.
        error: anyhow::Error::new(std::io::Error::new(error.kind(), message)),
        hint: None,
    }
}

fn in_full(error: &SourceError) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("failed to {error}{}", cause.unwrap_or_default())
}
