use std::ops::Range;

use precedent_corpus::{TopicVector, terms};
use precedent_domain::{Document, Extent, SectionKind, Span};
use precedent_text::sentences;

use crate::claim::term_hash;

/// The text of a paper prepared for matching with any number of claims.
#[derive(Debug, Clone)]
pub struct PreparedText {
    pub(crate) topic: TopicVector,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) terms: Vec<u64>,
    pub(crate) extent: Extent,
}

/// A sentence with its terms.
#[derive(Debug, Clone)]
pub(crate) struct Sentence {
    pub(crate) span: Span,
    pub(crate) terms: Range<usize>,
    paragraph: Span,
    /// Whether it describes other papers.
    pub(crate) of_others: bool,
    pub(crate) words: usize,
}

impl Sentence {
    /// Whether both are in one paragraph.
    pub(crate) fn continues(&self, other: &Self) -> bool {
        self.paragraph == other.paragraph
    }
}

impl PreparedText {
    /// Prepares the text of a paper with this title and abstract. Reference lists, acknowledgements, tables, code and headings are not compared.
    #[must_use]
    pub fn new(title: &str, summary: Option<&str>, document: &Document) -> Self {
        Self::with_topic(TopicVector::of(title, summary.unwrap_or_default()), document)
    }

    /// As [`PreparedText::new`], with the topic vector of title and abstract.
    #[must_use]
    pub fn with_topic(topic: TopicVector, document: &Document) -> Self {
        let mut prepared = Self {
            topic,
            sentences: Vec::new(),
            terms: Vec::new(),
            extent: document.extent,
        };
        for (paragraph, section) in document.compared_paragraphs() {
            let Some(slice) = document.slice(paragraph) else {
                continue;
            };
            for local in sentences(slice) {
                let Some(sentence) = local.slice(slice) else { continue };
                let first = prepared.terms.len();
                prepared
                    .terms
                    .extend(terms(sentence).iter().map(|term| term_hash(term)));
                if prepared.terms.len() > first {
                    prepared.sentences.push(Sentence {
                        span: Span::new(paragraph.start + local.start, paragraph.start + local.end),
                        terms: first..prepared.terms.len(),
                        paragraph,
                        of_others: section == SectionKind::RelatedWork,
                        words: sentence.split_whitespace().count(),
                    });
                }
            }
        }
        prepared
    }

    /// How much of the paper's text was available.
    #[must_use]
    pub fn extent(&self) -> Extent {
        self.extent
    }

    pub(crate) fn terms_of(&self, sentence: &Sentence) -> &[u64] {
        self.terms.get(sentence.terms.clone()).unwrap_or_default()
    }
}
