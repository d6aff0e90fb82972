//! The supported languages, one file each.
//!
//! A language consists of its grammar, its file extensions, and patterns that find `@function` with `@name`, `@body`, `@owner` and `@doc`, `@scope`
//! with `@scope.name`, `@call` and `@comment`.

mod c;
mod contract;
mod cpp;
mod go;
mod java;
mod javascript;
mod python;
mod registry;
mod rust;
mod typescript;

pub(crate) use contract::Grammar;
pub use contract::Language;
pub(crate) use registry::grammar;
pub use registry::{language_of, languages};
