//! Pages, files and archives that the services link to.

use super::Answer;
use super::record::{Asked, Library};

/// The name that they are served under: `base(TEXTS)` replaces their hosts.
pub const TEXTS: &str = "texts";

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    let held = library.texts.iter().find(|text| text.path == asked.path)?;
    Some(Answer {
        status: 200,
        head: String::new(),
        kind: held.kind,
        body: held.body.clone(),
    })
}
