use std::path::Path;

use ndarray::{Axis, Slice};
use rayon::prelude::*;

use super::bert::{named, read};
use super::forward::{Encoder, Linear};
use super::wordpiece::WordPiece;
use super::{EncodeError, Reranker};

/// Maximum number of tokens of query and text together; cross-encoders are trained on this length.
const MOST_PIECES: usize = 512;

/// A BERT cross-encoder from a folder in the transformers layout (`BertForSequenceClassification` with one label): `config.json`,
/// `model.safetensors`, `vocab.txt` or `tokenizer.json`. The MS MARCO models have this layout.
pub struct BertReranker {
    name: String,
    encoder: Encoder,
    pieces: WordPiece,
    most_pieces: usize,
    pooler: Linear,
    classifier: Linear,
}

impl std::fmt::Debug for BertReranker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BertReranker")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl BertReranker {
    /// Loads the model in `folder`. Its name is `called` plus a hash of its weights.
    ///
    /// # Errors
    /// If a file is missing or invalid.
    pub fn open(folder: &Path, called: &str) -> Result<Self, EncodeError> {
        let read = read(folder)?;
        let wrong = |reason: &str| EncodeError::NotAModel {
            path: folder.to_owned(),
            reason: reason.to_owned(),
        };
        if read.encoder.segments() < 2 {
            return Err(wrong("it has only one segment type, so it cannot read two texts"));
        }
        let width = read.encoder.width();
        let of_pairs = |error| match error {
            EncodeError::NotAModel { reason, .. } => wrong(&format!(
                "it is not a cross-encoder with one score ({reason}); use a model that makes vectors as an embedder"
            )),
            error => error,
        };
        Ok(Self {
            name: named(called, folder)?,
            pooler: Linear::of(&read.tensors, "pooler.dense", width, width).map_err(of_pairs)?,
            classifier: Linear::of(&read.tensors, "classifier", width, 1).map_err(of_pairs)?,
            encoder: read.encoder,
            pieces: read.pieces,
            most_pieces: MOST_PIECES.min(read.positions),
        })
    }

    fn score(&self, query: &str, text: &str) -> f32 {
        let (pieces, second) = self.pieces.pair(query, text, self.most_pieces);
        let states = self.encoder.states(&pieces, second);
        let first = states.slice_axis(Axis(0), Slice::from(..1)).to_owned();
        let pooled = self.pooler.apply(&first).mapv(f32::tanh);
        self.classifier.apply(&pooled).sum()
    }
}

impl Reranker for BertReranker {
    fn name(&self) -> &str {
        &self.name
    }

    fn rerank(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, EncodeError> {
        Ok(texts.par_iter().map(|text| self.score(query, text)).collect())
    }
}
