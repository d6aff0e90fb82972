use precedent_app::{App, AppError, ErrorKind, Observer, RunEvent};
use precedent_engine::domain::{Extent, WorkId};
use precedent_engine::matcher::Level;
use precedent_engine::matching::{ClaimMatch, ClaimQuery};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::input;
use super::match_arguments::MatchArguments;
use crate::ExitCode;
use crate::printer::{Printer, plain};

/// Claims processed in parallel. Results are printed in the order of the claims.
const AT_ONCE: usize = 64;

/// A line of `--claims`.
#[derive(Debug, Deserialize)]
struct ClaimLine {
    id: serde_json::Value,
    text: String,
    #[serde(default)]
    exclude: Vec<WorkId>,
}

#[derive(Debug, Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    results: Vec<ClaimMatch>,
}

/// Prints warnings of the service layer.
struct Warnings(Printer);

impl Observer for Warnings {
    fn event(&self, event: &RunEvent) {
        if let RunEvent::Warning { message } = event {
            self.0.warning(message);
        }
    }
}

/// `precedent match`.
pub(super) fn run(typed: &MatchArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let lines = match (&typed.claim, &typed.claims) {
        (Some(text), _) if text.trim().is_empty() => {
            return Err(AppError::with_message(ErrorKind::Usage, "the claim is empty"));
        }
        (Some(text), _) => vec![(None, text.clone(), Vec::new())],
        (None, Some(path)) => input::json_lines::<ClaimLine>(path, r#"{"id": …, "text": "…"}"#)?
            .into_iter()
            .map(|line| (Some(line.id), line.text, line.exclude))
            .collect(),
        (None, None) => Vec::new(),
    };
    let matcher = App::default().claim_matcher(&typed.corpus.corpora, &Warnings(printer))?;
    for lines in lines.chunks(AT_ONCE) {
        let answers: Vec<_> = lines
            .par_iter()
            .map(|(_, text, exclude)| {
                matcher.matches(&ClaimQuery {
                    text: text.clone(),
                    exclude: typed.exclude.iter().chain(exclude).cloned().collect(),
                    as_of: typed.as_of,
                    limit: typed.limit,
                })
            })
            .collect();
        for ((id, text, _), results) in lines.iter().zip(answers) {
            let results = results?;
            if typed.json {
                printer.json(&Answer {
                    id: id.clone(),
                    results,
                })?;
            } else {
                printer.data(&readable(id.as_ref().map(|_| text.as_str()), &results));
            }
        }
    }
    Ok(ExitCode::Done)
}

fn readable(claim: Option<&str>, results: &[ClaimMatch]) -> String {
    let mut lines = Vec::new();
    if let Some(claim) = claim {
        lines.push(format!("claim: {}", plain(claim)));
    }
    for (rank, found) in results.iter().enumerate() {
        let year = found.year.map_or_else(|| "----".to_owned(), |year| year.to_string());
        let of = if found.compared == Extent::FullText {
            ""
        } else {
            ", abstract only"
        };
        lines.push(format!(
            "{:>3}  {:>4.0} %  {year}  {}  [{}]",
            rank + 1,
            found.probability * 100.0,
            plain(&found.title),
            found.id
        ));
        lines.push(format!("              {}{of}", label(found.level)));
        if let Some(passage) = &found.passage {
            lines.push(format!("              “{}”", plain(&passage.text)));
        }
        for (what, terms) in [("shared", &found.shared), ("missing", &found.missing)] {
            if !terms.is_empty() {
                lines.push(format!("              {what}: {}", plain(&terms.join(", "))));
            }
        }
    }
    if results.is_empty() {
        lines.push("no results".to_owned());
    }
    lines.push(String::new());
    lines.join("\n")
}

fn label(level: Level) -> &'static str {
    match level {
        Level::Anticipated => "Anticipated",
        Level::Similar => "Similar: needs review",
        Level::None => "No match found",
        Level::NotAssessable => "Not assessable",
    }
}
