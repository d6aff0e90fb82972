//! Items of an audit that no rule decides, asked by dimension beside the passages that six queries brought; and whether works support the sentences that cite them.

mod judge;
mod queries;

pub(super) use judge::NO_REASON;
