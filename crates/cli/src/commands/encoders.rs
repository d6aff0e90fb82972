//! `precedent models`.

use std::path::{Path, PathBuf};

use precedent_app::encoders::{failure, folder_of, known, line};
use precedent_app::{AppError, ErrorKind};
use precedent_engine::corpus::KnownModel;
use precedent_engine::llm::NetworkPolicy;
use serde::Serialize;

use crate::ExitCode;
use crate::printer::Printer;
use crate::refining::ModelsCommand;

/// Maximum size of a downloaded model file.
const LARGEST_FILE: u64 = 600 << 20;

/// `precedent models …`.
pub(super) fn run(typed: &ModelsCommand, printer: Printer) -> Result<ExitCode, AppError> {
    match typed {
        ModelsCommand::Pull { name, from, hub } => pull(name, from.as_deref(), hub.as_deref(), printer),
        ModelsCommand::List { json } => list(*json, printer),
    }
}

fn pull(name: &str, from: Option<&Path>, hub: Option<&str>, printer: Printer) -> Result<ExitCode, AppError> {
    let (model, folder) = known(name)?;
    match from {
        Some(archive) if archive.is_file() => {
            let unpacked = tempfile::tempdir().map_err(|error| AppError::new(ErrorKind::Bug, error))?;
            model.unpack(archive, unpacked.path()).map_err(failure)?;
            model.take_from(unpacked.path(), &folder).map_err(failure)?;
        }
        Some(from) if !from.exists() => {
            let message = format!("{} does not exist", from.display());
            return Err(AppError::with_message(ErrorKind::Input, message)
                .hint("--from needs a folder or package that contains the model's files"));
        }
        Some(from) => model.take_from(from, &folder).map_err(failure)?,
        None => {
            let fetched = tempfile::tempdir().map_err(|error| AppError::new(ErrorKind::Bug, error))?;
            let line = line(NetworkPolicy::Anywhere)?;
            for file in model.files {
                let address = model.address(hub.unwrap_or(KnownModel::HUB), file);
                printer.note(&format!("downloading {address}"));
                let bytes = line.fetch(model.name, &address, LARGEST_FILE).map_err(|error| {
                    failure(error)
                        .hint("without a network, use --from with a folder or package that contains the model's files")
                })?;
                std::fs::write(fetched.path().join(file.path), bytes)
                    .map_err(|error| AppError::new(ErrorKind::Bug, error))?;
            }
            model.take_from(fetched.path(), &folder).map_err(failure)?;
        }
    }
    printer.line(&format!("{} is installed in {}", model.name, folder.display()));
    Ok(ExitCode::Done)
}

#[derive(Debug, Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    folder: Option<PathBuf>,
    here: bool,
}

fn list(json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    for model in KnownModel::all() {
        let folder = folder_of(model);
        let here = folder.as_deref().is_some_and(|folder| model.is_in(folder));
        if json {
            printer.json(&Listed {
                name: model.name,
                about: model.about,
                folder,
                here,
            })?;
        } else {
            let place = match folder.filter(|_| here) {
                Some(folder) => format!("in {}", folder.display()),
                None => format!("not installed; run `precedent models pull {}`", model.name),
            };
            printer.line(&format!("{}  {}  {place}", model.name, model.about));
        }
    }
    Ok(ExitCode::Done)
}
