use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use precedent_app::PaperChoice;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::Body;
use crate::error::Problem;
use crate::inputs::InputFacts;
use crate::state::Shared;

/// A paper to download.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperBody {
    /// Its identifier or address, such as `arXiv:2405.01234`, a DOI or `https://…`.
    paper: Option<String>,
    /// Its title instead, whose words are sent to an index of papers.
    title: Option<String>,
}

impl PaperBody {
    fn choice(self) -> Result<PaperChoice, Problem> {
        match (self.paper, self.title) {
            (Some(name), None) => Ok(PaperChoice::Name(name)),
            (None, Some(title)) => Ok(PaperChoice::Title(title)),
            _ => Err(Problem::usage("give either a paper or a title")),
        }
    }
}

/// What a download would send.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DownloadPlan {
    /// What is sent, in words.
    what: String,
    /// Addresses of the servers that receive it.
    to: Vec<String>,
    /// What may be sent after that, in words.
    perhaps: Option<&'static str>,
}

/// Estimate a download
///
/// What downloading a paper by its name would send, and to whom. Nothing is sent.
#[utoipa::path(
    post, operation_id = "estimate_download", path = "/api/v1/papers/estimate", tag = "inputs", request_body = PaperBody,
    responses(
        (status = 200, description = "What would be sent", body = DownloadPlan),
        (status = "4XX", description = "No name of a paper, or the server downloads none", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn estimate(
    State(state): State<Shared>,
    Body(body): Body<PaperBody>,
) -> Result<Json<DownloadPlan>, Problem> {
    let egress = state.download_egress(&body.choice()?).await?;
    Ok(Json(DownloadPlan {
        what: egress.what,
        to: egress.to,
        perhaps: egress.perhaps,
    }))
}

/// Download a paper
///
/// Sends what the estimate says, and stores the paper as an input.
#[utoipa::path(
    post, operation_id = "download_paper", path = "/api/v1/papers", tag = "inputs", request_body = PaperBody,
    responses(
        (status = 201, description = "Stored", body = InputFacts),
        (status = "4XX", description = "No name of a paper, the server downloads none, or no copy was found", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn download(
    State(state): State<Shared>,
    Body(body): Body<PaperBody>,
) -> Result<impl IntoResponse, Problem> {
    let facts = state.download(body.choice()?).await?;
    Ok((StatusCode::CREATED, Json(facts)))
}
