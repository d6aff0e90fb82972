//! Reports on ideas in the same three formats, with the same escaping.
//!
//! In: an [`IdeaAssessment`](precedent_domain::IdeaAssessment). Out: the bytes of `idea.json`, `idea.md`, `idea.html`. Unlike a report on a paper, it
//! has a verdict, because the user asked for one on unpublished text. The verdict always comes with the papers behind it.

mod json;
mod page;
mod shown;

pub use json::{idea_schema, read_idea};
pub(crate) use page::compose;
pub use shown::lean_words;
