//! Splits a BibTeX file into entries.

use std::collections::VecDeque;

/// Maximum size in bytes of an entry.
pub const LONGEST_ENTRY: usize = 4 << 20;
/// Maximum nesting depth of braces; real entries have less.
const DEEPEST: usize = 64;

/// One entry as written in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawEntry {
    /// The line where it starts.
    pub line: u64,
    /// `article`, `string`, …, in lower case.
    pub kind: String,
    /// The text from `@` to the closing brace, or what there is of it. Round brackets around the entry are replaced by braces.
    pub text: String,
    /// What is wrong with it, if anything. The text of an entry that is too long or too deep is empty.
    pub fault: Option<&'static str>,
}

/// Splits lines into entries by their braces. A broken entry affects only itself: if its braces do not close, it ends where the next `@kind{` starts
/// a line.
#[derive(Debug, Default)]
pub struct Entries {
    open: Option<Open>,
    ready: VecDeque<RawEntry>,
}

#[derive(Debug)]
struct Open {
    entry: RawEntry,
    depth: usize,
    round: bool,
    escaped: bool,
}

impl Entries {
    /// The entries of a whole text.
    pub fn of(text: &str) -> impl Iterator<Item = RawEntry> {
        let mut entries = Self::default();
        let mut lines = (1..).zip(text.lines());
        std::iter::from_fn(move || {
            while entries.ready.is_empty() {
                match lines.next() {
                    Some((number, line)) => entries.add_line(number, line),
                    None => {
                        entries.close();
                        break;
                    }
                }
            }
            entries.next_ready()
        })
    }

    /// The next entry that is complete.
    pub fn next_ready(&mut self) -> Option<RawEntry> {
        self.ready.pop_front()
    }

    /// Ends the entry whose braces are open, as at the end of the file.
    pub fn close(&mut self) {
        if let Some(Open { mut entry, .. }) = self.open.take() {
            entry.fault.get_or_insert("its braces do not close");
            self.ready.push_back(entry);
        }
    }

    /// Takes the next line, without its line end.
    pub fn add_line(&mut self, number: u64, line: &str) {
        if entry_start(line.trim_start()).is_some() {
            self.close();
        }
        let mut rest = line;
        loop {
            if self.open.is_none() {
                // Text between entries is a comment.
                let start = rest.match_indices('@').find_map(|(at, _)| {
                    let text = rest.get(at..)?;
                    entry_start(text).map(|(kind, head)| (text, kind, head))
                });
                let Some((text, kind, head)) = start else { return };
                let (head, after) = text.split_at(head);
                self.open = Some(Open {
                    round: head.ends_with('('),
                    entry: RawEntry {
                        line: number,
                        kind,
                        text: head.to_owned(),
                        fault: None,
                    },
                    depth: 1,
                    escaped: false,
                });
                rest = after;
            }
            let Some(open) = &mut self.open else { return };
            let Some(end) = open.read(rest) else { return };
            rest = rest.get(end..).unwrap_or_default();
            self.ready.extend(self.open.take().map(Open::finish));
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
                self.entry.fault = Some("its braces are nested too deeply");
            }
            if self.depth == 0 {
                end = Some(at + c.len_utf8());
                break;
            }
        }
        self.escaped = false;
        let taken = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
        if self.entry.text.len() + taken.len() > LONGEST_ENTRY {
            self.entry.fault = Some("it is longer than 4 MiB");
        }
        if self.entry.fault.is_some() {
            self.entry.text.clear();
        } else {
            self.entry.text.push_str(taken);
            self.entry.text.push('\n');
        }
        end
    }

    fn finish(mut self) -> RawEntry {
        let text = self.entry.text.trim_end();
        let inside = text.strip_suffix(')').and_then(|text| text.split_once('('));
        if let (true, Some((head, inside))) = (self.round, inside) {
            self.entry.text = format!("{head}{{{inside}}}");
        }
        self.entry
    }
}

/// `@kind{` or `@kind(` at the start: the kind and the length of this head.
fn entry_start(text: &str) -> Option<(String, usize)> {
    let rest = text.strip_prefix('@')?;
    let brace = rest.find(['{', '('])?;
    let kind = rest.get(..brace)?.trim();
    let fits = (1..=40).contains(&kind.len()) && kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    fits.then(|| (kind.to_ascii_lowercase(), brace + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_entry_affects_only_itself() {
        let text = "a@b.org {x} @one{a, t={1}} @Two(b, t={)})\n@three{c, t={open\n\n @four{d,\n  t = {\\}}}\n@five{";
        let found: Vec<RawEntry> = Entries::of(text).collect();
        let shown: Vec<(u64, &str, &str, bool)> = found
            .iter()
            .map(|entry| {
                (
                    entry.line,
                    entry.kind.as_str(),
                    entry.text.trim_end(),
                    entry.fault.is_some(),
                )
            })
            .collect();
        let expected = [
            (1, "one", "@one{a, t={1}}", false),
            (1, "two", "@Two{b, t={)}}", false),
            (2, "three", "@three{c, t={open", true),
            (4, "four", "@four{d,\n  t = {\\}}}", false),
            (6, "five", "@five{", true),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_too_long_or_too_deep_is_named_and_the_rest_of_a_long_line_is_kept() {
        let long = format!(
            "@a{{b,t={{{}}}}} @c{{d}} @e{{{}}}",
            "x".repeat(LONGEST_ENTRY),
            "{".repeat(100)
        );
        let faults: Vec<(bool, Option<&str>)> = Entries::of(&long)
            .map(|entry| (entry.text.is_empty(), entry.fault))
            .collect();
        let (too_long, too_deep) = (
            Some("it is longer than 4 MiB"),
            Some("its braces are nested too deeply"),
        );
        assert_eq!(faults, [(true, too_long), (false, None), (true, too_deep)]);
    }
}
