use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use precedent_report::{page_script, style_sheet};

/// Style sheets and scripts.
pub(crate) async fn show(Path(name): Path<String>) -> Response {
    let (kind, text) = match name.as_str() {
        "report.css" => ("text/css; charset=utf-8", style_sheet()),
        "app.css" => ("text/css; charset=utf-8", include_str!("../../assets/app.css")),
        "page.js" => ("text/javascript; charset=utf-8", page_script()),
        "app.js" => ("text/javascript; charset=utf-8", include_str!("../../assets/app.js")),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    // Asked for again after an hour, because another version of the program may serve the same address.
    (
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=3600")],
        text,
    )
        .into_response()
}
