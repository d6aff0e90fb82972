use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use precedent_domain::{Extent, Granularity, Work, WorkId};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use tantivy::indexer::UserOperation;
use tantivy::{IndexWriter, TantivyDocument, TantivyError, Term};

use crate::passage::passages;
use crate::store::{Fields, Log, Snapshot};
use crate::{Addition, Corpus, CorpusError, Record};

/// Memory for terms that are not yet on disk, over all threads.
const MEMORY_BYTES: usize = 400 << 20;
/// Maximum number of threads. More do not make an import faster, because reading the records is the bottleneck.
const MOST_THREADS: usize = 4;
/// A process that this one is starting holds copies of its locks for an instant, so a busy lock is retried.
const TRIES: u32 = 5;
const BETWEEN: Duration = Duration::from_millis(20);
/// Weight of the title relative to the abstract. On five query sets, 3 finds more within 100 results than 1, or ranks it higher, on each.
const TITLE_WEIGHT: usize = 3;

/// Adds, replaces and removes works. Changes become visible with [`CorpusWriter::commit`]; uncommitted ones are lost with the writer.
pub struct CorpusWriter {
    corpus: Corpus,
    fields: Fields,
    /// `Some` until the writer ends.
    index: Option<IndexWriter>,
    before: std::sync::Arc<Snapshot>,
    /// Changes since the last commit by id: a hash of the new record, `None` if removed.
    touched: FxHashMap<[u8; 16], Option<u64>>,
    /// The log of imports, which is part of every commit.
    pub(crate) log: Log,
}

/// A dropped writer still merges segments in the background. It may save its state after another writer of this process has committed, and a replaced
/// record would then exist twice. So the lock is released only after merging has ended.
impl Drop for CorpusWriter {
    fn drop(&mut self) {
        if let Some(index) = self.index.take() {
            // Uncommitted changes are lost anyway, so an error does not matter.
            let _ = index.wait_merging_threads();
        }
    }
}

/// The state of an id.
enum IdState {
    /// No record has it.
    No,
    /// A committed record has it.
    Committed,
    /// An uncommitted record with this hash has it.
    Touched(u64),
}

impl CorpusWriter {
    pub(crate) fn new(corpus: Corpus) -> Result<Self, CorpusError> {
        let threads = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(MOST_THREADS);
        let locked = || CorpusError::Locked {
            path: corpus.dir().to_owned(),
        };
        let index = (0..TRIES).find_map(
            |_| match corpus.index().writer_with_num_threads(threads, MEMORY_BYTES) {
                Ok(index) => Some(Ok(index)),
                Err(TantivyError::LockFailure(..)) => {
                    std::thread::sleep(BETWEEN);
                    None
                }
                Err(other) => Some(Err(CorpusError::index("write to")(other))),
            },
        );
        let index = index.ok_or_else(locked)??;
        // Another process may have committed since the corpus was opened.
        corpus.reload()?;
        Ok(Self {
            log: Log::of(corpus.index())?,
            fields: corpus.fields(),
            before: corpus.snapshot(),
            index: Some(index),
            corpus,
            touched: FxHashMap::default(),
        })
    }

    /// The corpus of this writer.
    #[must_use]
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// Adds a record. It replaces or, if it says so, completes a record with the same id.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn add(&mut self, mut record: Record) -> Result<Addition, CorpusError> {
        let mut known = self.known(&record.work.id)?;
        if record.completes && !matches!(known, IdState::No) {
            if matches!(known, IdState::Touched(_)) {
                self.commit()?;
                known = IdState::Committed;
            }
            if let Some(earlier) = self.committed(&record.work.id)? {
                record.fill_from(earlier);
            }
        }
        if record.work.title.is_empty() {
            return Ok(Addition::Orphan);
        }
        tidy(&mut record);
        let group = StoredRecord::of(&record)?;
        match known {
            IdState::No => {}
            IdState::Committed if self.is_there(&record, &group)? => return Ok(Addition::Unchanged),
            IdState::Touched(hash) if hash == group.hash(&record) => return Ok(Addition::Unchanged),
            IdState::Committed | IdState::Touched(_) => {
                let id = Term::from_field_text(self.fields.id, record.work.id.as_str());
                self.index()?.delete_term(id);
            }
        }
        self.touched.insert(key(&record.work.id), Some(group.hash(&record)));
        let documents = group.documents(&self.fields, &record);
        let operations = documents.into_iter().map(UserOperation::Add).collect::<Vec<_>>();
        if let Err(error) = self.index()?.run(operations) {
            return Err(self.refused("write to", error));
        }
        Ok(if matches!(known, IdState::No) {
            Addition::Added
        } else {
            Addition::Updated
        })
    }

    /// Removes the work with this id; returns whether it existed.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn delete(&mut self, id: &WorkId) -> Result<bool, CorpusError> {
        let known = !matches!(self.known(id)?, IdState::No);
        if known {
            let id_term = Term::from_field_text(self.fields.id, id.as_str());
            self.index()?.delete_term(id_term);
            self.touched.insert(key(id), None);
        }
        Ok(known)
    }

    /// Makes all changes so far durable and visible, atomically.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn commit(&mut self) -> Result<(), CorpusError> {
        let payload = self.log.payload();
        let committed = self.index()?.prepare_commit().and_then(|mut prepared| {
            prepared.set_payload(&payload);
            prepared.commit()
        });
        if let Err(error) = committed {
            return Err(self.refused("commit to", error));
        }
        self.corpus.reload()?;
        self.before = self.corpus.snapshot();
        self.touched.clear();
        Ok(())
    }

    /// Commits, waits until the index has merged its segments, and makes the vectors of the works. Searches are then fastest and best.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn finish(self) -> Result<(), CorpusError> {
        let corpus = self.corpus.clone();
        self.finish_words()?;
        corpus.make_vectors()
    }

    /// Like [`CorpusWriter::finish`], without the vectors: searches rank by words until [`Corpus::make_vectors`] is called.
    ///
    /// # Errors
    /// As for [`CorpusWriter::finish`].
    pub fn finish_words(mut self) -> Result<(), CorpusError> {
        self.commit()?;
        if let Some(index) = self.index.take() {
            index.wait_merging_threads().map_err(CorpusError::index("merge"))?;
        }
        self.corpus.reload()
    }

    fn known(&self, id: &WorkId) -> Result<IdState, CorpusError> {
        Ok(match self.touched.get(&key(id)) {
            Some(Some(hash)) => IdState::Touched(*hash),
            Some(None) => IdState::No,
            None if self.before.find(&self.fields, id.as_str())?.is_some() => IdState::Committed,
            None => IdState::No,
        })
    }

    /// The committed record with this id.
    fn committed(&self, id: &WorkId) -> Result<Option<Record>, CorpusError> {
        let Some((segment, doc)) = self.before.find(&self.fields, id.as_str())? else {
            return Ok(None);
        };
        let stored = |source| CorpusError::Stored {
            id: id.to_string(),
            source,
        };
        let work: Work = serde_json::from_slice(&segment.stored(doc, self.fields.work)?).map_err(stored)?;
        let document = if segment.extent.get_val(doc) == 2 {
            let bytes = segment.stored(doc + 1, self.fields.document)?;
            Some(serde_json::from_slice(&bytes).map_err(stored)?)
        } else {
            None
        };
        let mut record = Record::new(work, document);
        record.fields = segment.studies(doc)?;
        Ok(Some(record))
    }

    /// Whether the same record is already committed.
    fn is_there(&self, record: &Record, group: &StoredRecord) -> Result<bool, CorpusError> {
        let Some((segment, doc)) = self.before.find(&self.fields, record.work.id.as_str())? else {
            return Ok(false);
        };
        let same_text = match &group.document {
            Some(bytes) => segment.extent.get_val(doc) == 2 && segment.stored(doc + 1, self.fields.document)? == *bytes,
            None => segment.extent.get_val(doc) != 2,
        };
        let same_fields = self.fields.field.is_none() || segment.studies(doc)? == record.fields;
        Ok(same_text && same_fields && segment.stored(doc, self.fields.work)? == group.work)
    }

    /// The most specific error available. An indexing thread that failed keeps its reason until it is asked for.
    fn refused(&mut self, action: &'static str, error: TantivyError) -> CorpusError {
        let no_room = |error: &TantivyError| room_error(error);
        if let Some(source) = no_room(&error) {
            return self.no_room(source);
        }
        if let Ok(index) = self.index()
            && let Err(reason) = index.prepare_commit().map(drop)
            && let Some(source) = no_room(&reason)
        {
            return self.no_room(source);
        }
        CorpusError::index(action)(error)
    }

    fn index(&mut self) -> Result<&mut IndexWriter, CorpusError> {
        let ended = || CorpusError::index("write to")(TantivyError::SystemError("the writer has ended".to_owned()));
        self.index.as_mut().ok_or_else(ended)
    }

    fn no_room(&self, source: std::io::Error) -> CorpusError {
        CorpusError::NoRoom {
            path: self.corpus.dir().to_owned(),
            source,
        }
    }
}

/// The file system error inside, if it says that the disk is full.
fn room_error(error: &(dyn std::error::Error + 'static)) -> Option<std::io::Error> {
    let mut at = Some(error);
    let mut texts = String::new();
    while let Some(error) = at {
        let io = error.downcast_ref::<std::io::Error>().or_else(|| {
            error
                .downcast_ref::<std::sync::Arc<std::io::Error>>()
                .map(AsRef::as_ref)
        });
        if let Some(io) = io
            && is_no_room(io.kind())
        {
            return Some(std::io::Error::new(io.kind(), io.to_string()));
        }
        texts.push_str(&error.to_string());
        at = error.source();
    }
    // Some errors keep only the message of their source.
    use std::io::ErrorKind::{FileTooLarge, StorageFull};
    [
        ("No space left on device", StorageFull),
        ("StorageFull", StorageFull),
        ("File too large", FileTooLarge),
        ("FileTooLarge", FileTooLarge),
    ]
    .into_iter()
    .find(|(words, _)| texts.contains(words))
    .map(|(_, kind)| std::io::Error::from(kind))
}

/// Whether a file system error says that the disk is full.
pub(crate) fn is_no_room(kind: std::io::ErrorKind) -> bool {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(kind, StorageFull | QuotaExceeded | FileTooLarge)
}

/// Normalizes a record: drops an empty document, sets the extent of its text, sorts and deduplicates its fields.
fn tidy(record: &mut Record) {
    record.document = record
        .document
        .take()
        .filter(|document| !document.text.trim().is_empty());
    record.work.extent = match (&record.document, &record.work.summary) {
        (Some(_), _) => Extent::FullText,
        (None, Some(summary)) if !summary.trim().is_empty() => Extent::Abstract,
        _ => Extent::TitleOnly,
    };
    record.fields.sort();
    record.fields.dedup();
}

/// A record in its stored form.
struct StoredRecord {
    work: Vec<u8>,
    document: Option<Vec<u8>>,
}

impl StoredRecord {
    fn of(record: &Record) -> Result<Self, CorpusError> {
        let stored = |source| CorpusError::Stored {
            id: record.work.id.to_string(),
            source,
        };
        let document = record.document.as_ref().map(serde_json::to_vec);
        Ok(Self {
            work: serde_json::to_vec(&record.work).map_err(stored)?,
            document: document.transpose().map_err(stored)?,
        })
    }

    /// A hash of all stored data; stable only within one run of the program.
    fn hash(&self, record: &Record) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.work, &self.document, &record.fields).hash(&mut hasher);
        hasher.finish()
    }

    /// The index documents of one work, in the order that `store` describes.
    fn documents(self, fields: &Fields, record: &Record) -> Vec<TantivyDocument> {
        let work = &record.work;
        let member = |nth: u64| {
            let mut member = TantivyDocument::new();
            member.add_text(fields.id, work.id.as_str());
            member.add_u64(fields.nth, nth);
            member
        };
        let mut head = member(0);
        for _ in 0..TITLE_WEIGHT {
            head.add_text(fields.text, &work.title);
        }
        if let Some(summary) = &work.summary {
            head.add_text(fields.text, summary);
        }
        let (day, granularity) = earliest(work);
        head.add_u64(fields.first_day, day);
        head.add_u64(fields.granularity, granularity);
        head.add_u64(fields.extent, work.extent as u64);
        if let Some(venue) = &work.venue {
            head.add_text(fields.venue, venue);
        }
        if let Some(field) = fields.field {
            record.fields.iter().for_each(|name| head.add_text(field, name));
        }
        head.add_bytes(fields.work, &self.work);
        let mut group = vec![head];
        if let (Some(bytes), Some(document)) = (self.document, &record.document) {
            let mut holder = member(1);
            holder.add_bytes(fields.document, &bytes);
            group.push(holder);
            for (nth, span) in (2..).zip(passages(document)) {
                let mut passage = member(nth);
                passage.add_text(fields.body, span.slice(&document.text).unwrap_or_default());
                passage.add_u64(fields.start, span.start as u64);
                passage.add_u64(fields.end, span.end as u64);
                group.push(passage);
            }
        }
        group
    }
}

fn earliest(work: &Work) -> (u64, u64) {
    work.earliest().map_or((0, 0), |dated| {
        let (year, month, day) = dated.date.first_day();
        let granularity = match dated.date.granularity() {
            Granularity::Year => 1,
            Granularity::Month => 2,
            Granularity::Day => 3,
        };
        (
            u64::from(year) * 10_000 + u64::from(month) * 100 + u64::from(day),
            granularity,
        )
    })
}

fn key(id: &WorkId) -> [u8; 16] {
    let digest = Sha256::digest(id.as_str().as_bytes());
    let mut key = [0; 16];
    key.iter_mut().zip(digest.iter()).for_each(|(to, &from)| *to = from);
    key
}
