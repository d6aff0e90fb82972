use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use super::{assets, batches, corpora, evidence, new, papers, run, shared_batches, tools, watches};
use crate::state::Shared;

/// All pages.
pub(crate) fn router() -> Router<Shared> {
    Router::new()
        .route("/", get(new::show))
        .route("/new", post(new::create))
        .route("/papers", post(papers::show))
        .route("/papers/download", post(papers::download))
        .route("/runs", get(run::list))
        .route("/runs/{id}", get(run::show))
        .route("/runs/{id}/start", post(run::start))
        .route("/runs/{id}/stop", post(run::stop))
        .route("/runs/{id}/resume", post(run::resume))
        .route("/runs/{id}/delete", post(run::delete))
        .route("/runs/{id}/share", post(run::share))
        .route("/runs/{id}/unshare", post(run::unshare))
        .route("/runs/{id}/requests", get(run::requests))
        .route("/runs/{id}/claims/{claim}/papers/{paper}", get(evidence::show))
        .route(
            "/runs/{id}/claims/{claim}/papers/{paper}/verify",
            post(evidence::verify),
        )
        .route("/runs/{id}/watch", post(watches::add))
        .route("/batches", get(batches::list))
        .route("/batches/{id}", get(batches::show))
        .route("/batches/{id}/start", post(batches::start))
        .route("/batches/{id}/stop", post(batches::stop))
        .route("/batches/{id}/delete", post(batches::delete))
        .route("/shared-batches/{id}", get(shared_batches::show))
        .route("/shared-batches/{id}/{control}", post(shared_batches::control))
        .route("/watches", get(watches::list))
        .route("/watches/{id}", get(watches::show))
        .route("/watches/{id}/feed", get(watches::feed))
        .route("/watches/{id}/check", post(watches::check))
        .route("/watches/{id}/remove", post(watches::remove))
        .route("/corpora", get(corpora::list).post(corpora::search))
        .route("/new-corpus", post(corpora::create))
        .route("/corpora/{name}", get(corpora::show))
        .route("/corpora/{name}/add", post(corpora::add))
        .route("/corpora/{name}/delete", post(corpora::delete))
        .route("/match", get(tools::match_form).post(tools::match_claim))
        .route("/verify", get(tools::verify_form).post(tools::verify))
        .route("/assets/{name}", get(assets::show))
        // The limits of bodies are in the layers around all routes.
        .layer(DefaultBodyLimit::disable())
}
