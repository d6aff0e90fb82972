use precedent_domain::Quote;

use super::inline::Inline;
use crate::words;

/// Longest quote shown in full, in words. The specification allows evidence of up to 90.
pub(crate) const LONGEST_QUOTE: usize = 90;

/// Builds Markdown block by block, one empty line between blocks.
#[derive(Debug, Default)]
pub(crate) struct Writer(String);

impl Writer {
    /// A heading of `level` 1 to 6.
    pub(crate) fn heading(&mut self, level: usize, line: &Inline) {
        self.gap();
        self.0.push_str(&"#".repeat(level.clamp(1, 6)));
        self.0.push(' ');
        self.line(line.as_markdown());
    }

    /// A paragraph; nothing where the line is empty.
    pub(crate) fn paragraph(&mut self, line: &Inline) {
        if !line.as_markdown().is_empty() {
            self.gap();
            self.line(line.as_markdown());
        }
    }

    /// Paragraphs in a block quotation.
    pub(crate) fn block_quote(&mut self, lines: &[Inline]) {
        self.gap();
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                self.line(">");
            }
            self.0.push_str("> ");
            self.line(line.as_markdown());
        }
    }

    /// What a source says, cut for display, with who says it and where.
    pub(crate) fn quote(&mut self, who: &Inline, quote: &Quote) {
        self.block_quote(&Self::quoted(who, quote));
    }

    /// The lines of a quote: the words, then who says them and where.
    pub(crate) fn quoted(who: &Inline, quote: &Quote) -> Vec<Inline> {
        let said = Inline::default().quote(quote, LONGEST_QUOTE);
        let place = words::place(quote.place());
        let comma = if place.is_empty() { "" } else { ", " };
        vec![said, Inline::of("— ").own(who.as_markdown()).text(comma).text(place)]
    }

    /// A list; nothing where there is no item.
    pub(crate) fn list(&mut self, items: &[Inline]) {
        if !items.is_empty() {
            self.gap();
            for item in items {
                self.item(0, item);
            }
        }
    }

    /// An item of a list under `depth` others. Call [`Writer::gap`] before the first.
    pub(crate) fn item(&mut self, depth: usize, line: &Inline) {
        self.0.push_str(&"  ".repeat(depth.min(20)));
        self.0.push_str("- ");
        self.line(line.as_markdown());
    }

    /// A table; nothing where there is no row.
    pub(crate) fn table(&mut self, head: &[&str], rows: &[Vec<Inline>]) {
        if rows.is_empty() {
            return;
        }
        self.gap();
        self.row(head.iter().map(Inline::of));
        self.line(&format!("|{}", " --- |".repeat(head.len())));
        for row in rows {
            self.row(row.iter().cloned());
        }
    }

    /// An empty line, unless there is one or nothing stands before.
    pub(crate) fn gap(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with("\n\n") {
            self.0.push('\n');
        }
    }

    /// Everything written.
    pub(crate) fn finish(self) -> String {
        self.0
    }

    fn row(&mut self, cells: impl Iterator<Item = Inline>) {
        self.0.push('|');
        for cell in cells {
            let cell = cell.as_markdown().to_owned();
            self.0.push(' ');
            self.0.push_str(if cell.is_empty() { "–" } else { &cell });
            self.0.push_str(" |");
        }
        self.0.push('\n');
    }

    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }
}
