//! Builds papers from records of the development data, for the examples.

use precedent_domain::{
    Author, Document, Extent, Identifiers, Page, Paper, PaperFormat, PaperOrigin, Paragraph, ParagraphKind,
    ParseQuality, Section, SectionKind, Span,
};
use serde_json::Value;

fn kind_of(heading: &str) -> SectionKind {
    let lower = heading.to_lowercase();
    let bare = lower.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    let starts = |words: &[&str]| words.iter().any(|word| bare.starts_with(word));
    if starts(&["abstract"]) {
        SectionKind::Abstract
    } else if starts(&["introduction", "background", "motivation"]) {
        SectionKind::Introduction
    } else if starts(&["related"]) {
        SectionKind::RelatedWork
    } else if starts(&["conclu", "summary"]) {
        SectionKind::Conclusion
    } else if starts(&["discussion"]) {
        SectionKind::Discussion
    } else if starts(&["acknow"]) {
        SectionKind::Acknowledgements
    } else if starts(&["reference"]) {
        SectionKind::References
    } else {
        SectionKind::Other
    }
}

/// A paper built from a record, good enough for testing extraction.
pub(crate) fn paper(record: &Value) -> Paper {
    let text_of = |key: &str| record.get(key).and_then(Value::as_str).map(str::to_owned);
    let title = text_of("title");
    let mut document = Document {
        extent: Extent::FullText,
        ..Document::default()
    };
    let mut add = |heading: &str, text: &str, kind: SectionKind| -> Span {
        let start = document.text.len();
        for part in text.split("\n\n").filter(|part| !part.trim().is_empty()) {
            let from = document.text.len();
            document.text.push_str(part);
            document.paragraphs.push(Paragraph {
                span: Span::new(from, document.text.len()),
                kind: ParagraphKind::Body,
            });
            document.text.push_str("\n\n");
        }
        let span = Span::new(start, document.text.len());
        document.sections.push(Section {
            heading: heading.to_owned(),
            number: None,
            level: 1,
            kind,
            span,
        });
        span
    };
    add("", title.as_deref().unwrap_or_default(), SectionKind::FrontMatter);
    let summary = text_of("abstract").filter(|text| !text.trim().is_empty());
    let abstract_span = summary.map(|text| add("Abstract", &text, SectionKind::Abstract));
    for section in record.get("sections").and_then(Value::as_array).into_iter().flatten() {
        let heading = section.get("heading").and_then(Value::as_str).unwrap_or_default();
        let kind = kind_of(heading);
        if kind != SectionKind::Abstract {
            add(
                heading,
                section.get("text").and_then(Value::as_str).unwrap_or_default(),
                kind,
            );
        }
    }
    let year = record
        .get("year")
        .and_then(Value::as_u64)
        .and_then(|year| year.to_string().parse().ok());
    let year = year.map(|date| precedent_domain::PublicationDate {
        date,
        origin: precedent_domain::DateOrigin::FrontMatter,
    });
    let authors = record.get("authors").and_then(Value::as_array).into_iter().flatten();
    Paper {
        origin: PaperOrigin {
            file_name: text_of("id").unwrap_or_default(),
            format: PaperFormat::Text,
            sha256: String::new(),
            bytes: 0,
        },
        title,
        authors: authors.filter_map(Value::as_str).map(Author::new).collect(),
        abstract_span: abstract_span.map(|span| Span::new(span.start, span.end.saturating_sub(2))),
        dates: year.into_iter().collect(),
        identifiers: Identifiers::default(),
        document: Document {
            pages: Vec::<Page>::new(),
            ..document
        },
        references: Vec::new(),
        citations: Vec::new(),
        hidden: Vec::new(),
        quality: ParseQuality::without_doubts(),
        warnings: Vec::new(),
    }
}
