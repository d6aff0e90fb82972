use precedent_corpus::{Embedder, EncodeError, TextKind};
use precedent_http::Secret;
use serde::{Deserialize, Serialize};

use super::EndpointLine;

/// Texts per request.
const AT_ONCE: usize = 64;
/// Maximum plausible number of dimensions.
const MOST_DIMENSIONS: usize = 16_384;

/// An embedder behind an OpenAI-compatible endpoint: `POST {url}/embeddings`.
#[derive(Debug)]
pub struct EndpointEmbedder {
    line: EndpointLine,
    model: String,
    name: String,
    address: String,
    key: Option<Secret>,
}

#[derive(Serialize)]
struct EmbeddingRequest<'a> {
    model: &'a str,
    input: &'a [&'a str],
    encoding_format: &'a str,
}

#[derive(Deserialize)]
struct EmbeddingResponse {
    data: Vec<EmbeddingItem>,
}

#[derive(Deserialize)]
struct EmbeddingItem {
    index: usize,
    embedding: Vec<f32>,
}

impl EndpointEmbedder {
    /// The model of this name at `url`, the part before `/embeddings`.
    #[must_use]
    pub fn new(line: EndpointLine, url: &str, model: &str, key: Option<Secret>) -> Self {
        let url = url.trim_end_matches('/');
        Self {
            line,
            model: model.to_owned(),
            name: format!("{model} at {url}"),
            address: format!("{url}/embeddings"),
            key,
        }
    }

    fn some(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let question = EmbeddingRequest {
            model: &self.model,
            input: texts,
            encoding_format: "float",
        };
        let answer: EmbeddingResponse = self.line.ask(&self.name, &self.address, self.key.as_ref(), &question)?;
        let wrong = |reason: &str| EncodeError::Answer {
            model: self.name.clone(),
            reason: reason.to_owned(),
        };
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts.len()];
        for item in answer.data {
            let dimensions = item.embedding.len();
            if dimensions == 0 || dimensions > MOST_DIMENSIONS || item.embedding.iter().any(|x| !x.is_finite()) {
                return Err(wrong("a vector is empty, too long or does not contain numbers"));
            }
            match vectors.get_mut(item.index) {
                Some(place @ None) => *place = Some(unit(item.embedding)),
                Some(Some(_)) => return Err(wrong("it returned two vectors for one text")),
                None => return Err(wrong("it returned a vector for a text that was not in the request")),
            }
        }
        let vectors: Option<Vec<Vec<f32>>> = vectors.into_iter().collect();
        let vectors = vectors.ok_or_else(|| wrong("it returned no vector for one of the texts"))?;
        let first = vectors.first().map(Vec::len);
        if vectors.iter().any(|vector| Some(vector.len()) != first) {
            return Err(wrong("its vectors differ in length"));
        }
        Ok(vectors)
    }
}

impl Embedder for EndpointEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed(&self, texts: &[&str], _: TextKind) -> Result<Vec<Vec<f32>>, EncodeError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for texts in texts.chunks(AT_ONCE) {
            vectors.extend(self.some(texts)?);
        }
        Ok(vectors)
    }
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > f32::MIN_POSITIVE {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}
