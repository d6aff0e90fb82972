use std::sync::Arc;

use precedent_corpus::{Embedder, KeptVectors};
use precedent_domain::{
    AsOf, BoardReview, DeepSearch, Grounding, KnowledgePiece, MetaReview, NotSearched, Paper, PartialDate,
    QuotableDocument, ReviewedIdea, SentRecord, SetAside, SourceReport, Suggestion,
};
use serde::{Deserialize, Serialize};

use crate::EgressGate;
use crate::board::{Dimension, Persona};
use crate::pipelines::Idea;

/// What is reviewed.
#[derive(Debug, Clone)]
pub enum ReviewInput {
    /// A few sentences.
    Idea(Idea),
    /// A paper: it is reviewed as the idea that it carries out.
    Paper(Box<Paper>),
}

impl ReviewInput {
    /// The gate for what is sent of it.
    #[must_use]
    pub fn egress_gate(&self) -> EgressGate {
        match self {
            Self::Idea(idea) => EgressGate::of_idea(&idea.document(), None),
            Self::Paper(paper) => EgressGate::of_paper(paper),
        }
    }
}

/// What the user asks of a review.
#[derive(Clone)]
pub struct ReviewOptions {
    /// The date the idea is judged by: what is surely later only feeds suggestions. Without one the date of its own paper; without either everything counts as earlier.
    pub as_of: Option<PartialDate>,
    /// What it is judged by.
    pub dimensions: Vec<Dimension>,
    /// Who may be drawn for the board.
    pub personas: Vec<Persona>,
    /// How many of them judge.
    pub board: usize,
    /// Most rounds of the search; at least one.
    pub rounds: usize,
    /// Pieces kept of each kind.
    pub keep: usize,
    /// How many times as many are judged.
    pub oversample: usize,
    /// Weight of the semantic score beside the judged one, 0 to 1.
    pub alpha: f64,
    /// What tells how near records stand, in place of the program's own vectors, and where the vectors are kept.
    pub embedder: Option<(Arc<dyn Embedder>, Arc<KeptVectors>)>,
}

/// Everything that is known before anybody judges.
#[derive(Debug, Clone)]
pub struct Gathered {
    /// The idea, part by part.
    pub idea: ReviewedIdea,
    /// The date it is judged by.
    pub as_of: Option<AsOf>,
    /// What was found, by number.
    pub knowledge: Vec<KnowledgePiece>,
    /// The texts of the pieces, in the same order.
    pub texts: Vec<QuotableDocument>,
    /// How it was looked for.
    pub search: DeepSearch,
    /// What of it bears on which part.
    pub grounding: Vec<Grounding>,
    /// Works that were found and set aside.
    pub set_aside: Vec<SetAside>,
    /// How each source answered.
    pub sources: Vec<SourceReport>,
    /// What was sent to them.
    pub sent: Vec<SentRecord>,
    /// What was not searched or read.
    pub not_searched: Vec<NotSearched>,
    /// What of an answer was dropped, bounded or replaced, in words.
    pub notes: Vec<String>,
}

/// What came of judging.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReviewJudged {
    /// The readers, by id.
    pub board: Vec<BoardReview>,
    /// What their reviews come to; `None` where it could not be told.
    pub meta: Option<MetaReview>,
    /// What could be done better.
    pub suggestions: Vec<Suggestion>,
    /// What of an answer was dropped, bounded or replaced, in words.
    pub notes: Vec<String>,
}
