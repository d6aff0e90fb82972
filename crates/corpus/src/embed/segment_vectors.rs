use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};
use tantivy::postings::TermInfo;
use tantivy::schema::IndexRecordOption;
use tantivy::{InvertedIndexReader, TERMINATED, Term};

use super::model::{DIMENSIONS, Model, little_endian};
use super::vector::{Vector, inner_product};
use crate::CorpusError;
use crate::store::{Fields, Segment};

/// What a file of vectors starts with.
const MARK: &[u8] = b"PRECVEC1";
/// Bytes before the table of works: mark and number of works.
const HEAD: usize = 12;
/// Index documents taken at a time when vectors are made.
const RANGE: u32 = 32_768;
/// Vectors scanned by one thread at a time.
const SCANNED_AT_ONCE: usize = 16_384;

/// The vectors of the works of one segment, deleted ones too.
pub(crate) struct SegmentVectors {
    works: usize,
    bytes: OwnedBytes,
}

impl SegmentVectors {
    /// The file of a segment's vectors in the folder of a corpus.
    pub(crate) fn name(model: &Model, segment: &Segment) -> PathBuf {
        let id = segment.reader.segment_id().uuid_string();
        PathBuf::from(format!("{}-{id}.vectors", model.revision()))
    }

    /// Opens the file `name` in `folder`; `None` where there is none or it is damaged: then it counts as not yet made.
    pub(crate) fn open(folder: &Path, name: &Path) -> Option<Self> {
        if !folder.join(name).is_file() {
            return None;
        }
        let bytes = MmapDirectory::open(folder)
            .ok()?
            .open_read(name)
            .ok()?
            .read_bytes()
            .ok()?;
        Self::parse(bytes)
    }

    fn parse(bytes: OwnedBytes) -> Option<Self> {
        let rest = bytes.strip_prefix(MARK)?;
        let works = little_endian(rest.get(..4)?) as usize;
        (bytes.len() == HEAD + works * (8 + DIMENSIONS)).then_some(Self { works, bytes })
    }

    /// Makes the vectors of a segment from its posting lists: no text is read again.
    pub(crate) fn make(model: &Model, fields: &Fields, segment: &Segment) -> Result<Self, CorpusError> {
        let failed = CorpusError::index("read");
        let mut lists: Vec<(usize, TermInfo)> = Vec::new();
        for (row, term) in model.terms() {
            let term = Term::from_field_text(fields.text, term);
            match segment.text.get_term_info(&term) {
                Ok(Some(info)) => lists.push((row, info)),
                Ok(None) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        let ranges: Vec<u32> = (0..segment.reader.max_doc()).step_by(RANGE as usize).collect();
        let made: Vec<Vec<(u32, Vector)>> = ranges
            .par_iter()
            .map(|&from| make_range(model, segment, &lists, from))
            .collect::<tantivy::Result<_>>()
            .map_err(CorpusError::index("read"))?;
        let made: Vec<(u32, Vector)> = made.into_iter().flatten().collect();
        let mut bytes = MARK.to_vec();
        bytes.extend(u32::try_from(made.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend(made.iter().flat_map(|(doc, _)| doc.to_le_bytes()));
        bytes.extend(made.iter().flat_map(|(_, vector)| vector.scale.to_le_bytes()));
        for (_, vector) in &made {
            bytes.extend(vector.bytes.map(i8::cast_unsigned));
        }
        Ok(Self {
            works: made.len(),
            bytes: OwnedBytes::new(bytes),
        })
    }

    /// Writes them so that a crash leaves no file or a whole one.
    pub(crate) fn write(&self, folder: &Path, name: &Path) -> Result<(), CorpusError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| CorpusError::Io {
                action: "write",
                path,
                source,
            }
        };
        fs::create_dir_all(folder).map_err(io(folder))?;
        let half = folder.join(name).with_extension("half");
        fs::write(&half, self.bytes.as_slice()).map_err(io(&half))?;
        fs::rename(&half, folder.join(name)).map_err(io(&half))
    }

    /// How near every work is to `query`, between -1 and 1, by index document: exact over the stored bytes.
    pub(crate) fn scan(&self, query: &Vector) -> Vec<(u32, f32)> {
        let wide = query.widened();
        let (rows, _) = self.rows().as_chunks::<DIMENSIONS>();
        let numbered: Vec<(u32, f32)> = self.heads().collect();
        let mut near = numbered;
        near.par_chunks_mut(SCANNED_AT_ONCE)
            .zip(rows.par_chunks(SCANNED_AT_ONCE))
            .for_each(|(near, rows)| {
                for ((_, scale), row) in near.iter_mut().zip(rows) {
                    *scale *= inner_product(row, &wide) as f32 * query.scale;
                }
            });
        near
    }

    /// The stored vector of an index document.
    pub(crate) fn get(&self, doc: u32) -> Option<(&[u8], f32)> {
        let docs = self.bytes.get(HEAD..HEAD + self.works * 4)?;
        let (docs, _) = docs.as_chunks::<4>();
        let at = docs.binary_search_by_key(&doc, |four| u32::from_le_bytes(*four)).ok()?;
        let (_, scale) = self.heads().nth(at)?;
        let row = self.rows().get(at * DIMENSIONS..(at + 1) * DIMENSIONS)?;
        Some((row, scale))
    }

    /// Index document and scale of each work.
    fn heads(&self) -> impl Iterator<Item = (u32, f32)> {
        let part = |number: usize| {
            let from = HEAD + number * self.works * 4;
            self.bytes.get(from..from + self.works * 4).unwrap_or_default()
        };
        let docs = part(0).chunks_exact(4).map(little_endian);
        docs.zip(part(1).chunks_exact(4).map(|four| f32::from_bits(little_endian(four))))
    }

    fn rows(&self) -> &[u8] {
        self.bytes.get(HEAD + self.works * 8..).unwrap_or_default()
    }
}

/// The vectors of the works among the index documents from `from` on.
fn make_range(
    model: &Model,
    segment: &Segment,
    lists: &[(usize, TermInfo)],
    from: u32,
) -> tantivy::Result<Vec<(u32, Vector)>> {
    let to = segment.reader.max_doc().min(from.saturating_add(RANGE));
    let mut rows: Vec<Vec<(usize, u32)>> = vec![Vec::new(); (to - from) as usize];
    for (row, info) in lists {
        collect(&segment.text, info, from, to, *row, &mut rows)?;
    }
    Ok((from..to)
        .zip(rows)
        .filter(|&(doc, _)| segment.nth.get_val(doc) == 0)
        .map(|(doc, rows)| (doc, Vector::of_rows(model, rows)))
        .collect())
}

fn collect(
    index: &InvertedIndexReader,
    info: &TermInfo,
    from: u32,
    to: u32,
    row: usize,
    rows: &mut [Vec<(usize, u32)>],
) -> tantivy::Result<()> {
    let mut postings = index.read_block_postings_from_terminfo(info, IndexRecordOption::WithFreqs)?;
    postings.seek(from);
    while postings.block_len() > 0 {
        for (&doc, &count) in postings.docs().iter().zip(postings.freqs()) {
            if doc >= to || doc == TERMINATED {
                return Ok(());
            }
            let place = doc.checked_sub(from).and_then(|place| rows.get_mut(place as usize));
            if let Some(place) = place {
                place.push((row, count));
            }
        }
        postings.advance();
    }
    Ok(())
}
