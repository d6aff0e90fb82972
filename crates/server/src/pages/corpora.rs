//! Corpora: those of the server, and those that the user makes from uploads.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::multipart::Field;
use axum::extract::{Multipart, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::Value;

use super::form::{AROUND, FileStore, Form as FileForm, FormLimits, MOST_FILES_BYTES};
use super::frame::{PageError, page};
use crate::api::content_length;
use crate::corpora::{CorpusView, OwnCorpora};
use crate::error::Problem;
use crate::state::{Shared, State as Server};
use crate::uploads::{Received, SizeLimit, in_background};

/// Files of a form; chosen by hand. The form may have 500 MB.
const MOST_FILES: usize = 100;

/// Terms and values about a corpus.
type Facts = Vec<(&'static str, String)>;

#[derive(Template)]
#[template(path = "corpora.html")]
struct CorporaPage<'p> {
    here: &'static str,
    /// The corpora of the server.
    corpora: Vec<(String, Result<Facts, Problem>)>,
    own: Vec<CorpusView>,
    query: &'p str,
    /// Id, title and year.
    found: Vec<(String, String, Option<u64>)>,
}

/// `/corpora`: the corpora and their statistics.
pub(super) async fn list(State(state): State<Shared>) -> Response {
    list_page(&state, "", Vec::new()).await
}

/// Words to search corpora for.
#[derive(Debug, Deserialize)]
pub(super) struct SearchForm {
    query: String,
}

/// Searches all corpora.
pub(super) async fn search(State(state): State<Shared>, Form(form): Form<SearchForm>) -> Result<Response, PageError> {
    let found = state.search(&form.query, &[], None, 20).await?;
    let results = found
        .get("results")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let text = |one: &Value, name: &str| one.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let results = results.iter().map(|one| {
        (
            text(one, "id"),
            text(one, "title"),
            one.get("year").and_then(Value::as_u64),
        )
    });
    Ok(list_page(&state, &form.query, results.collect()).await)
}

async fn list_page(state: &Server, query: &str, found: Vec<(String, String, Option<u64>)>) -> Response {
    let names: Vec<String> = state.offer.corpora.of_server().map(str::to_owned).collect();
    let mut corpora = Vec::new();
    for name in names {
        let facts = facts(state, &name).await;
        corpora.push((name, facts));
    }
    let shown = CorporaPage {
        here: "Corpora",
        corpora,
        own: state.jobs.corpora(),
        query,
        found,
    };
    page(StatusCode::OK, &shown)
}

async fn facts(state: &Server, name: &str) -> Result<Facts, Problem> {
    let found = state.statistics(name).await?;
    let count = |name: &str| found.get(name).and_then(Value::as_u64).unwrap_or_default();
    let years: Vec<u64> = found
        .get("years")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|one| one.get("year")?.as_u64())
        .collect();
    let mut facts = vec![
        ("Papers", count("works").to_string()),
        ("With abstract", count("with_abstract").to_string()),
        (
            "With full text",
            format!("{} ({} passages)", count("with_full_text"), count("passages")),
        ),
        ("Dated", count("dated").to_string()),
        ("Venues", count("venue_count").to_string()),
    ];
    if let (Some(first), Some(last)) = (years.first(), years.last()) {
        facts.push(("Years", format!("{first} to {last}")));
    }
    Ok(facts)
}

#[derive(Template)]
#[template(path = "corpus.html")]
struct CorpusPage {
    here: &'static str,
    corpus: CorpusView,
    facts: Result<Facts, Problem>,
    /// Waiting and running runs that use it.
    runs: usize,
}

/// `/corpora/{name}`: a corpus that the user made.
pub(super) async fn show(State(state): State<Shared>, Path(name): Path<String>) -> Result<Response, PageError> {
    let corpus = state.jobs.corpus(&name)?;
    let shown = CorpusPage {
        here: "Corpora",
        facts: match corpus.papers == 0 || corpus.hidden {
            true => Ok(Vec::new()),
            false => facts(&state, &name).await,
        },
        runs: state.jobs.runs_with(&name),
        corpus,
    };
    Ok(page(StatusCode::OK, &shown))
}

impl FileStore for OwnCorpora {
    type Kept = (String, Received);

    async fn keep(&self, name: &str, file: Field<'_>, most: SizeLimit) -> Result<(Self::Kept, u64), Problem> {
        let kept = self.receive(name, file, most).await?;
        let bytes = kept.1.bytes;
        Ok((kept, bytes))
    }
}

fn to_corpus(name: &str) -> Response {
    Redirect::to(&format!("/corpora/{name}")).into_response()
}

async fn read(state: &Server, headers: &HeaderMap, parts: Multipart) -> Result<FileForm<(String, Received)>, Problem> {
    content_length(headers, MOST_FILES_BYTES, AROUND)?;
    FileForm::read(parts, &*state.own, FormLimits::files(MOST_FILES)).await
}

/// Makes a corpus, perhaps with its first files.
pub(super) async fn create(
    State(state): State<Shared>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, PageError> {
    let _uploading = state.own.uploading()?;
    let form = read(&state, &headers, parts).await?;
    let name = form.get("name").unwrap_or_default().to_owned();
    state.offer.corpora.create(&name)?;
    let (jobs, made) = (Arc::clone(&state.jobs), name.clone());
    in_background(move || {
        // Whoever tries again gets the name.
        let imported = jobs.import(&made, &form.files);
        imported.inspect_err(|_| drop(jobs.delete_corpus(&made)))
    })
    .await?;
    Ok(to_corpus(&name))
}

/// Adds files to a corpus.
pub(super) async fn add(
    State(state): State<Shared>,
    Path(name): Path<String>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, PageError> {
    state.is_own(&name)?;
    let _uploading = state.own.uploading()?;
    let form = read(&state, &headers, parts).await?;
    if form.files.is_empty() {
        return Err(Problem::usage("choose a file").into());
    }
    let (jobs, to) = (Arc::clone(&state.jobs), name.clone());
    in_background(move || jobs.import(&to, &form.files)).await?;
    Ok(to_corpus(&name))
}

/// Deletes a corpus.
pub(super) async fn delete(State(state): State<Shared>, Path(name): Path<String>) -> Result<Response, PageError> {
    state.delete_corpus(&name).await?;
    Ok(Redirect::to("/corpora").into_response())
}
