use std::path::{Path, PathBuf};

use pulp::Arch;
use rayon::prelude::*;
use tantivy::directory::OwnedBytes;

use super::model::DIMENSIONS;
use super::vector::{Vector, inner_product};
use crate::CorpusError;
use crate::store::{mapped, write_whole};

/// Magic number of a cell file.
const MARK: &[u8] = b"PRECCEL1";
/// Size of the header in bytes: magic number, number of cells, number of works.
const HEAD: usize = 16;
/// Sampled works per cell for finding the centroids.
const SAMPLED: usize = 48;
/// Iterations of k-means; more move hardly any works.
const ROUNDS: usize = 6;
/// Minimum and maximum number of cells of a segment.
const FEWEST: usize = 8;
const MOST: usize = 4096;
/// Works assigned by one thread at a time.
const AT_ONCE: usize = 4096;

/// The vectors of a segment's works, clustered into cells of similar ones, so that a query is compared only with the works of the closest cells.
///
/// Deterministic: the sample and the initial centroids are works at regular intervals, so the same vectors give the same cells.
pub(crate) struct SegmentCells {
    cells: usize,
    works: usize,
    bytes: OwnedBytes,
}

impl SegmentCells {
    /// The cell file that belongs to a vector file.
    pub(crate) fn name(vectors: &Path) -> PathBuf {
        vectors.with_extension("cells")
    }

    /// Opens the file `name` in `folder`; `None` if it is missing or damaged, in which case all vectors are scanned.
    pub(crate) fn open(folder: &Path, name: &Path) -> Option<Self> {
        let bytes = mapped(folder, name)?;
        let rest = bytes.strip_prefix(MARK)?;
        let number = |at: usize| Some(u32::from_le_bytes(*rest.get(at..)?.first_chunk()?) as usize);
        let (cells, works) = (number(0)?, number(4)?);
        let whole = HEAD + cells * (DIMENSIONS + 4) + (cells + 1) * 4 + works * 4;
        (bytes.len() == whole).then_some(Self { cells, works, bytes })
    }

    /// Clusters the works: spherical k-means over a sample, then each work to its closest centroid.
    pub(crate) fn make(works: usize, vector: impl Fn(usize) -> Vector + Sync) -> Self {
        let cells = works.isqrt().clamp(FEWEST, MOST).min(works.max(1));
        let sample: Vec<usize> = evenly(works, cells * SAMPLED).collect();
        let mut middles: Vec<Vector> = evenly(works, cells).map(&vector).collect();
        for _ in 0..ROUNDS {
            let homes = homes(&vector, &sample, &middles);
            let mut sums = vec![[0.0_f32; DIMENSIONS]; middles.len()];
            for (&row, &home) in sample.iter().zip(&homes) {
                if let Some(sum) = sums.get_mut(home as usize) {
                    vector(row).add_to(sum);
                }
            }
            for (middle, sum) in middles.iter_mut().zip(&sums) {
                // The centroid of an empty cell stays where it is.
                if sum.iter().any(|&value| value != 0.0) {
                    *middle = Vector::pack(sum);
                }
            }
        }
        let all: Vec<usize> = (0..works).collect();
        let homes = homes(&vector, &all, &middles);
        let mut order: Vec<u32> = (0..u32::try_from(works).unwrap_or(u32::MAX)).collect();
        order.sort_by_key(|&row| homes.get(row as usize).copied());
        let mut starts = vec![0_u32; middles.len() + 1];
        for &home in &homes {
            if let Some(count) = starts.get_mut(home as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut bytes = MARK.to_vec();
        bytes.extend(u32::try_from(middles.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend(u32::try_from(works).unwrap_or(u32::MAX).to_le_bytes());
        for middle in &middles {
            bytes.extend(middle.bytes.map(i8::cast_unsigned));
        }
        bytes.extend(middles.iter().flat_map(|middle| middle.scale.to_le_bytes()));
        bytes.extend(starts.iter().flat_map(|start| start.to_le_bytes()));
        bytes.extend(order.iter().flat_map(|row| row.to_le_bytes()));
        Self {
            cells: middles.len(),
            works,
            bytes: OwnedBytes::new(bytes),
        }
    }

    /// Writes the cells atomically: after a crash the file is missing or complete.
    pub(crate) fn write(&self, folder: &Path, name: &Path) -> Result<(), CorpusError> {
        write_whole(folder, name, self.bytes.as_slice())
    }

    /// Marks the rows of the cells closest to `query`, until they hold this share of the works.
    pub(crate) fn mark_near(&self, query: &Vector, share: f32, marks: &mut Marks) {
        let wide = query.widened();
        let (middles, _) = self.from(HEAD).as_chunks::<DIMENSIONS>();
        let scales = self.numbers(HEAD + self.cells * DIMENSIONS);
        let mut ranked: Vec<(f32, usize)> = Arch::new().dispatch(|| {
            let scored = middles.iter().zip(scales).take(self.cells).enumerate();
            scored
                .map(|(cell, (middle, scale))| (f32::from_le_bytes(*scale) * inner_product(middle, &wide) as f32, cell))
                .collect()
        });
        ranked.sort_by(|(a, a_cell), (b, b_cell)| b.total_cmp(a).then_with(|| a_cell.cmp(b_cell)));
        let starts = self.numbers(HEAD + self.cells * (DIMENSIONS + 4));
        let order = self.numbers(HEAD + self.cells * (DIMENSIONS + 4) + (self.cells + 1) * 4);
        let wanted = (self.works as f32 * share) as usize;
        let mut marked = 0;
        for (_, cell) in ranked {
            if marked >= wanted {
                break;
            }
            let place = |number: usize| {
                starts
                    .get(number)
                    .map_or(0, |start| u32::from_le_bytes(*start) as usize)
            };
            let of_cell = order.get(place(cell)..place(cell + 1)).unwrap_or_default();
            marked += of_cell.len();
            for row in of_cell {
                marks.set(u32::from_le_bytes(*row) as usize);
            }
        }
    }

    fn from(&self, at: usize) -> &[u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    fn numbers(&self, at: usize) -> &[[u8; 4]] {
        self.from(at).as_chunks().0
    }
}

/// Rows to scan, one bit each, so that a scan visits them once and in storage order.
pub(crate) struct Marks(Vec<u64>);

impl Marks {
    /// A set for this many rows, all unmarked.
    pub(crate) fn new(rows: usize) -> Self {
        Self(vec![0; rows.div_ceil(64)])
    }

    /// Marks a row. An index beyond the last row is ignored.
    pub(crate) fn set(&mut self, row: usize) {
        if let Some(word) = self.0.get_mut(row / 64) {
            *word |= 1 << (row % 64);
        }
    }

    /// The marked rows in chunks, each in ascending order.
    pub(crate) fn stretches(&self) -> impl IndexedParallelIterator<Item = impl Iterator<Item = usize>> {
        self.0.par_chunks(WORDS).enumerate().map(|(stretch, words)| {
            (stretch * WORDS..).zip(words).flat_map(|(at, &word)| {
                let mut left = word;
                std::iter::from_fn(move || {
                    let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                    left &= left - 1;
                    Some(at * 64 + bit)
                })
            })
        })
    }
}

/// Words of the bit set per chunk.
const WORDS: usize = 1024;

/// At most `wanted` numbers below `of`, at regular intervals.
fn evenly(of: usize, wanted: usize) -> impl Iterator<Item = usize> {
    let wanted = wanted.min(of);
    (0..wanted).map(move |number| number * of / wanted)
}

/// The cell of each of the given rows: the closest centroid, the first one on ties.
fn homes(vector: &(impl Fn(usize) -> Vector + Sync), rows: &[usize], middles: &[Vector]) -> Vec<u32> {
    let middles: Vec<(f32, [u8; DIMENSIONS])> = middles
        .iter()
        .map(|middle| (middle.scale, middle.bytes.map(i8::cast_unsigned)))
        .collect();
    let homes: Vec<Vec<u32>> = rows
        .par_chunks(AT_ONCE)
        .map(|rows| {
            Arch::new().dispatch(|| {
                let mut homes = Vec::with_capacity(rows.len());
                for &row in rows {
                    let wide = vector(row).widened();
                    let (mut best, mut home) = (f32::NEG_INFINITY, 0);
                    for (number, (scale, middle)) in (0..).zip(&middles) {
                        let near = scale * inner_product(middle, &wide) as f32;
                        if near > best {
                            (best, home) = (near, number);
                        }
                    }
                    homes.push(home);
                }
                homes
            })
        })
        .collect();
    homes.concat()
}
