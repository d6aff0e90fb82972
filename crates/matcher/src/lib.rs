//! The matcher: the probability that a text states a claim, and the passages that show it.
//!
//! Input: a claim and the texts of papers. Output: the texts in order, each with a probability, a level and its best passages.
//! Six features of claim and text go into a logistic regression, and a second one compares the result with those of the other texts. The weights and
//! the bounds of the levels are in `weights.json`, which `cargo xtask train matcher` writes. `docs/matcher-card.md` has what it measured.
//! Not included: finding the texts (crates `corpus` and `sources`), dates, and matches that are nearly word for word (`stages/compare` in `engine`).

mod claim;
mod features;
mod model;
mod passages;
mod ranking;
mod terms;
mod text;

pub use claim::Claim;
pub use features::{FEATURES, Features, features};
pub use model::{Level, OTHERS, Similar, Weights, weights};
pub use passages::Passage;
pub use ranking::{Ranked, Shown, rank};
pub use terms::{ClaimTerms, claim_terms};
pub use text::PreparedText;
