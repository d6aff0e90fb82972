//! An idea in, a verdict out that rests on the ten works nearest to it (Idea Novelty Checker).
//!
//! In: a few sentences. Out: an [`IdeaAssessment`](precedent_domain::IdeaAssessment): what the idea says facet by facet, the works it was held against, the
//! passages of theirs that speak of the same, and a verdict, or `undecided`. No answer that cannot be read becomes a verdict. Deliberately not here: files
//! and arguments; words of models are checked in `analyst::model::idea`.

mod bench;
mod collect;
mod facets;
mod gate;
mod judge;
mod labelled;
mod limits;
mod listwise;
mod material;
mod near;
mod order;
mod pipeline;
mod read;
mod seeds;
mod text;

pub(crate) use bench::clustered;
pub use bench::{Agreement, Clustered, Decision, Found, agreement, clusters, found, recall_at};
pub use collect::seed_query;
pub(crate) use judge::undecided;
pub use labelled::{Examples, LabelledError, LabelledIdea, LabelledWork, labelled_ideas};
pub(crate) use listwise::bracketed;
pub use listwise::{Ranker, STEP, TOP, WINDOW, slide};
pub use material::{IdeaJudged, IdeaMaterial, IdeaReading, RankQuestion};
pub use pipeline::{IdeaOptions, Seed, idea, idea_queries};
pub use text::Idea;
pub(crate) use text::as_paper;

#[cfg(test)]
mod tests;
