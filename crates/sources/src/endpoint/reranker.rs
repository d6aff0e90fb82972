use precedent_corpus::{EncodeError, Reranker};
use precedent_http::{Request, Secret};
use serde::{Deserialize, Serialize};

use super::EndpointLine;

/// A reranker behind an endpoint compatible with Cohere and Jina: `POST {url}/rerank`. Text Embeddings Inference and the llama.cpp server differ
/// slightly and are supported too.
#[derive(Debug)]
pub struct EndpointReranker {
    line: EndpointLine,
    model: String,
    name: String,
    address: String,
    key: Option<Secret>,
}

#[derive(Serialize)]
struct RerankRequest<'a> {
    model: &'a str,
    query: &'a str,
    documents: &'a [&'a str],
    /// The name of `documents` in Text Embeddings Inference.
    texts: &'a [&'a str],
    top_n: usize,
    return_documents: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RerankResponse {
    Results { results: Vec<RerankItem> },
    Data { data: Vec<RerankItem> },
    Plain(Vec<RerankItem>),
}

#[derive(Deserialize)]
struct RerankItem {
    index: usize,
    #[serde(alias = "score")]
    relevance_score: f32,
}

impl EndpointReranker {
    /// The model of this name at `url`, the part before `/rerank`.
    #[must_use]
    pub fn new(line: EndpointLine, url: &str, model: &str, key: Option<Secret>) -> Self {
        let url = url.trim_end_matches('/');
        Self {
            line,
            model: model.to_owned(),
            name: format!("{model} at {url}"),
            address: format!("{url}/rerank"),
            key,
        }
    }

    fn request_body<'a>(&'a self, query: &'a str, texts: &'a [&'a str]) -> RerankRequest<'a> {
        RerankRequest {
            model: &self.model,
            query,
            documents: texts,
            texts,
            top_n: texts.len(),
            return_documents: false,
        }
    }
}

impl Reranker for EndpointReranker {
    fn name(&self) -> &str {
        &self.name
    }

    fn sends(&self, query: &str, texts: &[&str]) -> Option<(String, u64)> {
        let request = Request::post_json(&self.name, &self.address, &self.request_body(query, texts)).ok()?;
        let bytes = request.address().len() + request.body().len();
        Some((request.host().to_owned(), bytes as u64))
    }

    fn rerank(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, EncodeError> {
        let body = self.request_body(query, texts);
        let answer: RerankResponse = self.line.ask(&self.name, &self.address, self.key.as_ref(), &body)?;
        let (RerankResponse::Results { results: items }
        | RerankResponse::Data { data: items }
        | RerankResponse::Plain(items)) = answer;
        let wrong = |reason: &str| EncodeError::Answer {
            model: self.name.clone(),
            reason: reason.to_owned(),
        };
        let mut scores: Vec<Option<f32>> = vec![None; texts.len()];
        for item in items {
            match scores.get_mut(item.index) {
                Some(place @ None) if item.relevance_score.is_finite() => *place = Some(item.relevance_score),
                Some(None) => return Err(wrong("a score is not a number")),
                Some(Some(_)) => return Err(wrong("it returned two scores for one text")),
                None => return Err(wrong("it returned a score for a text that was not in the request")),
            }
        }
        let scores: Option<Vec<f32>> = scores.into_iter().collect();
        scores.ok_or_else(|| wrong("it returned no score for one of the texts"))
    }
}
