use precedent_engine::domain::{NotSearched, NotSearchedKind};
use precedent_report::limit_in_brief;

use crate::printer::{Printer, plain};

/// Maximum number of limits on the terminal, and of lines of each. The reports list all.
const NOT_SEARCHED: usize = 3;
const LIMIT_LINES: usize = 2;

/// The last lines of a summary: the first limits of the run.
pub(super) fn lines(found: &[NotSearched], printer: Printer) -> impl Iterator<Item = String> {
    // What is said first is not repeated.
    let is_limit = |one: &&NotSearched| !matches!(one.kind, NotSearchedKind::ModelIncomplete | NotSearchedKind::Budget);
    let found: Vec<&NotSearched> = found.iter().filter(is_limit).collect();
    let more = found.len().saturating_sub(NOT_SEARCHED);
    let shown = found.into_iter().take(NOT_SEARCHED);
    let shown = shown.map(move |one| {
        printer.wrap_to(
            &format!("limit: {}", plain(&limit_in_brief(&one.message))),
            4,
            LIMIT_LINES,
        )
    });
    shown.chain((more > 0).then(|| format!("limit: {more} more in the report")))
}
