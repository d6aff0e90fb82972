use std::sync::Arc;

use precedent_corpus::{Embedder, Reranker, VectorCache};
use precedent_domain::{
    AsOf, BoardReview, DeepSearch, Grounding, KnowledgePiece, MetaReview, NotSearched, Note, Paper, PartialDate,
    QuotableDocument, ReviewedIdea, SentRecord, SetAside, SourceReport, Suggestion,
};
use serde::{Deserialize, Serialize};

use crate::EgressGate;
use crate::board::{Dimension, Persona};
use crate::extract::Idea;

/// What is reviewed.
#[derive(Debug, Clone)]
pub enum ReviewInput {
    /// A few sentences.
    Idea(Idea),
    /// A paper, reviewed as the idea it implements.
    Paper(Box<Paper>),
}

impl ReviewInput {
    /// The gate that limits what is sent to services.
    #[must_use]
    pub fn egress_gate(&self) -> EgressGate {
        match self {
            Self::Idea(idea) => EgressGate::of_idea(&idea.document(), None),
            Self::Paper(paper) => EgressGate::of_paper(paper),
        }
    }

    /// The text of the idea or the paper.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Idea(idea) => idea.document().text,
            Self::Paper(paper) => paper.document.text.clone(),
        }
    }
}

/// Options of a review.
#[derive(Clone)]
pub struct ReviewOptions {
    /// Judgement date: later work is used only for suggestions. Default: the date of the idea's paper. Without either, everything counts as earlier.
    pub as_of: Option<PartialDate>,
    /// The dimensions to judge.
    pub dimensions: Vec<Dimension>,
    /// The readers that may be chosen for the board.
    pub personas: Vec<Persona>,
    /// Ids of the personas that always sit on the board.
    pub required: Vec<String>,
    /// Size of the board.
    pub board: usize,
    /// Maximum search rounds; at least one.
    pub rounds: usize,
    /// Documents kept of each kind.
    pub keep: usize,
    /// How many times as many candidates are judged.
    pub oversample: usize,
    /// Weight of the semantic score against the judged one, 0 to 1.
    pub alpha: f64,
    /// Whether the model that judges relevance sees citations, venue and stars, as in the published system.
    pub as_published: bool,
    /// Embedding model to use instead of the program's own vectors, and the cache of its vectors.
    pub embedder: Option<(Arc<dyn Embedder>, Arc<VectorCache>)>,
    /// Model that orders the candidates by reading each together with the idea, before they are judged and selected.
    pub reranker: Option<Arc<dyn Reranker>>,
}

/// Everything collected before judging.
#[derive(Debug, Clone)]
pub struct Gathered {
    /// The idea, part by part.
    pub idea: ReviewedIdea,
    /// The judgement date.
    pub as_of: Option<AsOf>,
    /// The evidence, by number.
    pub knowledge: Vec<KnowledgePiece>,
    /// The texts of the pieces, in the same order.
    pub texts: Vec<QuotableDocument>,
    /// How the search ran.
    pub search: DeepSearch,
    /// Which evidence is relevant to which part.
    pub grounding: Vec<Grounding>,
    /// Papers that were found and excluded.
    pub set_aside: Vec<SetAside>,
    /// Report of each source.
    pub sources: Vec<SourceReport>,
    /// What was sent to the sources.
    pub sent: Vec<SentRecord>,
    /// What was not searched or read.
    pub not_searched: Vec<NotSearched>,
    /// Notes on what was dropped, bounded or replaced in answers.
    pub notes: Vec<Note>,
}

/// Result of judging.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReviewJudged {
    /// The readers, by id.
    pub board: Vec<BoardReview>,
    /// The combined review; `None` if there is none.
    pub meta: Option<MetaReview>,
    /// Suggestions for improving the idea.
    pub suggestions: Vec<Suggestion>,
    /// Notes on what was dropped, bounded or replaced in answers.
    pub notes: Vec<Note>,
}
