use axum::extract::DefaultBodyLimit;
use utoipa::OpenApi;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, Ref, RefOr};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{batches, calls, corpora, inputs, papers, runs, server, shared_batches, watches};
use crate::state::Shared;

/// The description of the API without its paths, which the routes add.
#[derive(OpenApi)]
#[openapi(info(
    title = "Precedent",
    description = "Checks the novelty of papers and ideas against prior work. Errors are `application/problem+json`. A request names inputs by \
        hash, and corpora, services and models by the names that the server offers.",
    license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
))]
struct Description;

/// All routes of the API.
pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(inputs::upload))
        .routes(routes!(inputs::show, inputs::delete))
        .routes(routes!(inputs::pdf))
        .routes(routes!(papers::estimate))
        .routes(routes!(papers::download))
        .routes(routes!(runs::estimate))
        .routes(routes!(runs::list, runs::start))
        .routes(routes!(runs::show, runs::delete))
        .routes(routes!(runs::stop))
        .routes(routes!(runs::resume))
        .routes(routes!(runs::share, runs::unshare))
        .routes(routes!(runs::events))
        .routes(routes!(runs::file))
        .routes(routes!(runs::evidence))
        .routes(routes!(runs::sent))
        .routes(routes!(batches::list, batches::start))
        .routes(routes!(batches::show, batches::delete))
        .routes(routes!(batches::csv))
        .routes(routes!(batches::stop))
        .routes(routes!(batches::resume))
        .routes(routes!(shared_batches::list))
        .routes(routes!(shared_batches::show))
        .routes(routes!(shared_batches::papers))
        .routes(routes!(shared_batches::file))
        .routes(routes!(shared_batches::control))
        .routes(routes!(calls::verify))
        .routes(routes!(calls::overlap))
        .routes(routes!(calls::match_claim))
        .routes(routes!(calls::search))
        .routes(routes!(corpora::list, corpora::create))
        .routes(routes!(corpora::show, corpora::delete))
        .routes(routes!(corpora::upload))
        .routes(routes!(watches::list, watches::add))
        .routes(routes!(watches::show, watches::remove))
        .routes(routes!(watches::check))
        .routes(routes!(server::health))
        .routes(routes!(server::metrics))
        .routes(routes!(server::openapi_document))
        // The limits of bodies are in the layers around all routes.
        .layer(DefaultBodyLimit::disable())
}

/// The OpenAPI document of the API, as JSON.
#[must_use]
pub fn openapi() -> String {
    let mut document = router().into_openapi();
    for path in document.paths.paths.values_mut() {
        let operations = [&mut path.get, &mut path.post, &mut path.delete];
        for operation in operations.into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            for (statuses, about) in [
                ("4XX", "The request is not valid or not allowed"),
                ("5XX", "The server or a service failed"),
            ] {
                responses.entry(statuses.to_owned()).or_insert_with(|| problem(about));
            }
        }
    }
    document.to_pretty_json().unwrap_or_default()
}

/// What every operation can answer.
fn problem(about: &str) -> RefOr<Response> {
    let content = Content::new(Some(Ref::from_schema_name("Problem")));
    let response = ResponseBuilder::new().description(about);
    response.content("application/problem+json", content).build().into()
}
