use serde::{Deserialize, Serialize};

/// A programming language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Go.
    Go,
    /// Java.
    Java,
    /// JavaScript.
    JavaScript,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// TypeScript.
    TypeScript,
}

/// How a language is parsed.
pub(crate) struct Grammar {
    pub(crate) name: &'static str,
    pub(crate) kind: Language,
    /// File extensions, without the dot.
    pub(crate) ends: &'static [&'static str],
    pub(crate) language: fn() -> tree_sitter::Language,
    pub(crate) patterns: &'static str,
}
