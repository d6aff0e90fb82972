use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CallGraph, Span};

/// A text with its structure. Every offset of a paper or a candidate refers to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    /// The text: UTF-8, line ends as `
    /// `, as `precedent read` prints it. It never contains hidden text.
    pub text: String,
    /// How much of the work this document covers.
    pub extent: Extent,
    /// Sections in reading order. Spans do not overlap and cover every paragraph.
    pub sections: Vec<Section>,
    /// Paragraphs in reading order, including headings, captions, maths and references. Each has one kind.
    pub paragraphs: Vec<Paragraph>,
    /// Pages in order; empty if the format has none.
    pub pages: Vec<Page>,
    /// Calls between functions and between files; only of a repository.
    // Only a review uses it, and its report has it with the document found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub calls: Option<Box<CallGraph>>,
}

/// How much of a work a [`Document`] covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Only the title.
    #[default]
    TitleOnly,
    /// Title and abstract.
    Abstract,
    /// The whole text, or what could be read of it.
    FullText,
}

/// A section of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// The heading as printed, without its number; empty for text before the first heading.
    pub heading: String,
    /// The printed number: `3.1`, `A`, `IV`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// 1 for a top-level section.
    pub level: u8,
    /// What the section is for.
    pub kind: SectionKind,
    /// From its heading to the next section of any level.
    pub span: Span,
}

/// What a section is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SectionKind {
    /// Title, authors, affiliations.
    FrontMatter,
    /// Abstract.
    Abstract,
    /// Introduction.
    Introduction,
    /// Related work, background.
    RelatedWork,
    /// The method, model, theory.
    Method,
    /// Experiments, results, evaluation.
    Experiments,
    /// Discussion, limitations.
    Discussion,
    /// Conclusion.
    Conclusion,
    /// Acknowledgements, funding, ethics and checklists.
    Acknowledgements,
    /// The reference list.
    References,
    /// Appendix, supplement.
    Appendix,
    /// Anything else.
    Other,
}

/// A run of text that belongs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Paragraph {
    /// The location.
    pub span: Span,
    /// The kind.
    pub kind: ParagraphKind,
}

/// The kind of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ParagraphKind {
    /// Title, authors, affiliations, dates.
    FrontMatter,
    /// A heading.
    Heading,
    /// Running text.
    Body,
    /// An item of a list.
    ListItem,
    /// A block quotation.
    BlockQuote,
    /// Display mathematics.
    DisplayMath,
    /// The caption of a figure or table.
    Caption,
    /// The cells of a table.
    Table,
    /// A listing or algorithm.
    Code,
    /// A footnote or endnote, taken out of the running text.
    Footnote,
    /// One entry of the reference list.
    Reference,
}

/// One page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// Number in the file, counting from 1.
    pub number: u32,
    /// The text on it.
    pub span: Span,
}

/// The location of a span, for readers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The page it starts on, counting from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// The heading above it, with its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

impl Document {
    /// Creates the document of a work from its title and abstract.
    #[must_use]
    pub fn from_abstract(title: &str, summary: Option<&str>) -> Self {
        let mut document = Self {
            text: title.to_owned(),
            ..Self::default()
        };
        let front = Span::new(0, title.len());
        document.paragraphs.push(Paragraph {
            span: front,
            kind: ParagraphKind::FrontMatter,
        });
        document.sections.push(Section {
            heading: String::new(),
            number: None,
            level: 1,
            kind: SectionKind::FrontMatter,
            span: front,
        });
        if let Some(summary) = summary.filter(|summary| !summary.trim().is_empty()) {
            document.text.push_str("\n\n");
            let start = document.text.len();
            document.text.push_str(summary);
            let span = Span::new(start, document.text.len());
            document.paragraphs.push(Paragraph {
                span,
                kind: ParagraphKind::Body,
            });
            document.sections.push(Section {
                heading: "Abstract".to_owned(),
                number: None,
                level: 1,
                kind: SectionKind::Abstract,
                span,
            });
            document.extent = Extent::Abstract;
        }
        document
    }

    /// The text at `span`; `None` if the span does not fit.
    #[must_use]
    pub fn slice(&self, span: Span) -> Option<&str> {
        span.slice(&self.text)
    }

    /// The section that contains the byte at `offset`.
    #[must_use]
    pub fn section_at(&self, offset: usize) -> Option<&Section> {
        let after = self.sections.partition_point(|section| section.span.start <= offset);
        self.sections
            .get(..after)?
            .iter()
            .rev()
            .find(|section| section.span.covers(offset))
    }

    /// The paragraph that contains the byte at `offset`.
    #[must_use]
    pub fn paragraph_at(&self, offset: usize) -> Option<&Paragraph> {
        let after = self
            .paragraphs
            .partition_point(|paragraph| paragraph.span.start <= offset);
        self.paragraphs
            .get(..after)?
            .iter()
            .rev()
            .find(|paragraph| paragraph.span.covers(offset))
    }

    /// The page that contains the byte at `offset`, counting from 1.
    #[must_use]
    pub fn page_at(&self, offset: usize) -> Option<u32> {
        let after = self.pages.partition_point(|page| page.span.start <= offset);
        self.pages.get(..after)?.last().map(|page| page.number)
    }

    /// Page and section of the first byte of a span.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let section = self.section_at(span.start).map(|section| match &section.number {
            Some(number) => format!("{number} {}", section.heading).trim().to_owned(),
            None => section.heading.clone(),
        });
        Place {
            page: self.page_at(span.start),
            section: section.filter(|name| !name.is_empty()),
        }
    }

    /// The paragraphs of one kind of section, in reading order.
    pub fn paragraphs_in(&self, kind: SectionKind) -> impl Iterator<Item = &Paragraph> {
        self.paragraphs.iter().filter(move |paragraph| {
            self.section_at(paragraph.span.start)
                .is_some_and(|section| section.kind == kind)
        })
    }

    /// The paragraphs that are compared with other papers, with the kinds of their sections. Excludes headings, tables, listings, display maths,
    /// acknowledgements, the reference list and front matter. Front matter is kept if there is no full text.
    pub fn compared_paragraphs(&self) -> impl Iterator<Item = (Span, SectionKind)> {
        let whole = self
            .paragraphs
            .is_empty()
            .then_some((Span::new(0, self.text.len()), SectionKind::Other));
        let parts = self.paragraphs.iter().filter_map(|paragraph| {
            let section = self
                .section_at(paragraph.span.start)
                .map_or(SectionKind::Other, |section| section.kind);
            let running = matches!(
                paragraph.kind,
                ParagraphKind::Body
                    | ParagraphKind::ListItem
                    | ParagraphKind::BlockQuote
                    | ParagraphKind::Caption
                    | ParagraphKind::Footnote
            ) || (paragraph.kind == ParagraphKind::FrontMatter && self.extent != Extent::FullText);
            let own = !matches!(section, SectionKind::References | SectionKind::Acknowledgements);
            (running && own).then_some((paragraph.span, section))
        });
        whole.into_iter().chain(parts)
    }

    /// Checks that all spans fit the text and are in order.
    ///
    /// # Errors
    /// Describes the first fault. A reader that returns such a document has a bug.
    pub fn check(&self) -> Result<(), String> {
        let fits = |what: &str, span: Span| {
            span.slice(&self.text)
                .map(|_| ())
                .ok_or_else(|| format!("{what} {}..{} does not fit the text", span.start, span.end))
        };
        let mut last = 0;
        for section in &self.sections {
            fits("section", section.span)?;
            if section.span.start < last {
                return Err(format!(
                    "section {:?} starts before the one before it ends",
                    section.heading
                ));
            }
            last = section.span.end;
        }
        last = 0;
        for paragraph in &self.paragraphs {
            fits("paragraph", paragraph.span)?;
            if paragraph.span.start < last {
                return Err(format!(
                    "paragraph at {} starts before the one before it ends",
                    paragraph.span.start
                ));
            }
            last = paragraph.span.end;
        }
        last = 0;
        for page in &self.pages {
            fits("page", page.span)?;
            if page.span.start < last {
                return Err(format!("page {} starts before the one before it ends", page.number));
            }
            last = page.span.end;
        }
        Ok(())
    }
}
