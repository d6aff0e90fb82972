//! A paper that is named rather than given as a file: it is fetched once, in the form that reads best, and is a file from then on.

use std::fs;
use std::path::{Path, PathBuf};

use precedent_engine::domain::Identifiers;
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{Door, Mode, Reach, Settings as DoorSettings};
use precedent_engine::read;
use precedent_engine::sources::{Errand, Fetched, PaperName, PaperPlaces, SourceError, fetch, forms};

use super::input::cannot_read;
use super::services::USER_AGENT;
use crate::ExitCode;
use crate::exit::Failure;
use crate::printer::{Printer, plain};
use crate::runtime::runtime_here;
use crate::settings::Settings;

/// Where fetched papers are kept, from the folder that the program runs in.
const PAPERS: &str = "runs/papers";

/// The paper as a file.
pub(super) struct Input {
    /// Its absolute path.
    pub(super) path: PathBuf,
    /// What its name told.
    pub(super) identifiers: Identifiers,
}

/// How far the program may go for a paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leave<'s> {
    pub(super) settings: Option<&'s Path>,
    pub(super) local_only: bool,
    /// Nothing is sent: a paper that is not here yet is told to be so.
    pub(super) nothing: bool,
}

/// The file at `typed`; or, where there is none and `typed` names a paper, the paper, fetched unless it was before.
pub(super) fn input(typed: &Path, leave: Leave<'_>, printer: Printer) -> Result<Input, Failure> {
    let named = typed.to_str().filter(|_| !typed.exists()).and_then(PaperName::parse);
    let Some(name) = named else {
        let path = typed.canonicalize().map_err(|error| cannot_read(typed, error))?;
        return Ok(Input {
            path,
            identifiers: Identifiers::default(),
        });
    };
    let path = match kept(&name) {
        Some(path) => path,
        None => fetched(&name, leave, printer)?,
    };
    Ok(Input {
        path: path.canonicalize().map_err(|error| cannot_read(&path, error))?,
        identifiers: name.identifiers(),
    })
}

/// The file of an earlier fetch.
fn kept(name: &PaperName) -> Option<PathBuf> {
    let at = |ending: &str| Path::new(PAPERS).join(format!("{}.{ending}", name.file_stem()));
    ["tar.gz", "html", "pdf"]
        .map(at)
        .into_iter()
        .find(|path| path.is_file())
}

fn fetched(name: &PaperName, leave: Leave<'_>, printer: Printer) -> Result<PathBuf, Failure> {
    let settings = Settings::load(leave.settings)?;
    if leave.nothing || leave.local_only || settings.local_only {
        let message = format!(
            "{} is not here yet, and nothing may be sent to fetch it",
            name.file_stem()
        );
        return Err(Failure::said(ExitCode::Usage, message).hint("fetch it first, or name a file"));
    }
    let places = settings.papers.places();
    let dir = Path::new(PAPERS);
    fs::create_dir_all(dir).map_err(|error| cannot_write(dir, &error))?;
    let runtime = runtime_here()?;
    runtime.block_on(async {
        let ledger = Ledger::open(&dir.join("ledger.sqlite"))
            .await
            .map_err(|error| Failure::new(ExitCode::Input, error))?;
        let door = DoorSettings {
            reach: Reach::Anywhere,
            mode: Mode::Live,
            user_agent: USER_AGENT.to_owned(),
        };
        let outcome = match Door::new(door, ledger.clone()) {
            Ok(door) => best(name, &places, &door, dir, printer).await,
            Err(error) => Err(Failure::new(ExitCode::Input, error)),
        };
        ledger.close().await;
        outcome
    })
}

/// The first form that comes and reads as a paper.
async fn best(
    name: &PaperName,
    places: &PaperPlaces,
    door: &Door,
    dir: &Path,
    printer: Printer,
) -> Result<PathBuf, Failure> {
    let mut reasons = Vec::new();
    for form in forms(name, places, Errand::PAPER, door)
        .await
        .map_err(|error| none(name, &[in_full(&error)]))?
    {
        printer.note(&format!("fetching the {} from {}", form.what, plain(form.address())));
        match fetch(&form, Errand::PAPER, door).await {
            Ok(file) => {
                let path = put(name, &file, dir)?;
                match read::read(&path) {
                    Ok(_) => return Ok(path),
                    Err(error) => {
                        reasons.push(format!("{}: failed to {error}", form.what));
                        // One that cannot be read must not stand for the paper the next time.
                        fs::remove_file(&path).map_err(|error| cannot_write(&path, &error))?;
                    }
                }
            }
            Err(error) => reasons.push(format!("{}: {}", form.what, in_full(&error))),
        }
    }
    Err(none(name, &reasons))
}

/// Writes the file; it appears whole or not at all.
fn put(name: &PaperName, file: &Fetched, dir: &Path) -> Result<PathBuf, Failure> {
    let path = dir.join(format!("{}.{}", name.file_stem(), file.ending));
    let half = path.with_extension("half");
    let written = fs::write(&half, &file.bytes).and_then(|()| fs::rename(&half, &path));
    written.map_err(|error| cannot_write(&path, &error))?;
    Ok(path)
}

fn none(name: &PaperName, reasons: &[String]) -> Failure {
    let message = format!("failed to fetch {}: {}", name.file_stem(), plain(&reasons.join("; ")));
    Failure::said(ExitCode::Input, message).hint("save the paper to a file and name that")
}

pub(super) fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::said(ExitCode::Input, format!("failed to write {}: {error}", path.display()))
}

fn in_full(error: &SourceError) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("failed to {error}{}", cause.unwrap_or_default())
}
