use precedent_app::{App, AppError, Input};
use precedent_engine::domain::{Paper, SectionKind};

use crate::ExitCode;
use crate::args::ReadArguments;
use crate::printer::{Printer, plain};

/// `precedent read`.
pub(super) fn run(typed: &ReadArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let paper = App::default().read(&Input::File(typed.input.clone()))?;
    if typed.json {
        printer.json(&paper)?;
    } else {
        printer.line(&paper.document.text);
        printer.note(&summary(&paper));
    }
    for warning in &paper.warnings {
        printer.warning(&plain(&warning.message));
    }
    Ok(ExitCode::Done)
}

/// Summary of the paper in a few lines.
pub(super) fn summary(paper: &Paper) -> String {
    let title = paper
        .title
        .as_deref()
        .map_or_else(|| "(no title found)".to_owned(), plain);
    let authors: Vec<String> = paper.authors.iter().map(|author| plain(&author.name)).collect();
    let sections = paper
        .document
        .sections
        .iter()
        .filter(|section| section.kind != SectionKind::FrontMatter)
        .count();
    let linked = paper
        .citations
        .iter()
        .filter(|mark| !mark.references.is_empty())
        .count();
    let date = paper
        .date()
        .map_or_else(|| "no date found".to_owned(), |dated| dated.date.to_string());
    let mut lines = vec![format!("title: {title}")];
    if !authors.is_empty() {
        lines.push(format!("authors: {}", authors.join(", ")));
    }
    lines.push(format!("date: {date}"));
    lines.push(format!(
        "{sections} sections, {} pages, {} references, {linked} of {} citation marks linked",
        paper.document.pages.len(),
        paper.references.len(),
        paper.citations.len()
    ));
    let reasons = if paper.quality.reasons.is_empty() {
        String::new()
    } else {
        format!(": {}", paper.quality.reasons.join("; "))
    };
    lines.push(format!(
        "extraction quality: {:.2}{}",
        paper.quality.score,
        plain(&reasons)
    ));
    lines.join("\n")
}
