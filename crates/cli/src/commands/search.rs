use std::collections::BTreeMap;
use std::path::PathBuf;

use precedent_app::{AppError, ErrorKind};
use precedent_engine::corpus::{Corpus, Found, Refiner, SearchOptions};
use precedent_engine::library;
use precedent_engine::sources::CorpusSource;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{encoders, input};
use crate::ExitCode;
use crate::args::{QueryArguments, RankingChoice, SearchArguments};
use crate::printer::{Printer, plain};

/// Queries processed in parallel. Results are printed in the order of the queries.
const ASKED_AT_ONCE: usize = 64;

#[derive(Debug, Deserialize)]
struct Asked {
    id: serde_json::Value,
    text: String,
}

#[derive(Debug, Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    results: Vec<Found>,
}

/// `precedent search`.
pub(super) fn run(typed: &SearchArguments, printer: Printer) -> Result<ExitCode, AppError> {
    in_corpora(&typed.query, &typed.corpus.corpora, printer)
}

/// Searches each corpus and fuses the results.
pub(super) fn in_corpora(typed: &QueryArguments, paths: &[PathBuf], printer: Printer) -> Result<ExitCode, AppError> {
    if paths.is_empty() {
        let hint = "choose one with --corpus, or create one with `precedent corpus add DIR FILES…`";
        return Err(AppError::with_message(ErrorKind::NothingSearched, "no corpus to search").hint(hint));
    }
    let scratch = tempfile::tempdir().map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    let models = encoders::chosen(&typed.refine)?;
    let mut corpora = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let (opened, left_out) =
            library::open(path, &scratch.path().join(number.to_string())).map_err(AppError::from)?;
        for message in left_out.in_words(&CorpusSource::name_of(path)) {
            printer.warning(&plain(&message));
        }
        if !opened.has_vectors() && typed.ranking == RankingChoice::Hybrid {
            printer.note(&format!(
                "{} has no vectors, so it is searched by words only; add vectors with `precedent corpus vectors DIR`",
                path.display()
            ));
        }
        let refiner = models.as_ref().map(|models| models.over(&opened));
        corpora.push((opened, refiner));
    }
    for id in &typed.exclude {
        let mut is_there = false;
        for (corpus, _) in &corpora {
            is_there |= corpus
                .contains(id)
                .map_err(|error| AppError::new(ErrorKind::NothingSearched, error))?;
        }
        if !is_there {
            printer.warning(&format!("--exclude: no paper has the id {}", plain(id.as_str())));
        }
    }
    let asked = match (&typed.query, &typed.queries) {
        (Some(text), _) if text.trim().is_empty() => {
            return Err(AppError::with_message(ErrorKind::Usage, "the query is empty"));
        }
        (Some(text), _) => vec![(None, text.clone())],
        (None, Some(path)) => input::json_lines::<Asked>(path, r#"{"id": …, "text": "…"}"#)?
            .into_iter()
            .map(|asked| (Some(asked.id), asked.text))
            .collect(),
        (None, None) => Vec::new(),
    };
    let options = SearchOptions {
        limit: typed.limit,
        as_of: typed.as_of,
        exclude: typed.exclude.clone(),
        venue: typed.venue.clone(),
        field: typed.field.clone(),
        ranking: typed.ranking.into(),
        ..SearchOptions::default()
    };
    for asked in asked.chunks(ASKED_AT_ONCE) {
        let answers: Vec<_> = asked
            .par_iter()
            .map(|(_, text)| search(&corpora, text, &options))
            .collect();
        for ((id, _), results) in asked.iter().zip(answers) {
            let (id, results) = (id.clone(), results?);
            if typed.json {
                printer.json(&Answer { id, results })?;
            } else {
                printer.data(&readable(id.as_ref(), &results));
            }
        }
    }
    Ok(ExitCode::Done)
}

/// Searches one corpus with its own scores, or several with reciprocal rank fusion, because their scores are not comparable.
fn search(corpora: &[(Corpus, Option<Refiner>)], text: &str, options: &SearchOptions) -> Result<Vec<Found>, AppError> {
    if let [(one, refiner)] = corpora {
        return encoders::search(one, refiner.as_ref(), text, options);
    }
    let mut fused: BTreeMap<String, Found> = BTreeMap::new();
    for (corpus, refiner) in corpora {
        let found = encoders::search(corpus, refiner.as_ref(), text, options)?;
        for (rank, found) in found.into_iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a rank is far below 2^52")]
            let share = 1.0 / (60.0 + rank as f64 + 1.0);
            let entry = fused
                .entry(found.id.to_string())
                .or_insert_with(|| Found { score: 0.0, ..found });
            entry.score += share;
        }
    }
    let mut results: Vec<Found> = fused.into_values().collect();
    results.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    results.truncate(options.limit);
    Ok(results)
}

fn readable(id: Option<&serde_json::Value>, results: &[Found]) -> String {
    let mut lines = Vec::new();
    if let Some(id) = id {
        lines.push(format!("query {}", plain(&id.to_string())));
    }
    for (rank, found) in results.iter().enumerate() {
        let year = found.year.map_or_else(|| "----".to_owned(), |year| year.to_string());
        lines.push(format!(
            "{:>3}  {:>8.3}  {year}  {}  [{}]",
            rank + 1,
            found.score,
            plain(&found.title),
            found.id
        ));
    }
    if results.is_empty() {
        lines.push("no results".to_owned());
    }
    lines.push(String::new());
    lines.join("\n")
}
