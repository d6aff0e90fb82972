use askama::Template;
use axum::extract::{Multipart, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use precedent_app::ServiceInfo;

use super::form::Form;
use super::frame::{PageError, page};
use crate::api::content_length;
use crate::state::Shared;

/// Bytes that a form may have besides its file: the limit of a text field, twice.
const AROUND: u64 = 1_000_000;

#[derive(Template)]
#[template(path = "new.html")]
struct NewPage<'p> {
    here: &'static str,
    corpora: Vec<&'p str>,
    services: &'p [ServiceInfo],
    models: &'p [String],
    budget: Option<f64>,
}

/// `/`: what to check, and with what.
pub(super) async fn show(State(state): State<Shared>) -> Response {
    let offer = &state.offer;
    let shown = NewPage {
        here: "New",
        corpora: offer.corpora.names().collect(),
        services: &offer.services,
        models: &offer.models,
        budget: offer.budget,
    };
    page(StatusCode::OK, &shown)
}

/// Adds a run that is not started, and shows what it would send.
pub(super) async fn create(
    State(state): State<Shared>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, PageError> {
    content_length(&headers, AROUND)?;
    let form = Form::read(parts, &state.inputs).await?;
    let run = state.draft(form.job()?).await?;
    Ok(Redirect::to(&format!("/runs/{}", run.id)).into_response())
}
