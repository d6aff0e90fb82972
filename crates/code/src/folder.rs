use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::intake::Intake;
use crate::parse::understood;
use crate::{Bounds, CodeError, Repository};

/// Reads the repository in a local folder. Links are never followed.
///
/// # Errors
/// If the folder cannot be listed.
pub fn read_folder(folder: &Path, bounds: &Bounds) -> Result<Repository, CodeError> {
    let listed = |source| CodeError::Folder {
        path: folder.to_owned(),
        source,
    };
    let mut intake = Intake::new(bounds);
    let mut ahead: Vec<(PathBuf, String)> = vec![(folder.to_owned(), String::new())];
    fs::read_dir(folder).map_err(listed)?;
    'folders: while let Some((place, label)) = ahead.pop() {
        let Ok(entries) = fs::read_dir(&place) else {
            intake.leave_out("a folder that cannot be listed".to_owned());
            continue;
        };
        let mut names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
        names.sort();
        let mut below = Vec::new();
        for name in names {
            if !intake.may_look_at_another() {
                break 'folders;
            }
            let path = place.join(&name);
            let label = format!("{label}{}", name.to_string_lossy());
            // The metadata of a link itself, not of its target.
            let Ok(kind) = fs::symlink_metadata(&path) else {
                continue;
            };
            if kind.is_symlink() {
                intake.leave_out("a link".to_owned());
            } else if kind.is_dir() {
                let is_git = name == ".git";
                if label.matches('/').count() >= bounds.depth {
                    intake.leave_out(format!("deeper than {} folders", bounds.depth));
                } else if !is_git {
                    below.push((path, format!("{label}/")));
                }
            } else if kind.is_file()
                && let Ok(file) = File::open(&path)
            {
                intake.file(&label, kind.len(), file);
            }
        }
        ahead.extend(below.into_iter().rev());
    }
    Ok(understood(intake.taken(), bounds))
}
