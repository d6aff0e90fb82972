//! The review of an idea, in every format.
//!
//! In: an [`IdeaReview`](precedent_domain::IdeaReview). Out: the bytes of `review.json`, `review.md`, `review.html`. Each score names its reader
//! and evidence. Without a model, the findings have no scores. Of a batch of reviews also a table, as a page and as CSV.

mod batch;
mod board;
mod documents;
mod json;
pub(crate) mod levels;
mod page;
mod plot;
pub(crate) mod shown;

pub use batch::{ClosestDocument, DimensionMean, ReviewFound, ReviewLine, review_table_csv, review_table_html};
pub use json::{read_review, review_schema};
pub use levels::{PartAtAGlance, parts_at_a_glance};
pub(crate) use page::compose;
pub use shown::{review_title, same_text, score as review_score};
