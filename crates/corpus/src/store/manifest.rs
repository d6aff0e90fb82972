use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::CorpusError;

/// Version of the folder's content: fields, analysis, layout. Incremented when an older program could not read it.
const FORMAT: u32 = 2;
/// Oldest supported version. Version 1 lacks the fields of study and the log of imports. Incremented when an older index would give wrong results.
const OLDEST: u32 = 1;
const FILE: &str = "manifest.json";

/// Marks a folder as a corpus and states its format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: u32,
    written_by: String,
}

impl Manifest {
    /// Whether the folder contains a corpus of any format.
    pub(crate) fn exists(dir: &Path) -> bool {
        dir.join(FILE).is_file()
    }

    /// Checks that `dir` contains a corpus that this program supports.
    pub(crate) fn check(dir: &Path) -> Result<(), CorpusError> {
        if !Self::exists(dir) {
            return Err(CorpusError::Missing { path: dir.to_owned() });
        }
        let path = dir.join(FILE);
        let bytes = fs::read(&path).map_err(|source| CorpusError::Io {
            action: "read",
            path: path.clone(),
            source,
        })?;
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| CorpusError::Damaged {
            path,
            reason: format!("the manifest cannot be parsed: {error}"),
        })?;
        if (OLDEST..=FORMAT).contains(&manifest.format) {
            Ok(())
        } else {
            Err(CorpusError::Format {
                path: dir.to_owned(),
                found: manifest.format,
                expected: FORMAT,
            })
        }
    }

    /// Makes `dir` a corpus. The folder must be missing or empty.
    pub(crate) fn create(dir: &Path) -> Result<(), CorpusError> {
        let io = |action, path: &Path| {
            let path = path.to_owned();
            move |source| CorpusError::Io { action, path, source }
        };
        fs::create_dir_all(dir).map_err(io("create", dir))?;
        let temporary = dir.join("manifest.json.new");
        for entry in fs::read_dir(dir).map_err(io("read", dir))? {
            let entry = entry.map_err(io("read", dir))?;
            if entry.path() != temporary {
                return Err(CorpusError::NotEmpty { path: dir.to_owned() });
            }
        }
        let manifest = Self {
            format: FORMAT,
            written_by: concat!("precedent ", env!("CARGO_PKG_VERSION")).to_owned(),
        };
        let mut text = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
        text.push(b'\n');
        // Written to a temporary file and renamed, so that a crash leaves no partial manifest.
        fs::write(&temporary, text).map_err(io("write", &temporary))?;
        fs::rename(&temporary, dir.join(FILE)).map_err(io("write", &dir.join(FILE)))
    }
}
