//! Audits a report on the novelty of a paper item by item (NoveltyAgent, 3.4).
//!
//! Input: a report of any system, and the paper. Output: an [`Audit`](precedent_domain::Audit) with 69 questions in five dimensions, a check of the
//! citations, and close earlier papers that the report omits. Each question is decided by a rule if possible, otherwise by a model that sees passages of
//! the paper and of what a search for the paper finds, otherwise not at all. With a model, every yes is the model's. A dimension has a score only if all
//! its items were decided. Out of scope: files and command-line arguments.

mod assessed;
mod content_rules;
mod evidence;
mod form;
mod items;
mod judged;
mod model;
mod pipeline;
mod prior;
mod report;
mod rules;
mod ruling;

pub use assessed::three_sections;
pub use evidence::AuditQueries;
pub use form::{markdown_of_json, markdown_of_paper};
pub use items::{Evidence, Item, items};
pub use judged::{AuditMaterial, AuditOpinion, AuditPassages};
pub use pipeline::{Audited, audit};
pub use report::{PointText, ReportText, report_text};
