use std::path::{Path, PathBuf};

use precedent_domain::WorkId;
use rayon::prelude::*;
use serde::Deserialize;
use tantivy::directory::OwnedBytes;

use super::files::{mapped, write_whole};
use super::{Fields, Segment};
use crate::CorpusError;

/// Magic number of a heads file.
const MARK: &[u8] = b"PRECHDS1";
/// Size of the header in bytes: magic number and number of index documents.
const START: usize = 12;
/// Index documents read by one thread at a time.
const READ_AT_ONCE: u32 = 4096;

/// Id and title of each work of a segment, so that a list of a thousand results need not be decompressed from the store. Made from the store, and
/// made again if the file is missing.
pub(crate) struct SegmentHeads {
    docs: usize,
    bytes: OwnedBytes,
}

#[derive(Deserialize)]
struct HeadFields {
    id: WorkId,
    title: String,
}

impl SegmentHeads {
    /// The name of a segment's heads file.
    pub(crate) fn name(segment: &Segment) -> PathBuf {
        PathBuf::from(format!("{}.heads", segment.reader.segment_id().uuid_string()))
    }

    /// Opens the file `name` in `folder`; `None` if it is missing or damaged, in which case it is made again.
    pub(crate) fn open(folder: &Path, name: &Path) -> Option<Self> {
        let bytes = mapped(folder, name)?;
        let rest = bytes.strip_prefix(MARK)?;
        let docs = u32::from_le_bytes(*rest.first_chunk()?) as usize;
        let heads = Self { docs, bytes };
        let end = heads.place(docs)?;
        (heads.bytes.len() == heads.texts() + end).then_some(heads)
    }

    /// Reads the store of a segment.
    pub(crate) fn make(fields: &Fields, segment: &Segment) -> Result<Self, CorpusError> {
        let most = segment.reader.max_doc();
        let starts: Vec<u32> = (0..most).step_by(READ_AT_ONCE as usize).collect();
        let read: Vec<(Vec<u32>, Vec<u8>)> = starts
            .par_iter()
            .map(|&from| read(fields, segment, from, most.min(from + READ_AT_ONCE)))
            .collect::<Result<_, _>>()?;
        let mut bytes = MARK.to_vec();
        bytes.extend(most.to_le_bytes());
        let mut end = 0_u32;
        bytes.extend(end.to_le_bytes());
        for length in read.iter().flat_map(|(lengths, _)| lengths) {
            // Offsets overflow in a segment with more than 4 GB of titles. `open` then rejects the file as damaged, and the segment has no heads.
            end = end.wrapping_add(*length);
            bytes.extend(end.to_le_bytes());
        }
        bytes.extend(read.iter().flat_map(|(_, texts)| texts));
        Ok(Self {
            docs: most as usize,
            bytes: OwnedBytes::new(bytes),
        })
    }

    /// Writes the heads atomically: after a crash the file is missing or complete.
    pub(crate) fn write(&self, folder: &Path, name: &Path) -> Result<(), CorpusError> {
        write_whole(folder, name, self.bytes.as_slice())
    }

    /// Id and title of the work in this index document.
    pub(crate) fn get(&self, doc: u32) -> Option<(&str, &str)> {
        let from = self.texts() + self.place(doc as usize)?;
        let to = self.texts() + self.place(doc as usize + 1)?;
        let (length, texts) = self.bytes.get(from..to)?.split_first_chunk()?;
        let (id, title) = texts.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        Some((std::str::from_utf8(id).ok()?, std::str::from_utf8(title).ok()?))
    }

    fn place(&self, number: usize) -> Option<usize> {
        let place = self.bytes.get(START + number * 4..)?.first_chunk()?;
        Some(u32::from_le_bytes(*place) as usize)
    }

    fn texts(&self) -> usize {
        START + (self.docs + 1) * 4
    }
}

/// Lengths and texts of the index documents from `from` to before `to`; documents that are not works have none.
fn read(fields: &Fields, segment: &Segment, from: u32, to: u32) -> Result<(Vec<u32>, Vec<u8>), CorpusError> {
    let (mut lengths, mut texts) = (Vec::new(), Vec::new());
    for doc in from..to {
        let before = texts.len();
        if segment.nth.get_val(doc) == 0 && !segment.reader.is_deleted(doc) {
            let bytes = segment.stored(doc, fields.work)?;
            let shown: HeadFields = serde_json::from_slice(&bytes).map_err(|source| CorpusError::Stored {
                id: format!("number {doc}"),
                source,
            })?;
            let id = shown.id.as_str().as_bytes();
            texts.extend(u32::try_from(id.len()).unwrap_or_default().to_le_bytes());
            texts.extend(id);
            texts.extend(shown.title.as_bytes());
        }
        lengths.push(u32::try_from(texts.len() - before).unwrap_or(u32::MAX));
    }
    Ok((lengths, texts))
}
