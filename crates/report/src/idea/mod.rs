//! Reports on ideas: the same three formats, escaped by the same means, from an [`IdeaAssessment`](precedent_domain::IdeaAssessment).
//!
//! In: what a run found about one idea. Out: the bytes of `idea.json`, `idea.md`, `idea.html`. Unlike a report on a paper, a report on an idea has a verdict:
//! somebody asked for one, of a few sentences nobody has published. It never stands without the works it rests on.

mod html;
mod json;
mod markdown;
mod render;
mod shown;

pub(crate) use html::html;
pub(crate) use json::json;
pub use json::{idea_schema, read_idea};
pub(crate) use markdown::markdown;
pub use render::{idea_file_name, idea_formats, render_idea};
