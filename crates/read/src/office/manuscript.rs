//! Turns the paragraphs of a word processor into a draft: finds the front matter, headings without style and the reference list.

use precedent_domain::{DateOrigin, HiddenReason, ParagraphKind, PartialDate, PublicationDate, SectionKind};
use precedent_text::pattern;

use super::front::{authors, common_size, front_end, title_range};
use super::paragraph::{Paragraph, Part, has_role};
use super::roles::Role;
use crate::budget::{BLOCKS, TEXT_BYTES};
use crate::draft::{Block, Draft, ReferenceHint};
use crate::format::{FormatError, fold_space};
use crate::headings;
use crate::markup::Flow;
use crate::quality::word_count;

/// Maximum words of a heading without style.
const HEADING_WORDS: usize = 14;
/// Maximum characters of a heading with style. Longer ones are running text in the wrong style.
const HEADING_CHARACTERS: usize = 300;
/// A table cell with more words than this is part of the page layout, not of a table.
const CELL_WORDS: usize = 120;
/// Tables among the first paragraphs arrange the names of the authors.
const FRONT_PARTS: usize = 15;

/// Maximum creators that are read from the metadata and searched in the front matter. Author lists with more are no metadata of a word processor.
pub(super) const CREATORS: usize = 200;
/// Maximum length of a line of authors, in bytes. 200 names have 5,000.
const LINE_BYTES: usize = 20_000;

/// What the file states about itself.
#[derive(Debug, Default)]
pub(super) struct Properties {
    pub(super) title: Option<String>,
    /// Often the account that created the file, so it counts only where the paper prints it. At most [`CREATORS`].
    pub(super) creators: Vec<String>,
    /// When the file was last saved, as an ISO date.
    pub(super) saved: Option<String>,
}

/// The parts of a document, within the limits for one file.
#[derive(Debug, Default)]
pub(super) struct Manuscript {
    pub(super) parts: Vec<Part>,
    hidden: Vec<(HiddenReason, String)>,
    bytes: usize,
}

impl Manuscript {
    pub(super) fn push(&mut self, part: Part) {
        let bytes = match &part {
            Part::Paragraph(paragraph) => paragraph.text.len(),
            Part::Table(rows) => rows.iter().flatten().map(String::len).sum(),
            Part::Footnote(text) => text.len(),
        };
        // One part over the limit shows the assembler that some were left out.
        if self.bytes <= TEXT_BYTES && self.parts.len() <= BLOCKS {
            self.bytes += bytes;
            self.parts.push(part);
        }
    }

    /// Adds a table, or only its paragraphs if it arranges parts of the page.
    pub(super) fn push_table(&mut self, rows: Vec<Vec<String>>, cells: Vec<Self>) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let is_long = |text: &String| text.split_whitespace().count() > CELL_WORDS;
        let has_headings = || {
            self.parts
                .iter()
                .any(|part| has_role(part, |role| matches!(role, Role::Heading(_) | Role::Abstract)))
        };
        let is_layout =
            columns < 2 || rows.iter().flatten().any(is_long) || self.parts.len() < FRONT_PARTS && !has_headings();
        if is_layout {
            for part in cells.into_iter().flat_map(|cell| cell.parts) {
                self.push(part);
            }
        } else if rows.iter().flatten().any(|text| !text.is_empty()) {
            self.push(Part::Table(rows));
        }
    }

    pub(super) fn hide(&mut self, reason: HiddenReason, text: &str) {
        match self.hidden.last_mut() {
            Some((last, known)) if *last == reason && !known.ends_with('\n') && known.len() < TEXT_BYTES => {
                known.push_str(text);
            }
            _ => self.hidden.push((reason, text.to_owned())),
        }
    }

    /// Ends a hidden text, so that the next one is kept apart.
    pub(super) fn end_hidden(&mut self) {
        if self.hidden.last().is_some_and(|(_, text)| !text.ends_with('\n')) {
            self.hide_break();
        }
    }

    fn hide_break(&mut self) {
        if let Some((_, text)) = self.hidden.last_mut() {
            text.push('\n');
        }
    }

    /// All text of the parts on one line.
    pub(super) fn line(&self) -> String {
        let texts: Vec<String> = self
            .parts
            .iter()
            .map(|part| match part {
                Part::Paragraph(paragraph) => paragraph.line(),
                Part::Table(rows) => rows.iter().flatten().cloned().collect::<Vec<_>>().join(" "),
                Part::Footnote(_) => String::new(),
            })
            .collect();
        fold_space(&texts.join(" "))
    }

    /// Moves the hidden texts of another manuscript here.
    pub(super) fn take_hidden(&mut self, other: &mut Self) {
        self.hidden.append(&mut other.hidden);
    }

    /// # Errors
    /// If there is no text.
    pub(super) fn into_draft(self, properties: &Properties) -> Result<Draft, FormatError> {
        let mut parts = self.parts;
        parts.retain(|part| !matches!(part, Part::Paragraph(paragraph) if paragraph.text.trim().is_empty() || paragraph.role == Role::Furniture));
        let end = front_end(&parts);
        let (front, body) = parts.split_at(end);
        let mut writer = Writer {
            flow: Flow::new(),
            has_headings: parts
                .iter()
                .filter(|part| has_role(part, |role| matches!(role, Role::Heading(_))))
                .count()
                >= 2,
            list: false,
            in_abstract: false,
        };
        writer.front(front, common_size(body), properties);
        for part in body {
            writer.part(part);
        }
        writer.end_abstract();
        for (reason, text) in self.hidden {
            writer.flow.draft.hide(reason, &text);
        }
        let saved: Option<PartialDate> = properties
            .saved
            .as_deref()
            .and_then(|date| date.get(..10)?.parse().ok());
        writer.flow.draft.dates.extend(saved.map(|date| PublicationDate {
            date,
            origin: DateOrigin::FileMetadata,
        }));
        writer.flow.finish()
    }
}

struct Writer {
    flow: Flow,
    /// Whether the document marks its headings by style.
    has_headings: bool,
    /// Whether the paragraphs are entries of the reference list.
    list: bool,
    in_abstract: bool,
}

impl Writer {
    fn front(&mut self, front: &[Part], body_size: u16, properties: &Properties) {
        let paragraphs: Vec<&Paragraph> = front
            .iter()
            .filter_map(|part| match part {
                Part::Paragraph(paragraph) => Some(paragraph),
                _ => None,
            })
            .collect();
        let title = title_range(&paragraphs, body_size);
        let words: Vec<String> = paragraphs
            .get(title.clone())
            .unwrap_or_default()
            .iter()
            .map(|paragraph| paragraph.line())
            .collect();
        let mut words = words.join(" ");
        let below = paragraphs.get(title.end..).unwrap_or_default();
        if let Some(subtitle) = below.first().filter(|next| next.role == Role::Subtitle) {
            words = format!("{}: {}", words.trim_end_matches(':'), subtitle.line());
        }
        self.flow.draft.title = Some(words)
            .filter(|words| !words.is_empty())
            .or_else(|| properties.title.clone());
        self.flow.draft.authors = authors(below);
        if self.flow.draft.authors.is_empty() {
            let printed: Vec<String> = below.iter().map(|paragraph| fold_space(&paragraph.unmarked)).collect();
            let is_printed = |name: &&String| {
                let mut lines = printed.iter().filter(|line| line.len() <= LINE_BYTES);
                lines.any(|line| line.contains(name.as_str()))
            };
            let names = properties.creators.iter().filter(is_printed);
            self.flow.draft.authors = names.map(|name| precedent_domain::Author::new(name)).collect();
        }
        for part in front {
            match part {
                Part::Paragraph(paragraph) => self.flow.push(Block::new(ParagraphKind::FrontMatter, paragraph.line())),
                other => self.part(other),
            }
        }
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Paragraph(paragraph) => self.paragraph(paragraph),
            Part::Table(rows) => {
                let rows: Vec<String> = rows.iter().map(|row| row.join(" | ")).collect();
                self.flow.push(Block::new(ParagraphKind::Table, rows.join("\n")));
            }
            Part::Footnote(text) => self.flow.push(Block::new(ParagraphKind::Footnote, text.clone())),
        }
    }

    fn paragraph(&mut self, paragraph: &Paragraph) {
        let line = paragraph.line();
        match paragraph.role {
            Role::Abstract | Role::AbstractHeading => return self.summary(paragraph, &line),
            Role::Heading(level) if line.chars().count() <= HEADING_CHARACTERS => {
                return self.heading(&line, Some(level));
            }
            _ => {}
        }
        let is_caption = pattern!(r"^(?i:fig(?:ure)?|table|algorithm|scheme)\b\.?\s*\d").is_match(&line);
        let looks = !self.has_headings
            && paragraph.is_bold()
            && !is_caption
            && word_count(&line) <= HEADING_WORDS
            && !line.ends_with(['.', ',', ':', ';']);
        if paragraph.role == Role::Body && (looks && !self.list || headings::is_bare_heading(&line)) {
            return self.heading(&line, None);
        }
        self.end_abstract();
        if self.list || paragraph.role == Role::Reference {
            return self.entry(paragraph, &line);
        }
        let kind = match paragraph.role {
            _ if paragraph.is_formula => ParagraphKind::DisplayMath,
            Role::Caption => ParagraphKind::Caption,
            Role::Quote => ParagraphKind::BlockQuote,
            Role::Code => ParagraphKind::Code,
            Role::ListItem => ParagraphKind::ListItem,
            Role::Footnote => ParagraphKind::Footnote,
            Role::Title | Role::Subtitle | Role::Author | Role::Front => ParagraphKind::FrontMatter,
            _ if is_caption && paragraph.number.is_none() && line.chars().count() < HEADING_CHARACTERS => {
                ParagraphKind::Caption
            }
            _ if paragraph.number.is_some() => ParagraphKind::ListItem,
            _ => ParagraphKind::Body,
        };
        let text = if kind == ParagraphKind::Code {
            paragraph.text.clone()
        } else {
            line
        };
        self.flow.push(Block::new(kind, text));
    }

    fn heading(&mut self, line: &str, level: Option<u8>) {
        self.end_abstract();
        let kind = headings::kind_of(&headings::take_apart(line).words);
        self.list = kind == Some(SectionKind::References);
        match level {
            Some(level) => self.flow.heading(line, level, None),
            None => self.flow.push(Block::new(ParagraphKind::Heading, line)),
        }
    }

    fn summary(&mut self, paragraph: &Paragraph, line: &str) {
        if paragraph.role == Role::AbstractHeading {
            self.flow.heading(line, 1, Some(SectionKind::Abstract));
            self.in_abstract = true;
            return;
        }
        // `Abstract—We show …` is recognized by its words.
        let names_itself = pattern!(r"^(?i:abstract|summary)\b").is_match(line);
        if !self.in_abstract && !names_itself {
            self.flow.heading("Abstract", 1, Some(SectionKind::Abstract));
        }
        if word_count(line) > 1 {
            self.flow.push(Block::new(ParagraphKind::Body, line));
            self.in_abstract = true;
        } else {
            self.heading(line, None);
        }
    }

    /// Ends the abstract before a paragraph of another style.
    fn end_abstract(&mut self) {
        if std::mem::take(&mut self.in_abstract) {
            self.flow.end_abstract();
        }
    }

    fn entry(&mut self, paragraph: &Paragraph, line: &str) {
        if paragraph.text.trim().contains('\n') {
            // Several entries in a paragraph are split like those of other formats.
            for line in paragraph.text.lines().map(fold_space).filter(|line| !line.is_empty()) {
                self.flow.push(Block::new(ParagraphKind::Body, line));
            }
            return;
        }
        let hint = ReferenceHint {
            label: paragraph.number.map(|number| number.to_string()),
            ..ReferenceHint::default()
        };
        self.flow.reference(line, hint);
    }
}
