//! Finds the language of a file.

use super::contract::{Grammar, Language};
use super::{c, cpp, go, java, javascript, python, rust, typescript};

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
