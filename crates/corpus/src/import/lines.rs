use std::io::{self, BufRead};

/// A line of the input.
pub(super) enum Line {
    /// Its text without the line end.
    Text(String),
    /// Longer than the limit; skipped.
    TooLong,
    /// Not UTF-8.
    NotText(Vec<u8>),
}

/// Numbered lines; a line beyond the limit is skipped without being buffered.
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Lines of at most `limit` bytes.
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self {
            input,
            limit,
            number: 0,
        }
    }

    /// The next line and its number, from 1; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<(u64, Line)>> {
        let mut bytes = Vec::new();
        let (mut any, mut too_long) = (false, false);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                break;
            }
            any = true;
            let (line, used, done) = match memchr_newline(chunk) {
                Some(end) => (chunk.get(..end).unwrap_or_default(), end + 1, true),
                None => (chunk, chunk.len(), false),
            };
            if too_long || bytes.len() + line.len() > self.limit {
                too_long = true;
                bytes = Vec::new();
            } else {
                bytes.extend_from_slice(line);
            }
            self.input.consume(used);
            if done {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        if too_long {
            return Ok(Some((self.number, Line::TooLong)));
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        let line = match String::from_utf8(bytes) {
            Ok(text) if self.number == 1 && text.starts_with('\u{feff}') => {
                Line::Text(text.trim_start_matches('\u{feff}').to_owned())
            }
            Ok(text) => Line::Text(text),
            Err(error) => Line::NotText(error.into_bytes()),
        };
        Ok(Some((self.number, line)))
    }
}

fn memchr_newline(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == b'\n')
}
