//! Groups lines into paragraphs, headings, captions, tables and notes. Each group is a run of adjacent lines.

use precedent_domain::{ParagraphKind, SectionKind};
use precedent_text::pattern;

use super::kind::{self, HeadingLook};
use super::line::Line;
use super::measure::Measures;
use crate::headings;

/// A run of lines that belong together.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) kind: ParagraphKind,
    pub(super) lines: Vec<Line>,
    /// The look, for headings.
    pub(super) look: Option<HeadingLook>,
    /// A heading split from the start of a paragraph: `Abstract—We show`.
    pub(super) run_in: Option<(String, SectionKind)>,
}

impl Group {
    pub(super) fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.text.trim()).collect();
        lines.join(" ")
    }

    pub(super) fn first(&self) -> Option<&Line> {
        self.lines.first()
    }

    pub(super) fn last(&self) -> Option<&Line> {
        self.lines.last()
    }
}

/// Groups the lines of the document, page by page, in reading order.
pub(super) fn group(pages: Vec<Vec<Line>>, measures: &Measures) -> Vec<Group> {
    let mut grouper = Grouper {
        measures,
        groups: Vec::new(),
        open: Vec::new(),
        in_references: false,
        hanging: false,
    };
    for lines in pages {
        let (figure, text): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(|line| line.figure);
        for (index, line) in text.iter().enumerate() {
            grouper.line(line, text.get(index + 1));
        }
        grouper.close();
        if !figure.is_empty() {
            grouper.groups.push(Group {
                kind: ParagraphKind::Table,
                lines: figure,
                look: None,
                run_in: None,
            });
        }
    }
    grouper.groups
}

struct Grouper<'a> {
    measures: &'a Measures,
    groups: Vec<Group>,
    open: Vec<Line>,
    in_references: bool,
    /// Whether the entries of the reference list have hanging indents.
    hanging: bool,
}

impl Grouper<'_> {
    fn line(&mut self, line: &Line, next: Option<&Line>) {
        let previous = self.open.last().or_else(|| self.groups.last().and_then(Group::last));
        let above = previous.map_or(9.0, |previous| self.distance(previous, line));
        let before = self
            .groups
            .last()
            .filter(|group| self.open.is_empty() && group.kind == ParagraphKind::Heading)
            .filter(|group| !kind::is_known_heading(&group.text()))
            .and_then(|group| group.look);
        if let Some(look) = kind::heading(line, self.measures, above, self.in_references, before)
            && !self.runs_on(line, look, next)
        {
            self.heading(line, look, above);
            return;
        }
        if self.breaks(line, next) {
            self.close();
        }
        self.open.push(line.clone());
    }

    /// Whether the bold words of this line continue on the next line and turn into plain text there, as in a run-in heading.
    fn runs_on(&self, line: &Line, look: HeadingLook, next: Option<&Line>) -> bool {
        let Some(next) = next else { return false };
        let (left, right) = self.measures.edges(line);
        let full = line.x1 > right - 0.12 * (right - left);
        let first = next.pieces.first();
        look.bold
            && full
            && !next.is_bold_throughout()
            && first.is_some_and(|piece| piece.look.bold && (piece.size - look.size).abs() < 0.3)
            && self.distance(line, next) < 1.25
    }

    /// The distance down to `line` as a multiple of the usual line spacing; 9 if it is not below.
    fn distance(&self, above: &Line, line: &Line) -> f64 {
        let apart = above.page != line.page || above.column != line.column;
        let down = above.y - line.y;
        if apart || down < 0.0 {
            return 9.0;
        }
        down / self.measures.leading(line.size.min(above.size)).max(1.0)
    }

    fn heading(&mut self, line: &Line, look: HeadingLook, above: f64) {
        let continues = self.open.is_empty()
            && above < 1.6
            && !kind::is_numbered(&line.text)
            && !kind::is_known_heading(&line.text)
            && self.groups.last().is_some_and(|group| {
                group.kind == ParagraphKind::Heading
                    && group.lines.len() < 4
                    && group
                        .look
                        .is_some_and(|other| kind::alike(other, look) || self.is_large(other, look, above))
                    && !kind::is_known_heading(&group.text())
            });
        let number = self.lone_number(line);
        if number.is_none() {
            self.close();
        }
        if let Some(number) = number {
            self.open.clear();
            self.groups.push(Group {
                kind: ParagraphKind::Heading,
                lines: vec![number, line.clone()],
                look: Some(look),
                run_in: None,
            });
        } else if continues && let Some(group) = self.groups.last_mut() {
            group.lines.push(line.clone());
        } else {
            self.groups.push(Group {
                kind: ParagraphKind::Heading,
                lines: vec![line.clone()],
                look: Some(look),
                run_in: None,
            });
        }
        let words = self.groups.last().map(Group::text).unwrap_or_default();
        let kind = headings::kind_of(&headings::take_apart(&words).words);
        self.in_references = kind == Some(SectionKind::References);
        self.hanging = false;
    }

    /// Whether two lines below each other are larger than the text and of one size: some words of a heading may be in another font.
    fn is_large(&self, one: HeadingLook, other: HeadingLook, above: f64) -> bool {
        (one.size - other.size).abs() < 0.4 && other.size > self.measures.body * 1.07 && above < 1.1
    }

    /// The number of this heading, if a wide gap separated it.
    fn lone_number(&self, line: &Line) -> Option<Line> {
        let [open] = self.open.as_slice() else { return None };
        let number = pattern!(r"^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.?)$").is_match(open.text.trim());
        (number && (open.y - line.y).abs() < 0.5 * line.size && open.page == line.page && open.x1 < line.x0)
            .then(|| open.clone())
    }

    /// Whether `line` begins a new group.
    fn breaks(&self, line: &Line, next: Option<&Line>) -> bool {
        let Some(last) = self.open.last() else { return false };
        if (last.column != line.column || last.page != line.page) && !self.ends_span(last, line) {
            return true;
        }
        if !line.text.chars().any(char::is_alphanumeric) && last.y >= line.y && last.y - line.y < 1.5 * last.size {
            return false;
        }
        let size = last.size.max(line.size);
        let down = last.y - line.y;
        if down < -0.3 * size || down < 0.25 * size && line.x0 < last.x1 {
            return true;
        }
        if (last.size - line.size).abs() > 0.09 * size && line.text.chars().count() > 3 && last.text.chars().count() > 3
        {
            return true;
        }
        let leading = self.measures.leading(line.size).max(self.measures.leading(last.size));
        if down > 1.38 * leading {
            return true;
        }
        if down > 0.0 && down < 1.2 * leading && kind::is_cut_off(&last.text) {
            return false;
        }
        if kind::is_caption_start(&line.text)
            || kind::is_caption_start(&last.text) && last.cells.is_empty() != line.cells.is_empty()
        {
            return true;
        }
        let labelled = |line: &Line| line.text.trim_start().starts_with('[') && kind::is_entry_label(&line.text);
        let ended = last.text.trim_end().ends_with(['.', ']']);
        if labelled(line) && (ended || self.open.first().is_some_and(labelled)) {
            return true;
        }
        let in_caption = self
            .open
            .first()
            .is_some_and(|first| kind::is_caption_start(&first.text));
        if in_caption {
            return false;
        }
        if self.is_displayed(last) != self.is_displayed(line) && !self.is_one_paragraph(last, line) {
            return true;
        }
        if last.cells.is_empty() != line.cells.is_empty() && (last.cells.len() > 1 || line.cells.len() > 1) {
            return true;
        }
        if self.in_references {
            return self.begins_entry(line, last, next);
        }
        if kind::is_note_start(line) && line.size < 0.95 * self.measures.body {
            return true;
        }
        if kind::is_item_start(&line.text) {
            return true;
        }
        self.indented(line, last, next)
    }

    /// Whether `line` is the short last line of a text that spans both columns. On its own it looks like a line of the first column.
    fn ends_span(&self, last: &Line, line: &Line) -> bool {
        let down = last.y - line.y;
        let ended = last.text.trim_end().ends_with(['.', '!', '?', ':']);
        last.page == line.page
            && last.column.is_none()
            && line.column == Some(0)
            && !ended
            && (last.size - line.size).abs() < 0.3
            && (last.x0 - line.x0).abs() < 0.5 * line.size
            && down > 0.0
            && down < 1.2 * self.measures.leading(line.size)
    }

    /// Whether two lines, one of them symbols or code, are of one paragraph: `last` ends at the right edge, `line` begins below its start, and the symbols
    /// fill their line. A formula or listing of its own has room on a side.
    fn is_one_paragraph(&self, last: &Line, line: &Line) -> bool {
        let is_full = self.measures.is_full(last) && (!self.is_displayed(line) || self.measures.is_full(line));
        is_full && (last.x0 - line.x0).abs() < 0.5 * line.size && !last.text.trim_end().ends_with(':')
    }

    fn is_displayed(&self, line: &Line) -> bool {
        let kind = kind::of_lines(std::slice::from_ref(line), self.measures);
        matches!(kind, ParagraphKind::DisplayMath | ParagraphKind::Code)
    }

    fn indented(&self, line: &Line, last: &Line, next: Option<&Line>) -> bool {
        let step = 0.7 * line.size;
        let (left, right) = self.measures.edges(line);
        let ended = last.text.trim_end().ends_with(['.', '!', '?', ':', '”', ')', ']', '"']);
        let last_short = last.x1 < right - 0.12 * (right - left);
        let begins = line
            .text
            .chars()
            .find(|c| c.is_alphanumeric())
            .is_some_and(|c| !c.is_lowercase());
        let indent = line.x0 - last.x0;
        if indent > step && indent < 6.0 * line.size {
            // The first line of a paragraph is indented. If the next line is too, this is a list or hanging text.
            let returns = next
                .is_some_and(|next| next.page != line.page || next.column != line.column || next.x0 < line.x0 - step);
            return begins && (returns && (ended || last_short) || ended && last_short);
        }
        if indent < -step {
            // Back at the margin: after an indented first line the paragraph continues; at a deeper indent the previous text was hanging.
            let item = self.open.first().is_some_and(|first| kind::is_item_start(&first.text));
            return (self.open.len() > 1 || item) && begins && (ended || last_short) && line.x0 < left + step;
        }
        ended && last_short && begins
    }

    fn begins_entry(&self, line: &Line, last: &Line, next: Option<&Line>) -> bool {
        if kind::is_entry_label(&line.text) {
            let own = self.open.first().is_some_and(|first| kind::is_entry_label(&first.text));
            if own || line.text.starts_with('[') {
                return true;
            }
        }
        if self.open.first().is_some_and(|first| kind::is_entry_label(&first.text)) {
            return false;
        }
        let step = 0.5 * line.size;
        if line.x0 < last.x0 - step {
            return self.open.len() > 1 || last.x0 > self.measures.edges(line).0 + step;
        }
        // Either two one-line entries, or the end of an entry without hanging indent. Decided by whether the next line hangs under this one.
        let next_hangs = next.is_some_and(|next| {
            next.page == line.page
                && next.column == line.column
                && next.x0 > line.x0 + step
                && next.x0 < line.x0 + 4.0 * line.size
        });
        (line.x0 - last.x0).abs() < step && next_hangs && self.open.len() == 1
    }

    fn close(&mut self) {
        let lines = std::mem::take(&mut self.open);
        let Some(first) = lines.first() else { return };
        let text = first.text.trim().to_owned();
        let celled = lines.iter().filter(|line| line.cells.len() > 1).count();
        let kind = if kind::is_caption_start(&text)
            || kind::is_loose_caption_start(&text) && (first.size < self.measures.body - 0.4 || first.is_bold())
        {
            ParagraphKind::Caption
        } else if self.in_references && (celled < 3 || celled * 2 < lines.len()) {
            ParagraphKind::Reference
        } else {
            kind::of_lines(&lines, self.measures)
        };
        let mut group = Group {
            kind,
            lines,
            look: None,
            run_in: None,
        };
        if group.kind == ParagraphKind::Body {
            cut_run_in(&mut group);
        }
        self.groups.push(group);
    }
}

/// Splits `Abstract.` in bold or capitals from the start of a paragraph.
fn cut_run_in(group: &mut Group) {
    let Some(first) = group.lines.first_mut() else { return };
    let Some(lead) = first.pieces.first() else { return };
    let Some(words) = first.text.get(lead.range.clone()) else {
        return;
    };
    let plain = words.trim().trim_end_matches(['.', ':', '—', '–', '-', '―']).trim();
    if headings::kind_of(plain) != Some(SectionKind::Abstract) || plain.split_whitespace().count() > 2 {
        return;
    }
    let styled = lead.look.bold || lead.look.italic || kind::is_capitals(plain) || words.trim().len() > plain.len();
    let end = lead.range.end;
    let rest = first.text.get(end..).unwrap_or_default();
    let rest = rest.trim_start_matches([' ', '.', ':', '—', '–', '-', '―']).to_owned();
    if !styled || rest.is_empty() {
        return;
    }
    group.run_in = Some((plain.to_owned(), SectionKind::Abstract));
    first.text = rest;
    first.pieces.clear();
    first.cells.clear();
}
