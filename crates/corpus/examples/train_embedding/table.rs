use std::error::Error;

use sha2::{Digest, Sha256};

use crate::matrix::DIMENSIONS;

/// Vectors by term, terms in order.
pub(crate) struct Table {
    pub(crate) terms: Vec<String>,
    pub(crate) vectors: Vec<f32>,
}

impl Table {
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The model file in the format of `precedent-corpus`: magic number, revision (of all that follows), number of terms, dimensions, bytes of the
    /// terms, the terms separated by line ends, a scale per row, the rows as signed bytes. Numbers are little-endian.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| self.terms.get(a).cmp(&self.terms.get(b)));
        let terms: Vec<&str> = order
            .iter()
            .filter_map(|&row| self.terms.get(row).map(String::as_str))
            .collect();
        let terms = terms.join("\n");
        let (mut scales, mut rows) = (Vec::new(), Vec::new());
        for &row in &order {
            let vector = self.vectors.chunks_exact(DIMENSIONS).nth(row).unwrap_or_default();
            let most = vector.iter().fold(1e-12_f32, |most, value| most.max(value.abs()));
            scales.extend((most / 127.0).to_le_bytes());
            rows.extend(vector.iter().map(|value| (value / most * 127.0).round() as i8 as u8));
        }
        let mut body = Vec::new();
        body.extend(u32::try_from(self.len())?.to_le_bytes());
        body.extend(u32::try_from(DIMENSIONS)?.to_le_bytes());
        body.extend(u32::try_from(terms.len())?.to_le_bytes());
        body.extend(terms.as_bytes());
        body.extend(scales);
        body.extend(rows);
        let mut bytes = b"PRECEMB1".to_vec();
        bytes.extend(Sha256::digest(&body).iter().take(8));
        bytes.extend(body);
        Ok(bytes)
    }
}
