//! Repositories as evidence.
//!
//! In: the files of a repository, from a folder or a gzipped tar archive. Out: its README, its functions as their authors wrote and described them, and which
//! of them call which. Deliberately not here: the network, and anything that runs, checks out or unpacks to disk what a repository holds. Whatever stands in one is
//! text: paths are labels, links lead nowhere, hooks and submodules are files like others.

mod archive;
mod bounds;
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
pub use document::document;
pub use error::CodeError;
pub use folder::read_folder;
pub use languages::{Language, language_of, languages};
pub use repository::{Call, Function, LeftOut, Readme, Repository, SourceFile};
