use std::path::Path;

use precedent_app::{AppError, cannot_write};

use crate::ExitCode;

/// `precedent manual`: a page for the program, and one for each command and its commands.
pub(super) fn run(dir: &Path) -> Result<ExitCode, AppError> {
    std::fs::create_dir_all(dir)
        .and_then(|()| clap_mangen::generate_to(crate::command(), dir))
        .map_err(|error| cannot_write(dir, &error))?;
    Ok(ExitCode::Done)
}
