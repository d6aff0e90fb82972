use precedent_domain::{
    Document, Extent, Identifiers, Paper, PaperFormat, PaperOrigin, Paragraph, ParagraphKind, ParseQuality, Section,
    SectionKind, Span,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A research idea: a few sentences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idea {
    /// Its id, if any.
    pub id: Option<String>,
    /// Its text.
    pub text: String,
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
        }
    }

    /// SHA-256 of its text, in hex.
    #[must_use]
    pub fn sha256(&self) -> String {
        let digest = Sha256::digest(self.text.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The text as a document: with `\n` line ends, one paragraph per block of lines, no invisible characters, and cut at 20,000 bytes.
    #[must_use]
    pub fn document(&self) -> Document {
        let folded = self.text.replace("\r\n", "\n").replace('\r', "\n");
        let seen = |c: &char| *c == '\n' || *c == '\t' || !is_unseen(*c);
        let mut text: String = folded.trim().chars().filter(seen).collect();
        text.truncate(text.floor_char_boundary(LONGEST));
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
}

fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The idea as a paper that has nothing but this text, for the comparison stages.
pub(crate) fn as_paper(document: &Document) -> Paper {
    let idea = Idea::new(&document.text);
    Paper {
        origin: PaperOrigin {
            file_name: "idea".to_owned(),
            format: PaperFormat::Text,
            sha256: idea.sha256(),
            bytes: document.text.len() as u64,
        },
        title: None,
        authors: Vec::new(),
        abstract_span: Some(Span::new(0, document.text.len())),
        dates: Vec::new(),
        identifiers: Identifiers::default(),
        document: document.clone(),
        references: Vec::new(),
        citations: Vec::new(),
        hidden: Vec::new(),
        quality: ParseQuality {
            score: 1.0,
            reasons: Vec::new(),
        },
        warnings: Vec::new(),
    }
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
}
