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

mod any_report;
mod assess;
mod assets;
mod audit;
mod batch;
mod blocks;
mod error;
mod exports;
mod formats;
mod gaps;
mod glance;
mod idea;
mod notes;
mod passage;
mod plain;
mod points;
mod publish;
mod ranking;
mod read_problems;
mod registry;
mod review;
mod run_subject;
mod sent;
mod site;
mod summary;
mod view;
mod watch;
mod words;

pub use any_report::{AnyReport, file_name, render};
pub use assets::{page_script, style_sheet};
pub use audit::{audit_limits, audit_schema, omission_level, overall_score};
pub use batch::{BatchPaper, BatchStatus, BatchSummary, batch_schema};
pub use blocks::limit_in_brief;
pub use error::ReportError;
pub use exports::{Exporter, Selection, exporters};
pub use formats::{
    HtmlRenderer, JsonRenderer, MarkdownRenderer, PdfRenderer, assessment_schema, browser, read_assessment,
};
pub use gaps::coverage_warning;
pub use glance::{ClaimAtAGlance, WorkAtAGlance, at_a_glance, lead};
pub use idea::{idea_schema, lean_words, read_idea};
pub use passage::without_bullet;
pub use plain::slug;
pub use points::{PointAtAGlance, points_at_a_glance, points_schema, read_points};
pub use precedent_text::AlteredReason;
pub use publish::InWords;
pub use ranking::{position_interval, ranking_schema, ranking_tests, why_unranked};
pub use read_problems::{put_paper_in_words, put_warnings_in_words};
pub use registry::{Renderer, default_formats, renderer};
pub use review::{
    ClosestDocument, DimensionMean, PartAtAGlance, ReviewFound, ReviewLine, parts_at_a_glance, read_review,
    review_schema, review_score, review_table_csv, review_table_html, review_title, same_text,
};
pub use run_subject::RunSubject;
pub use sent::{SENT_TO_DATABASE, put_sent_in_words};
pub use site::{Site, SitePaper, SitePerson, SiteSettings, SupersededRun};
pub use summary::{ClaimLevel, ClaimSummary, ClosestPaper, PaperSummary};
pub use watch::{WatchChange, WatchCheck, WatchMatch, WatchReport, WatchedPaper, watch_schema};
pub use words::{altered_reason, probability, thousands};
