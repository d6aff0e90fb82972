use super::inline::Inline;

/// Builds Markdown block by block, with one empty line between blocks.
#[derive(Debug, Default)]
pub(crate) struct Writer(String);

impl Writer {
    /// Writes a heading of `level` 1 to 6.
    pub(crate) fn heading(&mut self, level: usize, line: &Inline) {
        self.gap();
        self.0.push_str(&"#".repeat(level.clamp(1, 6)));
        self.0.push(' ');
        // A number at the start of a heading cannot start a list, so its full stop needs no escape.
        let text = line.as_markdown();
        let number = text.bytes().take_while(u8::is_ascii_digit).count();
        match text.split_at_checked(number) {
            Some((number, rest)) if rest.starts_with("\\.") => {
                self.0.push_str(number);
                self.line(rest.trim_start_matches('\\'));
            }
            _ => self.line(text),
        }
    }

    /// Writes a paragraph, unless the line is empty.
    pub(crate) fn paragraph(&mut self, line: &Inline) {
        if !line.as_markdown().is_empty() {
            self.gap();
            self.line(line.as_markdown());
        }
    }

    /// Writes paragraphs in a block quotation.
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

    /// Writes a list, unless it is empty.
    pub(crate) fn list(&mut self, items: &[Inline]) {
        if !items.is_empty() {
            self.gap();
            for item in items {
                self.item(0, item);
            }
        }
    }

    /// Writes a list item at nesting level `depth`. Call [`Writer::gap`] before the first.
    pub(crate) fn item(&mut self, depth: usize, line: &Inline) {
        self.0.push_str(&"  ".repeat(depth.min(20)));
        self.0.push_str("- ");
        self.line(line.as_markdown());
    }

    /// Writes a table, unless it has no rows.
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

    /// Writes an empty line, unless there is one or the output is empty.
    pub(crate) fn gap(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with("\n\n") {
            self.0.push('\n');
        }
    }

    /// Returns the Markdown.
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
