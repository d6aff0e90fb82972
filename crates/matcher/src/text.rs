use std::ops::Range;

use precedent_corpus::{TopicVector, terms};
use precedent_domain::{Document, Extent, SectionKind, Span};
use precedent_text::sentences;

use crate::claim::term_hash;

/// Maximum length of a passage in words (OpenNovelty, C.9).
pub(crate) const MOST_WORDS: usize = 90;

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
            for local in sentences(slice).into_iter().flat_map(|span| parts(slice, span)) {
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

    /// Number of compared terms, with repetitions.
    #[must_use]
    pub fn length(&self) -> usize {
        self.terms.len()
    }

    pub(crate) fn terms_of(&self, sentence: &Sentence) -> &[u64] {
        self.terms.get(sentence.terms.clone()).unwrap_or_default()
    }
}

/// A sentence in parts of at most [`MOST_WORDS`] words. Only a table or a formula that a PDF runs together is so long.
fn parts(text: &str, sentence: Span) -> Vec<Span> {
    let mut parts: Vec<Span> = Vec::new();
    let mut words = 0;
    let mut at = sentence.start;
    for word in sentence.slice(text).unwrap_or_default().split(char::is_whitespace) {
        let (start, end) = (at, at + word.len());
        // Every white space is one character, of one to three bytes.
        at = end
            + text
                .get(end..)
                .and_then(|rest| rest.chars().next())
                .map_or(0, char::len_utf8);
        if word.is_empty() {
            continue;
        }
        match parts.last_mut() {
            Some(part) if words < MOST_WORDS => part.end = end,
            _ => {
                parts.push(Span::new(start, end));
                words = 0;
            }
        }
        words += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_split_between_words() {
        let text = "wörd\u{2003} ".repeat(200);
        let parts = parts(&text, Span::new(0, text.len()));
        let words: Vec<usize> = parts
            .iter()
            .map(|part| part.slice(&text).unwrap_or_default().split_whitespace().count())
            .collect();
        assert_eq!(words, [90, 90, 20]);
        assert_eq!(
            super::parts("One short sentence.", Span::new(0, 19)),
            [Span::new(0, 19)]
        );
    }
}
