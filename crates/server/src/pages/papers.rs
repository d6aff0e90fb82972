use askama::Template;
use axum::Form as Fields;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use precedent_app::{DownloadEgress, PaperChoice};

use super::form::Form;
use super::frame::{PageError, page};
use crate::error::Problem;
use crate::state::Shared;

#[derive(Template)]
#[template(path = "download.html")]
struct DownloadPage<'p> {
    here: &'static str,
    paper: &'p str,
    egress: DownloadEgress,
    /// What the form was sent with, for the next one.
    fields: &'p [(String, String)],
}

fn choice(form: &Form) -> Result<PaperChoice, Problem> {
    let name = form.get("name").map(str::to_owned);
    let name = name.ok_or_else(|| Problem::usage("give the identifier, the address or the title of a paper"))?;
    match form.get("by") {
        Some("title") => Ok(PaperChoice::Title(name)),
        _ => Ok(PaperChoice::Name(name)),
    }
}

/// What downloading a paper would send.
pub(super) async fn show(
    State(state): State<Shared>,
    Fields(fields): Fields<Vec<(String, String)>>,
) -> Result<Response, PageError> {
    let form = Form::of(fields);
    // What cannot be run is not worth a download.
    form.job()?;
    let paper = choice(&form)?;
    let shown = DownloadPage {
        here: "New",
        paper: paper.text(),
        egress: state.download_egress(&paper).await?,
        fields: form.fields(),
    };
    Ok(page(StatusCode::OK, &shown))
}

/// Downloads a paper, adds a run that is not started, and shows what it would send.
pub(super) async fn download(
    State(state): State<Shared>,
    Fields(fields): Fields<Vec<(String, String)>>,
) -> Result<Response, PageError> {
    let mut form = Form::of(fields);
    form.job()?;
    form.files = vec![state.download(choice(&form)?).await?];
    let run = state.draft(form.job()?, None).await?;
    Ok(Redirect::to(&format!("/runs/{}", run.id)).into_response())
}
