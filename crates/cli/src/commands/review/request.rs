//! Converts arguments to a repeatable request, and the request to engine options.

use std::path::Path;

use precedent_engine::board::{dimensions, personas};
use precedent_engine::domain::EvidenceKind;
use precedent_engine::pipelines::{Idea, ReviewInput, ReviewOptions};
use precedent_engine::runs::{ReviewRequest, RunRequest};
use precedent_report::review_file_name;

use super::arguments::ReviewArguments;
use crate::ExitCode;
use crate::commands::assess::failure;
use crate::commands::idea::{absolute, embedder, is_text_file, model_of_vectors, text_of, typed_idea};
use crate::commands::{input, models, services};
use crate::exit::Failure;

/// A text file longer than this, in bytes, is read as a paper.
const LONGEST_IDEA: usize = 20_000;

/// Validates the arguments.
pub(super) fn from_arguments(typed: &ReviewArguments) -> Result<RunRequest, Failure> {
    for format in &typed.formats {
        review_file_name(format).map_err(|error| Failure::new(ExitCode::Usage, error))?;
    }
    let sources = services::selected_from(
        &EvidenceKind::ALL,
        &typed.sources,
        typed.model.settings.as_deref(),
        typed.model.local_only,
    )?;
    // A paper may be a folder of LaTeX.
    let (input, text) = match std::path::Path::new(&typed.idea) {
        path if path.is_dir() => (absolute(path)?, None),
        _ => typed_idea(&typed.idea)?,
    };
    let how = &typed.reviewing;
    let folder = |path: &Option<std::path::PathBuf>| path.as_deref().map(absolute).transpose();
    let review = ReviewRequest {
        text,
        dimensions: folder(&how.dimensions)?,
        personas: folder(&how.personas)?,
        board: usize::from(how.board),
        rounds: usize::from(how.rounds),
        keep: usize::from(how.keep),
        oversample: usize::from(how.oversample),
        alpha_percent: how.alpha,
        embedder: how.embedder.as_deref().map(model_of_vectors).transpose()?,
    };
    let request = RunRequest {
        input,
        named: Default::default(),
        corpora: typed
            .corpus
            .corpora
            .iter()
            .map(|path| absolute(path))
            .collect::<Result<_, _>>()?,
        settings: services::settings_for(&sources, &typed.model)?,
        sources,
        full_texts: services::full_texts(None, typed.model.local_only),
        as_of: typed.as_of,
        formats: typed.formats.clone(),
        seed: typed.seed,
        model: models::selected(&typed.model)?,
        idea: None,
        points: None,
        review: Some(review),
    };
    // Reports invalid files now, not after the search.
    options(&request, Path::new("."), false)?;
    Ok(request)
}

/// The idea or paper to review.
pub(super) fn input_of(request: &RunRequest) -> Result<ReviewInput, Failure> {
    if let Some(text) = request.review.as_ref().and_then(|review| review.text.as_ref()) {
        return Ok(ReviewInput::Idea(Idea::new(text)));
    }
    let path = &request.input;
    if is_text_file(path) && path.is_file() {
        let text = text_of(path)?;
        if text.len() <= LONGEST_IDEA {
            // A text with an abstract is a paper, whose authors and date are not part of the idea.
            let paper = input::paper(path).ok().filter(|paper| paper.abstract_span.is_some());
            return Ok(match paper {
                Some(paper) => ReviewInput::Paper(Box::new(paper)),
                None => ReviewInput::Idea(Idea::new(&text)),
            });
        }
    }
    Ok(ReviewInput::Paper(Box::new(input::paper(path)?)))
}

/// Engine options of a request. Vectors are cached in `kept`. Without `whole` no embedder is opened.
pub(super) fn options(request: &RunRequest, kept: &Path, whole: bool) -> Result<ReviewOptions, Failure> {
    let asked = request.review.clone().unwrap_or_default();
    Ok(ReviewOptions {
        as_of: request.as_of,
        dimensions: dimensions(asked.dimensions.as_deref()).map_err(failure)?,
        personas: personas(asked.personas.as_deref()).map_err(failure)?,
        board: asked.board,
        rounds: asked.rounds,
        keep: asked.keep,
        oversample: asked.oversample,
        alpha: f64::from(asked.alpha_percent) / 100.0,
        embedder: embedder(asked.embedder.as_deref().filter(|_| whole), kept)?,
    })
}
