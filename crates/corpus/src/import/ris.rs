use std::io::BufRead;

use super::BadRecord;
use super::bibtex_entries::latin1;
use super::kind::{Items, Kind};
use super::lines::{Line, Lines};
use super::work_builder::WorkBuilder;
use crate::Record;

/// RIS.
pub(super) const KIND: Kind = Kind {
    name: "ris",
    title: "RIS",
    adds_to_others: false,
    recognises: |head| head.ending() == "ris" || head.text().starts_with("TY  -"),
    open: |input| Box::new(Ris::new(input)),
};

/// Maximum size of a line in bytes.
const LONGEST_LINE: usize = 4 << 20;
/// Maximum size of a record in bytes of its values.
const LONGEST_RECORD: usize = 16 << 20;

/// Records of a RIS file: lines `XX  - value` from `TY` to `ER`.
pub(super) struct Ris<R> {
    lines: Lines<R>,
    /// A record that started before the previous one ended.
    started: Option<RisDraft>,
    ended: bool,
}

struct RisDraft {
    line: u64,
    size: usize,
    fields: Vec<(String, String)>,
}

impl<R: BufRead> Ris<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input, LONGEST_LINE),
            started: None,
            ended: false,
        }
    }
}

impl<R: BufRead> Iterator for Ris<R> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut draft = self.started.take();
        while !self.ended {
            let (number, line) = match self.lines.next() {
                Ok(Some((number, Line::Text(line)))) => (number, line),
                Ok(Some((number, Line::NotText(bytes)))) => (number, latin1(&bytes)),
                Ok(Some((number, Line::TooLong))) => {
                    self.started = draft;
                    return Some(Err(BadRecord::new(number, None, "the line is longer than 4 MiB")));
                }
                Ok(None) => {
                    self.ended = true;
                    break;
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BadRecord::broken_off(&error)));
                }
            };
            match (tag(&line), &mut draft) {
                (Some(("TY", _)), open) => {
                    let fresh = RisDraft {
                        line: number,
                        size: 0,
                        fields: Vec::new(),
                    };
                    if open.is_some() {
                        self.started = Some(fresh);
                        return draft.map(RisDraft::record);
                    }
                    draft = Some(fresh);
                }
                (Some(("ER", _)), Some(_)) => return draft.map(RisDraft::record),
                (Some((tag, value)), Some(open)) => open.push(tag, value),
                (None, Some(open)) => open.go_on(line.trim()),
                (_, None) => {}
            }
        }
        draft.map(RisDraft::record)
    }
}

/// The tag of a line and its value.
fn tag(line: &str) -> Option<(&str, &str)> {
    let tag = line.get(..2)?;
    let rest = line.get(2..)?.trim_start_matches(' ').strip_prefix('-')?;
    let fits = tag
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && line.get(2..3) == Some(" ");
    fits.then(|| (tag, rest.trim()))
}

impl RisDraft {
    fn push(&mut self, tag: &str, value: &str) {
        self.size += value.len() + 2;
        if !value.is_empty() && self.size <= LONGEST_RECORD {
            self.fields.push((tag.to_owned(), value.to_owned()));
        }
    }

    /// A line without a tag continues the previous value.
    fn go_on(&mut self, value: &str) {
        self.size += value.len() + 1;
        if let Some((_, last)) = self.fields.last_mut().filter(|_| self.size <= LONGEST_RECORD) {
            last.push(' ');
            last.push_str(value);
        }
    }

    fn record(self) -> Result<Record, BadRecord> {
        let all = |tags: &[&str]| -> Vec<String> {
            let mut values = Vec::new();
            for tag in tags {
                let of_tag = self.fields.iter().filter(|(have, _)| have == tag);
                values.extend(of_tag.map(|(_, value)| value.clone()));
            }
            values
        };
        let first = |tags: &[&str]| all(tags).into_iter().next();
        let title = first(&["TI", "T1", "CT", "BT"]).unwrap_or_default();
        if self.size > LONGEST_RECORD {
            return Err(BadRecord::new(self.line, Some(&title), "it is longer than 16 MiB"));
        }
        let mut authors = all(&["AU", "A1"]);
        if authors.is_empty() {
            authors = all(&["A2", "ED"]);
        }
        let builder = WorkBuilder {
            title: title.clone(),
            summary: first(&["AB", "N2"]),
            authors,
            venue: first(&["JO", "JF", "T2", "JA", "J2", "BT", "PB"]).filter(|venue| *venue != title),
            dates: first(&["DA", "Y1"]).into_iter().chain(first(&["PY"])).collect(),
            urls: all(&["UR", "L2", "LK"]),
            doi: first(&["DO"]),
            ..WorkBuilder::default()
        };
        builder.build().map_err(|reason| {
            let name = Some(title.as_str()).filter(|title| !title.is_empty());
            BadRecord::new(self.line, name, reason)
        })
    }
}

impl<R: BufRead + Send> Items for Ris<R> {}
