use std::path::PathBuf;

use clap::Args;
use precedent_app::{App, AppError, CorpusSnapshot, CorpusStore, pulled_folder};

use crate::ExitCode;
use crate::printer::{Printer, counted, plain};

/// `precedent corpus push --help`.
const PUSH_HELP: &str = "\
Examples:
  precedent corpus push library --store s3://venue/2026
  precedent corpus push library --store /mnt/venue --name anthology

Each push of a changed corpus is a new snapshot, which never changes. Files that the store has already are not sent again.";

/// `precedent corpus pull --help`.
const PULL_HELP: &str = "\
Examples:
  precedent corpus pull library --store s3://venue/2026
  precedent corpus pull library /data/library --store /mnt/venue

The folder must be new, empty, or an unchanged snapshot of the same corpus, which is brought up to date. A snapshot that is given by its hash needs
a new or empty folder. Each part is checked against its hash.";

#[derive(Debug, Args)]
pub(crate) struct StoreOptions {
    /// Object store: a folder, or s3://BUCKET/PREFIX with the usual AWS_* variables
    #[arg(long, value_name = "DIR|URL")]
    store: String,

    /// Settings file [default: that of the user]
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// Print `{name, number, hash, papers}` as JSON on stdout
    #[arg(long)]
    json: bool,
}

/// Write a corpus to an object store, from which other machines pull it
#[derive(Debug, Args)]
#[command(after_help = PUSH_HELP)]
pub(crate) struct PushArguments {
    /// The corpus folder
    dir: PathBuf,

    /// Name of the corpus in the store [default: the name of the folder]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    options: StoreOptions,
}

/// Make a corpus from an object store, or bring it up to date
#[derive(Debug, Args)]
#[command(after_help = PULL_HELP)]
pub(crate) struct PullArguments {
    /// Name of the corpus in the store, for its newest snapshot, or the hash of a snapshot
    #[arg(value_name = "NAME|HASH")]
    wanted: String,

    /// The corpus folder [default: a folder with the name of the corpus]
    dir: Option<PathBuf>,

    #[command(flatten)]
    options: StoreOptions,
}

/// `precedent corpus push`.
pub(super) fn push(typed: &PushArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let snapshot = App::default().push_corpus(&typed.dir, typed.name.as_deref(), &typed.options.store())?;
    typed.options.print(&snapshot, "pushed", printer)
}

/// `precedent corpus pull`.
pub(super) fn pull(typed: &PullArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let dir = match &typed.dir {
        Some(dir) => dir.clone(),
        None => pulled_folder(&typed.wanted)?,
    };
    let snapshot = App::default().pull_corpus(&typed.wanted, &dir, &typed.options.store())?;
    typed
        .options
        .print(&snapshot, &format!("pulled to {}", dir.display()), printer)
}

impl StoreOptions {
    fn store(&self) -> CorpusStore {
        CorpusStore {
            place: self.store.clone(),
            settings: self.settings.clone(),
        }
    }

    fn print(&self, snapshot: &CorpusSnapshot, done: &str, printer: Printer) -> Result<ExitCode, AppError> {
        if self.json {
            printer.json(snapshot)?;
            return Ok(ExitCode::Done);
        }
        let CorpusSnapshot {
            name,
            number,
            hash,
            papers,
        } = snapshot;
        let named = match (name, number) {
            (Some(name), Some(number)) => format!("{name}, snapshot {number}: "),
            _ => String::new(),
        };
        let papers = counted(usize::try_from(*papers).unwrap_or(usize::MAX), "paper");
        printer.line(&plain(&format!("{done}: {named}{papers}, hash {hash}")));
        Ok(ExitCode::Done)
    }
}
