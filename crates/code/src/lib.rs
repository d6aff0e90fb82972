//! Reads code repositories as evidence.
//!
//! Input: the files of a repository, from a folder or a gzipped tar archive. Output: its README, its functions as their authors wrote and documented
//! them, and the calls between them.
//! Not included: the network, and anything that runs a repository's content, checks it out or unpacks it to disk. All content is treated as text:
//! paths are labels, links are not followed, hooks and submodules are ordinary files.

mod archive;
mod bounds;
mod call_graph;
mod document;
mod error;
mod folder;
mod function;
mod graph;
mod intake;
mod languages;
mod parse;
mod repository;

pub use archive::read_archive;
pub use bounds::Bounds;
pub use call_graph::call_graph;
pub use document::document;
pub use error::CodeError;
pub use folder::read_folder;
pub use languages::{Language, language_of, languages};
pub use repository::{Call, Function, LeftOut, Readme, Repository, SourceFile};
