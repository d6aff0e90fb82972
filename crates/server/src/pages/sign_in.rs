use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use super::frame::page;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'p> {
    next: &'p str,
    wrong: bool,
}

/// `/sign-in`: the form for a token.
pub(crate) fn sign_in(code: StatusCode, next: &str, wrong: bool) -> Response {
    page(code, &SignInPage { next, wrong })
}
