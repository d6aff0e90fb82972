//! What a review works with: its input, dimensions, personas, embedder and reranker.

use std::path::Path;

use crate::runs::RunRequest;
use precedent_engine::board::{check_required, dimensions, personas};
use precedent_engine::domain::{Paper, ReadWarning};
use precedent_engine::idea::Idea;
use precedent_engine::review::{ReviewInput, ReviewOptions};

use super::idea_input::embedder;
use crate::input::{self, hidden_in, idea_in_file, is_text_file, text_of};
use crate::run::Run;
use crate::{AppError, ErrorKind, encoders};

/// A text file longer than this, in bytes, is read as a paper.
const LONGEST_IDEA: usize = 20_000;

/// The idea or paper to review, and what the user should know about the reading.
pub(crate) fn input_of(request: &RunRequest) -> Result<(ReviewInput, Vec<ReadWarning>), AppError> {
    if let Some(text) = request.review.as_ref().and_then(|review| review.text.as_ref()) {
        return Ok((ReviewInput::Idea(Idea::new(text)), hidden_in(text)));
    }
    input_at(&request.input)
}

/// The idea or paper in a file.
pub(crate) fn input_at(path: &Path) -> Result<(ReviewInput, Vec<ReadWarning>), AppError> {
    if is_text_file(path) && path.is_file() {
        let text = text_of(path)?;
        if text.len() <= LONGEST_IDEA {
            // A text with an abstract is a paper, whose authors and date are not part of the idea.
            let paper = input::paper(path).ok().filter(|paper| paper.abstract_span.is_some());
            return match paper {
                Some(paper) => Ok(of_paper(paper)),
                None => {
                    let (idea, warnings) = idea_in_file(path)?;
                    Ok((ReviewInput::Idea(idea), warnings))
                }
            };
        }
    }
    Ok(of_paper(input::paper(path)?))
}

fn of_paper(paper: Paper) -> (ReviewInput, Vec<ReadWarning>) {
    let warnings = paper.warnings.clone();
    (ReviewInput::Paper(Box::new(paper)), warnings)
}

/// Engine options of a run, with its models.
pub(crate) fn options_of_run(run: &Run) -> Result<ReviewOptions, AppError> {
    let request = &run.manifest.request;
    let options = options(request, &run.folder.index_path(), true)?;
    let reranker = match request.review.as_ref().and_then(|review| review.reranker.as_ref()) {
        Some(asked) => encoders::open_for_run(run, asked)?.reranker,
        None => None,
    };
    Ok(ReviewOptions { reranker, ..options })
}

/// Engine options to estimate a request. A reranker on another machine is left out, so that nothing is sent.
pub(crate) fn options_to_estimate(request: &RunRequest, kept: &Path) -> Result<ReviewOptions, AppError> {
    let options = options(request, kept, true)?;
    let asked = request.review.as_ref().and_then(|review| review.reranker.as_ref());
    let reranker = match asked.filter(|asked| asked.reranker_url.is_none()) {
        Some(asked) => {
            let no_line = || Err(AppError::with_message(ErrorKind::Bug, "an estimate sends nothing"));
            encoders::open(asked, no_line)?.reranker
        }
        None => None,
    };
    Ok(ReviewOptions { reranker, ..options })
}

/// Engine options of a request, without a reranker. Vectors are cached in `kept`. Without `whole` no embedder is opened.
pub(crate) fn options(request: &RunRequest, kept: &Path, whole: bool) -> Result<ReviewOptions, AppError> {
    let asked = request.review.clone().unwrap_or_default();
    let personas = personas(asked.personas.as_deref())?;
    // Checked when the request was made, but files of personas may have changed since.
    check_required(&personas, &asked.required_personas, asked.board)?;
    Ok(ReviewOptions {
        as_of: request.as_of,
        dimensions: dimensions(asked.dimensions.as_deref()).map_err(AppError::from)?,
        personas,
        required: asked.required_personas,
        board: asked.board,
        rounds: asked.rounds,
        keep: asked.keep,
        oversample: asked.oversample,
        alpha: f64::from(asked.alpha_percent) / 100.0,
        as_published: asked.as_published,
        embedder: embedder(asked.embedder.as_deref().filter(|_| whole), kept)?,
        reranker: None,
    })
}
