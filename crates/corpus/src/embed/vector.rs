use super::model::{DIMENSIONS, Model};

/// Steps of a quantised value on each side of zero: the range of `i8`.
const STEPS: f32 = 127.0;

/// A unit vector as signed bytes with one scale. All zero if no term of the text is in the table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Vector {
    pub(super) scale: f32,
    pub(super) bytes: [i8; DIMENSIONS],
}

impl Vector {
    /// The zero vector.
    pub(crate) const ZERO: Self = Self {
        scale: 0.0,
        bytes: [0; DIMENSIONS],
    };

    /// The vector of a text, given table rows and their counts. Always inlined, so that it is compiled for the instruction set of the dispatching
    /// caller.
    #[inline(always)]
    pub(crate) fn of_rows(model: &Model, rows: impl IntoIterator<Item = (usize, u32)>) -> Self {
        let mut sum = [0.0; DIMENSIONS];
        for (row, count) in rows {
            model.add(row, 1.0 + (count.max(1) as f32).ln(), &mut sum);
        }
        Self::pack(&sum)
    }

    /// The mean of some vectors.
    pub(crate) fn middle<'a>(vectors: impl IntoIterator<Item = (&'a [u8], f32)>) -> Self {
        let mut sum = [0.0; DIMENSIONS];
        for (bytes, scale) in vectors {
            for (sum, &byte) in sum.iter_mut().zip(bytes) {
                *sum += scale * f32::from(byte.cast_signed());
            }
        }
        Self::pack(&sum)
    }

    /// This plus `weight` times another vector, not normalized, which changes no ranking.
    pub(crate) fn plus(&self, weight: f32, other: &Self) -> Self {
        let mut sum = [0.0; DIMENSIONS];
        for ((sum, &own), &others) in sum.iter_mut().zip(&self.bytes).zip(&other.bytes) {
            *sum = self.scale * f32::from(own) + weight * other.scale * f32::from(others);
        }
        Self::quantise(&sum, 1.0)
    }

    /// Whether it is the zero vector.
    pub(crate) fn is_zero(&self) -> bool {
        self.bytes.iter().all(|&byte| byte == 0)
    }

    /// Normalizes a sum.
    pub(super) fn pack(sum: &[f32; DIMENSIONS]) -> Self {
        let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
        Self::quantise(sum, length)
    }

    fn quantise(sum: &[f32; DIMENSIONS], length: f32) -> Self {
        let most = sum.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        let mut bytes = [0; DIMENSIONS];
        if most <= f32::MIN_POSITIVE || length <= f32::MIN_POSITIVE {
            return Self { scale: 0.0, bytes };
        }
        for (byte, value) in bytes.iter_mut().zip(sum) {
            *byte = (value / most * STEPS).round() as i8;
        }
        Self {
            scale: most / STEPS / length,
            bytes,
        }
    }

    /// The components as floats.
    pub(crate) fn numbers(&self) -> Vec<f32> {
        self.bytes.iter().map(|&byte| self.scale * f32::from(byte)).collect()
    }

    /// Adds it to a sum.
    pub(super) fn add_to(&self, sum: &mut [f32; DIMENSIONS]) {
        for (sum, &byte) in sum.iter_mut().zip(&self.bytes) {
            *sum += self.scale * f32::from(byte);
        }
    }

    /// The components widened for the scan.
    #[inline(always)]
    pub(super) fn widened(&self) -> [i16; DIMENSIONS] {
        self.bytes.map(i16::from)
    }
}

/// Inner product of a stored row with a query. Always inlined, so that it is compiled for the instruction set of the dispatching caller.
#[inline(always)]
pub(super) fn inner_product(row: &[u8; DIMENSIONS], query: &[i16; DIMENSIONS]) -> i32 {
    row.iter()
        .zip(query)
        .map(|(&byte, &value)| i32::from(i16::from(byte.cast_signed())) * i32::from(value))
        .sum()
}
