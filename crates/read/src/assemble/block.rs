use std::ops::Range;

use precedent_domain::ParagraphKind;

use crate::draft::Block;

/// The last character boundary at or before `at`.
pub(crate) fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The last `bytes` bytes of a text, cut at a character boundary.
pub(crate) fn tail(text: &str, bytes: usize) -> &str {
    text.get(floor_boundary(text, text.len().saturating_sub(bytes))..)
        .unwrap_or_default()
}

impl Block {
    /// Splits the block at the byte `at` and trims white space around the cut. The second part gets the kind `kind`.
    pub(crate) fn split_off(&mut self, at: usize, kind: ParagraphKind) -> Block {
        let at = floor_boundary(&self.text, at);
        let tail = self.text.get(at..).unwrap_or_default();
        let skipped = tail.len() - tail.trim_start().len();
        let cut = at + skipped;
        let mut second = Block::new(kind, tail.trim());
        let page = self
            .pages
            .iter()
            .rev()
            .find(|(offset, _)| *offset <= cut)
            .map(|(_, page)| *page);
        second.pages = page.map(|page| (0, page)).into_iter().collect();
        second.pages.extend(
            self.pages
                .iter()
                .filter(|(offset, _)| *offset > cut)
                .map(|(offset, page)| (offset - cut, *page)),
        );
        self.pages.retain(|(offset, _)| *offset < at);
        let (kept, moved): (Vec<_>, Vec<_>) = std::mem::take(&mut self.citations)
            .into_iter()
            .partition(|(range, _)| range.end <= at);
        self.citations = kept;
        second.citations = moved
            .into_iter()
            .filter(|(range, _)| range.start >= cut)
            .map(|(range, keys)| (range.start - cut..range.end - cut, keys))
            .collect();
        self.text.truncate(at);
        self.text.truncate(self.text.trim_end().len());
        second
    }

    /// Appends `other`, with `glue` in between.
    pub(crate) fn join(&mut self, glue: &str, other: Block) {
        self.text.push_str(glue);
        let base = self.text.len();
        self.text.push_str(&other.text);
        let last = self.pages.last().map(|(_, page)| *page);
        self.pages.extend(
            other
                .pages
                .into_iter()
                .enumerate()
                .filter(|(index, (_, page))| *index > 0 || last != Some(*page))
                .map(|(_, (offset, page))| (offset + base, page)),
        );
        self.citations.extend(
            other
                .citations
                .into_iter()
                .map(|(range, keys)| (range.start + base..range.end + base, keys)),
        );
    }

    /// Removes the bytes at `ranges` (sorted, disjoint, on character boundaries) from the text and shifts all offsets.
    pub(crate) fn remove(&mut self, ranges: &[Range<usize>]) {
        if ranges.is_empty() {
            return;
        }
        let mut kept = String::with_capacity(self.text.len());
        let mut from = 0;
        for range in ranges {
            kept.push_str(self.text.get(from..range.start).unwrap_or_default());
            from = range.end;
        }
        kept.push_str(self.text.get(from..).unwrap_or_default());
        let moved = |offset: usize| {
            let gone: usize = ranges
                .iter()
                .take_while(|range| range.start < offset)
                .map(|range| range.end.min(offset) - range.start)
                .sum();
            offset - gone
        };
        for (offset, _) in &mut self.pages {
            *offset = moved(*offset);
        }
        for (range, _) in &mut self.citations {
            *range = moved(range.start)..moved(range.end);
        }
        self.text = kept;
    }

    /// Trims white space around the text.
    pub(crate) fn trim(&mut self) {
        let end = self.text.trim_end().len();
        let start = self.text.len() - self.text.trim_start().len();
        let outside: Vec<Range<usize>> = [0..start.min(end), end.max(start)..self.text.len()]
            .into_iter()
            .filter(|range| !range.is_empty())
            .collect();
        if end == 0 {
            self.text.clear();
        } else {
            self.remove(&outside);
        }
    }

    /// Whether this is running text.
    pub(crate) fn is_running(&self) -> bool {
        matches!(
            self.kind,
            ParagraphKind::Body | ParagraphKind::ListItem | ParagraphKind::BlockQuote
        )
    }
}
