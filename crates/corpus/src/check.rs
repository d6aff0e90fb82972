use precedent_domain::{Document, Work};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::store::{Log, Segment};
use crate::{Corpus, CorpusError};

/// Maximum number of listed problems; all are counted.
const LISTED: usize = 100;

/// The result of reading a whole corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusCheck {
    /// Readable works.
    pub works: u64,
    /// Readable full texts.
    pub full_texts: u64,
    /// Interrupted imports that can be resumed.
    pub unfinished: Vec<String>,
    /// Total number of problems.
    pub problem_count: u64,
    /// The first hundred problems.
    pub problems: Vec<String>,
}

impl CorpusCheck {
    /// Whether there are no problems.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.problem_count == 0
    }

    pub(crate) fn of(corpus: &Corpus) -> Result<Self, CorpusError> {
        let mut check = Self::default();
        let damaged = corpus.index().validate_checksum().map_err(CorpusError::index("read"))?;
        let mut damaged: Vec<String> = damaged.iter().map(|path| path.display().to_string()).collect();
        damaged.sort();
        for file in damaged {
            check.problem(format!("the file {file} of the index is corrupt"));
        }
        let snapshot = corpus.snapshot();
        let mut ids = FxHashSet::default();
        for segment in &snapshot.segments {
            for doc in segment.works() {
                check.work(corpus, segment, doc, &mut ids);
            }
        }
        for import in Log::of(corpus.index())?.imports {
            let file = corpus.rejects_file(&import);
            let bytes = std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
            if bytes < import.rejects_bytes {
                check.problem(format!("the list of rejects of {} is truncated", import.source));
            }
            if !import.complete {
                check.unfinished.push(import.source);
            }
        }
        Ok(check)
    }

    fn work(&mut self, corpus: &Corpus, segment: &Segment, doc: u32, ids: &mut FxHashSet<String>) {
        let fields = corpus.fields();
        let work = segment.stored(doc, fields.work).ok();
        let Some(work) = work.and_then(|bytes| serde_json::from_slice::<Work>(&bytes).ok()) else {
            self.problem(format!("the work at {doc} of a segment cannot be read back"));
            return;
        };
        self.works += 1;
        if segment.extent.get_val(doc) == 2 {
            let bytes = segment.stored(doc + 1, fields.document).ok();
            match bytes.and_then(|bytes| serde_json::from_slice::<Document>(&bytes).ok()) {
                Some(document) => match document.check() {
                    Ok(()) => self.full_texts += 1,
                    Err(fault) => self.problem(format!("the full text of {}: {fault:?}", work.id)),
                },
                None => self.problem(format!("the full text of {} cannot be read back", work.id)),
            }
        }
        let id = work.id.to_string();
        if ids.contains(&id) {
            self.problem(format!("two works have the id {id}"));
        }
        ids.insert(id);
    }

    fn problem(&mut self, words: String) {
        self.problem_count += 1;
        if self.problems.len() < LISTED {
            self.problems.push(words);
        }
    }
}
