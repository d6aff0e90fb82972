use serde::{Deserialize, Serialize};
use tantivy::Index;

use crate::CorpusError;

/// What was imported. It is committed together with the records, so it never says more or less than is there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Log {
    /// Imports in the order they were begun.
    #[serde(default)]
    pub(crate) imports: Vec<ImportEntry>,
    /// The session that is under way, or was when the program ended: a name for its sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
}

/// The import of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportEntry {
    /// Number of the import; the list of its rejects is named after it.
    pub number: u64,
    /// Name of the file, without its folder.
    pub source: String,
    /// What kind of file it is: `bibtex`.
    pub format: String,
    /// Tells this content from any other.
    pub fingerprint: String,
    /// Items read so far, good and bad: where an import that was broken off goes on.
    pub items: u64,
    /// Works that were not there before.
    pub added: u64,
    /// Works that took the place of earlier records.
    pub updated: u64,
    /// Records that were there already as they are.
    pub unchanged: u64,
    /// Items that could not be used.
    pub rejected: u64,
    /// Whether it was read to its end.
    pub complete: bool,
    /// Bytes of the list of rejects that belong to what is committed.
    pub(crate) rejects_bytes: u64,
    /// The session it belongs to.
    pub(crate) session: String,
}

impl Log {
    /// The log of the last commit; empty for a corpus made before there was one.
    pub(crate) fn of(index: &Index) -> Result<Self, CorpusError> {
        let payload = index.load_metas().map_err(CorpusError::index("read"))?.payload;
        // What another program wrote there is not ours to understand, and no reason to refuse the records.
        Ok(payload
            .and_then(|payload| serde_json::from_str(&payload).ok())
            .unwrap_or_default())
    }

    /// What is committed beside the records.
    pub(crate) fn payload(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
