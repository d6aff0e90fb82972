use std::io::{self, BufRead};

use serde::Deserialize;
use serde_json::Value;

use super::BadRecord;
use super::values::{names, string};
use super::work_builder::WorkBuilder;
use crate::Record;

/// Longest item read.
const LONGEST_ITEM: usize = 16 << 20;

/// Items of a CSL-JSON list, read one at a time: the objects that lie directly in the outermost list, or one object alone.
pub(super) struct CslJson<R> {
    input: R,
    item: u64,
    ended: bool,
}

/// The bytes of one object, or that it was too long to be kept.
enum Item {
    Whole(Vec<u8>),
    TooLong,
    CutShort,
}

impl<R: BufRead> CslJson<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            item: 0,
            ended: false,
        }
    }

    /// The next object: brackets are counted outside strings, so a broken item ends where its braces do.
    fn next_item(&mut self) -> io::Result<Option<Item>> {
        let mut scan = Scan::default();
        let mut bytes = Vec::new();
        let mut too_long = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok((scan.depth > 0).then_some(Item::CutShort));
            }
            let (mut start, mut end) = (if scan.depth > 0 { Some(0) } else { None }, None);
            for (at, &byte) in chunk.iter().enumerate() {
                let before = scan.depth;
                scan.take(byte);
                if before == 0 && scan.depth == 1 {
                    start = Some(at);
                } else if before == 1 && scan.depth == 0 {
                    end = Some(at + 1);
                    break;
                }
            }
            let used = end.unwrap_or(chunk.len());
            if let Some(part) = start.and_then(|start| chunk.get(start..used)) {
                if too_long || bytes.len() + part.len() > LONGEST_ITEM {
                    too_long = true;
                    bytes = Vec::new();
                } else {
                    bytes.extend_from_slice(part);
                }
            }
            self.input.consume(used);
            if end.is_some() {
                return Ok(Some(if too_long { Item::TooLong } else { Item::Whole(bytes) }));
            }
        }
    }
}

/// Where in the JSON the scan is: how deep in braces, and whether inside a string.
#[derive(Default)]
struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    fn take(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' if self.depth > 0 => self.in_string = true,
            b'{' => self.depth += 1,
            b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

impl<R: BufRead> Iterator for CslJson<R> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.item += 1;
        match self.next_item() {
            Ok(Some(Item::Whole(bytes))) => Some(record(self.item, &bytes)),
            Ok(Some(Item::TooLong)) => Some(Err(BadRecord::new(self.item, None, "the item is longer than 16 MiB"))),
            Ok(Some(Item::CutShort)) => {
                self.ended = true;
                Some(Err(BadRecord::new(
                    self.item,
                    None,
                    "the list breaks off inside the item",
                )))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = true;
                Some(Err(BadRecord::broken_off(&error)))
            }
        }
    }
}

/// The variables of an item that are read (CSL 1.0.2, appendix IV; Zotero's own names beside them).
#[derive(Deserialize)]
struct Fields {
    #[serde(default)]
    title: Option<Value>,
    #[serde(default, rename = "abstract", alias = "abstractNote")]
    summary: Option<Value>,
    #[serde(default, alias = "creators")]
    author: Option<Value>,
    #[serde(default)]
    editor: Option<Value>,
    #[serde(
        default,
        rename = "container-title",
        alias = "publicationTitle",
        alias = "proceedingsTitle"
    )]
    container: Option<Value>,
    #[serde(default, rename = "event-title", alias = "event", alias = "conferenceName")]
    event: Option<Value>,
    #[serde(default)]
    publisher: Option<Value>,
    #[serde(default)]
    issued: Option<Value>,
    #[serde(default)]
    date: Option<Value>,
    #[serde(default, rename = "URL", alias = "url")]
    url: Option<Value>,
    #[serde(default, rename = "DOI", alias = "doi")]
    doi: Option<Value>,
    /// `arXiv:1706.03762` in Zotero's preprints.
    #[serde(default, alias = "archiveID")]
    number: Option<Value>,
}

fn record(item: u64, bytes: &[u8]) -> Result<Record, BadRecord> {
    let fields: Fields = serde_json::from_slice(bytes)
        .map_err(|error| BadRecord::new(item, None, format!("it is not a CSL-JSON item: {error}")))?;
    let title = string(fields.title.as_ref()).unwrap_or_default();
    let mut authors = names(fields.author.as_ref());
    if authors.is_empty() {
        authors = names(fields.editor.as_ref());
    }
    let venues = [&fields.container, &fields.event, &fields.publisher];
    let builder = WorkBuilder {
        title: title.clone(),
        summary: string(fields.summary.as_ref()),
        authors,
        venue: venues.into_iter().find_map(|value| string(value.as_ref())),
        dates: issued(fields.issued.as_ref())
            .or_else(|| string(fields.date.as_ref()))
            .into_iter()
            .collect(),
        urls: string(fields.url.as_ref()).into_iter().collect(),
        doi: string(fields.doi.as_ref()),
        arxiv: string(fields.number.as_ref()).filter(|number| number.to_lowercase().starts_with("arxiv:")),
        ..WorkBuilder::default()
    };
    builder.build().map_err(|reason| {
        let name = Some(title.as_str()).filter(|title| !title.is_empty());
        BadRecord::new(item, name, reason)
    })
}

/// `date-parts` (numbers or strings), else the date as printed.
fn issued(value: Option<&Value>) -> Option<String> {
    let value = value?;
    let parts = value
        .get("date-parts")
        .and_then(|parts| parts.get(0))
        .and_then(Value::as_array);
    if let Some(parts) = parts.filter(|parts| !parts.is_empty()) {
        let parts: Vec<String> = parts.iter().filter_map(|part| string(Some(part))).take(3).collect();
        return Some(parts.join("-"));
    }
    ["raw", "literal"]
        .iter()
        .find_map(|name| string(value.get(name)))
        .or_else(|| string(Some(value)))
}
