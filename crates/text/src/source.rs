use std::sync::Arc;

/// A text prepared once for any number of look-ups from any number of threads: its normalised tokens, each with its byte range.
#[derive(Debug, Clone)]
pub struct Source {
    text: Arc<str>,
}

impl Source {
    /// Prepares `text`. Linear in its length.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into() }
    }

    /// The text as it was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}
