//! Checks a research idea against prior work and gives a verdict based on the ten most similar papers (Idea Novelty Checker).
//!
//! Input: a few sentences. Output: an [`IdeaAssessment`](precedent_domain::IdeaAssessment) with the facets of the idea, the papers compared with it,
//! their passages on the same facets, and a verdict or `undecided`. An unreadable answer never becomes a verdict.
//! Files and arguments are handled elsewhere; model answers are checked in `model`.

mod closeness;
mod collect;
mod facets;
mod gate;
mod judge;
mod labelled;
mod limits;
mod listwise;
mod material;
mod model;
mod next;
mod options;
mod order;
mod pipeline;
mod read;
mod seeds;
mod similarity;

pub use crate::extract::Idea;
pub(crate) use closeness::named;
pub use collect::seed_query;
pub(crate) use gate::{CLOSEST, undecided};
pub use labelled::{Examples, LabelledError, LabelledIdea, LabelledWork, labelled_ideas};
pub use listwise::{Ranker, STEP, TOP, WINDOW, slide};
pub use material::{IdeaJudged, IdeaMaterial, IdeaReading, RankQuestion};
pub use options::{Ablation, IdeaOptions, Seed};
pub use pipeline::{idea, idea_queries};

#[cfg(test)]
mod tests;
