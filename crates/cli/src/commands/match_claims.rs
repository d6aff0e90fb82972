use precedent_app::{App, AppError, ClaimAnswer, ErrorKind, Observer, RunEvent, ServiceChoice};
use precedent_engine::compare::one_claim::{ClaimMatch, ClaimQuery};
use precedent_engine::domain::{Extent, WorkId};
use precedent_engine::matcher::Level;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::input;
use super::match_arguments::MatchArguments;
use crate::ExitCode;
use crate::printer::{Printer, counted, plain};

/// Claims processed in parallel. Results are printed in the order of the claims.
const AT_ONCE: usize = 64;

/// A line of `--claims`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimLine {
    id: serde_json::Value,
    text: String,
    #[serde(default)]
    exclude: Vec<WorkId>,
}

#[derive(Debug, Serialize)]
struct MatchOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    results: Vec<ClaimMatch>,
    /// The words that services received.
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<String>,
}

/// Prints warnings of the service layer.
struct WarningPrinter(Printer);

impl Observer for WarningPrinter {
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
            .map(|line| match line.text.trim() {
                "" => Err(AppError::with_message(
                    ErrorKind::Input,
                    format!("the claim with the id {} is empty", plain(&line.id.to_string())),
                )),
                _ => Ok((Some(line.id), line.text, line.exclude)),
            })
            .collect::<Result<_, _>>()?,
        (None, None) => Vec::new(),
    };
    let services = ServiceChoice {
        names: &typed.sources.names,
        settings: typed.settings.as_deref(),
        refresh: typed.refresh,
        ..ServiceChoice::default()
    };
    let matcher = App::default().claim_matcher(&typed.corpus.corpora, services, &WarningPrinter(printer))?;
    for id in matcher.unknown(&typed.exclude)? {
        printer.warning(&format!("--exclude: no paper has the id {}", plain(id.as_str())));
    }
    // Each claim has the whole time of a search at a service.
    let at_once = if matcher.is_online() { 1 } else { AT_ONCE };
    for lines in lines.chunks(at_once) {
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
        for ((id, text, _), answer) in lines.iter().zip(answers) {
            let ClaimAnswer {
                results,
                sent,
                failures,
            } = answer?;
            for failure in &failures {
                printer.warning(&plain(failure));
            }
            match &sent {
                Some(words) => printer.note(&format!("query sent to services: {}", plain(words))),
                None if matcher.is_online() => {
                    printer.warning("nothing was sent to services: the claim has too few words besides names");
                }
                None => {}
            }
            if typed.json {
                printer.json(&MatchOutput {
                    id: id.clone(),
                    results,
                    sent,
                })?;
            } else {
                printer.data(&readable(id.as_ref().map(|id| (id, text.as_str())), &results));
            }
        }
    }
    for limit in matcher.limits() {
        printer.note(&plain(limit));
    }
    for record in matcher.sent() {
        printer.note(&format!(
            "{}: {}, {}",
            record.host,
            counted(record.requests, "request"),
            plain(&record.what)
        ));
    }
    Ok(ExitCode::Done)
}

/// Maximum number of characters of a claim or passage on the terminal. `--json` has all.
const SHOWN: usize = 400;

fn readable(claim: Option<(&serde_json::Value, &str)>, results: &[ClaimMatch]) -> String {
    let mut lines = Vec::new();
    if let Some((id, claim)) = claim {
        lines.push(format!("claim {}: {}", plain(&id.to_string()), shortened(claim)));
    }
    for (rank, found) in results.iter().enumerate() {
        let year = found.year.map_or_else(|| "----".to_owned(), |year| year.to_string());
        let probability = match found.level {
            Level::NotAssessable => "   –  ".to_owned(),
            _ => format!("{:>5}", precedent_report::probability(found.probability)),
        };
        let of = match found.compared {
            Extent::FullText => "",
            Extent::Abstract => ", abstract only",
            Extent::TitleOnly => ", title only",
        };
        lines.push(format!(
            "{:>3}  {probability}  {year}  {}  [{}]",
            rank + 1,
            plain(&found.title),
            found.id
        ));
        lines.push(format!("              {}{of}", label(found.level)));
        if let Some(passage) = &found.passage {
            lines.push(format!("              “{}”", shortened(&passage.text)));
        }
        for (what, terms) in [("shared", &found.shared), ("missing", &found.missing)] {
            if !terms.is_empty() {
                lines.push(format!("              {what}: {}", shortened(&terms.join(", "))));
            }
        }
    }
    if results.is_empty() {
        lines.push(
            "no results: no paper shares an informative term with the claim, or all are excluded or later".to_owned(),
        );
    }
    lines.push(String::new());
    lines.join("\n")
}

fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push_str(" […]");
    }
    plain(&shown)
}

fn label(level: Level) -> &'static str {
    match level {
        Level::Anticipated => "Anticipated",
        Level::Similar => "Similar: needs review",
        Level::None => "No match found",
        Level::NotAssessable => "Not assessable",
    }
}

#[cfg(test)]
mod tests {
    use precedent_engine::matcher::weights;

    #[test]
    fn the_help_states_the_bounds_of_similar() {
        let similar = weights().similar;
        let percent = |bound: f64| format!("from {:.0} %", bound * 100.0);
        for bound in [similar.full_text, similar.abstract_only] {
            assert!(crate::help::MATCH_HELP.contains(&percent(bound)), "{bound}");
        }
    }
}
