//! The pages.

use axum::Router;
use axum::response::{IntoResponse, Response};

use crate::error::Problem;
use crate::state::Shared;

pub(crate) fn router() -> Router<Shared> {
    Router::new()
}

pub(crate) fn problem(problem: &Problem) -> Response {
    problem.clone().into_response()
}
