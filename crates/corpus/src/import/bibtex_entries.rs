use std::collections::VecDeque;
use std::io::BufRead;

use super::BadRecord;
use super::lines::{Line, Lines};

/// Maximum size in bytes of a line or an entry.
const LONGEST: usize = 4 << 20;
/// Maximum nesting depth of braces; real entries have less.
const DEEPEST: usize = 64;

/// One entry as written in the file.
pub(super) struct RawEntry {
    /// The line where it starts.
    pub(super) line: u64,
    /// `article`, `string`, …, in lower case.
    pub(super) kind: String,
    /// The text from `@` to the closing brace.
    pub(super) text: String,
}

/// Splits a BibTeX file into entries by their braces, so that a broken entry affects only itself: if its braces do not close, it ends where the next
/// `@kind{` starts a line.
pub(super) struct Entries<R> {
    lines: Lines<R>,
    open: Option<Open>,
    ready: VecDeque<Result<RawEntry, BadRecord>>,
    ended: bool,
}

struct Open {
    line: u64,
    kind: String,
    text: String,
    depth: usize,
    round: bool,
    escaped: bool,
    /// Set if the entry is too long or too deep: it is skipped to its end.
    spoilt: Option<&'static str>,
}

impl<R: BufRead> Entries<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input, LONGEST),
            open: None,
            ready: VecDeque::new(),
            ended: false,
        }
    }

    fn close_unfinished(&mut self) {
        if let Some(open) = self.open.take() {
            let reason = open.spoilt.unwrap_or("its braces do not close");
            self.ready.push_back(Err(BadRecord::new(open.line, None, reason)));
        }
    }

    fn take_line(&mut self, number: u64, line: &str) {
        if entry_start(line.trim_start()).is_some() {
            self.close_unfinished();
        }
        let mut rest = line;
        loop {
            if self.open.is_none() {
                // Text between entries is a comment.
                let Some(at) = rest
                    .char_indices()
                    .find_map(|(at, c)| (c == '@' && entry_start(rest.get(at..)?).is_some()).then_some(at))
                else {
                    return;
                };
                rest = rest.get(at..).unwrap_or_default();
                let Some((kind, head)) = entry_start(rest) else { return };
                self.open = Some(Open {
                    line: number,
                    kind,
                    text: rest.get(..head).unwrap_or_default().to_owned(),
                    depth: 1,
                    round: rest.get(..head).is_some_and(|head| head.ends_with('(')),
                    escaped: false,
                    spoilt: None,
                });
                rest = rest.get(head..).unwrap_or_default();
            }
            let Some(open) = &mut self.open else { return };
            let Some(end) = open.read(rest) else { return };
            rest = rest.get(end..).unwrap_or_default();
            if let Some(open) = self.open.take() {
                self.ready.push_back(open.finish());
            }
        }
    }
}

impl Open {
    /// Consumes text; returns where in `text` the entry ends, if it does.
    fn read(&mut self, text: &str) -> Option<usize> {
        let mut end = None;
        for (at, c) in text.char_indices() {
            let escaped = std::mem::take(&mut self.escaped);
            match c {
                '\\' if !escaped => self.escaped = true,
                '{' if !escaped => self.depth += 1,
                '}' if !escaped => self.depth = self.depth.saturating_sub(1),
                ')' if self.round && self.depth == 1 => self.depth = 0,
                _ => {}
            }
            if self.depth > DEEPEST {
                self.spoilt = Some("its braces are nested too deeply");
            }
            if self.depth == 0 {
                end = Some(at + c.len_utf8());
                break;
            }
        }
        self.escaped = false;
        if self.text.len() + text.len() > LONGEST {
            self.spoilt = Some("it is longer than 4 MiB");
        }
        if self.spoilt.is_some() {
            self.text.clear();
        } else {
            self.text
                .push_str(text.get(..end.unwrap_or(text.len())).unwrap_or_default());
            self.text.push('\n');
        }
        end
    }

    fn finish(mut self) -> Result<RawEntry, BadRecord> {
        if self.round && self.spoilt.is_none() {
            // The entry parser supports only braces.
            let inside = self
                .text
                .trim_end()
                .strip_suffix(')')
                .and_then(|text| text.split_once('('));
            if let Some((head, inside)) = inside {
                self.text = format!("{head}{{{inside}}}");
            }
        }
        match self.spoilt {
            Some(reason) => Err(BadRecord::new(self.line, None, reason)),
            None => Ok(RawEntry {
                line: self.line,
                kind: self.kind,
                text: self.text,
            }),
        }
    }
}

impl<R: BufRead> Iterator for Entries<R> {
    type Item = Result<RawEntry, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Some(ready);
            }
            if self.ended {
                return None;
            }
            match self.lines.next() {
                Ok(Some((number, Line::Text(line)))) => self.take_line(number, &line),
                Ok(Some((number, Line::NotText(bytes)))) => self.take_line(number, &latin1(&bytes)),
                Ok(Some((number, Line::TooLong))) => {
                    self.close_unfinished();
                    self.ready
                        .push_back(Err(BadRecord::new(number, None, "the line is longer than 4 MiB")));
                }
                Ok(None) => {
                    self.ended = true;
                    self.close_unfinished();
                }
                Err(error) => {
                    self.ended = true;
                    self.ready.push_back(Err(BadRecord::broken_off(&error)));
                }
            }
        }
    }
}

/// Old files are often Latin-1.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// `@kind{` or `@kind(` at the start: the kind and the length of this head.
fn entry_start(text: &str) -> Option<(String, usize)> {
    let rest = text.strip_prefix('@')?;
    let brace = rest.find(['{', '('])?;
    let kind = rest.get(..brace)?.trim();
    let fits = (1..=40).contains(&kind.len()) && kind.bytes().all(|byte| byte.is_ascii_alphabetic());
    fits.then(|| (kind.to_ascii_lowercase(), brace + 2))
}
