use std::collections::BTreeMap;

use precedent_domain::{
    EvidenceKind, Grounding, IdeaPart, KnowledgePiece, KnowledgeQuery, Note, PartStatement, QuotableDocument, Quote,
    ReviewedIdea, Work,
};
use serde::{Deserialize, Serialize};

/// The idea split into parts, before any search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PartsReading {
    /// The statements, in the order of [`IdeaPart::ALL`]. Numbers are assigned later.
    pub statements: Vec<PartStatement>,
    /// Notes on what was dropped or replaced.
    pub notes: Vec<Note>,
}

impl PartsReading {
    /// The statements of one part.
    pub fn of(&self, part: IdeaPart) -> impl Iterator<Item = &PartStatement> {
        self.statements.iter().filter(move |one| one.part == part)
    }
}

/// Request for the queries of one search round.
#[derive(Debug, Clone)]
pub struct QueriesQuestion<'a> {
    /// The idea, part by part.
    pub idea: &'a ReviewedIdea,
    /// The kinds of evidence that have a source.
    pub kinds: &'a [EvidenceKind],
    /// The round, from 1. Queries of later rounds are derived from earlier ones.
    pub round: u32,
    /// Queries already used.
    pub asked: &'a [KnowledgeQuery],
    /// The best records so far, by kind, best first.
    pub nearest: &'a BTreeMap<EvidenceKind, Vec<ClosestRecord>>,
    /// The program's own queries.
    pub own: Vec<KnowledgeQuery>,
}

/// A record from which queries of later rounds are derived.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosestRecord {
    /// Its title.
    pub title: String,
    /// The score by which it is ranked, 0 to 1.
    pub score: f64,
    /// A short query that found it; `None` if only texts of the idea did.
    pub query: Option<String>,
    /// The passage of its text most similar to the idea; empty if the text was not read.
    pub excerpt: String,
}

/// Request to judge how relevant records of one kind are to an idea.
#[derive(Debug, Clone, Copy)]
pub struct BearingQuestion<'a> {
    /// The idea, part by part.
    pub idea: &'a ReviewedIdea,
    /// The kind of the records.
    pub kind: EvidenceKind,
    /// The records, numbered from 1 in this order.
    pub works: &'a [&'a Work],
    /// Whether their citations, venue and stars are shown.
    pub as_published: bool,
}

/// One part of an idea and one piece of evidence to compare it with.
#[derive(Debug, Clone)]
pub struct GroundQuestion<'a> {
    /// The idea.
    pub idea: &'a ReviewedIdea,
    /// The part.
    pub part: IdeaPart,
    /// The piece. Never one that is later than the idea, and never the idea itself.
    pub piece: &'a KnowledgePiece,
    /// Its text.
    pub text: &'a QuotableDocument,
    /// Its passages most similar to the part, in reading order.
    pub passages: Vec<Quote>,
    /// What the program found; `None` if no sentence is similar.
    pub own: Option<Grounding>,
    /// The matcher's probability that the document makes a statement of the part; `None` if it can assess none.
    pub probability: Option<f64>,
    /// Whether the matcher finds the document similar enough to need review.
    pub similar: bool,
}

/// Result of comparing parts with pieces.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Grounded {
    /// The evidence for each question, if any.
    pub groundings: Vec<Option<Grounding>>,
    /// Notes on what was dropped from the answers.
    pub notes: Vec<Note>,
}
