use precedent_app::verify::Outcome;
use precedent_app::{App, AppError, ErrorKind, Input, QuoteQuery};

use super::quotes;
use super::verify_shown::{readable, summary};
use crate::ExitCode;
use crate::args::VerifyArguments;
use crate::console::Console;
use crate::printer::{Printer, counted};

/// `precedent verify`.
pub(super) fn run(typed: &VerifyArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let lines = match (&typed.quote, &typed.quotes) {
        (Some(quote), _) => vec![(1, Ok(QuoteQuery::new(quote)))],
        (None, Some(path)) => quotes::lines(path)?,
        (None, None) => Vec::new(),
    };
    let source = App::default().open_text(&Input::File(typed.source.clone()), &Console::new(printer))?;
    let file = typed
        .quotes
        .as_deref()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    if lines.is_empty() {
        let message = format!("{file} contains no quotes; nothing was checked");
        if typed.strict {
            return Err(AppError::with_message(ErrorKind::Input, message));
        }
        printer.warning(&message);
        return Ok(ExitCode::Done);
    }
    let mut outcomes = Vec::new();
    let (all, single) = (lines.len(), typed.quote.is_some());
    for (number, line) in lines {
        let query = match line {
            Ok(query) => query,
            Err(why) => {
                printer.warning(&format!("line {number} of {file}: {why}"));
                continue;
            }
        };
        let answer = source.verify(&query);
        outcomes.push(answer.outcome);
        if typed.json {
            printer.json(&answer)?;
        } else {
            printer.line(&readable(&answer, &query.quote, single, &source, printer));
        }
    }
    if !single && !outcomes.is_empty() {
        printer.note(&summary(&outcomes, &typed.source.display().to_string()));
    }
    if outcomes.len() < all {
        let message = format!("failed to read {} of {all} lines of {file}", all - outcomes.len());
        return Err(AppError::with_message(ErrorKind::Input, message).hint(format!(
            "each line must be {}; the other lines were checked",
            quotes::SHAPE
        )));
    }
    if typed.strict {
        return every_quote_is_exact(&outcomes, &typed.source.display().to_string());
    }
    Ok(ExitCode::Done)
}

/// The check of `--strict`. `Close` fails too, because CI jobs rely on the exact words.
fn every_quote_is_exact(outcomes: &[Outcome], source: &str) -> Result<ExitCode, AppError> {
    let failed = outcomes.iter().filter(|outcome| **outcome != Outcome::Exact).count();
    if failed == 0 {
        return Ok(ExitCode::Done);
    }
    let message = format!(
        "{failed} of {} failed the check against {source}",
        counted(outcomes.len(), "quote")
    );
    Err(AppError::with_message(ErrorKind::NotVerbatim, message)
        .hint("--strict accepts only the outcome `exact`; without it the exit code is 0"))
}
