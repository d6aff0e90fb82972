use crate::runs::RunStatus;
use precedent_engine::domain::IdeaAssessment;

use super::idea_input::{IdeaInput, idea, options, title_of};
use super::session::IdeaSession;
use crate::AppError;
use crate::run::{Run, is_over_budget, status_of_answers};

/// Compares the idea with prior work and writes the reports.
pub(super) fn work(run: &mut Run) -> Result<IdeaAssessment, AppError> {
    let IdeaInput { idea, own, warnings } = idea(&run.manifest.request)?;
    run.pass_on(&warnings);
    let options = options(&run.manifest.request, own, &run.folder.index_path())?;
    run.note_input(&idea.sha256(), Some(&title_of(&idea.text)), "input")?;
    let progress = run.progress(false);
    let found = run.with_ledger(async |run, ledger| {
        let session = IdeaSession::open(run, progress, ledger)?;
        Ok(session.check(&idea, &options).await?)
    })?;
    run.write_reports(&found)?;
    run.manifest.models.clone_from(&found.metadata.models);
    Ok(found)
}

/// Status of a run with this outcome.
pub(super) fn status(found: &IdeaAssessment) -> RunStatus {
    match is_over_budget(&found.metadata.not_searched) {
        true => RunStatus::OverBudget,
        false => status_of_answers(&found.metadata.models),
    }
}
