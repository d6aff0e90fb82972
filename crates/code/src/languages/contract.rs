use serde::{Deserialize, Serialize};

use super::{c, cpp, go, java, javascript, python, rust, typescript};

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

/// The registry. If two grammars parse one language, the file extension selects one.
static GRAMMARS: &[&Grammar] = &[
    &c::GRAMMAR,
    &cpp::GRAMMAR,
    &go::GRAMMAR,
    &java::GRAMMAR,
    &javascript::GRAMMAR,
    &python::GRAMMAR,
    &rust::GRAMMAR,
    &typescript::GRAMMAR,
    &typescript::WITH_MARKUP,
];

/// The supported languages with their file extensions.
pub fn languages() -> impl Iterator<Item = (Language, &'static [&'static str])> {
    GRAMMARS.iter().map(|grammar| (grammar.kind, grammar.ends))
}

/// The language of a file, by its name.
#[must_use]
pub fn language_of(path: &str) -> Option<Language> {
    by_name(path).map(|grammar| grammar.kind)
}

/// The grammar for a file of this language and name.
pub(crate) fn grammar(language: Language, path: &str) -> &'static Grammar {
    let named = by_name(path).filter(|grammar| grammar.kind == language);
    let any = || GRAMMARS.iter().copied().find(|grammar| grammar.kind == language);
    named.or_else(any).unwrap_or(&c::GRAMMAR)
}

fn by_name(path: &str) -> Option<&'static Grammar> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, end) = name.rsplit_once('.')?;
    let end = end.to_ascii_lowercase();
    // Generated from the file next to it.
    let is_made = stem.ends_with(".min") || stem.ends_with("_pb2") || stem.ends_with(".pb") || stem.ends_with(".d");
    let of_end = |grammar: &&&Grammar| grammar.ends.contains(&end.as_str());
    GRAMMARS.iter().find(of_end).copied().filter(|_| !is_made)
}
