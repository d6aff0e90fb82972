//! The service layer: everything that a front end needs to run jobs, and no terminal.
//!
//! Input: a [`Request`], validated into a repeatable [`RunRequest`]. Output: a [`RunResult`], and a run folder with
//! the reports, the manifest, the recorded answers and the events. Also here: the settings file, what a job would send and cost, and cancellation.
//! Front ends (the command line today) call [`App`] and print; they contain no part of a run.
//! [`App`] also reads papers, searches corpora, and checks quotes and shared passages. These calls need no run.
//!
//! ```no_run
//! # async fn example() -> Result<(), precedent_app::AppError> {
//! let report = precedent_app::App::offline().corpus("library")?.assess("paper.pdf").await?;
//! for claim in &report.contribution_analysis.contributions {
//!     println!("{}", claim.name);
//! }
//! # Ok(())
//! # }
//! ```

mod answering_process;
mod app;
mod assignments;
mod batch;
mod batch_metrics;
mod batch_papers;
mod batch_sharing;
mod cancel;
mod choice;
mod claim_matcher;
mod connection;
mod contents;
pub mod corpora;
mod corpus_import;
mod corpus_store;
mod database;
/// Decodes text files and maps positions in the text to bytes of the file.
pub mod decoded;
mod download;
mod egress;
pub mod encoders;
mod error;
mod estimate;
mod fetch;
#[cfg(feature = "postgres")]
mod fleet;
mod fleet_choice;
/// Reads files.
pub mod input;
mod jobs;
pub mod local_sources;
pub mod models;
mod observer;
mod opened_text;
pub mod overlap;
mod provider_batches;
mod read;
mod reader;
mod replay;
mod request;
mod run;
pub mod runs;
/// Asynchronous runtimes for front ends without one.
pub mod runtime;
pub mod search;
pub mod services;
mod settings;
mod shared;
mod shared_access;
mod shared_batches;
mod shared_index;
mod site;
mod site_runs;
mod starter_corpus;
mod stored_run;
/// Wording that front ends share.
pub mod text;
pub mod verify;
mod watch;
mod watch_papers;

pub use answering_process::{ProcessAnswer, answer_of, end_with_stdin};
pub use app::{App, OfflineApp, RunResult};
pub use batch::{BatchEvent, BatchObserver, BatchRequest, BatchResult};
pub use batch_metrics::batch_metrics;
pub use batch_papers::{BatchPapers, batch_folder};
pub use cancel::CancelToken;
pub use choice::{EncoderChoice, ModelChoice, RefineChoice};
pub use claim_matcher::{ClaimAnswer, ClaimMatcher, ServiceChoice};
pub use connection::{ConnectionChoice, configure_connections};
pub use corpus_import::{CorpusAddition, CorpusImport};
pub use corpus_store::{CorpusSnapshot, CorpusStore, pulled_folder};
pub use database::Database;
pub use download::{Download, DownloadEgress, PaperChoice};
pub use egress::{Egress, EgressList, TextEgress};
pub use error::{AppError, ErrorKind};
pub use estimate::Estimate;
pub use fetch::cannot_write;
pub use fleet_choice::{
    BatchControl, BatchState, DEFAULT_LEASE, FailureCount, FleetChoice, PulledBatch, SharedUser, WorkerEvent,
    WorkerObserver, WorkerRequest,
};
pub use jobs::{IdeaSession, IdeasSummary, Report, ReviewsSummary, idea_input};
pub use observer::{EVENTS_FILE, EventLine, Observer, RunEvent, SilentObserver, StageState};
pub use opened_text::OpenedText;
pub use overlap::{OverlapAnswer, OverlapRequest};
pub use precedent_engine::read::Password;
pub use reader::{answer_reading, read_in_processes, without_keys};
pub use request::{AuditJob, IdeaJob, Input, Job, PointsJob, RankJob, Request, ReviewJob};
pub use search::{
    CorporaRequest, CorpusDescription, CorpusPaper, OpenedCorpora, SearchAnswer, SearchQuery, SearchRequest,
};
pub use services::ServiceInfo;
pub use settings::{ProviderSettings, RequestForm, Settings, SourceSettings, settings_file, usual_settings_file};
pub use shared_batches::{SharedBatches, SharedPaperState, SharedPapersQuery};
pub use site::{SiteRequest, SiteResult};
pub use starter_corpus::{StarterCorpus, StarterEstimate, StarterSource};
pub use stored_run::{
    ClaimEvidence, IdeaEvidence, IdeaPaper, IdeaSummary, SentRequest, StoredRun, claim_evidence, idea_evidence,
};
pub use verify::{QuoteQuery, VerifyAnswer, VerifyRequest};
pub use watch::{Watch, WatchInterval, WatchRequest, WatchSubject, Watches, today};

pub use precedent_engine::compare::one_claim::{ClaimMatch, ClaimQuery};
/// Types in requests and answers, for front ends that use no other crate of this program.
pub use precedent_engine::corpus::{Found, Ranking};
pub use precedent_engine::library::{AddProgress, BadInput};
pub use precedent_engine::review::review_defaults;
pub use precedent_engine::{Clock, SystemClock, corpus, domain};
pub use precedent_report::{PaperSummary, default_formats};
pub use runs::{JobKind, Manifest, RunRequest, RunStatus};
