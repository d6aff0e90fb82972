use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use precedent_app::{AppError, ErrorKind};
use precedent_engine::corpus::import::BadRecord;
use precedent_engine::corpus::{Corpus, CorpusError, CorpusStats};
use precedent_engine::domain::WorkId;
use precedent_engine::library::{self, AddReport, LeftOut};
use serde::Serialize;

use super::search;
use crate::ExitCode;
use crate::args::{CorpusArguments, CorpusCommand, ScanChoice};
use crate::printer::{Printer, plain};
use crate::progress::ImportBar;

/// `precedent corpus …`.
pub(super) fn run(typed: CorpusArguments, printer: Printer) -> Result<ExitCode, AppError> {
    match typed.command {
        CorpusCommand::Add {
            dir,
            inputs,
            commit_every,
            json,
        } => add(&dir, &inputs, commit_every, json, printer),
        CorpusCommand::Get(typed) => super::corpus_get::run(typed, printer),
        CorpusCommand::Remove { dir, ids, json } => remove(&dir, &ids, json, printer),
        CorpusCommand::Rejects { dir, json } => rejects(&dir, json, printer),
        CorpusCommand::Check { dir, json } => check(&dir, json, printer),
        CorpusCommand::Vectors { dir, scan } => vectors(&dir, scan, printer),
        CorpusCommand::Stats { dir, json } => stats(&dir, json, printer),
        CorpusCommand::Export(typed) => super::corpus_export::run(&typed, printer),
        CorpusCommand::Push(typed) => super::corpus_store::push(&typed, printer),
        CorpusCommand::Pull(typed) => super::corpus_store::pull(&typed, printer),
        CorpusCommand::Search { dir, query } => search::in_corpora(&query, &[dir], printer),
    }
}

/// Opens an existing corpus.
pub(super) fn open(dir: &Path) -> Result<Corpus, AppError> {
    Corpus::open(dir).map_err(|error: CorpusError| AppError::new(ErrorKind::Input, error))
}

#[derive(Debug, Serialize)]
pub(super) struct Added<'a> {
    #[serde(flatten)]
    pub(super) report: &'a AddReport,
    pub(super) works: u64,
}

fn add(dir: &Path, inputs: &[PathBuf], commit_every: u64, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let bar = ImportBar::start(printer);
    let on_progress = |progress: &library::AddProgress| bar.at(progress);
    let (corpus, report) =
        library::fill(dir, inputs, commit_every, &on_progress, &library::read_paper).map_err(AppError::from)?;
    let works = corpus.as_ref().map_or(0, Corpus::len);
    bar.end();
    show_added(&report, dir, printer);
    if json {
        printer.json(&Added { report: &report, works })?;
    } else {
        printer.line(&added_in_words(&report, works));
    }
    if report.added + report.updated + report.unchanged == 0 {
        let hint = "use JSONL with id, title and abstract, BibTeX, RIS, CSL-JSON, an export of Zotero, a dump of a known source, or papers";
        let message = match corpus {
            Some(_) => "nothing was added; the corpus is unchanged",
            None => "nothing was added; no corpus was created",
        };
        return Err(AppError::with_message(ErrorKind::Input, message).hint(hint));
    }
    Ok(ExitCode::Done)
}

/// The result of an import in one line.
pub(super) fn added_in_words(report: &AddReport, works: u64) -> String {
    let unchanged = match report.unchanged {
        0 => String::new(),
        unchanged => format!("{unchanged} unchanged, "),
    };
    format!(
        "{} added, {} updated, {unchanged}{} could not be used; the corpus has {works} papers",
        report.added, report.updated, report.bad_count
    )
}

/// Prints what an import resumed, and which records it could not use.
pub(super) fn show_added(report: &AddReport, dir: &Path, printer: Printer) {
    if !report.resumed.is_empty() {
        printer.note(&format!(
            "resumed the interrupted import of {}",
            plain(&report.resumed.join(", "))
        ));
    }
    for bad in report.bad.iter().take(20) {
        let position = bad.position.map(|position| format!(":{position}")).unwrap_or_default();
        printer.warning(&plain(&format!("{}{position}: {}", bad.file, bad.reason)));
    }
    if report.bad_count > 20 {
        printer.note(&format!(
            "{} records could not be used; list them with `precedent corpus rejects {}`",
            report.bad_count,
            dir.display()
        ));
    }
    if report.untitled > 0 {
        let records = match report.untitled {
            1 => "1 record has".to_owned(),
            many => format!("{many} records have"),
        };
        printer.note(&format!(
            "{records} no title, so the beginning of the text is used as the title"
        ));
    }
    if !report.passed_over.is_empty() {
        printer.note(&format!(
            "skipped {}: neither records nor papers",
            plain(&report.passed_over.join(", "))
        ));
    }
}

fn vectors(dir: &Path, scan: Option<ScanChoice>, printer: Printer) -> Result<ExitCode, AppError> {
    let corpus = open(dir)?;
    let made = match scan {
        Some(scan) => corpus.make_vectors_with_cells(scan == ScanChoice::Near),
        None => corpus.make_vectors(),
    };
    made.map_err(|error| AppError::new(ErrorKind::Input, error))?;
    printer.line(&format!("{} papers have vectors", corpus.len()));
    Ok(ExitCode::Done)
}

#[derive(Debug, Serialize)]
struct Removed {
    removed: Vec<WorkId>,
    missing: Vec<WorkId>,
    works: u64,
}

fn remove(dir: &Path, ids: &[WorkId], json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let refused = |error: CorpusError| AppError::new(ErrorKind::Input, error);
    let corpus = open(dir)?;
    let mut writer = corpus.writer().map_err(refused)?;
    let (mut removed, mut missing) = (Vec::new(), Vec::new());
    for id in ids {
        let there = writer.delete(id).map_err(refused)?;
        if there { &mut removed } else { &mut missing }.push(id.clone());
    }
    if !removed.is_empty() {
        writer.finish().map_err(refused)?;
    }
    for id in &missing {
        printer.warning(&format!("the corpus has no paper with the id {}", plain(id.as_str())));
    }
    let works = corpus.len();
    if json {
        printer.json(&Removed {
            removed,
            missing,
            works,
        })?;
    } else {
        printer.line(&format!("{} removed; the corpus has {works} papers", removed.len()));
    }
    Ok(ExitCode::Done)
}

fn rejects(dir: &Path, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let corpus = open(dir)?;
    let stats = corpus.stats().map_err(|error| AppError::new(ErrorKind::Input, error))?;
    for import in stats.imports.iter().filter(|import| import.rejected > 0) {
        let file = corpus.rejects_file(import);
        let unreadable = |error: std::io::Error| {
            AppError::with_message(ErrorKind::Input, format!("failed to read {}: {error}", file.display()))
        };
        for line in BufReader::new(File::open(&file).map_err(unreadable)?).lines() {
            let line = line.map_err(unreadable)?;
            // After a crash, the last line may be incomplete.
            let Ok(bad) = serde_json::from_str::<BadRecord>(&line) else {
                continue;
            };
            if json {
                let source = &import.source;
                printer.json(&Rejected { source, bad })?;
            } else {
                printer.line(&plain(&format!("{}: cannot {bad}", import.source)));
            }
        }
    }
    Ok(ExitCode::Done)
}

#[derive(Debug, Serialize)]
struct Rejected<'a> {
    source: &'a str,
    #[serde(flatten)]
    bad: BadRecord,
}

fn check(dir: &Path, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let check = open(dir)?
        .check()
        .map_err(|error| AppError::new(ErrorKind::Input, error))?;
    if json {
        printer.json(&check)?;
    } else {
        printer.line(&format!(
            "checked {} papers and {} full texts; {} problems",
            check.works, check.full_texts, check.problem_count
        ));
        check.problems.iter().for_each(|problem| printer.line(&plain(problem)));
    }
    for source in &check.unfinished {
        printer.note(&format!(
            "the import of {} was interrupted; to continue, repeat the command",
            plain(source)
        ));
    }
    if check.is_sound() {
        return Ok(ExitCode::Done);
    }
    let hint = "rebuild it from its sources";
    Err(AppError::with_message(ErrorKind::Input, "the corpus is damaged").hint(hint))
}

fn stats(dir: &Path, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let corpus = open(dir)?;
    for message in LeftOut::of(&corpus).in_words("it") {
        printer.warning(&plain(&message));
    }
    let stats = corpus.stats().map_err(|error| AppError::new(ErrorKind::Input, error))?;
    if json {
        printer.json(&stats)?;
    } else {
        printer.data(&readable(&stats));
    }
    Ok(ExitCode::Done)
}

fn readable(stats: &CorpusStats) -> String {
    let mut lines = vec![
        format!("papers          {}", stats.works),
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
    lines.push(format!("fields          {}", stats.field_count));
    for field in stats.fields.iter().take(5) {
        lines.push(format!("  {:>7}  {}", field.works, plain(&field.field)));
    }
    if !stats.imports.is_empty() {
        lines.push("imported".to_owned());
    }
    for import in &stats.imports {
        let end = if import.complete {
            ""
        } else {
            ", interrupted; to continue, repeat the command"
        };
        lines.push(format!(
            "  {:>7}  {} ({}; {} could not be used{end})",
            import.items,
            plain(&import.source),
            plain(&import.format),
            import.rejected
        ));
    }
    #[expect(clippy::cast_precision_loss, reason = "megabytes are shown, not bytes")]
    let megabytes = stats.bytes as f64 / 1e6;
    lines.push(format!("on disk         {megabytes:.1} MB"));
    lines.push(String::new());
    lines.join("\n")
}
