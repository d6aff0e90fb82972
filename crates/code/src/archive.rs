use std::io::Read;

use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType};

use crate::intake::Intake;
use crate::parse::understood;
use crate::{Bounds, CodeError, Repository};

/// Reads the repository in a gzipped tar archive as code hosts serve it. The top folder, named after the repository, is dropped. Nothing is unpacked
/// to disk.
///
/// An archive that is truncated or unpacks to more than the limit is read up to that point, and `left_out` says so.
///
/// # Errors
/// If nothing of it can be read.
pub fn read_archive(archive: impl Read, bounds: &Bounds) -> Result<Repository, CodeError> {
    let mut intake = Intake::new(bounds);
    // Reading one byte beyond the limit shows that the archive is larger.
    let mut archive = Archive::new(MultiGzDecoder::new(archive).take(bounds.unpacked));
    let entries = archive.entries().map_err(|source| CodeError::Archive { source })?;
    for (looked_at, entry) in entries.enumerate() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(source) if looked_at == 0 => return Err(CodeError::Archive { source }),
            Err(_) => {
                intake.leave_out("beyond the point where the archive is truncated or too large".to_owned());
                break;
            }
        };
        if !intake.may_look_at_another() {
            break;
        }
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {
                let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                let size = entry.size();
                let inside = path.split_once('/').map_or(path.as_str(), |(_, rest)| rest);
                let leads_out = path.starts_with('/') || path.starts_with("..");
                intake.file(if leads_out { &path } else { inside }, size, entry);
            }
            EntryType::Symlink | EntryType::Link => intake.leave_out("a link".to_owned()),
            _ => {}
        }
    }
    Ok(understood(intake.taken(), bounds))
}
