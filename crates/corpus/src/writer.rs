use std::hash::{DefaultHasher, Hash, Hasher};

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
/// More threads than this do not make an import faster: reading the records is the limit.
const MOST_THREADS: usize = 4;
/// How often the title counts beside the abstract. Measured on five sets of queries: 3 finds more than 1 within 100 or ranks it higher on each.
const TITLE_WEIGHT: usize = 3;

/// Adds, replaces and removes works. Nothing shows before [`CorpusWriter::commit`]; what is not committed is gone with the writer.
pub struct CorpusWriter {
    corpus: Corpus,
    fields: Fields,
    /// There until the writer ends.
    index: Option<IndexWriter>,
    before: std::sync::Arc<Snapshot>,
    /// What this writer did to ids since the last commit: a hash of the record that is there now, `None` for removed.
    touched: FxHashMap<[u8; 16], Option<u64>>,
    /// What was imported so far; goes with every commit.
    pub(crate) log: Log,
}

/// A writer that is given up still puts parts together in the background, and may write down what there is after another writer of this process has
/// committed: a record that was replaced would stand twice. So the lock is only let go when that has ended.
impl Drop for CorpusWriter {
    fn drop(&mut self) {
        if let Some(index) = self.index.take() {
            // Nothing was promised that is not committed.
            let _ = index.wait_merging_threads();
        }
    }
}

/// What is known of an id.
enum Known {
    /// No record has it.
    No,
    /// One that is committed has it.
    Committed,
    /// One of this hash that is not yet committed has it.
    Touched(u64),
}

impl CorpusWriter {
    pub(crate) fn new(corpus: Corpus) -> Result<Self, CorpusError> {
        let threads = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(MOST_THREADS);
        let index = corpus
            .index()
            .writer_with_num_threads(threads, MEMORY_BYTES)
            .map_err(|error| match error {
                TantivyError::LockFailure(..) => CorpusError::Locked {
                    path: corpus.dir().to_owned(),
                },
                other => CorpusError::index("write to")(other),
            })?;
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

    /// The corpus that is written to.
    #[must_use]
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// Adds a record; one of the same id is replaced, or added to where the record says so.
    ///
    /// # Errors
    /// When the index cannot be written to.
    pub fn add(&mut self, mut record: Record) -> Result<Addition, CorpusError> {
        let mut known = self.known(&record.work.id)?;
        if record.completes && !matches!(known, Known::No) {
            if matches!(known, Known::Touched(_)) {
                self.commit()?;
                known = Known::Committed;
            }
            if let Some(earlier) = self.committed(&record.work.id)? {
                record.fill_from(earlier);
            }
        }
        if record.work.title.is_empty() {
            return Ok(Addition::Orphan);
        }
        tidy(&mut record);
        let group = Group::of(&record)?;
        match known {
            Known::No => {}
            Known::Committed if self.is_there(&record, &group)? => return Ok(Addition::Unchanged),
            Known::Touched(hash) if hash == group.hash(&record) => return Ok(Addition::Unchanged),
            Known::Committed | Known::Touched(_) => {
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
        Ok(if matches!(known, Known::No) {
            Addition::Added
        } else {
            Addition::Updated
        })
    }

    /// Removes the work of this id; whether it was there.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn delete(&mut self, id: &WorkId) -> Result<bool, CorpusError> {
        let known = !matches!(self.known(id)?, Known::No);
        if known {
            let id_term = Term::from_field_text(self.fields.id, id.as_str());
            self.index()?.delete_term(id_term);
            self.touched.insert(key(id), None);
        }
        Ok(known)
    }

    /// Makes everything up to here lasting and visible, at one stroke.
    ///
    /// # Errors
    /// When the index cannot be written to.
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

    /// Commits, waits until the index has put its parts together and makes the works' vectors: searching is fastest and best then.
    ///
    /// # Errors
    /// When the index cannot be written to.
    pub fn finish(self) -> Result<(), CorpusError> {
        let corpus = self.corpus.clone();
        self.finish_words()?;
        corpus.make_vectors()
    }

    /// As [`CorpusWriter::finish`], without the vectors: searches rank by words until [`Corpus::make_vectors`] is called.
    ///
    /// # Errors
    /// As [`CorpusWriter::finish`].
    pub fn finish_words(mut self) -> Result<(), CorpusError> {
        self.commit()?;
        if let Some(index) = self.index.take() {
            index.wait_merging_threads().map_err(CorpusError::index("merge"))?;
        }
        self.corpus.reload()
    }

    fn known(&self, id: &WorkId) -> Result<Known, CorpusError> {
        Ok(match self.touched.get(&key(id)) {
            Some(Some(hash)) => Known::Touched(*hash),
            Some(None) => Known::No,
            None if self.before.find(&self.fields, id.as_str())?.is_some() => Known::Committed,
            None => Known::No,
        })
    }

    /// The committed record of an id.
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

    /// Whether the committed record of its id is this very one.
    fn is_there(&self, record: &Record, group: &Group) -> Result<bool, CorpusError> {
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

    /// What the index refused, told as well as can be: an indexing thread that ended keeps its reason until it is asked for.
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

/// The error of the file system inside, where it says that there is no room.
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
    // Some errors keep only the words of their source.
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

/// Whether an error of the file system says that there is no room.
pub(crate) fn is_no_room(kind: std::io::ErrorKind) -> bool {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(kind, StorageFull | QuotaExceeded | FileTooLarge)
}

/// Makes a record say what it is: how much of its text is at hand, its fields in order.
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

/// A record as it is stored.
struct Group {
    work: Vec<u8>,
    document: Option<Vec<u8>>,
}

impl Group {
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

    /// A hash of all that is stored; the same within one run of the program.
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
