use std::path::PathBuf;

use precedent_app::{App, AppError, CorporaRequest, ErrorKind, SearchAnswer, SearchQuery};
use rayon::prelude::*;
use serde::Deserialize;

use super::input;
use crate::ExitCode;
use crate::args::{QueryArguments, SearchArguments};
use crate::console::Console;
use crate::printer::{Printer, plain};

/// Queries processed in parallel. Results are printed in the order of the queries.
const ASKED_AT_ONCE: usize = 64;

#[derive(Debug, Deserialize)]
struct SearchOutput {
    id: serde_json::Value,
    text: String,
}

/// `precedent search`.
pub(super) fn run(typed: &SearchArguments, printer: Printer) -> Result<ExitCode, AppError> {
    in_corpora(&typed.query, &typed.corpus.corpora, printer)
}

/// Searches these corpora.
pub(super) fn in_corpora(typed: &QueryArguments, paths: &[PathBuf], printer: Printer) -> Result<ExitCode, AppError> {
    let request = CorporaRequest {
        corpora: paths.to_vec(),
        ranking: typed.ranking.into(),
        refine: Some((&typed.refine).into()),
    };
    let corpora = App::default().open_corpora(&request, &Console::new(printer))?;
    for id in corpora.unknown(&typed.exclude)? {
        printer.warning(&format!("--exclude: no paper has the id {}", plain(id.as_str())));
    }
    let query = |id, text| SearchQuery {
        id,
        text,
        as_of: typed.as_of,
        exclude: typed.exclude.clone(),
        venue: typed.venue.clone(),
        field: typed.field.clone(),
        limit: typed.limit,
    };
    let queries = match (&typed.query, &typed.queries) {
        (Some(text), _) if text.trim().is_empty() => {
            return Err(AppError::with_message(ErrorKind::Usage, "the query is empty"));
        }
        (Some(text), _) => vec![query(None, text.clone())],
        (None, Some(path)) => input::json_lines::<SearchOutput>(path, r#"{"id": …, "text": "…"}"#)?
            .into_iter()
            .map(|asked| query(Some(asked.id), asked.text))
            .collect(),
        (None, None) => Vec::new(),
    };
    for queries in queries.chunks(ASKED_AT_ONCE) {
        let answers: Vec<_> = queries.par_iter().map(|query| corpora.search(query)).collect();
        for answer in answers {
            let answer = answer?;
            if typed.json {
                printer.json(&answer)?;
            } else {
                printer.data(&readable(&answer));
            }
        }
    }
    Ok(ExitCode::Done)
}

fn readable(answer: &SearchAnswer) -> String {
    let mut lines = Vec::new();
    if let Some(id) = &answer.id {
        lines.push(format!("query {}", plain(&id.to_string())));
    }
    for (rank, found) in answer.results.iter().enumerate() {
        let year = found.year.map_or_else(|| "----".to_owned(), |year| year.to_string());
        lines.push(format!(
            "{:>3}  {:>8.3}  {year}  {}  [{}]",
            rank + 1,
            found.score,
            plain(&found.title),
            found.id
        ));
    }
    if answer.results.is_empty() {
        lines.push("no results".to_owned());
    }
    lines.push(String::new());
    lines.join("\n")
}
