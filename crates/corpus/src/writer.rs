use precedent_domain::{Document, Extent, Granularity, Work, WorkId};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use tantivy::indexer::UserOperation;
use tantivy::{IndexWriter, TantivyDocument, TantivyError, Term};

use crate::passage::passages;
use crate::store::{Fields, Snapshot};
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
    index: IndexWriter,
    before: std::sync::Arc<Snapshot>,
    /// What this writer did to ids since the last commit: true for present.
    touched: FxHashMap<[u8; 16], bool>,
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
            fields: corpus.fields(),
            before: corpus.snapshot(),
            index,
            corpus,
            touched: FxHashMap::default(),
        })
    }

    /// Adds a record; one of the same id is replaced.
    ///
    /// # Errors
    /// When the index cannot be written to.
    pub fn add(&mut self, record: Record) -> Result<Addition, CorpusError> {
        let Record { mut work, document } = record;
        let document = document.filter(|document| !document.text.trim().is_empty());
        work.extent = match (&document, &work.summary) {
            (Some(_), _) => Extent::FullText,
            (None, Some(summary)) if !summary.trim().is_empty() => Extent::Abstract,
            _ => Extent::TitleOnly,
        };
        let known = self.is_known(&work.id)?;
        if known {
            self.index
                .delete_term(Term::from_field_text(self.fields.id, work.id.as_str()));
        }
        self.touched.insert(key(&work.id), true);
        let group = self.group(&work, document)?;
        self.index
            .run(group.into_iter().map(UserOperation::Add).collect::<Vec<_>>())
            .map_err(CorpusError::index("write to"))?;
        Ok(if known { Addition::Updated } else { Addition::Added })
    }

    /// Removes the work of this id; whether it was there.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn delete(&mut self, id: &WorkId) -> Result<bool, CorpusError> {
        let known = self.is_known(id)?;
        if known {
            self.index
                .delete_term(Term::from_field_text(self.fields.id, id.as_str()));
            self.touched.insert(key(id), false);
        }
        Ok(known)
    }

    /// Makes everything up to here lasting and visible, at one stroke.
    ///
    /// # Errors
    /// When the index cannot be written to.
    pub fn commit(&mut self) -> Result<(), CorpusError> {
        self.index.commit().map_err(CorpusError::index("commit to"))?;
        self.corpus.reload()?;
        self.before = self.corpus.snapshot();
        self.touched.clear();
        Ok(())
    }

    /// Commits and waits until the index has put its parts together: searching is fastest then.
    ///
    /// # Errors
    /// When the index cannot be written to.
    pub fn finish(mut self) -> Result<(), CorpusError> {
        self.commit()?;
        let Self { index, corpus, .. } = self;
        index.wait_merging_threads().map_err(CorpusError::index("merge"))?;
        corpus.reload()
    }

    fn is_known(&self, id: &WorkId) -> Result<bool, CorpusError> {
        match self.touched.get(&key(id)) {
            Some(&present) => Ok(present),
            None => Ok(self.before.find(&self.fields, id.as_str())?.is_some()),
        }
    }

    /// The index documents of one work, in the order that `store` describes.
    fn group(&self, work: &Work, document: Option<Document>) -> Result<Vec<TantivyDocument>, CorpusError> {
        let fields = &self.fields;
        let stored = |source| CorpusError::Stored {
            id: work.id.to_string(),
            source,
        };
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
        head.add_bytes(fields.work, &serde_json::to_vec(work).map_err(stored)?);
        let mut group = vec![head];
        if let Some(document) = document {
            let mut holder = member(1);
            holder.add_bytes(fields.document, &serde_json::to_vec(&document).map_err(stored)?);
            group.push(holder);
            for (nth, span) in (2..).zip(passages(&document)) {
                let mut passage = member(nth);
                passage.add_text(fields.body, span.slice(&document.text).unwrap_or_default());
                passage.add_u64(fields.start, span.start as u64);
                passage.add_u64(fields.end, span.end as u64);
                group.push(passage);
            }
        }
        Ok(group)
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
