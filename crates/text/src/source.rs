use std::sync::Arc;

use crate::Span;
use crate::index::Index;
use crate::token::{Token, Tokens};
use crate::tokenize::tokenize;

/// A text prepared once for any number of searches from any number of threads: its normalised tokens, each with its byte range. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct Source {
    inner: Arc<SourceData>,
}

#[derive(Debug)]
struct SourceData {
    text: Arc<str>,
    tokens: Tokens,
    /// The token keys in one array: searches compare these, eight to a cache line.
    keys: Vec<u64>,
    index: Index,
}

impl Source {
    /// Prepares `text`. Linear in its length. Text beyond 4 GiB is kept but not searched.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let tokens = tokenize(&text);
        let index = Index::new(&tokens);
        let keys = tokens.entries.iter().map(|entry| entry.key).collect();
        Self {
            inner: Arc::new(SourceData {
                text,
                tokens,
                keys,
                index,
            }),
        }
    }

    /// The original text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The tokens in text order: words, numbers, characters of unspaced scripts and meaningful signs, but no punctuation.
    pub fn tokens(&self) -> impl ExactSizeIterator<Item = Token<'_>> {
        let tokens = &self.inner.tokens;
        tokens.entries.iter().map(|entry| tokens.token(entry))
    }

    /// Number of tokens in the text.
    #[must_use]
    pub fn token_count(&self) -> usize {
        self.inner.tokens.len()
    }

    /// The token at `index`.
    #[must_use]
    pub fn token(&self, index: usize) -> Option<Token<'_>> {
        let tokens = &self.inner.tokens;
        tokens.entries.get(index).map(|entry| tokens.token(entry))
    }

    /// The indices of the tokens that are entirely inside `span`.
    #[must_use]
    pub fn tokens_within(&self, span: Span) -> std::ops::Range<usize> {
        let entries = &self.inner.tokens.entries;
        let from = entries.partition_point(|entry| (entry.start as usize) < span.start);
        let to = entries.partition_point(|entry| (entry.end as usize) <= span.end);
        from..to.max(from)
    }

    pub(crate) fn inner_tokens(&self) -> &Tokens {
        &self.inner.tokens
    }

    pub(crate) fn keys(&self) -> &[u64] {
        &self.inner.keys
    }

    pub(crate) fn index(&self) -> &Index {
        &self.inner.index
    }
}
