use std::io::BufRead;

use serde::Deserialize;
use serde_json::Value;

use super::BadRecord;
use super::full_text::{Part, whole};
use super::lines::{Line, Lines};
use super::values::{names, string};
use super::work_builder::WorkBuilder;
use crate::Record;

/// Longest line read: a book with its markup.
const LONGEST_LINE: usize = 64 << 20;

/// Records of JSON Lines.
pub(super) struct JsonLines<R> {
    lines: Lines<R>,
    ended: bool,
}

impl<R: BufRead> JsonLines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input, LONGEST_LINE),
            ended: false,
        }
    }
}

impl<R: BufRead> Iterator for JsonLines<R> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let (number, line) = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BadRecord::broken_off(&error)));
                }
            };
            return Some(match line {
                Line::Text(text) if text.trim().is_empty() => continue,
                Line::Text(text) => record(number, &text),
                Line::TooLong => Err(BadRecord::new(number, None, "the line is longer than 64 MiB")),
                Line::NotText(_) => Err(BadRecord::new(number, None, "the line is not UTF-8")),
            });
        }
        None
    }
}

/// The fields of a line, under the names that data sets use for them. Other fields are passed over.
#[derive(Deserialize)]
struct Fields {
    #[serde(default, alias = "_id", alias = "paper_id", alias = "corpusid")]
    id: Option<Value>,
    #[serde(default)]
    title: Option<Value>,
    #[serde(default, rename = "abstract", alias = "summary")]
    summary: Option<Value>,
    #[serde(default)]
    text: Option<Value>,
    #[serde(default)]
    year: Option<Value>,
    #[serde(default, alias = "publication_date", alias = "publicationDate", alias = "published")]
    date: Option<Value>,
    #[serde(default, alias = "journal", alias = "booktitle")]
    venue: Option<Value>,
    #[serde(default, alias = "author")]
    authors: Option<Value>,
    #[serde(default)]
    url: Option<Value>,
    #[serde(default, alias = "DOI")]
    doi: Option<Value>,
    #[serde(default, alias = "arxiv", alias = "eprint")]
    arxiv_id: Option<Value>,
    #[serde(default, alias = "fulltext", alias = "body")]
    full_text: Option<Value>,
    #[serde(default)]
    sections: Option<Value>,
}

fn record(number: u64, line: &str) -> Result<Record, BadRecord> {
    let fields: Fields = serde_json::from_str(line)
        .map_err(|error| BadRecord::new(number, None, format!("it is not a JSON object of a work: {error}")))?;
    let title = string(fields.title.as_ref()).unwrap_or_default();
    let id = string(fields.id.as_ref());
    let name = id.clone().unwrap_or_else(|| title.clone());
    let builder = WorkBuilder {
        id,
        title,
        summary: string(fields.summary.as_ref()).or_else(|| string(fields.text.as_ref())),
        authors: names(fields.authors.as_ref()),
        venue: string(fields.venue.as_ref()),
        dates: [&fields.date, &fields.year]
            .iter()
            .filter_map(|value| string(value.as_ref()))
            .collect(),
        urls: string(fields.url.as_ref()).into_iter().collect(),
        doi: string(fields.doi.as_ref()),
        arxiv: string(fields.arxiv_id.as_ref()),
        parts: parts(&fields),
    };
    builder.build().map_err(|reason| {
        BadRecord::new(
            number,
            Some(&name).filter(|name| !name.is_empty()).map(String::as_str),
            reason,
        )
    })
}

/// The text of a record: its `sections`, else its `full_text`.
fn parts(fields: &Fields) -> Vec<Part> {
    let text = |value: &Value, names: &[&str]| {
        let texts = names.iter().filter_map(|name| value.get(name).and_then(Value::as_str));
        texts.map(str::to_owned).next().unwrap_or_default()
    };
    match &fields.sections {
        Some(Value::Array(list)) if !list.is_empty() => list
            .iter()
            .map(|section| match section {
                Value::String(text) => Part {
                    heading: String::new(),
                    text: text.clone(),
                },
                other => Part {
                    heading: text(other, &["heading", "title", "section"]),
                    text: text(other, &["text", "content"]),
                },
            })
            .collect(),
        _ => string(fields.full_text.as_ref()).map_or_else(Vec::new, |text| whole(&text)),
    }
}
