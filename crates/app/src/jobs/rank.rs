use precedent_engine::World;
use precedent_engine::domain::GroupRanking;
use precedent_engine::idea::Idea;
use precedent_engine::rank::rank;
use precedent_engine::runs::RunStatus;

use super::rank_input::{ideas, options};
use crate::AppError;
use crate::run::{Run, status_of_answers};
use crate::text::counted;

/// Ranks the ideas and writes the reports.
pub(super) fn work(run: &mut Run) -> Result<GroupRanking, AppError> {
    let request = run.manifest.request.clone();
    let options = options(&request)?;
    let ideas = ideas(&request, &*run.events)?;
    let texts: Vec<&str> = ideas.iter().map(|one| one.idea.text.as_str()).collect();
    let sha256 = Idea::new(&texts.join("\0")).sha256();
    run.note_input(&sha256, Some(&counted(ideas.len(), "idea")), "input")?;
    let found = run.in_world(async |world: &World| rank(&ideas, &options, world).await)?;
    run.write_reports(&found)?;
    run.manifest.models.clone_from(&found.models);
    Ok(found)
}

/// Status of a run with this outcome.
pub(super) fn status(found: &GroupRanking) -> RunStatus {
    status_of_answers(&found.models)
}
