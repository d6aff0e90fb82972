//! Doubts about papers that were found, for the top of the report.

use precedent_domain::{Doubt, NotSearched, NotSearchedKind, Work};
use precedent_language::wording::and_list;

/// Maximum number of papers named in one line; the others are counted.
const NAMED: usize = 5;

/// One line per kind of doubt: retracted papers, disputed identifiers, disputed dates. Each paper has its alias and number.
pub(crate) fn doubted<'w>(works: impl Iterator<Item = (&'w str, u32, &'w Work)>) -> Vec<NotSearched> {
    let mut retracted = Vec::new();
    let mut disputed = Vec::new();
    let mut dated = Vec::new();
    for (alias, number, work) in works {
        let name = format!("{alias}[{number}]");
        for doubt in &work.doubts {
            match doubt {
                Doubt::Retracted { by } => retracted.push(format!("{name} (according to {})", and_list(by))),
                Doubt::Disputed { on, between } => {
                    disputed.push(format!("{name} ({}; {})", on.join(", "), between.join(", ")));
                }
                Doubt::Date { earlier, later } => dated.push(format!(
                    "{name} (before the paper by {}; later by {})",
                    and_list(earlier),
                    and_list(later)
                )),
                _ => {}
            }
        }
    }
    let mut lines = Vec::new();
    if !retracted.is_empty() {
        lines.push(format!(
            "Retracted: {}. A retracted paper still shows what was published before. Comparisons that rest on one say so.",
            listed(&retracted)
        ));
    }
    if !disputed.is_empty() {
        lines.push(format!(
            "Sources disagree on which paper an identifier names: {}. Such a paper alone does not count as prior art.",
            listed(&disputed)
        ));
    }
    if !dated.is_empty() {
        lines.push(format!(
            "Sources disagree on when these papers appeared: {}. A date that no second source confirms does not count as earlier.",
            listed(&dated)
        ));
    }
    let said = lines.into_iter().map(|message| NotSearched {
        kind: NotSearchedKind::SourcePart,
        message,
        scope: None,
    });
    said.collect()
}

fn listed(names: &[String]) -> String {
    let shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}
