use std::io::BufRead;

use serde::Deserialize;
use serde_json::Value;

use super::BadRecord;
use super::lines::{Line, Lines};
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
                    return Some(Err(BadRecord::new(0, None, format!("the input breaks off: {error}"))));
                }
            };
            return Some(match line {
                Line::Text(text) if text.trim().is_empty() => continue,
                Line::Text(text) => record(number, &text),
                Line::TooLong => Err(BadRecord::new(number, None, "the line is longer than 64 MiB")),
                Line::NotText => Err(BadRecord::new(number, None, "the line is not UTF-8")),
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
        authors: authors(fields.authors.as_ref()),
        venue: string(fields.venue.as_ref()),
        dates: [&fields.date, &fields.year]
            .iter()
            .filter_map(|value| string(value.as_ref()))
            .collect(),
        urls: string(fields.url.as_ref()).into_iter().collect(),
        doi: string(fields.doi.as_ref()),
        arxiv: string(fields.arxiv_id.as_ref()),
        document: None,
    };
    let _ = (fields.full_text, fields.sections);
    builder.build().map_err(|reason| {
        BadRecord::new(
            number,
            Some(&name).filter(|name| !name.is_empty()).map(String::as_str),
            reason,
        )
    })
}

/// Strings and numbers as text; of a list the first.
fn string(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(list) => string(list.first()),
        _ => None,
    }
}

/// Names from a list of strings or objects, or one string with `;` or ` and ` between names.
fn authors(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(author).collect(),
        Some(Value::String(names)) if names.contains(';') => names.split(';').map(str::to_owned).collect(),
        Some(Value::String(names)) => names.split(" and ").map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn author(value: &Value) -> Option<String> {
    let part = |name: &str| {
        value
            .get(name)
            .and_then(Value::as_str)
            .filter(|part| !part.trim().is_empty())
    };
    match value {
        Value::String(name) => Some(name.clone()),
        Value::Object(_) => part("name").or_else(|| part("literal")).map(str::to_owned).or_else(|| {
            let given = part("given").or_else(|| part("first")).or_else(|| part("forenames"));
            let family = part("family").or_else(|| part("last")).or_else(|| part("keyname"))?;
            Some(given.map_or_else(|| family.to_owned(), |given| format!("{given} {family}")))
        }),
        _ => None,
    }
}
