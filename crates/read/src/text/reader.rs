use precedent_domain::ParagraphKind;

use super::entries::{label_of, split_entries};
use super::headings::{is_appendix_heading, is_heading, is_initial, is_reference_heading, run_in_abstract};
use super::join::Joiner;
use super::lines::{Line, lines_of, wrap_width};
use crate::draft::{Block, Draft, ReferenceHint};
use crate::format::FormatError;
use crate::names::names_in_line;

/// Reads plain text.
///
/// # Errors
/// If there is no text, or if more than a tenth of it is control characters or undecodable bytes.
pub(crate) fn read_text(text: &str) -> Result<Draft, FormatError> {
    if text.trim().is_empty() {
        return Err(FormatError::Empty);
    }
    let (total, wrong) = text.chars().fold((0usize, 0usize), |(total, wrong), c| {
        let is_wrong = c == '\u{fffd}' || (c.is_control() && !matches!(c, '\n' | '\t' | '\r' | '\u{c}'));
        (total + 1, wrong + usize::from(is_wrong))
    });
    if wrong * 10 > total {
        return Err(FormatError::not("plain text", "most of it is not text"));
    }
    let (lines, page_count) = lines_of(text);
    let mut reader = TextReader {
        width: wrap_width(&lines),
        joiner: Joiner::of(text),
        draft: Draft {
            page_count,
            ..Draft::default()
        },
    };
    let body = reader.front(&lines);
    reader.body(body);
    if reader.draft.blocks.is_empty() {
        return Err(FormatError::Empty);
    }
    Ok(reader.draft)
}

struct TextReader {
    width: Option<usize>,
    joiner: Joiner,
    draft: Draft,
}

impl TextReader {
    /// Reads title and authors: the short lines before the first heading. Returns the lines that follow.
    fn front<'l, 't>(&mut self, lines: &'l [Line<'t>]) -> &'l [Line<'t>] {
        let heads = |at: usize| {
            lines.get(at).is_none_or(|line| {
                run_in_abstract(line.text).is_some() || (at > 0 && is_heading(line, lines.get(at + 1), self.width))
            })
        };
        if lines
            .first()
            .is_none_or(|line| run_in_abstract(line.text).is_some() || is_reserved(line.text))
        {
            return lines;
        }
        let paragraph_end = |from: usize| {
            (from + 1..lines.len())
                .find(|&at| self.width.is_none() || lines.get(at).is_some_and(|line| line.gap) || heads(at))
                .unwrap_or(lines.len())
        };
        let end = paragraph_end(0);
        // Without a blank line after the title, only the first line is certain to belong to it.
        let end = if end > 4 { 1 } else { end };
        let title = self.join(lines.get(..end).unwrap_or_default(), ParagraphKind::FrontMatter);
        if title.text.chars().count() > 300 || !title.text.chars().any(char::is_alphabetic) {
            return lines;
        }
        self.draft.title = Some(title.text.clone());
        self.draft.blocks.push(title);
        let mut at = end;
        while at < lines.len() && !heads(at) {
            let end = paragraph_end(at);
            let chunk = lines.get(at..end).unwrap_or_default();
            let block = self.join(chunk, ParagraphKind::FrontMatter);
            let length = block.text.chars().count();
            if length > 400 || (length > 150 && block.text.ends_with('.')) {
                break;
            }
            if self.draft.authors.is_empty() {
                // One name per line, or names that wrap across lines.
                let lines: Vec<_> = chunk.iter().flat_map(|line| names_in_line(line.text)).collect();
                let whole = names_in_line(&block.text);
                self.draft.authors = if whole.len() > lines.len() { whole } else { lines };
            }
            self.draft.blocks.push(block);
            at = end;
        }
        lines.get(at..).unwrap_or_default()
    }

    fn body(&mut self, lines: &[Line<'_>]) {
        let mut open: Vec<Line<'_>> = Vec::new();
        let mut at = 0;
        let mut listed = false;
        while let Some(line) = lines.get(at) {
            at += 1;
            if is_reference_heading(line.text) {
                listed = true;
                self.paragraph(&mut open);
                self.draft
                    .blocks
                    .push(self.join(std::slice::from_ref(line), ParagraphKind::Heading));
                let rest = lines.get(at..).unwrap_or_default();
                let length = self.list_length(rest);
                self.references(rest.get(..length).unwrap_or_default());
                at += length;
            } else if let Some((heading, rest)) = run_in_abstract(line.text) {
                self.paragraph(&mut open);
                self.draft.blocks.push(self.join(
                    &[Line {
                        text: heading,
                        ..line.clone()
                    }],
                    ParagraphKind::Heading,
                ));
                if !rest.is_empty() {
                    open.push(Line {
                        text: rest,
                        ..line.clone()
                    });
                }
            } else if is_heading(line, lines.get(at), self.width)
                || (listed && line.gap && is_appendix_heading(line.text))
            {
                self.paragraph(&mut open);
                self.draft
                    .blocks
                    .push(self.join(std::slice::from_ref(line), ParagraphKind::Heading));
            } else {
                if open.last().is_some_and(|last| self.breaks(last, line, open.len())) {
                    self.paragraph(&mut open);
                }
                open.push(line.clone());
            }
        }
        self.paragraph(&mut open);
    }

    /// Whether a paragraph ends between two lines.
    fn breaks(&self, last: &Line<'_>, line: &Line<'_>, open: usize) -> bool {
        let Some(width) = self.width else { return true };
        let ended = last.text.ends_with(['.', '?', '!', ':', '”', '"', ')']);
        if last.page != line.page {
            // A page break does not end a paragraph, and the white space around it is meaningless.
            return ended && (line.indent > last.indent + 1 || short(last, width));
        }
        line.gap
            || is_list_item(line.text)
            || (ended && short(last, width))
            || (ended && open > 1 && line.indent >= last.indent + 2 && line.indent < last.indent + 9)
    }

    fn paragraph(&mut self, open: &mut Vec<Line<'_>>) {
        let Some(first) = open.first() else { return };
        let kind = if is_list_item(first.text) {
            ParagraphKind::ListItem
        } else if is_caption(first.text) {
            ParagraphKind::Caption
        } else {
            ParagraphKind::Body
        };
        let block = self.join(open, kind);
        self.draft.blocks.push(block);
        open.clear();
    }

    /// Number of lines in the reference list, up to the next heading.
    fn list_length(&self, lines: &[Line<'_>]) -> usize {
        (0..lines.len())
            .find(|&at| {
                lines.get(at).is_some_and(|line| {
                    let next = lines.get(at + 1);
                    let appendix = is_appendix_heading(line.text) && (at == 0 || self.width.is_none());
                    label_of(line.text).is_none()
                        && !is_initial(line.text)
                        && (appendix || is_heading(line, next, self.width))
                        && line.gap
                })
            })
            .unwrap_or(lines.len())
    }

    fn references(&mut self, lines: &[Line<'_>]) {
        let starts = split_entries(lines, self.width);
        let mut open: Vec<Line<'_>> = Vec::new();
        for (line, starts) in lines.iter().zip(starts) {
            if starts && !open.is_empty() {
                self.reference(&open);
                open.clear();
            }
            open.push(line.clone());
        }
        if !open.is_empty() {
            self.reference(&open);
        }
    }

    fn reference(&mut self, lines: &[Line<'_>]) {
        let mut block = self.join(lines, ParagraphKind::Reference);
        block.reference = Some(ReferenceHint {
            label: label_of(&block.text).map(|(label, _)| label.to_owned()),
            ..ReferenceHint::default()
        });
        self.draft.blocks.push(block);
    }

    fn join(&self, lines: &[Line<'_>], kind: ParagraphKind) -> Block {
        let mut block = Block::new(kind, "");
        let mut page = None;
        for line in lines {
            let at = block.text.len();
            self.joiner.append(&mut block.text, line.text);
            if let Some(number) = line.page.filter(|_| line.page != page) {
                // The space before the line, or the first half of a joined word, is still on the previous page.
                let start = block.text.len().saturating_sub(line.text.len());
                block.pages.push((if at == 0 { 0 } else { start }, number));
                page = line.page;
            }
        }
        block
    }
}

fn short(line: &Line<'_>, width: usize) -> bool {
    (line.indent + line.text.chars().count()) * 5 < width * 4
}

fn is_reserved(text: &str) -> bool {
    let bare = text.trim_end_matches([':', '.']).to_lowercase();
    matches!(
        bare.as_str(),
        "abstract" | "introduction" | "1 introduction" | "1. introduction" | "references"
    )
}

fn is_list_item(text: &str) -> bool {
    let mut chars = text.chars();
    matches!(chars.next(), Some('•' | '▪' | '‣' | '*' | '-' | '–')) && chars.next() == Some(' ')
}

fn is_caption(text: &str) -> bool {
    ["Figure ", "Fig. ", "Table ", "Algorithm "].iter().any(|word| {
        text.strip_prefix(word).is_some_and(|rest| {
            let number = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.');
            number.len() < rest.len() && rest.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase()) && {
                let mark = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
                mark.starts_with([':', '.', '|'])
            }
        })
    })
}
