//! Reports.
//!
//! In: an [`Assessment`](precedent_domain::Assessment). Out: the bytes of a report in a format of the registry.
//! Out of scope: models, the network, files, judgements. The same assessment always gives the same bytes. Text from papers and records
//! never becomes markup.
//!
//! # Why a report cannot invent a quote
//!
//! Every field printed in quotation marks is a [`Quote`](precedent_domain::Quote). Its fields are private, and it can only be cut from a
//! document at a located span. It cannot be made from plain text:
//!
//! ```compile_fail
//! let quote = precedent_domain::Quote { text: "what a model would have liked to read".to_owned(), ..todo!() };
//! ```
//!
//! ```compile_fail
//! let quote: precedent_domain::Quote = "what a model would have liked to read".into();
//! ```
//!
//! The only other way is [`read_assessment`], which reads quotes from a saved report. The file is trusted. To check it, compare each `span`
//! with the source, as `precedent verify` does.

mod audit;
mod batch;
mod error;
mod excerpt;
mod exports;
mod formats;
mod gaps;
mod glance;
mod idea;
mod plain;
mod points;
mod publish;
mod ranking;
mod registry;
mod review;
mod summary;
mod view;
mod words;

pub use audit::{audit_file_name, audit_formats, audit_schema, render_audit};
pub use batch::{BatchPaper, BatchStatus, BatchSummary, batch_schema};
pub use error::ReportError;
pub use exports::{Exporter, Selection, exporters};
pub use formats::{HtmlRenderer, JsonRenderer, MarkdownRenderer, assessment_schema, read_assessment};
pub use gaps::{RunSubject, put_in_words, put_sent_in_words};
pub use glance::{ClaimAtAGlance, WorkAtAGlance, at_a_glance};
pub use idea::{idea_file_name, idea_formats, idea_schema, read_idea, render_idea};
pub use points::{points_file_name, points_formats, points_schema, read_points, render_points};
pub use ranking::{ranking_file_name, ranking_formats, ranking_schema, render_ranking};
pub use registry::{Renderer, renderer, renderers};
pub use review::{
    read_review, render_review, review_file_name, review_formats, review_schema, review_score, same_text,
};
pub use summary::{ClaimLevel, ClaimSummary, ClosestPaper, PaperSummary};
