use askama::Template;
use axum::extract::{Multipart, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use precedent_app::ServiceInfo;

use super::form::{AROUND, Form, FormLimits, MOST_FILES_BYTES};
use super::frame::{PageError, page};
use crate::api::content_length;
use crate::batches::{MOST_PAPERS, NewBatch, NewPaper};
use crate::inputs::InputFacts;
use crate::request::JobRequest;
use crate::state::Shared;

/// In US dollars.
const CENT: f64 = 0.01;

#[derive(Template)]
#[template(path = "new.html")]
struct NewPage<'p> {
    here: &'static str,
    corpora: Vec<String>,
    services: &'p [ServiceInfo],
    models: &'p [String],
    budget: Option<f64>,
}

impl NewPage<'_> {
    /// Whether no cent of the user's budget is left.
    fn is_spent(&self) -> bool {
        self.budget.is_some_and(|left| left < CENT)
    }
}

/// `/`: what to check, and with what.
pub(super) async fn show(State(state): State<Shared>) -> Response {
    let offer = &state.offer;
    let shown = NewPage {
        here: "New",
        corpora: offer.corpora.names(),
        services: &offer.services,
        models: &offer.models,
        budget: state.jobs.budget(),
    };
    page(StatusCode::OK, &shown)
}

/// Adds a run that is not started, or a batch of them if there are several files, and shows what it would send.
pub(super) async fn create(
    State(state): State<Shared>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, PageError> {
    content_length(&headers, MOST_FILES_BYTES, AROUND)?;
    let form = Form::read(parts, &state.inputs, FormLimits::files(MOST_PAPERS)).await?;
    let request = form.job()?;
    if form.files.len() > 1 {
        let batch = state.draft_batch(NewBatch {
            name: form.get("batch").map(str::to_owned),
            papers: form.files.iter().map(paper).collect(),
            request: JobRequest { input: None, ..request },
        });
        return Ok(Redirect::to(&format!("/batches/{}", batch.await?.id)).into_response());
    }
    let name = form.file().map(|file| file.name.clone());
    let run = state.draft(request, name).await?;
    Ok(Redirect::to(&format!("/runs/{}", run.id)).into_response())
}

/// A file by the name that it was sent with.
fn paper(file: &InputFacts) -> NewPaper {
    NewPaper {
        sha256: file.sha256.clone(),
        name: Some(file.name.clone()),
    }
}
