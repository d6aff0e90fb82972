use std::io::{self, BufRead};

use super::BadRecord;
use super::bibtex_entries::latin1;
use super::kind::{Items, Kind};
use super::work_builder::WorkBuilder;
use crate::Record;

/// CSV tables with a header line, mainly Zotero's export.
pub(super) const KIND: Kind = Kind {
    name: "csv",
    title: "CSV with a header line (Zotero)",
    adds_to_others: false,
    recognises: |head| {
        let columns = split(head.text().lines().next().unwrap_or_default());
        let has = |wanted: &[&str]| {
            columns
                .iter()
                .any(|column| wanted.contains(&column.trim().to_lowercase().as_str()))
        };
        has(&["title"]) && has(&["author", "authors", "abstract", "abstract note", "doi"])
    },
    open: |input| Box::new(Csv::new(input)),
};

/// Maximum size of a row in bytes.
const LONGEST_ROW: usize = 16 << 20;

/// Records of an RFC 4180 table: quoted cells may contain line ends.
struct Csv<R> {
    input: R,
    columns: Vec<String>,
    /// The line where the next row starts.
    line: u64,
    ended: bool,
}

impl<R: BufRead> Csv<R> {
    fn new(input: R) -> Self {
        Self {
            input,
            columns: Vec::new(),
            line: 1,
            ended: false,
        }
    }

    /// The next row with its first line; `None` instead of its bytes if it is too long.
    fn row(&mut self) -> io::Result<Option<(u64, Option<Vec<u8>>)>> {
        let start = self.line;
        let (mut bytes, mut quoted, mut too_long, mut any) = (Vec::new(), false, false, false);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok(any.then_some((start, (!too_long).then_some(bytes))));
            }
            any = true;
            let mut end = None;
            for (at, &byte) in chunk.iter().enumerate() {
                match byte {
                    b'"' => quoted = !quoted,
                    b'\n' => {
                        self.line += 1;
                        if !quoted {
                            end = Some(at + 1);
                            break;
                        }
                    }
                    _ => {}
                }
            }
            let used = end.unwrap_or(chunk.len());
            if too_long || bytes.len() + used > LONGEST_ROW {
                too_long = true;
                bytes = Vec::new();
            } else {
                bytes.extend_from_slice(chunk.get(..used).unwrap_or_default());
            }
            self.input.consume(used);
            if end.is_some() {
                return Ok(Some((start, (!too_long).then_some(bytes))));
            }
        }
    }

    fn record(&self, line: u64, text: &str) -> Option<Result<Record, BadRecord>> {
        let cells = split(text);
        let cell = |names: &[&str]| {
            let found = names.iter().filter_map(|name| {
                let at = self.columns.iter().position(|column| column == name)?;
                cells.get(at).map(|cell| cell.trim().to_owned())
            });
            found.into_iter().find(|cell| !cell.is_empty())
        };
        if matches!(
            cell(&["item type"]).as_deref(),
            Some("note" | "attachment" | "annotation")
        ) {
            return None;
        }
        let title = cell(&["title"]).unwrap_or_default();
        let arxiv = cell(&["number", "archive location", "extra"]).and_then(|text| {
            let at = text.to_ascii_lowercase().find("arxiv:")?;
            text.get(at..)?.split_whitespace().next().map(str::to_owned)
        });
        let authors = cell(&["author", "authors"])
            .or_else(|| cell(&["editor"]))
            .unwrap_or_default();
        let builder = WorkBuilder {
            title: title.clone(),
            summary: cell(&["abstract note", "abstract"]),
            authors: super::values::names(Some(&authors.into())),
            venue: cell(&[
                "publication title",
                "conference name",
                "source title",
                "journal",
                "venue",
                "publisher",
            ]),
            dates: cell(&["date", "publication date"])
                .into_iter()
                .chain(cell(&["publication year", "year"]))
                .collect(),
            urls: cell(&["url", "link"]).into_iter().collect(),
            doi: cell(&["doi"]),
            arxiv,
            ..WorkBuilder::default()
        };
        Some(builder.build().map_err(|reason| {
            let name = Some(title.as_str()).filter(|title| !title.is_empty());
            BadRecord::new(line, name, reason)
        }))
    }
}

impl<R: BufRead> Iterator for Csv<R> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let (line, bytes) = match self.row() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BadRecord::broken_off(&error)));
                }
            };
            let Some(bytes) = bytes else {
                return Some(Err(BadRecord::new(line, None, "the row is longer than 16 MiB")));
            };
            let text = String::from_utf8(bytes).unwrap_or_else(|error| latin1(error.as_bytes()));
            if self.columns.is_empty() {
                let names = split(text.trim_start_matches('\u{feff}'));
                self.columns = names.iter().map(|name| name.trim().to_lowercase()).collect();
                continue;
            }
            if text.trim().is_empty() {
                continue;
            }
            match self.record(line, &text) {
                Some(record) => return Some(record),
                None => continue,
            }
        }
        None
    }
}

impl<R: BufRead + Send> Items for Csv<R> {}

/// The cells of a row.
fn split(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut chars = row.trim_end_matches(['\r', '\n']).chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cells.last_mut().into_iter().for_each(|cell| cell.push('"'));
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells.last_mut().into_iter().for_each(|cell| cell.push(other)),
        }
    }
    cells
}
