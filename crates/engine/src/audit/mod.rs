//! Audits a points report item by item (NoveltyAgent, 3.4).
//!
//! Input: a points report of this program, or any Markdown in the three-section form. Output: an [`Audit`](precedent_domain::Audit) with 69 questions
//! in five dimensions, and a check of the citations. Each question is decided by a rule if possible, otherwise by a model that sees passages of the
//! works and of the paper, otherwise not at all. A dimension has a score only if all its items were decided. Out of scope: files and command-line
//! arguments.

mod assessed;
mod content_rules;
mod evidence;
mod items;
mod judged;
mod model;
mod pipeline;
mod report;
mod rules;

pub use assessed::three_sections;
pub use evidence::AuditQueries;
pub use evidence::Audited;
pub use items::{Evidence, Item, items};
pub use judged::{AuditMaterial, AuditOpinion, AuditPassages};
pub use pipeline::audit;
pub use report::{PointText, ReportText, report_text};
