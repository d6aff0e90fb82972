use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2};
use serde::Deserialize;

use super::EncodeError;

/// Maximum accepted size in bytes of a tensor file's header.
const LONGEST_HEADER: u64 = 64 << 20;

/// A tensor file (safetensors 0.x: length of the header, header as JSON, bytes).
pub(super) struct Tensors {
    path: PathBuf,
    bytes: Vec<u8>,
    start: usize,
    entries: BTreeMap<String, TensorEntry>,
}

#[derive(Debug, Deserialize)]
struct TensorEntry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Tensors {
    pub(super) fn read(path: &Path) -> Result<Self, EncodeError> {
        let bytes = std::fs::read(path).map_err(|source| EncodeError::Io {
            path: path.to_owned(),
            source,
        })?;
        let wrong = |reason: &str| EncodeError::NotAModel {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let (length, rest) = bytes.split_first_chunk().ok_or_else(|| wrong("it is truncated"))?;
        let length = u64::from_le_bytes(*length);
        if length > LONGEST_HEADER {
            return Err(wrong("it is not a tensor file"));
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let header = rest.get(..length).ok_or_else(|| wrong("it is truncated"))?;
        let header: BTreeMap<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(|error| wrong(&format!("its header cannot be parsed: {error}")))?;
        let entries = header
            .into_iter()
            .filter(|(name, _)| name != "__metadata__")
            .filter_map(|(name, entry)| Some((name, serde_json::from_value(entry).ok()?)))
            .collect();
        Ok(Self {
            path: path.to_owned(),
            start: 8 + length,
            bytes,
            entries,
        })
    }

    /// A matrix with this many columns and any number of rows.
    pub(super) fn matrix(&self, name: &str, columns: usize) -> Result<Array2<f32>, EncodeError> {
        let (shape, values) = self.values(name)?;
        match shape {
            [rows, found] if *found == columns => {
                Array2::from_shape_vec((*rows, columns), values).map_err(|error| self.wrong(name, &error.to_string()))
            }
            _ => Err(self.wrong(name, "it has a different shape")),
        }
    }

    /// A row with this many values.
    pub(super) fn row(&self, name: &str, columns: usize) -> Result<Array1<f32>, EncodeError> {
        let (_, values) = self.values(name)?;
        if values.len() == columns {
            Ok(Array1::from_vec(values))
        } else {
            Err(self.wrong(name, "it has a different length"))
        }
    }

    fn values(&self, name: &str) -> Result<(&[usize], Vec<f32>), EncodeError> {
        // Files of a whole model prefix the names with that of the encoder.
        let entry = self
            .entries
            .get(name)
            .or_else(|| self.entries.get(&format!("bert.{name}")))
            .ok_or_else(|| self.wrong(name, "it is missing"))?;
        let (from, to) = entry.data_offsets;
        let bytes = self
            .start
            .checked_add(from)
            .zip(self.start.checked_add(to))
            .and_then(|(from, to)| self.bytes.get(from..to))
            .ok_or_else(|| self.wrong(name, "the file is truncated"))?;
        let values: Vec<f32> = match entry.dtype.as_str() {
            "F32" => bytes
                .as_chunks()
                .0
                .iter()
                .map(|four| f32::from_le_bytes(*four))
                .collect(),
            "F16" => bytes
                .as_chunks()
                .0
                .iter()
                .map(|two| half(u16::from_le_bytes(*two)))
                .collect(),
            "BF16" => bytes
                .as_chunks()
                .0
                .iter()
                .map(|two| f32::from_bits(u32::from(u16::from_le_bytes(*two)) << 16))
                .collect(),
            other => return Err(self.wrong(name, &format!("the data type {other} is not supported"))),
        };
        let wanted = entry
            .shape
            .iter()
            .try_fold(1_usize, |product, &side| product.checked_mul(side));
        if wanted != Some(values.len()) {
            return Err(self.wrong(name, "its size does not match its shape"));
        }
        Ok((&entry.shape, values))
    }

    fn wrong(&self, name: &str, reason: &str) -> EncodeError {
        EncodeError::NotAModel {
            path: self.path.clone(),
            reason: format!("{name}: {reason}"),
        }
    }
}

/// Converts a 16-bit float (IEEE 754 binary16).
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    match (exponent, fraction) {
        (0, fraction) => {
            let size = fraction as f32 * (1.0 / 16_777_216.0);
            f32::from_bits(size.to_bits() | sign)
        }
        (31, fraction) => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        (exponent, fraction) => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn sixteen_bit_floats_are_parsed() {
        assert_eq!(half(0x3c00), 1.0);
        assert_eq!(half(0xc000), -2.0);
        assert_eq!(half(0x3555), 0.333_251_95);
        assert_eq!(half(0x0001), 5.960_464_5e-8);
        assert!(half(0x7c00).is_infinite());
    }
}
