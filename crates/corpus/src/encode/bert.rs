use std::path::Path;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::forward::{Encoder, Pooling, Shape};
use super::weights::Tensors;
use super::wordpiece::WordPiece;
use super::{Embedder, EncodeError, TextKind};

/// The file with a model's tensors.
const WEIGHTS: &str = "model.safetensors";

/// Default limit of tokens per text. Sentence models are trained on this length, and most abstracts fit.
const MOST_PIECES: usize = 256;

/// A BERT encoder from a folder in the sentence-transformers layout: `config.json`, `model.safetensors`, `vocab.txt` or `tokenizer.json`, optionally
/// `1_Pooling/config.json`. The small MiniLM, BGE and E5 models have this layout.
pub struct BertEmbedder {
    name: String,
    encoder: Encoder,
    pieces: WordPiece,
    most_pieces: usize,
    pooling: Pooling,
}

impl std::fmt::Debug for BertEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BertEmbedder")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Default, Deserialize)]
struct PoolingFile {
    #[serde(default)]
    pooling_mode_cls_token: bool,
}

#[derive(Debug, Deserialize)]
struct SentenceFile {
    max_seq_length: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
struct TokenizerConfig {
    do_lower_case: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct TokenizerFile {
    model: TokenizerModel,
}

#[derive(Debug, Deserialize)]
struct TokenizerModel {
    vocab: FxHashMap<String, u32>,
}

impl BertEmbedder {
    /// Loads the model in `folder`. Its name is `called` plus a hash of its weights.
    ///
    /// # Errors
    /// If a file is missing or invalid.
    pub fn open(folder: &Path, called: &str) -> Result<Self, EncodeError> {
        let read = read(folder)?;
        let pooling = optional::<PoolingFile>(&folder.join("1_Pooling/config.json"))?.unwrap_or_default();
        let sentence = optional::<SentenceFile>(&folder.join("sentence_bert_config.json"))?;
        let asked = sentence
            .and_then(|sentence| sentence.max_seq_length)
            .unwrap_or(MOST_PIECES);
        Ok(Self {
            name: named(called, folder)?,
            encoder: read.encoder,
            pieces: read.pieces,
            most_pieces: asked.min(read.positions),
            pooling: if pooling.pooling_mode_cls_token {
                Pooling::First
            } else {
                Pooling::Mean
            },
        })
    }

    /// The token ids of a text.
    #[must_use]
    pub fn pieces(&self, text: &str) -> Vec<u32> {
        self.pieces.pieces(text, self.most_pieces)
    }
}

impl Embedder for BertEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed(&self, texts: &[&str], _: TextKind) -> Result<Vec<Vec<f32>>, EncodeError> {
        // Each thread encodes one text at a time, so no text is padded to the length of the longest.
        let vectors = texts
            .par_iter()
            .map(|text| self.encoder.vector(&self.pieces(text), self.pooling))
            .collect();
        Ok(vectors)
    }
}

/// What embedders and rerankers have in common.
pub(super) struct Read {
    pub(super) encoder: Encoder,
    pub(super) tensors: Tensors,
    pub(super) pieces: WordPiece,
    /// Maximum number of tokens.
    pub(super) positions: usize,
}

/// Loads the encoder in `folder` with all tensors of its file.
pub(super) fn read(folder: &Path) -> Result<Read, EncodeError> {
    let shape: Shape = json(&folder.join("config.json"))?;
    let positions = shape.max_position_embeddings;
    let weights = folder.join(WEIGHTS);
    let tensors = Tensors::read(&weights)?;
    let encoder = Encoder::of(&tensors, &weights, shape)?;
    let config = optional::<TokenizerConfig>(&folder.join("tokenizer_config.json"))?.unwrap_or_default();
    let vocabulary = vocabulary(folder)?;
    let pieces =
        WordPiece::new(vocabulary, config.do_lower_case.unwrap_or(true)).ok_or_else(|| EncodeError::NotAModel {
            path: folder.to_owned(),
            reason: "its vocabulary lacks [CLS], [SEP] or [UNK]".to_owned(),
        })?;
    Ok(Read {
        encoder,
        tensors,
        pieces,
        positions,
    })
}

/// A model's name with a hash of its weights.
pub(super) fn named(called: &str, folder: &Path) -> Result<String, EncodeError> {
    let hash = sha256(&folder.join(WEIGHTS))?;
    Ok(format!("{called}@{}", hash.get(..12).unwrap_or_default()))
}

fn vocabulary(folder: &Path) -> Result<FxHashMap<String, u32>, EncodeError> {
    let list = folder.join("vocab.txt");
    if list.is_file() {
        let text = String::from_utf8_lossy(&bytes(&list)?).into_owned();
        return Ok(text.lines().map(|line| line.trim_end().to_owned()).zip(0..).collect());
    }
    Ok(json::<TokenizerFile>(&folder.join("tokenizer.json"))?.model.vocab)
}

fn bytes(path: &Path) -> Result<Vec<u8>, EncodeError> {
    std::fs::read(path).map_err(|source| EncodeError::Io {
        path: path.to_owned(),
        source,
    })
}

fn json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, EncodeError> {
    serde_json::from_slice(&bytes(path)?).map_err(|error| EncodeError::NotAModel {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

fn optional<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Option<T>, EncodeError> {
    path.is_file().then(|| json(path)).transpose()
}

/// The SHA-256 of a file, in hexadecimal.
pub(super) fn sha256(path: &Path) -> Result<String, EncodeError> {
    let digest = Sha256::digest(bytes(path)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
