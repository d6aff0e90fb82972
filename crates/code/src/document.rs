use precedent_domain::{Document, Extent, Paragraph, ParagraphKind, Section, SectionKind, Span};

use crate::Repository;
use crate::call_graph::call_graph;

/// Maximum number of lines per function that show calls to other functions of the repository.
const CALLS: usize = 4;

/// The repository as a text that can be quoted: the README, then by file the comments and headers of its most central functions, each with lines that
/// call other functions of the repository.
/// Every paragraph occurs in a file verbatim; headings are the paths. The call graph is beside the text: nobody wrote it, so it cannot be quoted.
#[must_use]
pub fn document(repository: &Repository, most_functions: usize) -> Document {
    let mut text = CodeText::default();
    if let Some(readme) = &repository.readme {
        text.section(&readme.path, 1);
        for part in readme.text.split("\n\n") {
            let is_code = part.trim_start().starts_with("```");
            text.paragraph(
                part,
                if is_code {
                    ParagraphKind::Code
                } else {
                    ParagraphKind::Body
                },
            );
        }
    }
    let mut chosen = repository.central(most_functions);
    chosen.sort_unstable();
    let mut last = None;
    for (place, function) in chosen
        .iter()
        .filter_map(|place| Some((*place, repository.functions.get(*place)?)))
    {
        if last != Some(function.file) {
            let path = repository
                .files
                .get(function.file)
                .map_or("", |file| file.path.as_str());
            text.section(path, 1);
            last = Some(function.file);
        }
        if let Some(note) = &function.note {
            text.paragraph(note, ParagraphKind::Body);
        }
        text.paragraph(&function.header, ParagraphKind::Code);
        let mut shown: Vec<&str> = Vec::new();
        for call in repository.calls_of(place) {
            let is_known = shown.contains(&call.line.as_str()) || function.header.contains(&call.line);
            if !is_known && shown.len() < CALLS {
                shown.push(&call.line);
                text.paragraph(&call.line, ParagraphKind::Code);
            }
        }
    }
    Document {
        calls: call_graph(repository).map(Box::new),
        ..text.finished()
    }
}

#[derive(Default)]
struct CodeText {
    text: String,
    sections: Vec<Section>,
    paragraphs: Vec<Paragraph>,
}

impl CodeText {
    fn section(&mut self, heading: &str, level: u8) {
        let start = self.text.len();
        self.close(start);
        self.sections.push(Section {
            heading: heading.to_owned(),
            number: None,
            level,
            kind: SectionKind::Other,
            span: Span::new(start, start),
        });
        self.paragraph(heading, ParagraphKind::Heading);
    }

    fn paragraph(&mut self, words: &str, kind: ParagraphKind) {
        let words = words.trim();
        if words.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(words);
        self.paragraphs.push(Paragraph {
            span: Span::new(start, self.text.len()),
            kind,
        });
        self.text.push_str("\n\n");
    }

    fn close(&mut self, end: usize) {
        if let Some(section) = self.sections.last_mut() {
            section.span = Span::new(section.span.start, end);
        }
    }

    fn finished(mut self) -> Document {
        self.close(self.text.len());
        Document {
            text: self.text,
            extent: Extent::FullText,
            sections: self.sections,
            paragraphs: self.paragraphs,
            pages: Vec::new(),
            calls: None,
        }
    }
}
