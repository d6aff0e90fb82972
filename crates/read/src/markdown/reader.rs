use precedent_domain::{HiddenReason, ParagraphKind, SectionKind};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::citations;
use super::front::{read_front, split_front};
use super::markup::between_tags;
use super::visible::split_hidden;
use crate::draft::{Block, Draft, HeadingHint, ReferenceHint};
use crate::format::{FormatError, fold_space, reads_like_an_instruction};
use crate::latex::LatexFiles;
use crate::latex::math::math_text;
use crate::names::names_in_line;
use crate::text::{is_reference_heading, label_of};

/// Reads Markdown. The entries that it cites by key are taken from `bibliography`.
///
/// # Errors
/// If there is no text.
pub(crate) fn read_markdown(text: &str, bibliography: Option<LatexFiles>) -> Result<Draft, FormatError> {
    if text.trim().is_empty() {
        return Err(FormatError::Empty);
    }
    let (front, body) = split_front(text);
    let mut reader = MarkdownReader::default();
    if let Some(summary) = front.and_then(|front| read_front(front, &mut reader.draft)) {
        reader.push_heading("Abstract", 1, Some(SectionKind::Abstract));
        reader.draft.blocks.push(Block::new(ParagraphKind::Body, summary));
    }
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_MATH
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_GFM;
    let (shown, hidden) = split_hidden(body);
    for (reason, words) in hidden {
        // Most comments are notes of the authors.
        if reason != HiddenReason::Comment || reads_like_an_instruction(&words) {
            reader.draft.hide(reason, &words);
        }
    }
    for event in Parser::new_ext(&shown, options) {
        reader.event(event);
    }
    let mut draft = reader.finish()?;
    citations::cite(&mut draft, bibliography);
    Ok(draft)
}

#[derive(Default)]
struct MarkdownReader {
    draft: Draft,
    text: String,
    /// Kinds of the enclosing containers: list items, quotations, footnotes.
    around: Vec<ParagraphKind>,
    table: Vec<Vec<String>>,
    in_cell: bool,
    in_heading: Option<u8>,
    in_references: bool,
    in_front: bool,
    seen_heading: bool,
    image: Option<usize>,
    /// Number of the current item, for each open ordered list.
    list_numbers: Vec<Option<u64>>,
    /// The lines of the current block of HTML.
    html: String,
}

impl MarkdownReader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) => self.text.push_str(&text),
            Event::InlineMath(tex) => self.text.push_str(&math_text(&tex)),
            Event::DisplayMath(tex) => {
                self.flush();
                self.draft
                    .blocks
                    .push(Block::new(ParagraphKind::DisplayMath, math_text(&tex)));
            }
            Event::SoftBreak => self.text.push(' '),
            Event::HardBreak => self.text.push('\n'),
            Event::InlineHtml(html) => self.text.push_str(&between_tags(&html)),
            // A line of a block, whose tags may have several.
            Event::Html(line) => self.html.push_str(&line),
            Event::FootnoteReference(_) | Event::Rule | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.in_heading = Some(number(level));
            }
            Tag::BlockQuote(_) => self.enter(ParagraphKind::BlockQuote),
            Tag::List(start) => {
                self.flush();
                self.list_numbers.push(start);
            }
            Tag::Item => self.enter(ParagraphKind::ListItem),
            Tag::FootnoteDefinition(_) => self.enter(ParagraphKind::Footnote),
            Tag::CodeBlock(kind) => {
                self.flush();
                let is_math = matches!(&kind, CodeBlockKind::Fenced(language) if language.as_ref() == "math");
                self.around.push(if is_math {
                    ParagraphKind::DisplayMath
                } else {
                    ParagraphKind::Code
                });
            }
            Tag::Table(_) | Tag::Paragraph => self.flush(),
            Tag::TableHead | Tag::TableRow => self.table.push(Vec::new()),
            Tag::TableCell => self.in_cell = true,
            Tag::Image { .. } => self.image = Some(self.text.len()),
            _ => {}
        }
    }

    fn enter(&mut self, kind: ParagraphKind) {
        self.flush();
        self.around.push(kind);
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.end_heading(),
            TagEnd::Paragraph => self.flush(),
            TagEnd::HtmlBlock => {
                let html = std::mem::take(&mut self.html);
                self.text.push_str(&between_tags(&html));
                self.flush();
            }
            TagEnd::List(_) => {
                self.flush();
                self.list_numbers.pop();
            }
            TagEnd::Item => {
                self.flush();
                self.around.pop();
                if let Some(Some(number)) = self.list_numbers.last_mut() {
                    *number = number.saturating_add(1);
                }
            }
            TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition => {
                self.flush();
                self.around.pop();
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableCell => {
                self.in_cell = false;
                let cell = fold_space(&std::mem::take(&mut self.text));
                if let Some(row) = self.table.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                let rows: Vec<String> = self.table.drain(..).map(|row| row.join(" | ")).collect();
                self.draft
                    .blocks
                    .push(Block::new(ParagraphKind::Table, rows.join("\n")));
            }
            TagEnd::Image => self.end_image(),
            _ => {}
        }
    }

    fn end_code(&mut self) {
        let kind = self.around.pop().unwrap_or(ParagraphKind::Code);
        let code = std::mem::take(&mut self.text);
        let code = code.trim_end();
        if !code.is_empty() {
            let text = if kind == ParagraphKind::DisplayMath {
                math_text(code)
            } else {
                code.to_owned()
            };
            self.draft.blocks.push(Block::new(kind, text));
        }
    }

    /// The text of an image is a caption if the image is alone in its paragraph, and inline text otherwise.
    fn end_image(&mut self) {
        let Some(start) = self.image.take() else { return };
        if self.text.get(..start).is_some_and(|before| before.trim().is_empty()) {
            let caption = fold_space(self.text.get(start..).unwrap_or_default());
            self.text.clear();
            if !caption.is_empty() {
                self.draft.blocks.push(Block::new(ParagraphKind::Caption, caption));
            }
        }
    }

    fn end_heading(&mut self) {
        let level = self.in_heading.take().unwrap_or(1);
        let heading = fold_space(&std::mem::take(&mut self.text));
        if heading.is_empty() {
            return;
        }
        let is_title = !self.seen_heading && level == 1 && !is_section_word(&heading);
        self.seen_heading = true;
        if is_title && self.draft.title.as_ref().is_none_or(|title| *title == heading) {
            self.draft.title = Some(heading.clone());
            self.draft.blocks.push(Block::new(ParagraphKind::FrontMatter, heading));
            self.in_front = true;
            return;
        }
        self.in_front = false;
        self.in_references = is_reference_heading(&heading);
        let kind = self.in_references.then_some(SectionKind::References);
        self.push_heading(&heading, level, kind);
    }

    fn push_heading(&mut self, heading: &str, level: u8, kind: Option<SectionKind>) {
        let mut block = Block::new(ParagraphKind::Heading, heading);
        block.heading = Some(HeadingHint {
            level: Some(level),
            kind,
        });
        self.draft.blocks.push(block);
    }

    /// Ends the running paragraph.
    fn flush(&mut self) {
        if self.in_cell || self.around.last().is_some_and(|kind| *kind == ParagraphKind::Code) {
            return;
        }
        let raw = std::mem::take(&mut self.text);
        let kind = self.around.last().copied().unwrap_or(ParagraphKind::Body);
        if self.in_references && kind != ParagraphKind::Footnote {
            for entry in reference_entries(&raw) {
                self.push_reference(&entry);
            }
            return;
        }
        let text = fold_space(&raw);
        if text.is_empty() {
            return;
        }
        let short = text.chars().count() <= 400 && !(text.chars().count() > 150 && text.ends_with('.'));
        if self.in_front && kind == ParagraphKind::Body && short {
            for line in raw.lines() {
                self.draft.authors.extend(names_in_line(line));
            }
            self.draft.blocks.push(Block::new(ParagraphKind::FrontMatter, text));
        } else {
            self.in_front = false;
            self.draft.blocks.push(Block::new(kind, text));
        }
    }

    fn push_reference(&mut self, entry: &str) {
        let mut block = Block::new(ParagraphKind::Reference, entry);
        block.reference = Some(ReferenceHint {
            // The number of an ordered list item is its label and not part of its text.
            label: label_of(entry).map(|(label, _)| label.to_owned()).or_else(|| {
                let number = self.list_numbers.last().copied().flatten()?;
                Some(number.to_string())
            }),
            ..ReferenceHint::default()
        });
        self.draft.blocks.push(block);
    }

    fn finish(mut self) -> Result<Draft, FormatError> {
        self.flush();
        let levels = |block: &Block| block.heading.as_ref().and_then(|hint| hint.level);
        let top = self.draft.blocks.iter().filter_map(levels).min().unwrap_or(1);
        for hint in self.draft.blocks.iter_mut().filter_map(|block| block.heading.as_mut()) {
            hint.level = hint.level.map(|level| level - top + 1);
        }
        if let Some(title) = self.draft.title.clone() {
            let printed = self
                .draft
                .blocks
                .first()
                .is_some_and(|block| block.kind == ParagraphKind::FrontMatter && block.text == title);
            if !printed {
                let names: Vec<&str> = self.draft.authors.iter().map(|author| author.name.as_str()).collect();
                let names = Block::new(ParagraphKind::FrontMatter, names.join(", "));
                let title = Block::new(ParagraphKind::FrontMatter, title);
                let front = [title, names].into_iter().filter(|block| !block.text.is_empty());
                self.draft.blocks.splice(0..0, front);
            }
        }
        if self.draft.blocks.is_empty() {
            return Err(FormatError::Empty);
        }
        Ok(self.draft)
    }
}

fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn is_section_word(heading: &str) -> bool {
    let bare = heading.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    matches!(
        bare.to_lowercase().as_str(),
        "abstract" | "introduction" | "references" | "summary"
    )
}

/// Splits a paragraph under the reference heading: one entry, or one per line if each line begins with a label.
fn reference_entries(raw: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    // Soft breaks have become spaces, so labels inside a paragraph (` [2] `) are found as well.
    for (at, piece) in raw.split(" [").enumerate() {
        let piece = if at == 0 { piece.to_owned() } else { format!("[{piece}") };
        let numbered = label_of(&piece).is_some_and(|(label, _)| label.bytes().all(|b| b.is_ascii_digit()));
        match entries.last_mut() {
            Some(last) if !(numbered && last.starts_with('[')) => {
                last.push(' ');
                last.push_str(&piece);
            }
            _ => entries.push(piece),
        }
    }
    entries
        .iter()
        .map(|entry| fold_space(entry))
        .filter(|entry| !entry.is_empty())
        .collect()
}
