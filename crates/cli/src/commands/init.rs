use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use precedent_app::{AppError, ErrorKind, usual_settings_file};
use tempfile::NamedTempFile;

use crate::ExitCode;
use crate::printer::Printer;

/// Every setting with its default, as comments.
const TEMPLATE: &str = include_str!("../settings_template.toml");

/// `precedent init`.
pub(super) fn run(named: Option<PathBuf>, force: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let path = named.or_else(usual_settings_file).ok_or_else(|| {
        let message = "failed to find your configuration folder: neither XDG_CONFIG_HOME nor HOME is set";
        AppError::with_message(ErrorKind::Usage, message).hint("name the file with --settings")
    })?;
    let failed = |error: std::io::Error| {
        let message = format!("failed to write {}: {error}", path.display());
        AppError::with_message(ErrorKind::Input, message)
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    // Written beside the file and then renamed: a failure loses nothing, and a link is replaced instead of followed.
    let mut file = NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(TEMPLATE.as_bytes()).map_err(failed)?;
    let done = match force {
        true => file.persist(&path),
        false => file.persist_noclobber(&path),
    };
    done.map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => {
            let message = format!("{} already exists", path.display());
            AppError::with_message(ErrorKind::Usage, message).hint("edit it, or use --force to overwrite it")
        }
        _ => failed(error.error),
    })?;
    printer.line(&path.display().to_string());
    printer.note("edit the file, then check it with `precedent config show`");
    Ok(ExitCode::Done)
}

#[cfg(test)]
mod tests {
    use precedent_engine::model::StageModels;

    use super::TEMPLATE;

    #[test]
    fn the_template_names_every_stage() {
        let stages = format!("# Models for single stages: {}.", StageModels::STAGES.join(", "));
        assert!(TEMPLATE.contains(&stages), "{stages}");
    }
}
