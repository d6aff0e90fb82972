use std::path::PathBuf;

use clap::{Args, ValueEnum};
use precedent_app::{AppError, ErrorKind};
use precedent_engine::corpus::CorpusError;
use precedent_engine::corpus::export::{Export, export_opensearch};

use super::corpus;
use crate::ExitCode;
use crate::printer::{Printer, plain};

/// `precedent corpus export --help`.
pub(crate) const CORPUS_EXPORT_HELP: &str = "\
Example:
  precedent corpus export library --as opensearch --index papers --out library-opensearch

The folder gets index.json, the definition of the index, and parts for the _bulk API. index.json is written last, so a folder without it is incomplete. docs/sources.md has the commands that load and search them.";

#[derive(Debug, Args)]
pub(crate) struct CorpusExportArguments {
    /// The corpus folder
    dir: PathBuf,

    /// Search engine
    #[arg(long = "as", value_enum, value_name = "ENGINE")]
    engine: Engine,

    /// Folder for the files: a new or an empty one
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Name of the index: a-z, 0-9, `-`, `_`
    #[arg(long, value_name = "NAME", default_value = "papers", value_parser = index_name)]
    index: String,

    /// Maximum size of a part in MB (1,000,000 bytes). OpenSearch takes 100 MiB by default, some hosted ones 10 MiB
    #[arg(long, value_name = "N", default_value_t = PART_MB, value_parser = clap::value_parser!(u8).range(1..=100))]
    part_mb: u8,

    /// Print `{papers, vectors, parts, bytes, left_out}` as JSON on stdout
    #[arg(long)]
    json: bool,
}

/// Below the 10 MiB that some hosted servers take at most. Chosen by hand; not measured.
const PART_MB: u8 = 9;
/// Longest name of an index in OpenSearch, in bytes.
const LONGEST_NAME: usize = 255;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// OpenSearch 2.11 or later
    #[value(name = "opensearch")]
    OpenSearch,
}

fn index_name(typed: &str) -> Result<String, String> {
    let may_start = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let fits = typed.bytes().next().is_some_and(may_start)
        && typed.bytes().all(|byte| may_start(byte) || matches!(byte, b'-' | b'_'))
        && typed.len() <= LONGEST_NAME;
    match fits {
        true => Ok(typed.to_owned()),
        false => Err("expected lower-case letters, digits, `-` and `_`, with a letter or digit first".to_owned()),
    }
}

/// `precedent corpus export`.
pub(super) fn run(typed: &CorpusExportArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let corpus = corpus::open(&typed.dir)?;
    if std::fs::read_dir(&typed.out).is_ok_and(|mut entries| entries.next().is_some()) {
        let message = format!("the folder {} is not empty", typed.out.display());
        return Err(AppError::with_message(ErrorKind::Input, message).hint("choose a new folder with --out"));
    }
    let export = Export {
        dir: &typed.out,
        index: &typed.index,
        part_bytes: usize::from(typed.part_mb) * 1_000_000,
    };
    let report = match typed.engine {
        Engine::OpenSearch => export_opensearch(&corpus, &export),
    };
    let report = report.map_err(|error: CorpusError| {
        AppError::new(ErrorKind::Input, error)
            .hint("the export is incomplete; delete the folder and repeat the command")
    })?;
    for id in &report.left_out {
        printer.warning(&plain(&format!("{id} is larger than a part and was left out")));
    }
    if report.vectors == 0 && report.papers > 0 {
        printer.note(&format!(
            "the corpus has no vectors, so none were exported; make them with `precedent corpus vectors {}`",
            typed.dir.display()
        ));
    }
    if typed.json {
        printer.json(&report)?;
    } else {
        printer.line(&format!(
            "papers exported: {} ({} with a vector); files: {} ({} bytes); definition of the index: {}",
            report.papers,
            report.vectors,
            report.parts,
            report.bytes,
            plain(&typed.out.join("index.json").display().to_string())
        ));
    }
    Ok(ExitCode::Done)
}
