use std::fs;
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use crate::CorpusError;

/// The bytes of a file in `folder`, memory-mapped; `None` if it is missing or cannot be mapped. Files beside the index can be made again.
pub(crate) fn mapped(folder: &Path, name: &Path) -> Option<OwnedBytes> {
    if !folder.join(name).is_file() {
        return None;
    }
    let directory = MmapDirectory::open(folder).ok()?;
    directory.open_read(name).ok()?.read_bytes().ok()
}

/// Writes a file in `folder` atomically: after a crash it is missing or complete.
pub(crate) fn write_whole(folder: &Path, name: &Path, bytes: &[u8]) -> Result<(), CorpusError> {
    fs::create_dir_all(folder).map_err(CorpusError::io("write", folder))?;
    let half = folder.join(name).with_extension("half");
    fs::write(&half, bytes).map_err(CorpusError::io("write", &half))?;
    fs::rename(&half, folder.join(name)).map_err(CorpusError::io("write", &half))
}
