//! Layout of a corpus folder, and reading it.
//!
//! Each work is a group of consecutive index documents: the work itself (`nth` 0), then, with a full text, the document with the text (`nth` 1) and
//! its passages (`nth` 2 and up). A group is written and deleted atomically, so the work of a passage is the index document `nth` positions before
//! it.

mod files;
mod heads;
mod log;
mod manifest;
mod schema;
mod snapshot;

pub(crate) use files::{mapped, write_whole};
pub(crate) use heads::SegmentHeads;
pub use log::ImportEntry;
pub(crate) use log::Log;
pub(crate) use manifest::Manifest;
pub(crate) use schema::{Fields, open_index};
pub(crate) use snapshot::{Segment, Snapshot};
