use std::sync::Arc;

use precedent_text::{Edit, Location, Source, Span, locate_in_sections};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Document, Place};

/// A document prepared for quoting: its structure and its tokenised text, shared by any number of look-ups.
#[derive(Debug, Clone)]
pub struct QuotableDocument {
    document: Arc<Document>,
    source: Source,
}

impl QuotableDocument {
    /// Prepares `document`. Linear in its length.
    #[must_use]
    pub fn new(document: impl Into<Arc<Document>>) -> Self {
        let document = document.into();
        let source = Source::new(document.text.as_str());
        Self { document, source }
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Its tokenised text.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Locates `words` and reports how exactly they match. The parts of a quote with an ellipsis must be in the same section.
    #[must_use]
    pub fn locate(&self, words: &str) -> Location {
        let sections: Vec<Span> = self.document.sections.iter().map(|section| section.span).collect();
        locate_in_sections(&self.source, words, &sections)
    }
}

/// Words of a source, cut from it. The only constructor is [`Quote::cut`], which takes a span of a document. Words from anywhere else must first be
/// located, and the printed text is still the source's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quote {
    /// The source's own text.
    text: String,
    /// Location in the text of the source: UTF-8 byte range, as `precedent read` prints that text.
    span: Span,
    /// Page and section.
    place: Place,
    /// Confidence that the requested words are at this location, 0 to 1; 1 for text cut by the program itself.
    score: f64,
    /// Differences of the requested words, word for word; empty for text cut by the program itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edits: Vec<Edit>,
}

impl Quote {
    /// The source's text at `location`; `None` if the location does not verify or does not fit the document. A stitched location includes everything
    /// from the first part to the last.
    #[must_use]
    pub fn cut(document: &Document, location: &Location) -> Option<Self> {
        let (span, score, edits) = match location {
            Location::Exact { span, score } => (*span, *score, Vec::new()),
            Location::Close { span, score, edits } => (*span, *score, edits.clone()),
            Location::Stitched { spans, score, .. } => {
                (Span::new(spans.first()?.start, spans.last()?.end), *score, Vec::new())
            }
            _ => return None,
        };
        let text = document.slice(span)?;
        if text.trim().is_empty() {
            return None;
        }
        Some(Self {
            text: text.to_owned(),
            span,
            place: document.place(span),
            score,
            edits,
        })
    }

    /// The source's text at a span that the program found in it (never one that a model named).
    #[must_use]
    pub fn at(document: &Document, span: Span) -> Option<Self> {
        Self::cut(document, &Location::Exact { span, score: 1.0 })
    }

    /// The source's own text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte range of the document's text it was cut from.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Page and section.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Confidence that the requested words are at this location, 0 to 1; 1 for text cut by the program itself.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.score
    }

    /// Differences of the requested words.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Whether `document` has exactly this text at this location.
    #[must_use]
    pub fn is_in(&self, document: &Document) -> bool {
        document.slice(self.span) == Some(self.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_cut_from_the_source_or_not_at_all() {
        let document = Document::from_abstract("A title", Some("We show that ice melts."));
        let quote = Quote::at(&document, Span::new(9, 32)).unwrap();
        assert_eq!(quote.text(), "We show that ice melts.");
        assert_eq!(quote.place().section.as_deref(), Some("Abstract"));
        assert!(quote.is_in(&document));
        assert!(Quote::at(&document, Span::new(9, 999)).is_none());
        assert!(Quote::cut(&document, &Location::Absent { best_score: 0.9 }).is_none());
        let altered = Location::Altered {
            span: Span::new(9, 32),
            score: 0.9,
            edits: vec![],
            reasons: vec![],
        };
        assert!(Quote::cut(&document, &altered).is_none());
    }
}
