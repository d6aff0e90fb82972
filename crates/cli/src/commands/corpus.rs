use std::path::{Path, PathBuf};

use precedent_engine::corpus::{Corpus, CorpusError, CorpusStats};
use precedent_engine::library::{self, AddReport, LeftOut, LibraryError};
use serde::Serialize;

use super::search;
use crate::ExitCode;
use crate::args::{CorpusArguments, CorpusCommand};
use crate::exit::Failure;
use crate::printer::{Printer, plain};
use crate::progress::Counter;

/// `precedent corpus …`.
pub(super) fn run(typed: CorpusArguments, printer: Printer) -> Result<ExitCode, Failure> {
    match typed.command {
        CorpusCommand::Add { dir, inputs, json } => add(&dir, &inputs, json, printer),
        CorpusCommand::Stats { dir, json } => stats(&dir, json, printer),
        CorpusCommand::Search { dir, query } => search::in_corpora(&query, &[dir], printer),
    }
}

/// An error of a corpus, with the exit code it means.
pub(super) fn failure(error: LibraryError) -> Failure {
    let hint = match &error {
        LibraryError::NotFound { .. } => Some("check the path"),
        LibraryError::NoWorks { .. } => Some(
            "give a corpus made by `precedent corpus add`, a JSONL, BibTeX, RIS or CSL-JSON file, or a folder of papers",
        ),
        _ => None,
    };
    // Where works were looked for and none is there, nothing can be searched.
    let code = match &error {
        LibraryError::NoWorks { .. } => ExitCode::NothingSearched,
        _ => ExitCode::Input,
    };
    let failure = Failure::new(code, error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Opens a corpus that must be there.
pub(super) fn open(dir: &Path) -> Result<Corpus, Failure> {
    Corpus::open(dir).map_err(|error: CorpusError| Failure::new(ExitCode::Input, error))
}

#[derive(Debug, Serialize)]
struct Added<'a> {
    #[serde(flatten)]
    report: &'a AddReport,
    works: u64,
}

fn add(dir: &Path, inputs: &[PathBuf], json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let counter = Counter::start("works", printer);
    let (corpus, report) = library::fill(dir, inputs, &|works| counter.at(works)).map_err(failure)?;
    let works = corpus.as_ref().map_or(0, Corpus::len);
    counter.end();
    for bad in report.bad.iter().take(20) {
        let position = bad.position.map(|position| format!(":{position}")).unwrap_or_default();
        printer.warning(&plain(&format!("{}{position}: {}", bad.file, bad.reason)));
    }
    if report.bad_count > 20 {
        printer.note(&format!(
            "… and {} more that could not be used; --json lists the first 1,000",
            report.bad_count - 20
        ));
    }
    if !report.passed_over.is_empty() {
        printer.note(&format!(
            "passed over {}: neither records nor papers",
            plain(&report.passed_over.join(", "))
        ));
    }
    if json {
        printer.json(&Added { report: &report, works })?;
    } else {
        printer.line(&format!(
            "{} added, {} updated, {} could not be used; the corpus holds {} works",
            report.added, report.updated, report.bad_count, works
        ));
    }
    if report.added + report.updated == 0 {
        let hint = "use JSONL with id, title and abstract, BibTeX, RIS, CSL-JSON, or papers";
        let message = match corpus {
            Some(_) => "nothing could be added; the corpus is as it was",
            None => "nothing could be added; no corpus was made",
        };
        return Err(Failure::said(ExitCode::Input, message).hint(hint));
    }
    Ok(ExitCode::Done)
}

fn stats(dir: &Path, json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let corpus = open(dir)?;
    for message in LeftOut::of(&corpus).in_words("it") {
        printer.warning(&plain(&message));
    }
    let stats = corpus.stats().map_err(|error| Failure::new(ExitCode::Input, error))?;
    if json {
        printer.json(&stats)?;
    } else {
        printer.data(&readable(&stats));
    }
    Ok(ExitCode::Done)
}

fn readable(stats: &CorpusStats) -> String {
    let mut lines = vec![
        format!("works           {}", stats.works),
        format!("with abstract   {}", stats.with_abstract),
        format!("with full text  {} ({} passages)", stats.with_full_text, stats.passages),
        format!(
            "dated           {} (to the day {}, to the month {})",
            stats.dated, stats.dated_to_day, stats.dated_to_month
        ),
    ];
    if let (Some(first), Some(last)) = (stats.years.first(), stats.years.last()) {
        lines.push(format!("years           {} to {}", first.year, last.year));
    }
    lines.push(format!("venues          {}", stats.venue_count));
    for venue in stats.venues.iter().take(5) {
        lines.push(format!("  {:>7}  {}", venue.works, plain(&venue.venue)));
    }
    lines.push(String::new());
    lines.join("\n")
}
