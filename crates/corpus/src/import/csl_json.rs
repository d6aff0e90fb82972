use std::io::{self, BufRead};

use serde_json::Value;

use super::BadRecord;
use super::json_objects::{Object, Shape, record};
use super::kind::{Items, Kind};
use super::values::string;
use super::work_builder::WorkBuilder;
use crate::Record;

/// CSL-JSON, and the JSON exports of Zotero and Better BibTeX.
pub(super) const KIND: Kind = Kind {
    name: "csl-json",
    title: "CSL-JSON or Zotero JSON",
    adds_to_others: false,
    recognises: |head| {
        let in_list = head.text().strip_prefix('[').map(str::trim_start);
        let list = in_list.is_some_and(|rest| rest.starts_with('{'));
        let object = head.is_object() && !matches!(head.ending(), "jsonl" | "ndjson");
        list || object && (head.has_key("items") || !head.is_object_on_a_line())
    },
    open: |input| Box::new(CslJson::new(input)),
};

/// Maximum size of an item in bytes.
const LONGEST_ITEM: usize = 16 << 20;

/// Items of a CSL-JSON list, parsed one at a time: the objects directly in the outermost list, or in the list `items` of the outermost object, or a
/// single object.
pub(super) struct CslJson<R> {
    input: R,
    item: u64,
    ended: bool,
    begun: bool,
}

/// The bytes of one object, or a marker that it was too long.
enum ObjectBytes {
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
            begun: false,
        }
    }

    /// Skips the head of an object that has its items in a list: `{"config": …, "items": [`. Other inputs are unchanged.
    fn begin(&mut self) -> io::Result<()> {
        let chunk = self.input.fill_buf()?;
        let text = String::from_utf8_lossy(chunk);
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if !start.starts_with('{') {
            return Ok(());
        }
        let mut scan = JsonScan::default();
        let mut last = Vec::new();
        for (at, &byte) in chunk.iter().enumerate() {
            let inside = scan.in_string;
            scan.take(byte);
            match byte {
                b'"' if !inside => last.clear(),
                b'"' if !scan.in_string => {}
                _ if inside => last.push(byte),
                b'[' if scan.depth == 1 && last == b"items" => {
                    self.input.consume(at + 1);
                    return Ok(());
                }
                b':' | b'{' => {}
                _ if !byte.is_ascii_whitespace() => last.clear(),
                _ => {}
            }
        }
        Ok(())
    }

    /// The next object. Brackets are counted outside strings, so a broken item ends where its braces do.
    fn next_item(&mut self) -> io::Result<Option<ObjectBytes>> {
        let mut scan = JsonScan::default();
        let mut bytes = Vec::new();
        let mut too_long = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok((scan.depth > 0).then_some(ObjectBytes::CutShort));
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
                return Ok(Some(if too_long {
                    ObjectBytes::TooLong
                } else {
                    ObjectBytes::Whole(bytes)
                }));
            }
        }
    }
}

/// State of the JSON scan: brace depth, and whether inside a string.
#[derive(Default)]
struct JsonScan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl JsonScan {
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
        while !self.ended {
            if !self.begun {
                self.begun = true;
                if let Err(error) = self.begin() {
                    self.ended = true;
                    return Some(Err(BadRecord::broken_off(&error)));
                }
            }
            self.item += 1;
            let item = self.item;
            let bad = |reason: &str| Some(Err(BadRecord::new(item, None, reason)));
            match self.next_item() {
                Ok(Some(ObjectBytes::Whole(bytes))) => match record::<CslItem>(self.item, &bytes) {
                    Some(record) => return Some(record),
                    // A note or an attachment is not a work, and not an error.
                    None => continue,
                },
                Ok(Some(ObjectBytes::TooLong)) => return bad("the item is longer than 16 MiB"),
                Ok(Some(ObjectBytes::CutShort)) => {
                    self.ended = true;
                    return bad("the list ends inside the item");
                }
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BadRecord::broken_off(&error)));
                }
            }
        }
        None
    }
}

impl<R: BufRead + Send> Items for CslJson<R> {}

/// The fields that are read (CSL 1.0.2, appendix IV, and Zotero's own names).
struct CslItem;

impl Shape for CslItem {
    const MEMBERS: &'static [&'static str] = &[
        "data",
        "itemType",
        "title",
        "abstract",
        "abstractNote",
        "author",
        "creators",
        "editor",
        "container-title",
        "publicationTitle",
        "proceedingsTitle",
        "event-title",
        "event",
        "conferenceName",
        "publisher",
        "issued",
        "date",
        "URL",
        "url",
        "DOI",
        "doi",
        "number",
        "archiveID",
        "extra",
        "note",
    ];

    fn work(item: &Object<Self>) -> Option<WorkBuilder> {
        // Zotero's API wraps the item.
        if let (Some(data), None) = (item.get("data"), item.get("title")) {
            let inner: Object<Self> = serde_json::from_value(data.clone()).ok()?;
            return if inner.get("data").is_some() {
                None
            } else {
                Self::work(&inner)
            };
        }
        if matches!(
            item.string(&["itemType"]).as_deref(),
            Some("note" | "attachment" | "annotation")
        ) {
            return None;
        }
        let extra = item.string(&["extra", "note"]).unwrap_or_default();
        let noted = |name: &str| {
            let mut lines = extra.lines().filter_map(|line| line.split_once(':'));
            lines.find_map(|(key, value)| key.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned()))
        };
        let arxiv = item
            .string(&["number", "archiveID"])
            .filter(|number| number.to_lowercase().starts_with("arxiv:"));
        let date = issued(item.get("issued")).or_else(|| item.string(&["date"]));
        Some(WorkBuilder {
            title: item.string(&["title"]).unwrap_or_default(),
            summary: item.string(&["abstract", "abstractNote"]),
            authors: authors(item),
            venue: item.string(&[
                "container-title",
                "publicationTitle",
                "proceedingsTitle",
                "event-title",
                "event",
                "conferenceName",
                "publisher",
            ]),
            dates: date.into_iter().collect(),
            urls: item.string(&["URL", "url"]).into_iter().collect(),
            doi: item.string(&["DOI", "doi"]).or_else(|| noted("doi")),
            // `extra` contains text such as `arXiv:1706.03762 [cs]`.
            arxiv: arxiv.or_else(|| noted("arxiv").and_then(|id| id.split_whitespace().next().map(str::to_owned))),
            ..WorkBuilder::default()
        })
    }
}

/// The authors. In Zotero's `creators`: those of kind `author`, or all if there are none.
fn authors(item: &Object<CslItem>) -> Vec<String> {
    if let Some(creators) = item.get("creators").and_then(Value::as_array) {
        let kind = |creator: &&Value| creator.get("creatorType").and_then(Value::as_str) == Some("author");
        let authors: Vec<Value> = creators.iter().filter(kind).cloned().collect();
        let people = if authors.is_empty() { creators.clone() } else { authors };
        return super::values::names(Some(&Value::Array(people)));
    }
    item.names(&["author", "editor"])
}

/// `date-parts` (numbers or strings), else the date as text.
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
