//! Pages, files and archives that services lead to.

use super::Answer;
use super::record::{Asked, Library};

/// The name that they are served under: `base(TEXTS)` stands in place of the hosts where they lie.
pub const TEXTS: &str = "texts";

/// A text, as its host serves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldText {
    /// Its path behind the base address, with the slash before it: `/https://pages.example/1001`.
    pub path: String,
    /// The type that is said of it; empty for none.
    pub kind: &'static str,
    /// Its bytes.
    pub body: Vec<u8>,
}

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    let held = library.texts.iter().find(|text| text.path == asked.path)?;
    Some(Answer {
        status: 200,
        head: String::new(),
        kind: held.kind,
        body: held.body.clone(),
    })
}
