use std::sync::Arc;

use tantivy::columnar::{ColumnValues, StrColumn};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::schema::{Field, IndexRecordOption, TantivyDocument, Value};
use tantivy::store::StoreReader;
use tantivy::{DocSet, InvertedIndexReader, Searcher, SegmentReader, TERMINATED, Term};

use super::{Fields, SegmentHeads};
use crate::CorpusError;
use crate::embed::{SegmentCells, SegmentVectors};

/// Number of decompressed store blocks cached per segment.
const STORE_BLOCKS_KEPT: usize = 64;

/// The state after one commit, ready for searching.
pub(crate) struct Snapshot {
    /// Keeps the files of this state alive.
    _searcher: Searcher,
    pub(crate) segments: Vec<Segment>,
    /// The vectors of each segment's works; empty unless every segment has them.
    pub(crate) vectors: Vec<SegmentVectors>,
    /// The cells of these vectors, if made.
    pub(crate) cells: Vec<Option<SegmentCells>>,
    /// Number of works.
    pub(crate) works: u64,
    /// Number of works with full text.
    pub(crate) full_texts: u64,
    /// Number of passages of full texts.
    pub(crate) passages: u64,
    /// Total number of terms in titles and abstracts, with the precision of the index's length codes.
    pub(crate) text_terms: u64,
    /// Total number of terms in passages.
    pub(crate) body_terms: u64,
}

/// One segment of the index with its columns opened.
pub(crate) struct Segment {
    pub(crate) reader: SegmentReader,
    pub(crate) text: Arc<InvertedIndexReader>,
    pub(crate) body: Arc<InvertedIndexReader>,
    pub(crate) text_lengths: FieldNormReader,
    pub(crate) body_lengths: FieldNormReader,
    pub(crate) nth: Arc<dyn ColumnValues<u64>>,
    pub(crate) first_day: Arc<dyn ColumnValues<u64>>,
    pub(crate) granularity: Arc<dyn ColumnValues<u64>>,
    pub(crate) extent: Arc<dyn ColumnValues<u64>>,
    pub(crate) start: Arc<dyn ColumnValues<u64>>,
    pub(crate) end: Arc<dyn ColumnValues<u64>>,
    pub(crate) ids: Option<StrColumn>,
    pub(crate) venues: Option<StrColumn>,
    /// Fields of study, several per work.
    pub(crate) studies: Option<StrColumn>,
    pub(crate) passages: u64,
    /// Cached ids and titles, if made.
    pub(crate) heads: Option<SegmentHeads>,
    store: StoreReader,
}

impl Snapshot {
    /// Opens the columns of every segment and counts the documents that are not deleted.
    pub(crate) fn new(searcher: Searcher, fields: &Fields) -> Result<Self, CorpusError> {
        let mut snapshot = Self {
            segments: Vec::new(),
            vectors: Vec::new(),
            cells: Vec::new(),
            works: 0,
            full_texts: 0,
            passages: 0,
            text_terms: 0,
            body_terms: 0,
            _searcher: searcher.clone(),
        };
        for reader in searcher.segment_readers() {
            let mut segment = Segment::open(reader, fields).map_err(CorpusError::index("open"))?;
            let mut passages = 0;
            for doc in 0..reader.max_doc() {
                if reader.is_deleted(doc) {
                    continue;
                }
                match segment.nth.get_val(doc) {
                    0 => {
                        snapshot.works += 1;
                        snapshot.text_terms += u64::from(segment.text_lengths.fieldnorm(doc));
                    }
                    1 => snapshot.full_texts += 1,
                    _ => {
                        passages += 1;
                        snapshot.body_terms += u64::from(segment.body_lengths.fieldnorm(doc));
                    }
                }
            }
            segment.passages = passages;
            snapshot.passages += passages;
            snapshot.segments.push(segment);
        }
        Ok(snapshot)
    }

    /// The index document of the work `id` and its segment.
    pub(crate) fn find(&self, fields: &Fields, id: &str) -> Result<Option<(&Segment, u32)>, CorpusError> {
        for segment in &self.segments {
            if let Some(doc) = segment.find(fields.id, id).map_err(CorpusError::index("search"))? {
                return Ok(Some((segment, doc)));
            }
        }
        Ok(None)
    }
}

impl Segment {
    fn open(reader: &SegmentReader, fields: &Fields) -> tantivy::Result<Self> {
        let columns = reader.fast_fields();
        let numbers = |name: &str| columns.column_first_or_default::<u64>(name);
        Ok(Self {
            text: reader.inverted_index(fields.text)?,
            body: reader.inverted_index(fields.body)?,
            text_lengths: reader.get_fieldnorms_reader(fields.text)?,
            body_lengths: reader.get_fieldnorms_reader(fields.body)?,
            nth: numbers("nth")?,
            first_day: numbers("first_day")?,
            granularity: numbers("granularity")?,
            extent: numbers("extent")?,
            start: numbers("start")?,
            end: numbers("end")?,
            ids: columns.str("id")?,
            venues: columns.str("venue")?,
            studies: match fields.field {
                Some(_) => columns.str("field")?,
                None => None,
            },
            passages: 0,
            heads: None,
            store: reader.get_store_reader(STORE_BLOCKS_KEPT)?,
            reader: reader.clone(),
        })
    }

    pub(crate) fn find(&self, field: Field, id: &str) -> tantivy::Result<Option<u32>> {
        let index = self.reader.inverted_index(field)?;
        let Some(mut postings) = index.read_postings(&Term::from_field_text(field, id), IndexRecordOption::Basic)?
        else {
            return Ok(None);
        };
        while postings.doc() != TERMINATED {
            let doc = postings.doc();
            if !self.reader.is_deleted(doc) && self.nth.get_val(doc) == 0 {
                return Ok(Some(doc));
            }
            postings.advance();
        }
        Ok(None)
    }

    /// The bytes stored in `field` of an index document; empty if there are none.
    pub(crate) fn stored(&self, doc: u32, field: Field) -> Result<Vec<u8>, CorpusError> {
        let document: TantivyDocument = self.store.get(doc).map_err(CorpusError::index("read"))?;
        let value = document.get_first(field);
        Ok(value
            .and_then(|value| value.as_bytes().map(<[u8]>::to_vec))
            .unwrap_or_default())
    }
}

impl Segment {
    /// The index documents that are works and not deleted.
    pub(crate) fn works(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.reader.max_doc()).filter(|&doc| self.nth.get_val(doc) == 0 && !self.reader.is_deleted(doc))
    }

    /// Fields of study of a work, sorted.
    pub(crate) fn studies(&self, doc: u32) -> Result<Vec<String>, CorpusError> {
        let Some(column) = &self.studies else {
            return Ok(Vec::new());
        };
        let mut studies = Vec::new();
        for ord in column.ords().values_for_doc(doc) {
            let mut name = String::new();
            column.ord_to_str(ord, &mut name).map_err(CorpusError::index("read"))?;
            studies.push(name);
        }
        studies.sort();
        Ok(studies)
    }

    /// Year of the earliest date of a work.
    pub(crate) fn year(&self, doc: u32) -> Option<u16> {
        let day = self.first_day.get_val(doc);
        u16::try_from(day / 10_000).ok().filter(|&year| year > 0)
    }
}
