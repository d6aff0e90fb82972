//! Prior work from anywhere.
//!
//! In: queries. Out: works, each with the source that gave it; several sources' answers fused into one ranking and records of one work merged.
//! A source is one file and one line in `registry`. Deliberately not here: judging relevance, reading files, retrying requests.

mod corpus;
mod error;
mod fuse;
mod merge;
mod registry;
mod source;

pub use corpus::CorpusSource;
pub use error::SourceError;
pub use fuse::{FusedHit, fuse};
pub use merge::{MergedHit, merge, merge_works};
pub use registry::{SourceKind, kinds, open};
pub use source::{Holdings, Source, cause_of};
