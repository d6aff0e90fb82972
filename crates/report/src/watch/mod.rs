//! What a watch found: papers that appeared since, or that came closer.
//!
//! In: a [`WatchReport`]. Out: the bytes of `watch.json`, `watch.md`, `watch.html` and of the Atom feed.

mod feed;
mod page;
mod watch_report;

pub use watch_report::{WatchChange, WatchCheck, WatchMatch, WatchReport, WatchedPaper, watch_schema};

pub(crate) use page::compose;
