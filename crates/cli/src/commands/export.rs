//! Exports the papers of a report for a reference manager.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use precedent_app::{AppError, ErrorKind};
use precedent_engine::domain::Assessment;
use precedent_report::{Selection, exporters, read_assessment};

use super::input;
use crate::ExitCode;
use crate::printer::Printer;

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// A run's report.json, or its folder
    pub(crate) report: PathBuf,

    /// Output format
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    pub(crate) format: ExportFormat,

    /// Export only some of the papers [default: all papers in the report]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) only: Option<ExportSelection>,

    /// Write to this file [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// BibTeX, for LaTeX and most reference managers
    Bibtex,
    /// RIS, for Zotero, EndNote and Mendeley
    Ris,
    /// CSL-JSON, for Pandoc, Quarto and Zotero
    Csl,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportSelection {
    /// Similar papers that the paper does not cite
    Missing,
}

/// `precedent export`.
pub(super) fn run(typed: &ExportArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let report = report(&typed.report)?;
    let name = match typed.format {
        ExportFormat::Bibtex => "bibtex",
        ExportFormat::Ris => "ris",
        ExportFormat::Csl => "csl",
    };
    let which = match typed.only {
        None => Selection::Related,
        Some(ExportSelection::Missing) => Selection::Missing,
    };
    let Some(exporter) = exporters().iter().find(|one| one.format() == name) else {
        return Err(AppError::with_message(
            ErrorKind::Bug,
            format!("no exporter for {name}"),
        ));
    };
    let text = exporter.export(&report, which);
    match &typed.out {
        None => printer.data(&text),
        Some(path) => std::fs::write(path, &text).map_err(|error| {
            let message = format!("failed to write {}: {error}", path.display());
            AppError::with_message(ErrorKind::Input, message).hint("choose another file with --out")
        })?,
    }
    let works = match which {
        Selection::Related => report.references.candidates.len(),
        Selection::Missing => report.contribution_analysis.missing_citations.len(),
    };
    printer.note(&match (works, which) {
        (0, Selection::Missing) => "nothing exported: the report lists no missing citations".to_owned(),
        (0, Selection::Related) => "nothing exported: the report has no candidates".to_owned(),
        (1, _) => "exported 1 paper".to_owned(),
        (works, _) => format!("exported {works} papers"),
    });
    Ok(ExitCode::Done)
}

/// The report in a file, or in a run's folder.
fn report(path: &Path) -> Result<Assessment, AppError> {
    let file = match path.is_dir() {
        true => path.join("report.json"),
        false => PathBuf::from(path),
    };
    let bytes = input::bytes(&file)?;
    read_assessment(&bytes).map_err(|error| {
        AppError::new(ErrorKind::Input, error)
            .hint("use the report.json of `precedent assess`, or the run's folder; other reports cannot be exported")
    })
}
