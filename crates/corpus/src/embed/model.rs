use std::sync::LazyLock;

/// Dimensions of a vector; fixed by the table.
pub(crate) const DIMENSIONS: usize = 256;
/// Magic number of a model file.
const MARK: &[u8] = b"PRECEMB1";
/// The built-in table.
static BYTES: &[u8] = include_bytes!("terms-256.bin");
static MODEL: LazyLock<Option<Model>> = LazyLock::new(|| Model::parse(BYTES));

/// The built-in table of term vectors; `None` only if the embedded file is invalid.
pub(crate) fn model() -> Option<&'static Model> {
    MODEL.as_ref()
}

/// Vectors by term.
pub(crate) struct Model {
    revision: String,
    /// Sorted terms, concatenated, and the end of each in `letters`.
    letters: &'static str,
    ends: Vec<u32>,
    scales: Vec<f32>,
    rows: &'static [u8],
}

impl Model {
    /// Parses the format that `table.rs` of the trainer writes: magic number, revision, number of terms, dimensions, bytes of the terms, terms,
    /// scales, rows.
    fn parse(bytes: &'static [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MARK)?;
        let (revision, rest) = rest.split_at_checked(8)?;
        let mut numbers = rest.get(..12)?.chunks_exact(4).map(little_endian);
        let (terms, dimensions, letters) = (numbers.next()?, numbers.next()?, numbers.next()?);
        if dimensions as usize != DIMENSIONS {
            return None;
        }
        let (letters, rest) = rest.get(12..)?.split_at_checked(letters as usize)?;
        let letters = std::str::from_utf8(letters).ok()?;
        let (scales, rows) = rest.split_at_checked(terms as usize * 4)?;
        let mut ends = Vec::with_capacity(terms as usize);
        for (at, _) in letters.match_indices('\n') {
            ends.push(u32::try_from(at).ok()?);
        }
        ends.push(u32::try_from(letters.len()).ok()?);
        let whole = ends.len() == terms as usize && rows.len() == terms as usize * DIMENSIONS;
        whole.then(|| Self {
            revision: revision.iter().map(|byte| format!("{byte:02x}")).collect(),
            letters,
            ends,
            scales: scales
                .chunks_exact(4)
                .map(|four| f32::from_bits(little_endian(four)))
                .collect(),
            rows,
        })
    }

    /// An identifier of the table: different tables give different vectors.
    pub(crate) fn revision(&self) -> &str {
        &self.revision
    }

    /// Every term with its row, in order.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (usize, &str)> {
        (0..self.ends.len()).map(|row| (row, self.term(row)))
    }

    /// The row of a term.
    pub(crate) fn row(&self, term: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.term(middle).cmp(term) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// Length of a row's vector; uninformative terms are short.
    pub(super) fn length(&self, row: usize) -> f32 {
        let bytes = self
            .rows
            .get(row * DIMENSIONS..(row + 1) * DIMENSIONS)
            .unwrap_or_default();
        let squares: i32 = bytes.iter().map(|&byte| i32::from(byte.cast_signed()).pow(2)).sum();
        (squares as f32).sqrt() * self.scales.get(row).copied().unwrap_or(0.0)
    }

    /// Adds `weight` times the vector of a row to `sum`. Always inlined, like [`Vector::of_rows`](super::Vector::of_rows).
    #[inline(always)]
    pub(crate) fn add(&self, row: usize, weight: f32, sum: &mut [f32; DIMENSIONS]) {
        let Some((bytes, scale)) = self
            .rows
            .get(row * DIMENSIONS..(row + 1) * DIMENSIONS)
            .zip(self.scales.get(row))
        else {
            return;
        };
        let weight = weight * scale;
        for (sum, &byte) in sum.iter_mut().zip(bytes) {
            *sum += weight * f32::from(byte.cast_signed());
        }
    }

    fn term(&self, row: usize) -> &str {
        let end = self.ends.get(row).map_or(0, |&end| end as usize);
        let start = row
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |&end| end as usize + 1);
        self.letters.get(start..end).unwrap_or_default()
    }
}

/// Up to four little-endian bytes as a number.
pub(super) fn little_endian(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, &byte| number << 8 | u32::from(byte))
}
