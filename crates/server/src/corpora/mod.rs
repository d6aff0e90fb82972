//! Corpora that requests may name: those of the server's options, which nobody changes, and those that a user makes from uploads.
//!
//! A user's corpus is a folder with `corpus.json`, its state in `states/NUMBER/NAME`, and the files in `waiting/` that are not imported yet. An import
//! writes a new state beside the old one, and `corpus.json` names the state that counts, so a killed server leaves the corpus as before or as after.
//! Whatever opens a state holds it, and the last holder of a state that was replaced deletes it.
//! Out of scope: the places in the queue, which are those of runs (`jobs/imports.rs`).

mod entry;
mod files;
mod import;
mod offered;
mod own;
mod record;

pub(crate) use files::StateFolder;
pub(crate) use import::ImportProcess;
pub use import::import;
pub(crate) use offered::Corpora;
pub(crate) use own::{MOST_FILE_BYTES, OwnCorpora};
pub(crate) use record::CorpusView;
