use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::frame::{PageError, page};
use super::tools::verified;
use crate::call::TextPlace;
use crate::error::Problem;
use crate::evidence::{Evidence, EvidencePassage, PassagePair, Piece, pieces};
use crate::guard::with_frame;
use crate::jobs::JobRecord;
use crate::state::Shared;

#[derive(Template)]
#[template(path = "evidence.html")]
struct EvidencePage<'p> {
    here: &'static str,
    run: JobRecord,
    evidence: &'p Evidence,
    /// With their numbers, from 1.
    pairs: Vec<(usize, &'p PassagePair, [Side<'p>; 2])>,
    texts: [WholeText<'p>; 2],
    /// The address and the name of the paper, if it is an uploaded PDF.
    pdf: Option<(String, String)>,
}

/// A passage of one of the two texts.
struct Side<'p> {
    /// `own` or `other`.
    id: &'static str,
    label: &'static str,
    passage: &'p EvidencePassage,
    /// Whether its text is on the page.
    has_text: bool,
}

/// One of the two texts, cut at the borders of passages.
struct WholeText<'p> {
    id: &'static str,
    label: &'static str,
    pieces: Option<Vec<Piece<'p>>>,
}

const OWN: (&str, &str) = ("own", "The paper");
const OTHER: (&str, &str) = ("other", "Prior work");

/// Both texts, side by side, with the passages that a claim and a paper have in common.
pub(super) async fn show(
    State(state): State<Shared>,
    Path((id, claim, paper)): Path<(String, u32, u32)>,
) -> Result<Response, PageError> {
    let run = state.jobs.get(&id)?;
    let evidence = match state.evidence(&id, claim, paper, true).await {
        Ok(evidence) => evidence,
        // A text that cannot be read now does not hide the passages.
        Err(problem) if problem.status != 404 => state.evidence(&id, claim, paper, false).await?,
        Err(problem) => return Err(problem.into()),
    };
    let side = |of: fn(&PassagePair) -> &EvidencePassage| evidence.pairs.iter().map(of).collect::<Vec<_>>();
    let (own, other) = (side(|pair| &pair.own), side(|pair| &pair.other));
    let texts = evidence.texts.as_ref();
    let whole = |(id, label), pieces| WholeText { id, label, pieces };
    let texts = [
        whole(OWN, texts.map(|texts| pieces(&texts.own, &own))),
        whole(
            OTHER,
            texts
                .and_then(|texts| texts.other.as_deref())
                .map(|text| pieces(text, &other)),
        ),
    ];
    let has = texts.each_ref().map(|text| text.pieces.is_some());
    let input = run.request.input.as_deref();
    let pdf = input.and_then(|sha256| state.inputs.pdf(sha256).ok());
    let shown = EvidencePage {
        here: "Runs",
        pdf: pdf.map(|(facts, _)| (format!("/api/v1/inputs/{}/pdf", facts.sha256), facts.name)),
        run,
        pairs: (1..)
            .zip(&evidence.pairs)
            .map(|(number, pair)| (number, pair, sides(pair, has)))
            .collect(),
        texts,
        evidence: &evidence,
    };
    Ok(with_frame(page(StatusCode::OK, &shown)))
}

/// Both passages of a pair. `has_text` says whether the texts are on the page.
fn sides(pair: &PassagePair, has_text: [bool; 2]) -> [Side<'_>; 2] {
    let ([has_own, has_other], (own, other)) = (has_text, (OWN, OTHER));
    [
        Side {
            id: own.0,
            label: own.1,
            passage: &pair.own,
            has_text: has_own,
        },
        Side {
            id: other.0,
            label: other.1,
            passage: &pair.other,
            has_text: has_other,
        },
    ]
}

/// Which passage to verify.
#[derive(Debug, Deserialize)]
pub(super) struct VerifyForm {
    side: String,
    pair: usize,
}

/// Checks a passage of the evidence against its whole text.
pub(super) async fn verify(
    State(state): State<Shared>,
    Path((id, claim, paper)): Path<(String, u32, u32)>,
    Form(form): Form<VerifyForm>,
) -> Result<Response, PageError> {
    let evidence = state.evidence(&id, claim, paper, true).await?;
    let pair = form.pair.checked_sub(1).and_then(|at| evidence.pairs.get(at));
    let pair = pair.ok_or_else(|| Problem::not_found("passage"))?;
    let texts = evidence.texts.as_ref();
    let (passage, text) = match form.side.as_str() {
        "own" => (&pair.own, texts.map(|texts| texts.own.clone())),
        _ => (&pair.other, texts.and_then(|texts| texts.other.clone())),
    };
    let text = text.ok_or_else(|| Problem::not_found("text"))?;
    let back = format!("/runs/{id}/claims/{claim}/papers/{paper}");
    let answer = state.verify(TextPlace::Text(text), vec![passage.text.clone()]).await;
    Ok(verified(&passage.text, "", &back, answer))
}
