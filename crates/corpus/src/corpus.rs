use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use precedent_domain::{Document, Work, WorkId};
use sha2::{Digest, Sha256};
use tantivy::{Index, IndexReader, ReloadPolicy};

use crate::analysis::terms;
use crate::embed::{SegmentCells, SegmentVectors, model};
use crate::search::{self, Found, RankingFeatures, SearchOptions};
use crate::stats::CorpusStats;
use crate::store::{Fields, Log, Manifest, Segment, SegmentHeads, Snapshot, open_index};
use crate::{CorpusCheck, CorpusError, CorpusWriter, ImportEntry};

/// Folder of the vectors inside a corpus.
const VECTORS: &str = "vectors";
/// Number of works up to which a hybrid search scans all vectors. At 3,000,000 works the full scan was still faster (`docs/benchmarks.md`); the
/// break-even point was not measured.
const EXACT_UP_TO: u64 = 4_000_000;
/// Minimum number of works in a segment that gets cells.
const CELLS_FROM: usize = 256;

/// A corpus on disk. Cheap to clone; all clones share one state. It can be read while another process writes: call [`Corpus::reload`] to see new
/// commits.
#[derive(Clone)]
pub struct Corpus {
    inner: Arc<OpenCorpus>,
}

struct OpenCorpus {
    dir: PathBuf,
    index: Index,
    fields: Fields,
    reader: IndexReader,
    snapshot: RwLock<Arc<Snapshot>>,
}

impl std::fmt::Debug for Corpus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Corpus")
            .field("dir", &self.inner.dir)
            .finish_non_exhaustive()
    }
}

impl Corpus {
    /// Opens the corpus in `dir`.
    ///
    /// # Errors
    /// If there is none, it has another format, or it cannot be read.
    pub fn open(dir: impl AsRef<Path>) -> Result<Self, CorpusError> {
        let dir = dir.as_ref();
        Manifest::check(dir)?;
        let (index, fields) = open_index(&dir.join("index"))?;
        let reader: IndexReader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(CorpusError::index("open"))?;
        let snapshot = RwLock::new(Arc::new(snapshot(dir, &reader, &fields)?));
        Ok(Self {
            inner: Arc::new(OpenCorpus {
                dir: dir.to_owned(),
                index,
                fields,
                reader,
                snapshot,
            }),
        })
    }

    /// Opens the corpus in `dir`, or creates an empty one if the folder is missing or empty.
    ///
    /// # Errors
    /// As for [`Corpus::open`], and if the folder contains other files.
    pub fn create_or_open(dir: impl AsRef<Path>) -> Result<Self, CorpusError> {
        let dir = dir.as_ref();
        if !Manifest::exists(dir) {
            Manifest::create(dir)?;
        }
        Self::open(dir)
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.inner.dir
    }

    /// A writer. Only one can exist at a time, across all processes.
    ///
    /// # Errors
    /// [`CorpusError::Locked`] if there already is one.
    pub fn writer(&self) -> Result<CorpusWriter, CorpusError> {
        CorpusWriter::new(self.clone())
    }

    /// Loads the latest commit.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn reload(&self) -> Result<(), CorpusError> {
        let inner = &self.inner;
        inner.reader.reload().map_err(CorpusError::index("reload"))?;
        let fresh = Arc::new(snapshot(&inner.dir, &inner.reader, &inner.fields)?);
        *inner.snapshot.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(())
    }

    /// An identifier of the searched state. It changes with every commit that changes anything, when vectors are made, and with program versions that
    /// rank differently.
    #[must_use]
    pub fn revision(&self) -> String {
        let snapshot = self.snapshot();
        let mut parts: Vec<String> = snapshot
            .segments
            .iter()
            .map(|segment| {
                let reader = &segment.reader;
                format!("{} {}", reader.segment_id(), reader.num_deleted_docs())
            })
            .collect();
        parts.sort();
        parts.push(format!("ranking {}", search::VERSION));
        if self.has_vectors()
            && let Some(model) = model()
        {
            parts.push(format!("vectors {}", model.revision()));
            let celled = snapshot.cells.iter().flatten().count();
            if celled > 0 {
                parts.push(format!("cells {celled}"));
            }
        }
        let hash = Sha256::digest(parts.join("\n"));
        hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether every work has a vector, which hybrid search requires. A corpus of an older program has none until works are added or
    /// [`Corpus::make_vectors`] is called; until then searches rank by words only.
    #[must_use]
    pub fn has_vectors(&self) -> bool {
        let snapshot = self.snapshot();
        snapshot.vectors.len() == snapshot.segments.len()
    }

    /// Makes missing vectors and deletes those of old states. They are stored in `vectors/` and can be deleted at any time.
    ///
    /// # Errors
    /// If the index cannot be read or the folder cannot be written.
    pub fn make_vectors(&self) -> Result<(), CorpusError> {
        self.make_vectors_with_cells(self.len() >= EXACT_UP_TO)
    }

    /// Like [`Corpus::make_vectors`], with an explicit choice instead of one by the number of works. With `cells`, a hybrid search scans only the
    /// vectors close to a query; without, it scans all.
    ///
    /// # Errors
    /// As for [`Corpus::make_vectors`].
    pub fn make_vectors_with_cells(&self, cells: bool) -> Result<(), CorpusError> {
        let Some(model) = model() else { return Ok(()) };
        let folder = self.inner.dir.join(VECTORS);
        let snapshot = self.snapshot();
        let mut names = Vec::new();
        for segment in &snapshot.segments {
            let name = SegmentVectors::name(model, segment);
            let vectors = match SegmentVectors::open(&folder, &name) {
                Some(vectors) => vectors,
                None => {
                    let vectors = SegmentVectors::make(model, &self.inner.fields, segment)?;
                    vectors.write(&folder, &name)?;
                    vectors
                }
            };
            if cells && vectors.works() >= CELLS_FROM {
                let name = SegmentCells::name(&name);
                if SegmentCells::open(&folder, &name).is_none() {
                    SegmentCells::make(vectors.works(), |row| vectors.vector(row)).write(&folder, &name)?;
                }
                names.push(name);
            }
            names.push(name);
            let name = SegmentHeads::name(segment);
            if SegmentHeads::open(&folder, &name).is_none() {
                SegmentHeads::make(&self.inner.fields, segment)?.write(&folder, &name)?;
            }
            names.push(name);
        }
        // A file that cannot be listed or deleted only costs disk space.
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            let ours = matches!(ending, Some("vectors" | "cells" | "heads" | "half"));
            if ours && !names.iter().any(|name| name.as_os_str() == entry.file_name()) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        self.reload()
    }

    /// The works most similar to `query`, best first, ties by id. The whole `query` is treated as words, of any length and script. Works later than
    /// `options.as_of` are excluded; works without a date are kept.
    ///
    /// # Errors
    /// If the index cannot be read. No query is invalid.
    pub fn search(&self, query: &str, options: &SearchOptions) -> Result<Vec<Found>, CorpusError> {
        search::search(&self.snapshot(), &self.inner.fields, query, options)
    }

    /// Like [`Corpus::search`], with the whole work for each result.
    ///
    /// # Errors
    /// As for [`Corpus::search`].
    pub fn search_works(&self, query: &str, options: &SearchOptions) -> Result<Vec<(Found, Work)>, CorpusError> {
        search::search_works(&self.snapshot(), &self.inner.fields, query, options)
    }

    /// Ranking features of up to 1,000 results, best by words and vectors first. Empty if the corpus has no vectors for the query. Ignores the limit and
    /// the ranking of `options`. For fitting the weights of the hybrid ranking.
    ///
    /// # Errors
    /// As for [`Corpus::search`].
    pub fn ranking_features(&self, query: &str, options: &SearchOptions) -> Result<Vec<RankingFeatures>, CorpusError> {
        search::ranking_features(&self.snapshot(), &self.inner.fields, query, options)
    }

    /// The work with this id.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn work(&self, id: &WorkId) -> Result<Option<Work>, CorpusError> {
        let snapshot = self.snapshot();
        let Some((segment, doc)) = snapshot.find(&self.inner.fields, id.as_str())? else {
            return Ok(None);
        };
        self.stored_work(segment, doc, id).map(Some)
    }

    /// The text of the work with this id: the full text if stored, else title and abstract.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn document(&self, id: &WorkId) -> Result<Option<Document>, CorpusError> {
        let snapshot = self.snapshot();
        let Some((segment, doc)) = snapshot.find(&self.inner.fields, id.as_str())? else {
            return Ok(None);
        };
        if segment.extent.get_val(doc) == 2 {
            let bytes = segment.stored(doc + 1, self.inner.fields.document)?;
            return serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|source| CorpusError::Stored {
                    id: id.to_string(),
                    source,
                });
        }
        let work = self.stored_work(segment, doc, id)?;
        Ok(Some(Document::from_abstract(&work.title, work.summary.as_deref())))
    }

    /// Whether a work with this id exists.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn contains(&self, id: &WorkId) -> Result<bool, CorpusError> {
        Ok(self.snapshot().find(&self.inner.fields, id.as_str())?.is_some())
    }

    /// Number of works with `term` in title or abstract. The term is analyzed like all text (see [`crate::terms`]). If it has several words, the
    /// rarest counts; if it has none, the result is 0.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn document_frequency(&self, term: &str) -> Result<u64, CorpusError> {
        let snapshot = self.snapshot();
        let mut rarest = None;
        for word in terms(term) {
            let count = search::text_frequency(&snapshot, &self.inner.fields, &word)?;
            rarest = Some(rarest.map_or(count, |least: u64| least.min(count)));
        }
        Ok(rarest.unwrap_or(0))
    }

    /// Number of works.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.snapshot().works
    }

    /// Whether the corpus has no works.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of works with full text.
    #[must_use]
    pub fn full_texts(&self) -> u64 {
        self.snapshot().full_texts
    }

    /// Statistics of the corpus.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn stats(&self) -> Result<CorpusStats, CorpusError> {
        let mut stats = CorpusStats::of(&self.snapshot())?;
        stats.imports = Log::of(&self.inner.index)?.imports;
        stats.rejected = stats.imports.iter().map(|import| import.rejected).sum();
        stats.bytes = bytes_in(&self.inner.dir);
        stats.revision = self.revision();
        Ok(stats)
    }

    /// Reads all stored data and reports what is damaged.
    ///
    /// # Errors
    /// If the index cannot be read at all.
    pub fn check(&self) -> Result<CorpusCheck, CorpusError> {
        CorpusCheck::of(self)
    }

    /// The file with the rejected items of an import, one JSON object per line: `position`, `name`, `reason`.
    #[must_use]
    pub fn rejects_file(&self, import: &ImportEntry) -> PathBuf {
        crate::import::rejects_file(&self.inner.dir, import.number)
    }

    fn stored_work(&self, segment: &Segment, doc: u32, id: &WorkId) -> Result<Work, CorpusError> {
        let bytes = segment.stored(doc, self.inner.fields.work)?;
        serde_json::from_slice(&bytes).map_err(|source| CorpusError::Stored {
            id: id.to_string(),
            source,
        })
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.inner
            .snapshot
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn index(&self) -> &Index {
        &self.inner.index
    }

    pub(crate) fn fields(&self) -> Fields {
        self.inner.fields
    }
}

/// The committed state, with the vectors of its works if all are present.
fn snapshot(dir: &Path, reader: &IndexReader, fields: &Fields) -> Result<Snapshot, CorpusError> {
    let mut snapshot = Snapshot::new(reader.searcher(), fields)?;
    let folder = dir.join(VECTORS);
    for segment in &mut snapshot.segments {
        segment.heads = SegmentHeads::open(&folder, &SegmentHeads::name(segment));
    }
    if let Some(model) = model() {
        snapshot.vectors = snapshot
            .segments
            .iter()
            .map(|segment| SegmentVectors::open(&folder, &SegmentVectors::name(model, segment)))
            .collect::<Option<_>>()
            .unwrap_or_default();
        snapshot.cells = snapshot
            .segments
            .iter()
            .map(|segment| SegmentCells::open(&folder, &SegmentCells::name(&SegmentVectors::name(model, segment))))
            .collect();
    }
    Ok(snapshot)
}

/// Total size of the files in a folder of a corpus.
fn bytes_in(dir: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(dir) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => bytes_in(&entry.path()),
            Ok(kind) if kind.is_file() => entry.metadata().map_or(0, |metadata| metadata.len()),
            _ => 0,
        })
        .sum()
}
