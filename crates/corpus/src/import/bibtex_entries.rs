use std::io::BufRead;

use precedent_text::bibtex::{self, LONGEST_ENTRY, RawEntry};

use super::BadRecord;
use super::lines::{Line, Lines};

/// Reads the entries of a BibTeX file.
pub(super) struct Entries<R> {
    lines: Lines<R>,
    found: bibtex::Entries,
    /// An error to report after the entries before it.
    bad: Option<BadRecord>,
    ended: bool,
}

impl<R: BufRead> Entries<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input, LONGEST_ENTRY),
            found: bibtex::Entries::default(),
            bad: None,
            ended: false,
        }
    }
}

impl<R: BufRead> Iterator for Entries<R> {
    type Item = Result<RawEntry, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.found.next_ready() {
                return Some(match entry.fault {
                    Some(reason) => Err(BadRecord::new(entry.line, None, reason)),
                    None => Ok(entry),
                });
            }
            if let Some(bad) = self.bad.take() {
                return Some(Err(bad));
            }
            if self.ended {
                return None;
            }
            match self.lines.next() {
                Ok(Some((number, Line::Text(line)))) => self.found.add_line(number, &line),
                Ok(Some((number, Line::NotText(bytes)))) => self.found.add_line(number, &latin1(&bytes)),
                Ok(Some((number, Line::TooLong))) => {
                    self.found.close();
                    self.bad = Some(BadRecord::new(number, None, "the line is longer than 4 MiB"));
                }
                Ok(None) => {
                    self.ended = true;
                    self.found.close();
                }
                Err(error) => {
                    self.ended = true;
                    self.bad = Some(BadRecord::broken_off(&error));
                }
            }
        }
    }
}

/// Old files are often Latin-1.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}
