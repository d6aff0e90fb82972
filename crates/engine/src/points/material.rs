use precedent_domain::{
    BasePassage, CitedSentence, Note, NoveltySummary, Paper, PointAnalysis, PointClass, PointsReference,
    QuotableDocument, Quote, SelfValidation,
};
use serde::{Deserialize, Serialize};

use crate::extract::Extraction;

/// What was read from a paper: its contributions as points, and the queries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PointsReading {
    /// The rule-based extraction: core task, and the points as contributions.
    pub extraction: Extraction,
    /// What the paper does, in single sentences; empty without a model.
    pub summary: Vec<String>,
    /// The points, strongest first.
    pub points: Vec<PointDraft>,
    /// Notes on what was dropped or replaced.
    pub notes: Vec<Note>,
}

/// A point before the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PointDraft {
    /// At most 15 words.
    pub name: String,
    /// Its class.
    pub class: PointClass,
    /// Reason for the class, if a rule assigned it.
    pub class_rule: Option<String>,
    /// The authors' own words.
    pub claim: Quote,
    /// Other statements of the same claim in the paper.
    pub also_stated: Vec<Quote>,
    /// Sentences of the paper that explain it.
    pub said_of_it: Vec<Quote>,
    /// How it works, described by a model; empty without one.
    pub how: String,
    /// The evidence for it, described by a model; empty without one.
    pub evidence: String,
    /// The queries for passages.
    pub queries: Vec<String>,
}

/// A passage found for a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Retrieved {
    /// Its number among all passages of the run.
    pub passage: u32,
    /// Combined score for the queries by words and by vectors: the best over all queries, 0 to 1.
    pub score: f64,
    /// Score by words.
    pub by_words: f64,
    /// Score by vectors.
    pub by_vectors: f64,
    /// Numbers of the queries that found it, from 1.
    pub queries: Vec<u8>,
    /// Share of the point's words that appear in `nearest`, 0 to 1.
    pub shared: f64,
    /// Its sentence or pair of sentences most similar to the point.
    pub nearest: Option<Quote>,
    /// Whether it is printed with the point.
    pub shown: bool,
    /// Probability that its work states the point; `None` if one of them is too short to compare.
    pub probability: Option<f64>,
    /// Whether that probability has the level `Similar`.
    pub similar: bool,
}

/// The points and the search results, for the analyst.
#[derive(Debug, Clone, Copy)]
pub struct PointsMaterial<'a> {
    /// The paper.
    pub paper: &'a Paper,
    /// Its prepared text.
    pub target: &'a QuotableDocument,
    /// What was read from it.
    pub reading: &'a PointsReading,
    /// The passages for each point, most similar first.
    pub found: &'a [Vec<Retrieved>],
    /// The passages, by number.
    pub passages: &'a [BasePassage],
    /// The works that contain them, by number.
    pub works: &'a [PointsReference],
    /// The texts of the works, in the same order.
    pub texts: &'a [QuotableDocument],
}

/// The analyst's results.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PointsJudged {
    /// What the paper does.
    pub content_summary: Vec<String>,
    /// The comparison of each point, in the order of the points.
    pub analyses: Vec<Option<PointAnalysis>>,
    /// The conclusion from the comparisons.
    pub novelty_summary: Option<NoveltySummary>,
    /// Result of checking sentences against their sources.
    pub validation: Option<SelfValidation>,
}

impl PointsJudged {
    /// The empty result when no analyst judges.
    #[must_use]
    pub fn nothing(points: usize) -> Self {
        Self {
            analyses: vec![None; points],
            ..Self::default()
        }
    }

    /// Every sentence that may contain citations, in the order of the report.
    pub(crate) fn sentences_mut(&mut self) -> impl Iterator<Item = &mut CitedSentence> {
        self.analyses.iter_mut().flatten().flat_map(|analysis| {
            analysis
                .claimed
                .iter_mut()
                .chain(&mut analysis.similarities)
                .chain(&mut analysis.differences)
                .chain(&mut analysis.details)
        })
    }
}
