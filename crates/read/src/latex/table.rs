use precedent_domain::ParagraphKind;

use super::reader::LatexReader;
use super::token::Token;
use crate::draft::Block;
use crate::format::fold_space;

/// Maximum cells read per table.
const CELLS: usize = 20_000;

impl LatexReader<'_> {
    /// A table: one line per row, cells separated by ` | `.
    pub(super) fn table(&mut self, name: &str) {
        match name {
            "tabular*" | "tabularx" | "tabulary" | "xltabular" | "tabularx*" => self.skip("mom"),
            "tabu" | "tabbing" => {
                self.expander.optional();
            }
            _ => self.skip("om"),
        }
        if name == "longtable" {
            // A caption inside a long table is handled like the caption of a float.
            self.enter("longtable", self.sink.kind);
        }
        let was = std::mem::replace(&mut self.in_table, true);
        let tokens = self.environment_tokens(name);
        let mut rows = Vec::new();
        let mut cells = 0;
        for row in split_rows(tokens) {
            cells += row.len();
            if cells > CELLS {
                self.expander.limited = true;
                break;
            }
            let cells: Vec<String> = row.into_iter().map(|cell| self.cell(cell)).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                rows.push(cells.join(" | "));
            }
        }
        self.in_table = was;
        if name == "longtable" {
            self.end_longtable();
        }
        self.put_table(&rows);
    }

    fn end_longtable(&mut self) {
        if self.open.last().is_some_and(|open| &*open.name == "longtable") {
            self.close_top();
        }
    }

    fn put_table(&mut self, rows: &[String]) {
        if rows.is_empty() || !self.is_writing() {
            return;
        }
        if self.sink.inline || self.in_table {
            self.put_text(&rows.join("; "));
        } else if rows.len() == 1 && rows.iter().all(|row| !row.contains(" | ")) {
            // One cell: a table used as a box.
            self.put_text(&rows.concat());
        } else {
            let kind = self.sink.kind;
            self.flush();
            self.sink.kind = kind;
            let text = rows.join("\n");
            self.written += text.len();
            self.blocks.push(Block::new(ParagraphKind::Table, text));
        }
    }

    fn cell(&mut self, tokens: Vec<Token>) -> String {
        let text = self.render_text(tokens);
        fold_space(&text)
    }
}

/// Rows end at `\\`, cells at `&`, both outside groups and inner environments.
fn split_rows(tokens: Vec<Token>) -> Vec<Vec<Vec<Token>>> {
    let mut rows: Vec<Vec<Vec<Token>>> = Vec::new();
    let mut row: Vec<Vec<Token>> = Vec::new();
    let mut cell: Vec<Token> = Vec::new();
    let (mut groups, mut inner) = (0usize, 0usize);
    let mut after_break = false;
    let mut in_length = false;
    for token in tokens {
        if in_length {
            in_length = token != Token::Char(']');
            continue;
        }
        // `\\[2pt]`: a length, not text.
        if after_break && token == Token::Char('[') {
            after_break = false;
            in_length = true;
            continue;
        }
        after_break = false;
        match &token {
            Token::Open => groups += 1,
            Token::Close => groups = groups.saturating_sub(1),
            Token::Command(name) if &**name == "begin" => inner += 1,
            Token::Command(name) if &**name == "end" => inner = inner.saturating_sub(1),
            Token::Align if groups == 0 && inner == 0 => {
                row.push(std::mem::take(&mut cell));
                continue;
            }
            Token::Command(name) if groups == 0 && inner == 0 && matches!(&**name, "\\" | "tabularnewline" | "cr") => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
                after_break = true;
                continue;
            }
            _ => {}
        }
        cell.push(token);
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latex::token::push_source;

    #[test]
    fn rows_and_cells() {
        let tokens = vec![
            Token::Char('a'),
            Token::Align,
            Token::Open,
            Token::Align,
            Token::Close,
            Token::Command("\\".into()),
            Token::Char('['),
            Token::Char('2'),
            Token::Char(']'),
            Token::Char('b'),
        ];
        let rows = split_rows(tokens);
        let mut text = String::new();
        for token in rows.iter().flatten().flatten() {
            push_source(&mut text, token);
        }
        assert_eq!((rows.len(), text.as_str()), (2, "a{&}b"));
    }
}
