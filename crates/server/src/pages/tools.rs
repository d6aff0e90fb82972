//! Pages that answer at once: match and verify.

use askama::Template;
use axum::Form;
use axum::extract::{Multipart, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use precedent_report::{AlteredReason, ClaimLevel};
use serde::Deserialize;
use serde_json::Value;

use super::form::{AROUND, Form as FileForm, FormLimits};
use super::frame::{PageError, page};
use crate::api::content_length;
use crate::call::TextPlace;
use crate::error::Problem;
use crate::inputs::MOST_BYTES;
use crate::request::checked_text;
use crate::state::Shared;

#[derive(Template)]
#[template(path = "match.html")]
struct MatchPage<'p> {
    here: &'static str,
    claim: &'p str,
    as_of: &'p str,
    problem: Option<Problem>,
    results: Option<Vec<MatchResult>>,
}

struct MatchResult {
    id: String,
    title: String,
    year: Option<u64>,
    level: Option<ClaimLevel>,
    probability: f64,
    compared: String,
    passage: Option<String>,
    missing: Vec<String>,
}

/// `/match`: an empty form.
pub(super) async fn match_form() -> Response {
    let shown = MatchPage {
        here: "Match",
        claim: "",
        as_of: "",
        problem: None,
        results: None,
    };
    page(StatusCode::OK, &shown)
}

/// A claim to find papers for.
#[derive(Debug, Deserialize)]
pub(super) struct MatchForm {
    claim: String,
    #[serde(default)]
    as_of: String,
}

/// The papers that state a claim.
pub(super) async fn match_claim(State(state): State<Shared>, Form(form): Form<MatchForm>) -> Response {
    let as_of = Some(form.as_of.trim().to_owned()).filter(|date| !date.is_empty());
    let found = state.match_claim(&form.claim, &[], as_of, 10).await;
    let code = found.as_ref().map_or_else(Problem::code, |_| StatusCode::OK);
    let (results, problem) = match found {
        Ok(found) => (Some(found), None),
        Err(problem) => (None, Some(problem)),
    };
    let results = results.map(|found| {
        let list = found
            .get("results")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        list.iter().map(match_result).collect()
    });
    let shown = MatchPage {
        here: "Match",
        claim: &form.claim,
        as_of: &form.as_of,
        problem,
        results,
    };
    page(code, &shown)
}

fn match_result(one: &Value) -> MatchResult {
    let text = |name: &str| one.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let missing = one.get("missing").and_then(Value::as_array).into_iter().flatten();
    MatchResult {
        id: text("id"),
        title: text("title"),
        year: one.get("year").and_then(Value::as_u64),
        level: one.get("level").and_then(|level| ClaimLevel::deserialize(level).ok()),
        probability: one.get("probability").and_then(Value::as_f64).unwrap_or_default(),
        compared: text("compared"),
        passage: one.pointer("/passage/text").and_then(Value::as_str).map(str::to_owned),
        missing: missing.filter_map(Value::as_str).map(str::to_owned).collect(),
    }
}

#[derive(Template)]
#[template(path = "verify.html")]
struct VerifyPage<'p> {
    here: &'static str,
    quote: &'p str,
    text: &'p str,
    /// Where the quote comes from; empty for none.
    back: &'p str,
    problem: Option<Problem>,
    answer: Option<Verified>,
}

/// The answer for one quote.
#[derive(Debug, Deserialize)]
struct Verified {
    outcome: String,
    text: Option<String>,
    page: Option<u32>,
    section: Option<String>,
    note: Option<String>,
    #[serde(default)]
    edits: Vec<Value>,
    #[serde(default)]
    reasons: Vec<AlteredReason>,
}

impl Verified {
    fn label(&self) -> &'static str {
        match self.outcome.as_str() {
            "exact" => "Exact",
            "close" => "Close",
            "altered" => "Altered: not verified",
            "stitched" => "Stitched",
            "too_short" => "Not checked",
            _ => "Absent: not verified",
        }
    }

    fn meaning(&self) -> &'static str {
        match self.outcome.as_str() {
            "exact" => "The source contains the quote word for word.",
            "close" => "The source contains the quote with small differences that do not change the meaning.",
            "altered" => "The passage is in the source, but the differences change the meaning.",
            "stitched" => "The pieces are in the source, in order. The omitted text may change the meaning.",
            // The note says why.
            "too_short" => "",
            _ => "The source does not contain the quote.",
        }
    }

    /// The passage of the source, or that there is none; `None` if the source was not searched.
    fn passage(&self) -> Option<&str> {
        match self.outcome.as_str() {
            "too_short" => None,
            _ => Some(self.text.as_deref().unwrap_or("The source has no such passage.")),
        }
    }

    /// Why it is altered, in words.
    fn reasons(&self) -> String {
        let words: Vec<&str> = self
            .reasons
            .iter()
            .map(|one| precedent_report::altered_reason(*one))
            .collect();
        words.join("; ")
    }

    /// The words of the source and of the quote that differ, in order.
    fn differences(&self) -> Vec<(String, String)> {
        let text = |edit: &Value, name: &str| edit.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let edits = self
            .edits
            .iter()
            .map(|edit| (text(edit, "source"), text(edit, "quote")));
        edits
            .filter(|(source, quote)| !source.is_empty() || !quote.is_empty())
            .collect()
    }
}

/// `/verify`: an empty form.
pub(super) async fn verify_form() -> Response {
    verify_page("", "", "", None, None)
}

/// Checks a quote against a file or a text.
pub(super) async fn verify(
    State(state): State<Shared>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, PageError> {
    content_length(&headers, MOST_BYTES, AROUND)?;
    let form = FileForm::read(parts, &state.inputs, FormLimits::files(1)).await?;
    let (quote, text) = (
        form.get("quote").unwrap_or_default(),
        form.get("text").unwrap_or_default(),
    );
    let source = match (form.file(), text) {
        (Some(file), _) => state.inputs.path(&file.sha256).map(TextPlace::File),
        (None, "") => Err(Problem::usage("give a source: a file or a text")),
        (None, text) => checked_text(text).map(TextPlace::Text),
    };
    let answer = match source {
        Ok(source) => state.verify(source, vec![quote.to_owned()]).await,
        Err(problem) => Err(problem),
    };
    if let Some(file) = form.file() {
        // An answer does not depend on it.
        let _ = state.jobs.forget_input(&file.sha256);
    }
    Ok(verified(quote, text, "", answer))
}

/// The page for the answer to one quote.
pub(super) fn verified(quote: &str, text: &str, back: &str, answer: Result<Value, Problem>) -> Response {
    let first = answer.map(|found| found.get(0).cloned().unwrap_or_default());
    let unreadable = |error| Problem::bug(format!("failed to read the answer: {error}"));
    match first.and_then(|found| serde_json::from_value(found).map_err(unreadable)) {
        Ok(answer) => verify_page(quote, text, back, None, Some(answer)),
        Err(problem) => verify_page(quote, text, back, Some(problem), None),
    }
}

fn verify_page(quote: &str, text: &str, back: &str, problem: Option<Problem>, answer: Option<Verified>) -> Response {
    let code = problem.as_ref().map_or(StatusCode::OK, Problem::code);
    let shown = VerifyPage {
        here: "Verify",
        quote,
        text,
        back,
        problem,
        answer,
    };
    page(code, &shown)
}
