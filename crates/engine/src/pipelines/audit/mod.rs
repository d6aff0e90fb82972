//! A report on points in, what is good and bad of it out, item by item (NoveltyAgent, 3.4).
//!
//! In: a report of ours, or any Markdown in the form of three sections. Out: an [`Audit`](precedent_domain::Audit): 69 questions in five dimensions, each decided by a
//! rule where a rule can, else by a model with passages of the works and of the paper before it, else by nobody; and what came of the citations. A score stands only
//! where every item of its dimension was decided. Deliberately not here: files and arguments.

mod assessed;
mod content_rules;
mod evidence;
mod items;
mod judged;
mod pipeline;
mod report;
mod rules;

pub use assessed::three_sections;
pub use items::{Evidence, Item, items};
pub use judged::{AuditMaterial, AuditOpinion, AuditPassages};
pub use pipeline::{Audited, audit};
pub use report::{PointText, ReportText, report_text};
