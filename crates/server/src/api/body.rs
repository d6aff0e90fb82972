use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::error::Problem;

/// A body of JSON. What does not fit is a problem that says where.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let bytes = axum::body::Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|error| Problem::usage(error.body_text()))?;
        let value = serde_json::from_slice(&bytes);
        value
            .map(Self)
            .map_err(|error| Problem::usage(format!("the body is not valid: {error}")))
    }
}
