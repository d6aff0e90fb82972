use std::collections::BTreeMap;

use precedent_domain::{
    Document, Extent, Facet, FacetOrigin, FacetStatement, Paper, Paragraph, ParagraphKind, Quote, Section, SectionKind,
    Span,
};
use precedent_read::without_hidden;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::marked::without_emphasis;
use crate::{EngineError, Result};

/// A research idea: a few sentences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idea {
    /// Its id, if any.
    pub id: Option<String>,
    /// Its text.
    pub text: String,
    /// What the user says it states on a facet. Words that are not in the text are appended to it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stated: BTreeMap<Facet, String>,
    /// Whether the text is as people see it, so that nothing in it is markup.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rendered: bool,
}

/// An idea as a document, with the places that the author or the user pointed out.
#[derive(Debug, Clone)]
pub(crate) struct ParsedIdea {
    /// The text.
    pub(crate) document: Document,
    /// Emphasised passages, in order.
    pub(crate) marks: Vec<Span>,
    /// What the user says that the idea states on a facet.
    pub(crate) stated: Vec<FacetStatement>,
}

/// Maximum length of an idea in bytes: a few thousand words. A longer text is a paper.
pub(crate) const LONGEST: usize = 20_000;

impl Idea {
    /// An idea of this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            id: None,
            text: text.to_owned(),
            stated: BTreeMap::new(),
            rendered: false,
        }
    }

    /// SHA-256 of its text and of the facets that the user stated, in hex.
    #[must_use]
    pub fn sha256(&self) -> String {
        let mut hasher = Sha256::new_with_prefix(self.text.as_bytes());
        for (facet, words) in &self.stated {
            hasher.update(format!("\n\n{}: {words}", facet.name()));
        }
        let digest = hasher.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The text as a document: with `\n` line ends, one paragraph per block of lines, no hidden text, no invisible characters, no
    /// emphasis. The idea's own words are cut at 20,000 bytes; facets that the user stated in other words follow them.
    #[must_use]
    pub fn document(&self) -> Document {
        self.parsed().document
    }

    /// Checks that no facet that the user stated is longer than an idea may be.
    pub(crate) fn check_facets(&self) -> Result<()> {
        let mut stated = self.stated.iter();
        match stated.find(|(_, words)| words.len() > LONGEST) {
            Some((facet, _)) => Err(EngineError::FacetTooLong {
                facet: *facet,
                most: LONGEST,
            }),
            None => Ok(()),
        }
    }

    /// The same, with emphasised passages and the facets that the user stated.
    pub(crate) fn parsed(&self) -> ParsedIdea {
        let (mut text, marks) = match self.rendered {
            true => (seen(&self.text), Vec::new()),
            false => without_emphasis(&cleaned(&self.text)),
        };
        text.truncate(text.floor_char_boundary(LONGEST));
        let marks = marks.into_iter().filter(|span| span.end <= text.len()).collect();
        let mut spans = Vec::new();
        for (facet, words) in &self.stated {
            let words = without_emphasis(&cleaned(words)).0.replace("\n\n", " ");
            let words = words.trim();
            if words.is_empty() {
                continue;
            }
            let start = whole_words(&text, words).unwrap_or_else(|| {
                if !text.is_empty() {
                    text.push_str("\n\n");
                }
                text.push_str(words);
                text.len() - words.len()
            });
            spans.push((*facet, Span::new(start, start + words.len())));
        }
        let document = as_document(text);
        let stated = spans.into_iter().filter_map(|(facet, span)| {
            let quote = Quote::at(&document, span)?;
            Some(FacetStatement {
                facet,
                quote,
                origin: Some(FacetOrigin::User),
            })
        });
        ParsedIdea {
            stated: stated.collect(),
            marks,
            document,
        }
    }
}

/// Where these words are in the text, not as parts of other words.
fn whole_words(text: &str, words: &str) -> Option<usize> {
    let mut found = text.match_indices(words).map(|(start, _)| start);
    found.find(|start| {
        let (before, after) = (text.get(..*start), text.get(start + words.len()..));
        let before = before.and_then(|before| before.chars().next_back());
        let after = after.and_then(|after| after.chars().next());
        !before.into_iter().chain(after).any(char::is_alphanumeric)
    })
}

/// The text without invisible characters, with `\n` line ends.
fn seen(text: &str) -> String {
    let folded = text.replace("\r\n", "\n").replace('\r', "\n");
    let is_seen = |c: &char| *c == '\n' || *c == '\t' || !is_unseen(*c);
    folded.trim().chars().filter(is_seen).collect()
}

/// The same without what its rendering hides.
fn cleaned(text: &str) -> String {
    let text = seen(text);
    without_hidden(&text).map_or(text, |shown| shown.trim().to_owned())
}

/// A document of this text, one paragraph per block of lines.
fn as_document(text: String) -> Document {
    let mut document = Document {
        extent: Extent::FullText,
        sections: vec![Section {
            heading: String::new(),
            number: None,
            level: 1,
            kind: SectionKind::Other,
            span: Span::new(0, text.len()),
        }],
        ..Document::default()
    };
    let mut start = 0;
    for block in text.split("\n\n") {
        let lead = block.len() - block.trim_start().len();
        let span = Span::new(start + lead, start + lead + block.trim().len());
        if span.start < span.end {
            document.paragraphs.push(Paragraph {
                span,
                kind: ParagraphKind::Body,
            });
        }
        start += block.len() + 2;
    }
    document.text = text;
    document
}

fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The idea as a paper that has nothing but this text, for the comparison stages.
pub(crate) fn as_paper(document: &Document) -> Paper {
    Paper::of_text("idea", document.clone(), Idea::new(&document.text).sha256())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_a_valid_document() {
        for text in [
            "",
            " \r\n ",
            "One.\n\n\nTwo.\r\n\r\nThree.",
            "\u{202e}\u{0}hidden\u{e0041}",
            "绳索的阻尼。",
            &"é".repeat(30_000),
        ] {
            let document = Idea::new(text).document();
            assert_eq!(document.check(), Ok(()));
            assert!(document.text.len() <= LONGEST);
            for paragraph in &document.paragraphs {
                let words = document.slice(paragraph.span).unwrap();
                assert!(!words.is_empty() && words == words.trim(), "{words:?}");
            }
        }
        assert_eq!(Idea::new("One.\n\n\nTwo.\r\n\r\nThree.").document().paragraphs.len(), 3);
        assert_eq!(Idea::new("a\u{202e}b\u{200b}").document().text, "ab");
    }

    #[test]
    fn hidden_text_is_left_out_and_marks_stay() {
        let hidden = "<!-- quetzal --><b>Kelp grows</b> <span style=\"display:none\">quetzal</span>in swell.\n\n[//]: # (quetzal)";
        let idea = Idea {
            stated: BTreeMap::from([(Facet::Purpose, "a tide <!-- quetzal -->model".to_owned())]),
            ..Idea::new(hidden)
        };
        let read = idea.parsed();
        assert_eq!(read.document.text, "Kelp grows in swell.\n\na tide model");
        assert_eq!(read.marks, [Span::new(0, 10)]);
    }

    #[test]
    fn stated_facets_are_found_in_the_text_or_appended_to_it() {
        let idea = Idea {
            stated: BTreeMap::from([
                (Facet::Purpose, "save **fuel**".to_owned()),
                (Facet::Mechanism, "a tide model".to_owned()),
                (Facet::Evaluation, " ".to_owned()),
            ]),
            ..Idea::new("Ferries that <b>save fuel</b>.")
        };
        let read = idea.parsed();
        assert_eq!(read.document.text, "Ferries that save fuel.\n\na tide model");
        assert_eq!(read.document.check(), Ok(()));
        let stated: Vec<_> = read.stated.iter().map(|one| (one.facet, one.quote.text())).collect();
        assert_eq!(
            stated,
            [(Facet::Purpose, "save fuel"), (Facet::Mechanism, "a tide model")]
        );
        let marks: Vec<_> = read
            .marks
            .iter()
            .filter_map(|span| span.slice(&read.document.text))
            .collect();
        assert_eq!(marks, ["save fuel"]);
        assert_ne!(idea.sha256(), Idea::new("Ferries that <b>save fuel</b>.").sha256());
        let part_of_a_word = Idea {
            stated: BTreeMap::from([(Facet::Purpose, "art".to_owned())]),
            ..Idea::new("A smart planner of art.")
        };
        let read = part_of_a_word.parsed();
        assert_eq!(read.document.text, "A smart planner of art.");
        assert_eq!(read.stated[0].quote.span().start, 19);
    }
}
