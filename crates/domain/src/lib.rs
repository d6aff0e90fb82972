//! Domain types: papers, claims, quotes, comparisons and reports.
//!
//! The types hold what a reader, a source or a pipeline stage found. They validate themselves and serialize stably.
//! This crate contains no file access, no network, no models and no judgement. Every offset is a byte offset into the text of one [`Document`].

mod assessment;
mod audit;
mod call_graph;
mod chair;
mod claim;
mod comparison;
mod date;
mod document;
mod error;
mod gap;
mod idea;
mod identifier;
mod identifier_date;
mod identity;
mod note;
mod paper;
mod points;
mod quote;
mod ranking;
mod read_problem;
mod reference_list;
mod retrieval;
mod review;
mod review_evidence;
mod review_report;
mod review_scores;
mod sent;
mod taxonomy;
mod title;
mod version;
mod work;

pub use assessment::*;
pub use audit::*;
pub use call_graph::*;
pub use chair::*;
pub use claim::*;
pub use comparison::*;
pub use date::*;
pub use document::*;
pub use error::DomainError;
pub use gap::*;
pub use idea::*;
pub use identifier::*;
pub use identity::*;
pub use note::*;
pub use paper::*;
pub use points::*;
pub use quote::*;
pub use ranking::{
    DimensionOrder, DimensionStanding, GroupRanking, GroupedIdea, LengthCheck, OrderAnswer, OrderAsked,
    POSITION_BIAS_P, PairComparison, PairSection, PairStatement, PositionInterval, RANKING_P, RANKING_SCHEMA_VERSION,
    RankedEvidence, RankingOutcome, ReviewOfIdea, Standing,
};
pub use read_problem::*;
pub use reference_list::*;
pub use retrieval::*;
pub use review::*;
pub use review_evidence::*;
pub use review_report::*;
pub use review_scores::*;
pub use sent::*;
pub use taxonomy::*;
pub use title::title_similarity;
pub use version::is_preprint_venue;
pub use work::*;

pub use precedent_text::{Edit, EditKind, Location, OverlapKind, OverlapMark, SharedPassage, Span};
