use std::path::{Path, PathBuf};

use pulp::Arch;
use rayon::prelude::*;
use tantivy::directory::OwnedBytes;
use tantivy::postings::TermInfo;
use tantivy::schema::IndexRecordOption;
use tantivy::{InvertedIndexReader, TERMINATED, Term};

use super::cells::{Marks, SegmentCells};
use super::model::{DIMENSIONS, Model, little_endian};
use super::vector::{Vector, inner_product};
use crate::CorpusError;
use crate::store::{Fields, Segment, mapped, write_whole};

/// Magic number of a vector file.
const MARK: &[u8] = b"PRECVEC1";
/// Size of the header in bytes: magic number and number of works.
const HEAD: usize = 12;
/// Index documents processed at a time when making vectors.
const RANGE: u32 = 32_768;
/// Vectors scanned by one thread at a time.
const SCANNED_AT_ONCE: usize = 16_384;

/// The vectors of the works of one segment, including deleted ones.
pub(crate) struct SegmentVectors {
    works: usize,
    bytes: OwnedBytes,
}

impl SegmentVectors {
    /// The name of a segment's vector file.
    pub(crate) fn name(model: &Model, segment: &Segment) -> PathBuf {
        let id = segment.reader.segment_id().uuid_string();
        PathBuf::from(format!("{}-{id}.vectors", model.revision()))
    }

    /// Opens the file `name` in `folder`; `None` if it is missing or damaged, in which case it is made again.
    pub(crate) fn open(folder: &Path, name: &Path) -> Option<Self> {
        Self::parse(mapped(folder, name)?)
    }

    fn parse(bytes: OwnedBytes) -> Option<Self> {
        let rest = bytes.strip_prefix(MARK)?;
        let works = little_endian(rest.get(..4)?) as usize;
        (bytes.len() == HEAD + works * (8 + DIMENSIONS)).then_some(Self { works, bytes })
    }

    /// Makes the vectors of a segment from its posting lists, without reading any text again.
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

    /// Writes the vectors atomically: after a crash the file is missing or complete.
    pub(crate) fn write(&self, folder: &Path, name: &Path) -> Result<(), CorpusError> {
        write_whole(folder, name, self.bytes.as_slice())
    }

    /// Replaces every work's entry in `scores` (by index document) with `blended` of that entry and the work's similarity to `query`, between -1 and
    /// 1 times the length of `query`, computed exactly on the stored bytes.
    pub(crate) fn blend_all(&self, query: &Vector, scores: &mut [f32], blended: impl Fn(f32, f32) -> f32 + Sync) {
        let wide = query.widened();
        let (rows, _) = self.rows().as_chunks::<DIMENSIONS>();
        let (docs, scales) = (self.docs(), self.scales());
        // Documents are sorted, so each chunk of rows has its own chunk of scores.
        let mut stretches = Vec::new();
        let (mut rest, mut taken) = (scores, 0);
        for (number, docs) in docs.chunks(SCANNED_AT_ONCE).enumerate() {
            let Some(last) = docs.last() else { continue };
            let end = u32::from_le_bytes(*last) as usize + 1;
            let Some((mine, others)) = std::mem::take(&mut rest).split_at_mut_checked(end.saturating_sub(taken)) else {
                return;
            };
            let from = number * SCANNED_AT_ONCE;
            stretches.push((mine, taken, docs, from));
            (rest, taken) = (others, end);
        }
        stretches.into_par_iter().for_each(|(scores, first, docs, from)| {
            let rows = rows.get(from..).unwrap_or_default();
            let scales = scales.get(from..).unwrap_or_default();
            Arch::new().dispatch(|| {
                for ((doc, row), scale) in docs.iter().zip(rows).zip(scales) {
                    let near = f32::from_le_bytes(*scale) * (inner_product(row, &wide) as f32 * query.scale);
                    if let Some(score) = scores.get_mut(u32::from_le_bytes(*doc) as usize - first) {
                        *score = blended(*score, near);
                    }
                }
            });
        });
    }

    /// Like [`SegmentVectors::blend_all`], but only for the works in `also` and in the cells closest to `query` that together hold `share` of all
    /// works.
    pub(crate) fn blend_near(
        &self,
        (cells, share): (&SegmentCells, f32),
        query: &Vector,
        also: &[u32],
        scores: &mut [f32],
        blended: impl Fn(f32, f32) -> f32 + Sync,
    ) {
        let mut marks = Marks::new(self.works);
        cells.mark_near(query, share, &mut marks);
        also.iter()
            .filter_map(|&doc| self.row_of(doc))
            .for_each(|row| marks.set(row));
        let wide = query.widened();
        let (bytes, _) = self.rows().as_chunks::<DIMENSIONS>();
        let (docs, scales) = (self.docs(), self.scales());
        let near: Vec<Vec<(u32, f32)>> = marks
            .stretches()
            .map(|rows| {
                Arch::new().dispatch(|| {
                    let one = |row: usize| {
                        let (doc, scale, row) = (docs.get(row)?, scales.get(row)?, bytes.get(row)?);
                        let near = f32::from_le_bytes(*scale) * (inner_product(row, &wide) as f32 * query.scale);
                        Some((u32::from_le_bytes(*doc), near))
                    };
                    rows.filter_map(one).collect()
                })
            })
            .collect();
        for (doc, near) in near.into_iter().flatten() {
            if let Some(score) = scores.get_mut(doc as usize) {
                *score = blended(*score, near);
            }
        }
    }

    /// Number of works.
    pub(crate) fn works(&self) -> usize {
        self.works
    }

    /// The vector of a row; the zero vector beyond the last row.
    #[inline(always)]
    pub(crate) fn vector(&self, row: usize) -> Vector {
        let (rows, _) = self.rows().as_chunks::<DIMENSIONS>();
        match rows.get(row).zip(self.scales().get(row)) {
            Some((bytes, scale)) => Vector {
                scale: f32::from_le_bytes(*scale),
                bytes: bytes.map(u8::cast_signed),
            },
            None => Vector::ZERO,
        }
    }

    fn row_of(&self, doc: u32) -> Option<usize> {
        self.docs()
            .binary_search_by_key(&doc, |four| u32::from_le_bytes(*four))
            .ok()
    }

    /// The stored vector of an index document.
    pub(crate) fn get(&self, doc: u32) -> Option<(&[u8], f32)> {
        let at = self.row_of(doc)?;
        let scale = f32::from_le_bytes(*self.scales().get(at)?);
        let row = self.rows().get(at * DIMENSIONS..(at + 1) * DIMENSIONS)?;
        Some((row, scale))
    }

    /// Little-endian index document of each work, in ascending order.
    fn docs(&self) -> &[[u8; 4]] {
        self.part(0)
    }

    /// Little-endian scale of each work's vector.
    fn scales(&self) -> &[[u8; 4]] {
        self.part(1)
    }

    fn part(&self, number: usize) -> &[[u8; 4]] {
        let from = HEAD + number * self.works * 4;
        let bytes = self.bytes.get(from..from + self.works * 4).unwrap_or_default();
        bytes.as_chunks().0
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
        .map(|(doc, rows)| (doc, Arch::new().dispatch(|| Vector::of_rows(model, rows))))
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
