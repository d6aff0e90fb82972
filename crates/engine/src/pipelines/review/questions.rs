use std::collections::BTreeMap;

use precedent_domain::{
    EvidenceKind, Grounding, IdeaPart, KnowledgePiece, KnowledgeQuery, PartStatement, QuotableDocument, Quote,
    ReviewedIdea, Work,
};
use serde::{Deserialize, Serialize};

/// What an idea says part by part, before anything is searched.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PartsReading {
    /// What it says, in the order of [`IdeaPart::ALL`]. Numbers are given afterwards.
    pub statements: Vec<PartStatement>,
    /// What was dropped or replaced, in words.
    pub notes: Vec<String>,
}

impl PartsReading {
    /// The statements of one part.
    pub fn of(&self, part: IdeaPart) -> impl Iterator<Item = &PartStatement> {
        self.statements.iter().filter(move |one| one.part == part)
    }
}

/// What to ask sources with in a round.
#[derive(Debug, Clone)]
pub struct QueriesQuestion<'a> {
    /// The idea, part by part.
    pub idea: &'a ReviewedIdea,
    /// The kinds of knowledge that there are sources for.
    pub kinds: &'a [EvidenceKind],
    /// The round, from 1; from the second on queries come from earlier ones.
    pub round: u32,
    /// What was asked before.
    pub asked: &'a [KnowledgeQuery],
    /// Titles of what stands nearest to the idea so far, by kind, nearest first.
    pub nearest: &'a BTreeMap<EvidenceKind, Vec<String>>,
    /// The program's own queries.
    pub own: Vec<KnowledgeQuery>,
}

/// Records of one kind, to be told how much they bear on an idea.
#[derive(Debug, Clone, Copy)]
pub struct BearingQuestion<'a> {
    /// The idea, part by part.
    pub idea: &'a ReviewedIdea,
    /// The kind of the records.
    pub kind: EvidenceKind,
    /// The records, numbered from 1 in this order.
    pub works: &'a [&'a Work],
}

/// A part of an idea beside a piece of knowledge.
#[derive(Debug, Clone)]
pub struct GroundQuestion<'a> {
    /// The idea.
    pub idea: &'a ReviewedIdea,
    /// The part.
    pub part: IdeaPart,
    /// The piece; never one that is later than the idea, or the idea itself.
    pub piece: &'a KnowledgePiece,
    /// Its text.
    pub text: &'a QuotableDocument,
    /// The passages of it that come nearest to the part, in reading order.
    pub passages: Vec<Quote>,
    /// What the program found; `None` where no sentence comes near.
    pub own: Option<Grounding>,
}

/// What came of setting parts beside pieces.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Grounded {
    /// For each question what bears, where anything does.
    pub groundings: Vec<Option<Grounding>>,
    /// What of the answers was dropped, in words.
    pub notes: Vec<String>,
}
