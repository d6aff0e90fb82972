//! Cuts answers into pages that fit into an agent's context.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::answer::{Answer, Arguments, Paged};
use crate::error::Failure;

/// Maximum number of characters of an answer, as JSON. Agents cut longer answers off, or refuse them: Claude Code warns from 10,000 tokens, which are about 40,000
/// characters of English, and half of that leaves room for the conversation.
pub(crate) const LIMIT: usize = 20_000;

/// Room for `next_cursor` and `shortened`, in characters. A cursor has at most 30.
const RESERVED: usize = 120;

/// Texts are not cut shorter than this, in characters.
const SHORTEST: usize = 100;

/// Marks the end of a text that was cut.
const CUT: &str = " […]";

/// The page of an answer that begins at `start`, and where the next page begins.
pub(crate) fn page(answer: &Answer, start: usize) -> (Value, Option<usize>) {
    let mut base = answer.base.clone();
    if let Paged::Text {
        first_page_only: Some(pointer),
        ..
    } = &answer.paged
        && start > 0
        && let Some(Value::Array(list)) = base.pointer_mut(pointer)
    {
        list.clear();
    }
    // At least half of a page is for what is paged.
    let mut shortened = shorten(&mut base, LIMIT / 2);
    let room = LIMIT - RESERVED - length(&base);
    let next = match &answer.paged {
        Paged::Items(items) => put_items(&mut base, items, start, room, &mut shortened),
        Paged::Text {
            pointer, text, from, ..
        } => put_text(&mut base, pointer, text, start.max(*from), room),
    };
    if shortened && let Some(base) = base.as_object_mut() {
        base.insert("shortened".to_owned(), true.into());
    }
    (base, next)
}

/// Adds items from the one with the number `start` while there is room. At least one is added, shortened if it must be.
fn put_items(
    base: &mut Value,
    items: &[(&'static str, Value)],
    start: usize,
    mut room: usize,
    shortened: &mut bool,
) -> Option<usize> {
    for (number, (pointer, item)) in items.iter().enumerate().skip(start) {
        let mut item = item.clone();
        // With a comma.
        let mut needed = length(&item) + 1;
        if needed > room {
            if number > start {
                return Some(number);
            }
            *shortened |= shorten(&mut item, room.saturating_sub(1));
            needed = length(&item) + 1;
        }
        room = room.saturating_sub(needed);
        if let Some(Value::Array(list)) = base.pointer_mut(pointer) {
            list.push(item);
        }
    }
    None
}

/// Adds the part of a text that begins at the byte `start` and fits. It ends at a line or a word if there is one in its second half.
fn put_text(base: &mut Value, pointer: &str, text: &str, start: usize, room: usize) -> Option<usize> {
    // Room for the figures of the part.
    let room = room.saturating_sub(80);
    let rest = text.get(start..).unwrap_or_default();
    let mut taken = 0;
    let mut fits = 0;
    for (at, c) in rest.char_indices() {
        taken += escaped(c);
        if taken > room {
            break;
        }
        fits = at + c.len_utf8();
    }
    let part = rest.get(..fits).unwrap_or_default();
    if fits < rest.len() {
        let second_half = |at: &usize| *at > fits / 2;
        let border = part
            .rfind('\n')
            .filter(second_half)
            .or_else(|| part.rfind(' ').filter(second_half));
        fits = border.map_or(fits, |at| at + 1);
    }
    let part = rest.get(..fits).unwrap_or_default();
    let end = start + part.len();
    if let Some(page) = base.pointer_mut(pointer).and_then(Value::as_object_mut) {
        page.insert("text".to_owned(), part.into());
        page.insert("start".to_owned(), start.into());
        page.insert("end".to_owned(), end.into());
        page.insert("bytes".to_owned(), text.len().into());
    }
    (end < text.len()).then_some(end)
}

/// Number of characters of `c` in a JSON string.
fn escaped(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if u32::from(c) < 0x20 => 6,
        _ => 1,
    }
}

/// Number of characters of a value as JSON.
pub(crate) fn length(value: &Value) -> usize {
    match value {
        Value::Null => 4,
        Value::Bool(is) => 5 - usize::from(*is),
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => text_length(text),
        // Brackets and commas.
        Value::Array(list) => 1 + list.len().max(1) + list.iter().map(length).sum::<usize>(),
        // Also a colon for each field.
        Value::Object(fields) => {
            let inner = fields.iter().map(|(name, value)| text_length(name) + length(value) + 1);
            1 + fields.len().max(1) + inner.sum::<usize>()
        }
    }
}

fn text_length(text: &str) -> usize {
    2 + text.chars().map(escaped).sum::<usize>()
}

/// Cuts the longest texts of a value until it has at most `room` characters, and then the longest lists. Whether anything was cut.
fn shorten(value: &mut Value, room: usize) -> bool {
    let mut cut_any = false;
    loop {
        let length = length(value);
        if length <= room {
            return cut_any;
        }
        let excess = length - room;
        let was_cut = match longest_text(value) {
            Some(text) if text.chars().count() > SHORTEST + CUT.chars().count() => {
                let keep = text
                    .chars()
                    .count()
                    .saturating_sub(excess + CUT.chars().count())
                    .max(SHORTEST);
                *text = text.chars().take(keep).chain(CUT.chars()).collect();
                true
            }
            _ => longest_list(value).is_some_and(|list| {
                let keep = list.len() / 2;
                list.truncate(keep);
                true
            }),
        };
        if !was_cut {
            return cut_any;
        }
        cut_any = true;
    }
}

fn longest_text(value: &mut Value) -> Option<&mut String> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(list) => list.iter_mut().filter_map(longest_text).max_by_key(|text| text.len()),
        Value::Object(fields) => fields
            .iter_mut()
            .filter_map(|(_, value)| longest_text(value))
            .max_by_key(|text| text.len()),
        _ => None,
    }
}

/// The longest list that is not empty.
fn longest_list(value: &mut Value) -> Option<&mut Vec<Value>> {
    let own = value.as_array().map_or(0, Vec::len);
    let inner = longest(value);
    if own > 0 && own >= inner {
        return value.as_array_mut();
    }
    match value {
        Value::Array(list) => list
            .iter_mut()
            .find(|one| longest(one).max(len(one)) == inner)
            .and_then(longest_list),
        Value::Object(fields) => {
            let mut values = fields.iter_mut().map(|(_, value)| value);
            values
                .find(|one| longest(one).max(len(one)) == inner)
                .and_then(longest_list)
        }
        _ => None,
    }
}

/// Length of the longest list inside of a value.
fn longest(value: &Value) -> usize {
    let of = |one: &Value| longest(one).max(len(one));
    match value {
        Value::Array(list) => list.iter().map(of).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(of).max().unwrap_or(0),
        _ => 0,
    }
}

fn len(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

/// A digest of a call without its cursor, which ties a cursor to its call.
pub(crate) fn digest(tool: &str, arguments: &Arguments) -> String {
    let sorted: std::collections::BTreeMap<_, _> = arguments.iter().collect();
    let text = serde_json::to_string(&(tool, sorted)).unwrap_or_default();
    Sha256::digest(text.as_bytes())
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The cursor of the page that begins at `start`.
pub(crate) fn cursor(start: usize, digest: &str) -> String {
    format!("{start}-{digest}")
}

/// Takes the cursor out of the arguments, if there is one.
pub(crate) fn take_cursor(arguments: &mut Map<String, Value>) -> Result<Option<String>, Failure> {
    match arguments.remove("cursor") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(cursor)) if cursor.is_empty() => Ok(None),
        Some(Value::String(cursor)) => Ok(Some(cursor)),
        Some(_) => Err(bad_cursor()),
    }
}

/// Where the page of a cursor begins.
pub(crate) fn start_of(cursor: &str, digest: &str) -> Result<usize, Failure> {
    let (start, of) = cursor.split_once('-').ok_or_else(bad_cursor)?;
    match start.parse() {
        Ok(start) if of == digest => Ok(start),
        _ => Err(bad_cursor()),
    }
}

fn bad_cursor() -> Failure {
    Failure::usage(
        "the cursor does not belong to this call",
        "repeat the call that returned it with the same arguments and this cursor, or leave it out for the first page",
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn all_pages(answer: &Answer) -> Vec<Value> {
        let mut pages = Vec::new();
        let mut start = 0;
        loop {
            let (page, next) = page(answer, start);
            assert!(
                page.to_string().chars().count() <= LIMIT,
                "{}",
                page.to_string().chars().count()
            );
            pages.push(page);
            match next {
                Some(next) => {
                    assert!(next > start);
                    start = next;
                }
                None => return pages,
            }
        }
    }

    #[test]
    fn the_length_is_that_of_the_json() {
        for value in [
            json!({"a": [1, -2.5, null, true, false], "b": {"c": "x\n\"\\\u{1}é漢", "d": []}, "e": {}}),
            json!([]),
            json!([[], {}, "\u{7f}\t"]),
        ] {
            assert_eq!(length(&value), value.to_string().chars().count(), "{value}");
        }
    }

    #[test]
    fn every_item_is_on_one_page_in_order() {
        let items: Vec<Value> = (0..500)
            .map(|number| json!({"number": number, "text": "word ".repeat(number % 90)}))
            .collect();
        let answer = Answer::with_lists(
            &json!({"notice": "n", "a": items[..300], "b": items[300..]}),
            &["/a", "/b", "/c"],
        )
        .unwrap();
        let pages = all_pages(&answer);
        assert!(pages.len() > 3, "{}", pages.len());
        let of = |name: &str| -> Vec<Value> {
            pages
                .iter()
                .flat_map(|page| page[name].as_array().unwrap().clone())
                .collect()
        };
        assert_eq!(of("a"), items[..300]);
        assert_eq!(of("b"), items[300..]);
    }

    #[test]
    fn an_item_that_is_too_long_is_cut_and_says_so() {
        let long = "é\n".repeat(100_000);
        let answer = Answer::with_lists(
            &json!({"list": [{"id": 1, "text": long}, {"id": 2, "text": "short"}]}),
            &["/list"],
        )
        .unwrap();
        let pages = all_pages(&answer);
        assert_eq!(pages[0]["shortened"], true);
        let items: Vec<&Value> = pages.iter().flat_map(|page| page["list"].as_array().unwrap()).collect();
        assert!(items[0]["text"].as_str().unwrap().ends_with(CUT));
        assert_eq!(*items[1], json!({"id": 2, "text": "short"}));
        assert_eq!(items.len(), 2);
    }

    #[test]
    fn a_list_that_is_not_paged_is_cut_too() {
        let numbers: Vec<u32> = (0..20_000).collect();
        let answer = Answer::with_lists(&json!({"numbers": numbers}), &[]).unwrap();
        let pages = all_pages(&answer);
        assert_eq!((pages.len(), &pages[0]["shortened"]), (1, &json!(true)));
        assert!(!pages[0]["numbers"].as_array().unwrap().is_empty());
    }

    #[test]
    fn the_parts_of_a_text_make_the_text() {
        let text = "The \"swell\" lifts é 漢字 buoys.\n".repeat(7_000);
        let answer = Answer::with_text(
            &json!({"page": {}, "outline": ["a"]}),
            "/page",
            text.clone(),
            0,
            Some("/outline"),
        )
        .unwrap();
        let pages = all_pages(&answer);
        assert!(pages.len() > 10);
        let parts: String = pages
            .iter()
            .map(|page| page["page"]["text"].as_str().unwrap())
            .collect();
        assert_eq!(parts, text);
        assert_eq!(pages[0]["outline"], json!(["a"]));
        assert_eq!(pages[1]["outline"], json!([]));
        let start = usize::try_from(pages[1]["page"]["start"].as_u64().unwrap()).unwrap();
        assert!(text[start..].starts_with(pages[1]["page"]["text"].as_str().unwrap()));
    }

    #[test]
    fn a_cursor_belongs_to_its_call() {
        let arguments = json!({"a": 1, "b": "x"}).as_object().unwrap().clone();
        let turned = json!({"b": "x", "a": 1}).as_object().unwrap().clone();
        let own = digest("match_claim", &arguments);
        assert_eq!(own, digest("match_claim", &turned));
        assert_eq!(start_of(&cursor(7, &own), &own).unwrap(), 7);
        let other = digest("overlap", &arguments);
        for bad in [cursor(7, &other), "7".to_owned(), "x-y".to_owned(), format!("-1-{own}")] {
            assert_eq!(start_of(&bad, &own).unwrap_err().kind, "usage", "{bad}");
        }
    }
}
