use std::io::BufRead;

use super::BadRecord;
use super::head::Head;
use crate::Record;

/// Decompressed bytes of a file.
pub(super) type Input<'a> = Box<dyn BufRead + Send + 'a>;

/// A file format: how it is detected and read.
pub(super) struct Kind {
    /// Short name: `bibtex`.
    pub(super) name: &'static str,
    /// Display name: `BibTeX`.
    pub(super) title: &'static str,
    /// Whether its records only complete records of other files, so that it should be read after them.
    pub(super) adds_to_others: bool,
    /// Whether a file with this beginning has this format.
    pub(super) recognises: fn(&Head<'_>) -> bool,
    /// Opens its records.
    pub(super) open: for<'a> fn(Input<'a>) -> Box<dyn Items + 'a>,
}

/// Records in order; bad ones with the reason.
pub(super) trait Items: Iterator<Item = Result<Record, BadRecord>> + Send {
    /// Skips this many items, good or bad, as counted by `next`. Cheaper where parsing is not needed.
    fn pass_over(&mut self, items: u64) {
        for _ in 0..items {
            if self.next().is_none() {
                break;
            }
        }
    }
}
