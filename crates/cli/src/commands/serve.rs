use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use precedent_app::{AppError, ErrorKind, Password, SharedBatches};
use precedent_engine::read::pdfium_state;
use precedent_server::{Isolation, ServerError, ServerOptions};

use super::batch::shared_database;
use super::paper_arguments::DatabaseChoice;
use super::pdf::PdfEngine;
use crate::ExitCode;
use crate::args::parse_budget;
use crate::printer::{Printer, plain};

/// `precedent serve --help`.
pub(crate) const SERVE_HELP: &str = "\
Examples:
  precedent serve --corpus library
  precedent serve --corpus library --corpus works.jsonl --data reviews --bind 127.0.0.1:9000
  precedent serve --corpus library --model openai:gpt-5-mini --budget 2

Open the printed address in a browser: drop a PDF, see what would be sent and what it would cost, follow the run, read the evidence.
The same functions are under /api/v1 for programs; /api/v1/openapi.json describes them. The server accepts only addresses of this
machine unless it has users (`precedent users`). Runs are in DIR/runs, uploads in DIR/inputs. A server that was killed continues its
runs when it starts again.";

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Address to listen on. Without users (`precedent users`), only addresses of this machine are accepted
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    pub(crate) bind: SocketAddr,

    /// Address that browsers use, if it is not that of --bind, such as https://review.example.org
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,

    /// Folder for uploads and runs
    #[arg(long, value_name = "DIR", default_value = "precedent-data")]
    pub(crate) data: PathBuf,

    /// Corpus, file of records or folder of papers that runs may search. Repeat it for several. Pages show its file name
    #[arg(
        long = "corpus",
        value_name = "PATH",
        env = "PRECEDENT_CORPUS",
        value_delimiter = ','
    )]
    pub(crate) corpora: Vec<PathBuf>,

    /// Model that runs may use, as provider:name. Repeat it for several. Without it, no run uses a model
    #[arg(long = "model", value_name = "MODEL", value_delimiter = ',')]
    pub(crate) models: Vec<String>,

    /// Maximum spend of each run on models, in US dollars
    #[arg(long, value_name = "DOLLARS", value_parser = parse_budget)]
    pub(crate) budget: Option<f64>,

    /// Offer no literature services, and refuse models on other machines
    #[arg(long)]
    pub(crate) local_only: bool,

    /// PostgreSQL database of batches that several machines share (`precedent batch --store`), whose progress is to be shown: postgres://USER@HOST/DATABASE.
    /// Set the variable instead of this option if the URL contains a password
    #[arg(
        long = "database",
        value_name = "URL",
        env = "PRECEDENT_DATABASE",
        hide_env_values = true,
        hide_short_help = true,
        help_heading = "Advanced"
    )]
    pub(crate) database: Option<String>,

    /// Their object store, whose reports are to be shown: a folder, or s3://BUCKET/PREFIX with the usual AWS_* variables. Needs --database
    #[arg(
        long = "store",
        value_name = "DIR|URL",
        hide_short_help = true,
        help_heading = "Advanced"
    )]
    pub(crate) store: Option<String>,

    /// Runs at the same time. Further ones wait
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) jobs: u8,

    /// Settings file
    #[arg(long, value_name = "FILE", env = "PRECEDENT_SETTINGS")]
    pub(crate) settings: Option<PathBuf>,
}

/// Arguments of the process of a run, a call or an import. People do not use it.
#[derive(Debug, Args)]
pub(crate) struct WorkArguments {
    /// Folder of the run
    #[arg(required_unless_present_any = ["call", "read", "import"])]
    pub(crate) dir: Option<PathBuf>,

    /// Folder of the watch that the run is a check of
    #[arg(long, value_name = "DIR", requires = "dir")]
    pub(crate) watch: Option<PathBuf>,

    /// Answer a call that comes on stdin
    #[arg(long, conflicts_with = "dir")]
    pub(crate) call: bool,

    /// Import files into a corpus as stdin says
    #[arg(long, conflicts_with_all = ["dir", "call"])]
    pub(crate) import: bool,

    /// Read a file and print what was read
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dir", "call", "import"])]
    pub(crate) read: Option<PathBuf>,
}

/// Global options that the processes of runs and calls get too.
#[derive(Debug, Clone)]
pub(crate) struct ReaderChoice {
    pub(crate) engine: PdfEngine,
    /// Path of the pdfium library.
    pub(crate) pdfium: Option<PathBuf>,
    pub(crate) ocr: bool,
    pub(crate) password: Option<Password>,
    pub(crate) proxy: Option<String>,
    pub(crate) ca_file: Option<PathBuf>,
}

impl ReaderChoice {
    fn arguments(&self) -> Vec<String> {
        let engine = match self.engine {
            PdfEngine::Auto => "auto",
            PdfEngine::Builtin => "builtin",
            PdfEngine::Pdfium => "pdfium",
        };
        let mut arguments = vec![format!("--pdf-engine={engine}")];
        let path = |path: &PathBuf| path.display().to_string();
        arguments.extend(self.pdfium.as_ref().map(|pdfium| format!("--pdfium={}", path(pdfium))));
        arguments.extend(self.ocr.then(|| "--ocr".to_owned()));
        arguments.extend(self.proxy.as_ref().map(|proxy| format!("--proxy={proxy}")));
        arguments.extend(self.ca_file.as_ref().map(|file| format!("--ca-file={}", path(file))));
        arguments
    }
}

/// `precedent serve`.
pub(super) fn serve(typed: ServeArguments, reader: &ReaderChoice, printer: Printer) -> Result<ExitCode, AppError> {
    let program = program()?;
    let shared_batches = shared_batches(&typed, printer)?;
    let options = ServerOptions {
        shared_batches,
        corpora: typed.corpora,
        models: typed.models,
        settings: typed.settings,
        budget: typed.budget,
        local_only: typed.local_only,
        url: typed.url,
        jobs: usize::from(typed.jobs),
        arguments: reader.arguments(),
        pdf_password: reader.password.clone(),
        ..ServerOptions::new(typed.bind, typed.data, program)
    };
    let (data, url, ocr) = (options.data.clone(), options.url.clone(), reader.ocr);
    let ready = |address: SocketAddr| {
        printer.line(&plain(&url.unwrap_or_else(|| format!("http://{address}"))));
        printer.note(&format!(
            "data in {}; to stop, press Ctrl-C",
            plain(&data.display().to_string())
        ));
        if Isolation::here() != Isolation::FilesAndNetwork {
            printer.note(Isolation::here().about());
        }
        if ocr {
            printer.note("with --ocr, the processes that read uploads are not limited");
        }
    };
    precedent_server::serve(&options, ready).map_err(error)?;
    Ok(ExitCode::Done)
}

/// The batches that several machines share, if they are to be shown. The setting `database` alone does not show them.
fn shared_batches(typed: &ServeArguments, printer: Printer) -> Result<Option<SharedBatches>, AppError> {
    let choice = DatabaseChoice {
        url: typed.database.clone().filter(|url| !url.is_empty()),
    };
    let settings = typed.settings.as_deref();
    let database = match choice.url {
        Some(_) => shared_database(&choice, settings, typed.local_only, &[], printer)?,
        None => None,
    };
    match (database, &typed.store) {
        (None, Some(_)) => Err(
            AppError::with_message(ErrorKind::Usage, "--store needs the database of its batches")
                .hint("name it with --database"),
        ),
        (None, None) => Ok(None),
        (Some(database), store) => {
            SharedBatches::open(&database, store.as_deref(), typed.local_only, settings).map(Some)
        }
    }
}

/// The program that the processes of runs and calls execute: this one, unless it is called from another one, such as Python.
fn program() -> Result<PathBuf, AppError> {
    if let Some(program) = std::env::var_os("PRECEDENT_PROGRAM").filter(|program| !program.is_empty()) {
        return Ok(PathBuf::from(program));
    }
    let program = std::env::current_exe()
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to find this program: {error}")))?;
    match program.file_stem().is_some_and(|name| name == "precedent") {
        true => Ok(program),
        false => {
            let message = format!("the server cannot start its runs with {}", program.display());
            let hint =
                "use the program `precedent` from a release or `cargo install`, or set PRECEDENT_PROGRAM to its path";
            Err(AppError::with_message(ErrorKind::Usage, message).hint(hint))
        }
    }
}

fn error(error: ServerError) -> AppError {
    let hint = error.hint();
    let error = match error {
        ServerError::App(error) => return error,
        error => AppError::new(ErrorKind::Usage, error),
    };
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// `precedent work`.
pub(super) fn work(typed: &WorkArguments, reader: &ReaderChoice) -> Result<ExitCode, AppError> {
    if let Some(file) = &typed.read {
        if reader.engine != PdfEngine::Builtin {
            // A limited process can load no library.
            let _ = pdfium_state();
        }
        return precedent_server::answer_reading(file, reader.ocr).map(|()| ExitCode::Done);
    }
    let arguments = [reader.arguments(), vec!["work".to_owned(), "--read".to_owned()]].concat();
    precedent_app::read_in_processes(program()?, arguments, reader.ocr);
    if typed.import {
        return precedent_server::import().map(|()| ExitCode::Done);
    }
    match &typed.dir {
        Some(dir) => precedent_server::work(dir, typed.watch.as_deref()).map(|_| ExitCode::Done),
        None => precedent_server::answer_call().map(|()| ExitCode::Done),
    }
}
