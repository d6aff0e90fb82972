use std::path::PathBuf;

use precedent_app::overlap::Passage;
use precedent_app::{App, AppError, Input};

use super::overlap_shown::{readable, summary};
use crate::ExitCode;
use crate::args::OverlapArguments;
use crate::console::Console;
use crate::printer::Printer;

/// `precedent overlap`.
pub(super) fn run(typed: &OverlapArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let app = App::default();
    let open = |path: &PathBuf| app.open_text(&Input::File(path.clone()), &Console::new(printer));
    let target = open(&typed.target)?;
    let (mut others, mut unread) = (Vec::new(), None);
    for path in &typed.others {
        match open(path) {
            Ok(text) => others.push(text),
            Err(failure) if typed.others.len() == 1 => return Err(failure),
            // If one of several texts cannot be read, the others are still compared. The exit code shows the failure.
            Err(failure) => {
                printer.failure(&failure);
                unread = Some(ExitCode::from(failure.kind));
            }
        }
    }
    let code = unread.unwrap_or(ExitCode::Done);
    let answer = target.overlap(&others, usize::from(typed.min_words));
    if typed.json {
        printer.json(&answer)?;
        return Ok(code);
    }
    let target = typed.target.display().to_string();
    // Unexplained passages come first.
    let (open, explained): (Vec<&Passage>, Vec<_>) =
        answer.passages.iter().partition(|passage| passage.marks.is_empty());
    let all = open
        .iter()
        .chain(&explained)
        .copied()
        .chain(&answer.paraphrase_candidates);
    for (number, passage) in (1..).zip(all) {
        printer.line(&readable(number, passage, &target, printer));
    }
    printer.note(&summary(
        (open.len(), explained.len(), answer.paraphrase_candidates.len()),
        typed.min_words,
    ));
    Ok(code)
}
