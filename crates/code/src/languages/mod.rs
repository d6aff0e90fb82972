//! The languages that are understood, a file each.
//!
//! A language is its grammar, the ends of its files' names, and patterns that find `@function` with `@name`, `@body`, `@owner` and `@doc`, `@scope` with
//! `@scope.name`, `@call` and `@comment`.

mod c;
mod contract;
mod cpp;
mod go;
mod java;
mod javascript;
mod python;
mod rust;
mod typescript;

pub(crate) use contract::{Grammar, grammar};
pub use contract::{Language, language_of, languages};
