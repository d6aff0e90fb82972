use serde::{Deserialize, Serialize};
use tantivy::Index;

use crate::CorpusError;

/// The log of imports. It is committed together with the records, so both always agree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Log {
    /// Imports in the order they were started.
    #[serde(default)]
    pub(crate) imports: Vec<ImportEntry>,
    /// The current or interrupted session: an identifier of its sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
}

/// The import of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportEntry {
    /// Number of the import; its rejects file is named after it.
    pub number: u64,
    /// File name without the folder.
    pub source: String,
    /// File format: `bibtex`.
    pub format: String,
    /// A fingerprint of the content.
    pub fingerprint: String,
    /// Items read so far, good and bad. An interrupted import resumes here.
    pub items: u64,
    /// Works that were new.
    pub added: u64,
    /// Works that replaced or completed earlier records.
    pub updated: u64,
    /// Records without a title, whose title is the beginning of their text.
    #[serde(default)]
    pub untitled: u64,
    /// Records that already existed unchanged.
    pub unchanged: u64,
    /// Items that could not be imported.
    pub rejected: u64,
    /// Whether the source was read to its end.
    pub complete: bool,
    /// Committed size of the rejects file in bytes.
    pub(crate) rejects_bytes: u64,
    /// The session it belongs to.
    pub(crate) session: String,
}

impl Log {
    /// The log of the last commit; empty for a corpus from before the log existed.
    pub(crate) fn of(index: &Index) -> Result<Self, CorpusError> {
        let payload = index.load_metas().map_err(CorpusError::index("read"))?.payload;
        // A payload of another program is ignored, because it is no reason to reject the records.
        Ok(payload
            .and_then(|payload| serde_json::from_str(&payload).ok())
            .unwrap_or_default())
    }

    /// The payload that is committed with the records.
    pub(crate) fn payload(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
