use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use crate::ExitCode;
use crate::exit::Failure;
use crate::printer::Printer;
use crate::settings::usual_place;

/// Every setting with its default, as comments.
const TEMPLATE: &str = include_str!("../settings_template.toml");

/// `precedent init`.
pub(super) fn run(named: Option<PathBuf>, force: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let path = named.or_else(usual_place).ok_or_else(|| {
        let message = "failed to find your configuration folder: neither XDG_CONFIG_HOME nor HOME is set";
        Failure::said(ExitCode::Usage, message).hint("name the file with --settings")
    })?;
    let failed = |error: std::io::Error| {
        let message = format!("failed to write {}: {error}", path.display());
        Failure::said(ExitCode::Input, message)
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut options = OpenOptions::new();
    match force {
        true => options.create(true).truncate(true),
        // Fails if the file exists, even if another process created it just now.
        false => options.create_new(true),
    };
    let mut file = options.write(true).open(&path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            let message = format!("{} already exists", path.display());
            Failure::said(ExitCode::Usage, message).hint("edit it, or use --force to overwrite it")
        }
        _ => failed(error),
    })?;
    file.write_all(TEMPLATE.as_bytes()).map_err(failed)?;
    printer.line(&path.display().to_string());
    printer.note("edit the file, then check it with `precedent config show`");
    Ok(ExitCode::Done)
}
