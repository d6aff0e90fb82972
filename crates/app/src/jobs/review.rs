use crate::runs::RunStatus;
use precedent_engine::World;
use precedent_engine::domain::IdeaReview;
use precedent_engine::review::{ReviewInput, review};
use precedent_report::InWords;

use super::idea_input::title_of;
use super::review_input::{input_of, options_of_run};
use crate::AppError;
use crate::run::{Run, status_of_search};

/// Runs the review and writes the reports.
pub(super) fn work(run: &mut Run) -> Result<IdeaReview, AppError> {
    let request = run.manifest.request.clone();
    let (input, warnings) = input_of(&request)?;
    run.pass_on(&warnings);
    match &input {
        ReviewInput::Idea(one) => run.note_input(&one.sha256(), Some(&title_of(&one.text)), "input")?,
        ReviewInput::Paper(paper) => {
            run.note_input(&paper.origin.sha256, paper.title.as_deref(), "input")?;
        }
    }
    let options = options_of_run(run)?;
    let mut found = run.in_world(async |world: &World| review(&input, &options, world).await)?;
    found.put_in_words();
    run.write_reports(&found)?;
    run.manifest.models.clone_from(&found.metadata.models);
    Ok(found)
}

/// Status of a run with this outcome.
pub(super) fn status(found: &IdeaReview) -> RunStatus {
    status_of_search(&found.metadata)
}
