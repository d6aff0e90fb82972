//! Pages, files and archives that the services link to.

use super::Answer;
use super::record::{Asked, Library};

/// The name that they are served under: `base(TEXTS)` replaces their hosts.
pub const TEXTS: &str = "texts";

/// A text as its host serves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldText {
    /// Its path after the base address, including the slash: `/https://pages.example/1001`.
    pub path: String,
    /// Its declared content type; empty for none.
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
