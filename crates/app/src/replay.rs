//! When a run can be replayed.

use std::path::Path;

use crate::runs::RunRequest;
use crate::{AppError, ErrorKind};

/// Whether a run asks models or services, so that a replay needs their recorded answers.
pub(crate) fn needs_record(request: &RunRequest) -> bool {
    request.model.is_some() || !request.sources.is_empty()
}

/// The error for a folder without a run.
pub(crate) fn nothing_recorded(dir: &Path) -> AppError {
    let message = format!("there is no run in {} to replay", dir.display());
    AppError::with_message(ErrorKind::Model, message).hint("set the run's folder with --out")
}

/// Checks that a replay names the models and services of the recorded run. With others, it would replace the report by one of another run.
pub(crate) fn check_models_and_sources(recorded: &RunRequest, now: &RunRequest, dir: &Path) -> Result<(), AppError> {
    let models = |request: &RunRequest| {
        let model = request.model.as_ref();
        model.map(|model| (model.model.clone(), model.stages.clone()))
    };
    let what = if models(recorded) != models(now) {
        "models"
    } else if recorded.sources != now.sources {
        "sources"
    } else {
        return Ok(());
    };
    let message = format!(
        "the run in {} used other {what}, so it cannot be replayed with these",
        dir.display()
    );
    let hint = "repeat its command with --replay; manifest.json in its folder has its options";
    Err(AppError::with_message(ErrorKind::Usage, message).hint(hint))
}
