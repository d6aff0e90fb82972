use std::ops::Range;

use precedent_domain::ParagraphKind;

use crate::draft::Block;

/// Placeholder for `\newblock` inside a reference entry until the entry is finished.
pub(crate) const NEW_BLOCK: char = '\u{e001}';

/// A run of text with its citation marks.
#[derive(Debug, Clone)]
pub(crate) struct Sink {
    /// Kind of block it becomes.
    pub(crate) kind: ParagraphKind,
    /// The text so far.
    pub(crate) text: String,
    /// Citation marks: byte range and keys.
    pub(crate) citations: Vec<(Range<usize>, Vec<String>)>,
    /// Whether paragraph breaks become spaces.
    pub(crate) inline: bool,
    /// Whether the last character was an apostrophe or a hyphen that may join with the next one.
    joins: bool,
}

impl Sink {
    pub(crate) fn new(kind: ParagraphKind, inline: bool) -> Self {
        Self {
            kind,
            text: String::new(),
            citations: Vec::new(),
            inline,
            joins: false,
        }
    }

    /// Writes a source character: joins quotes and dashes like TeX, and folds spaces.
    pub(crate) fn put_char(&mut self, c: char) {
        let joined = match (c, self.text.chars().next_back().filter(|_| self.joins)) {
            ('`', Some('‘')) => Some('“'),
            ('\'', Some('’')) => Some('”'),
            ('-', Some('-')) => Some('–'),
            ('-', Some('–')) => Some('—'),
            _ => None,
        };
        if let Some(joined) = joined {
            self.text.pop();
            self.text.push(joined);
            self.joins = joined == '–';
            return;
        }
        self.joins = matches!(c, '`' | '\'' | '-');
        match c {
            '`' => self.text.push('‘'),
            '\'' => self.text.push('’'),
            '\u{a0}' | ' ' | '\t' | '\n' => self.put_space(),
            other => self.text.push(other),
        }
    }

    /// Writes a space, unless the text is empty or ends with one.
    pub(crate) fn put_space(&mut self) {
        self.joins = false;
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    /// Writes finished text unchanged.
    pub(crate) fn put_text(&mut self, text: &str) {
        self.joins = false;
        if text.starts_with(' ') {
            self.put_space();
        }
        self.text.push_str(text.trim_start_matches(' '));
    }

    /// Appends another run with its marks.
    pub(crate) fn put_run(&mut self, run: &Sink) {
        self.joins = false;
        let shift = self.text.len();
        self.text.push_str(&run.text);
        let moved = run
            .citations
            .iter()
            .map(|(range, keys)| (range.start + shift..range.end + shift, keys.clone()));
        self.citations.extend(moved);
    }

    /// Converts the run to a block; `None` if it is empty.
    pub(crate) fn into_block(mut self) -> Option<Block> {
        let length = self.text.trim_end().len();
        self.text.truncate(length);
        let mut block = Block::new(self.kind, self.text);
        block.citations = self
            .citations
            .into_iter()
            .filter(|(range, _)| range.end <= length)
            .collect();
        (!block.text.is_empty()).then_some(block)
    }
}
