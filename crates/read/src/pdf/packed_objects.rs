//! Unpacks object streams here instead of in lopdf, which unpacks them without a limit.

use std::collections::{BTreeMap, HashSet};

use lopdf::xref::XrefEntry;
use lopdf::{Dictionary, Document, Object, ObjectId, ObjectStream, Stream};

use super::unpack::{STREAM_LIMIT, is_sane, unpack};
use crate::budget::{ReadBudget, ReadResource};

/// Type given to object streams while lopdf loads the file, so that it does not unpack them.
const HELD: &[u8] = b"PrecedentObjStm";

/// Filter for lopdf's loader, which calls it for every object. Hides object streams, and removes parameters that would exhaust the memory.
pub(super) fn hold_back(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    if let Ok(stream) = object.as_stream_mut() {
        if stream.dict.has_type(b"ObjStm") {
            stream.dict.set("Type", Object::Name(HELD.to_vec()));
        }
        if !is_sane(stream.dict.get(b"DecodeParms").ok()) {
            stream.dict.remove(b"DecodeParms");
        }
    }
    // lopdf only checks that a value is returned, not which one.
    Some((id, Object::Null))
}

/// Adds the objects of the hidden streams to the document. Objects in the file itself are not replaced. Of an object in several streams, the one
/// named by the cross references counts.
///
/// # Errors
/// If the streams unpack to more than the limit.
pub(super) fn unpack_all(document: &mut Document) -> Result<(), String> {
    let budget = ReadBudget::default();
    let too_much = || "its object streams unpack to more than the limit".to_owned();
    let held: Vec<ObjectId> = document
        .objects
        .iter()
        .filter(|(_, object)| object.as_stream().is_ok_and(|stream| stream.dict.has_type(HELD)))
        .map(|(id, _)| *id)
        .collect();
    let mut unpacked: Vec<(ObjectId, Object)> = Vec::new();
    for id in held {
        let Some(Object::Stream(stream)) = document.objects.get(&id) else {
            continue;
        };
        let Some(bytes) = unpack(
            stream,
            &names_of_filters(stream),
            stream.dict.get(b"DecodeParms").ok(),
            STREAM_LIMIT,
        ) else {
            continue;
        };
        if bytes.len() > STREAM_LIMIT || !budget.spend(ReadResource::DecodedBytes, bytes.len()) {
            return Err(too_much());
        }
        for (number, object) in objects_in(&bytes, stream) {
            if !budget.spend(ReadResource::Objects, 1) {
                return Err(too_much());
            }
            let container = document
                .reference_table
                .entries
                .get(&number)
                .and_then(|entry| match entry {
                    XrefEntry::Compressed { container, .. } => Some(*container),
                    _ => None,
                });
            if container.is_none_or(|container| container == id.0) {
                unpacked.push(((number, 0), object));
            }
        }
        document.objects.remove(&id);
    }
    for (id, object) in unpacked {
        document.objects.entry(id).or_insert(object);
    }
    Ok(())
}

fn names_of_filters(stream: &Stream) -> Vec<&[u8]> {
    stream.filters().unwrap_or_default()
}

/// The objects of an unpacked object stream. Each is parsed only up to where the next begins, so that overlapping objects cost no more than the
/// length of the stream.
fn objects_in(bytes: &[u8], stream: &Stream) -> BTreeMap<u32, Object> {
    let first = stream
        .dict
        .get(b"First")
        .and_then(Object::as_i64)
        .ok()
        .and_then(|first| usize::try_from(first).ok());
    let Some((index, body)) = first.and_then(|first| bytes.split_at_checked(first)) else {
        return BTreeMap::new();
    };
    let Ok(index) = std::str::from_utf8(index) else {
        return BTreeMap::new();
    };
    let numbers: Vec<Option<usize>> = index.split_whitespace().map(|number| number.parse().ok()).collect();
    let places: Vec<(u32, usize)> = numbers
        .chunks_exact(2)
        .filter_map(|pair| match pair {
            [Some(number), Some(offset)] => Some((u32::try_from(*number).ok()?, *offset)),
            _ => None,
        })
        .collect();
    let mut begins: Vec<usize> = places.iter().map(|(_, offset)| *offset).collect();
    begins.sort_unstable();
    begins.dedup();
    let mut seen: HashSet<usize> = HashSet::new();
    let mut objects = BTreeMap::new();
    for (number, offset) in places {
        // Of several objects at one offset, the first is used.
        if !seen.insert(offset) {
            continue;
        }
        let end = begins
            .get(begins.partition_point(|begin| *begin <= offset))
            .copied()
            .unwrap_or(body.len());
        let object = body.get(offset..end.min(body.len())).and_then(|one| parse(number, one));
        objects.extend(object.map(|object| (number, object)));
    }
    objects
}

/// One object, parsed by lopdf as the only one of its stream.
fn parse(number: u32, bytes: &[u8]) -> Option<Object> {
    let mut content = format!("{number} 0 ").into_bytes();
    let mut dictionary = Dictionary::new();
    dictionary.set("First", i64::try_from(content.len()).ok()?);
    dictionary.set("N", 1);
    content.extend_from_slice(bytes);
    let mut objects = ObjectStream::new(&mut Stream::new(dictionary, content)).ok()?.objects;
    objects.remove(&(number, 0))
}
