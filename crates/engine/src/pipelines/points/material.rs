use precedent_domain::{
    BasePassage, CitedSentence, NoveltySummary, Paper, PointAnalysis, PointClass, PointsReference, QuotableDocument,
    Quote, SelfValidation,
};
use serde::{Deserialize, Serialize};

use crate::stages::extract::Extraction;

/// What was read from a paper: what it offers as new, and what to search for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PointsReading {
    /// What the program took from the paper: its core task, and the points as contributions.
    pub extraction: Extraction,
    /// What the paper does, a sentence each; empty without a model.
    pub summary: Vec<String>,
    /// The points, strongest first.
    pub points: Vec<PointDraft>,
    /// What was dropped or replaced.
    pub notes: Vec<String>,
}

/// A point before anything is searched for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PointDraft {
    /// At most 15 words.
    pub name: String,
    /// Its class.
    pub class: PointClass,
    /// What told the class, where a rule did.
    pub class_rule: Option<String>,
    /// The authors' own words.
    pub claim: Quote,
    /// Where the paper states the same again.
    pub also_stated: Vec<Quote>,
    /// Sentences of the paper that say more of it.
    pub said_of_it: Vec<Quote>,
    /// How it works, in a model's words; empty without one.
    pub how: String,
    /// What shows it, in a model's words; empty without one.
    pub evidence: String,
    /// The queries that passages are looked for with.
    pub queries: Vec<String>,
}

/// A passage that was found for a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Retrieved {
    /// Its number among all passages of the run.
    pub passage: u32,
    /// How well it answers the queries, both witnesses together, by words, by vectors: the best over all queries, 0 to 1.
    pub score: f64,
    /// By words.
    pub by_words: f64,
    /// By vectors.
    pub by_vectors: f64,
    /// Which queries brought it, from 1.
    pub queries: Vec<u8>,
    /// Share of the point's words that stand in `nearest`, 0 to 1.
    pub shared: f64,
    /// The sentence or two of it nearest to the point.
    pub nearest: Option<Quote>,
    /// Whether it is printed beside the point.
    pub shown: bool,
}

/// The points and what was found for them, for whoever judges.
#[derive(Debug, Clone, Copy)]
pub struct PointsMaterial<'a> {
    /// The paper.
    pub paper: &'a Paper,
    /// Its text, prepared.
    pub target: &'a QuotableDocument,
    /// What was read from it.
    pub reading: &'a PointsReading,
    /// What was found for each point, nearest first.
    pub found: &'a [Vec<Retrieved>],
    /// The passages, by number.
    pub passages: &'a [BasePassage],
    /// The works they stand in, by number.
    pub works: &'a [PointsReference],
    /// The works' texts, in the same order.
    pub texts: &'a [QuotableDocument],
}

/// What came of judging.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PointsJudged {
    /// What the paper does.
    pub content_summary: Vec<String>,
    /// The comparison of each point, in the order of the points.
    pub analyses: Vec<Option<PointAnalysis>>,
    /// What the comparisons come to.
    pub novelty_summary: Option<NoveltySummary>,
    /// How sentences were held against their sources.
    pub validation: Option<SelfValidation>,
}

impl PointsJudged {
    /// What is said where nobody judges: nothing.
    #[must_use]
    pub fn nothing(points: usize) -> Self {
        Self {
            analyses: vec![None; points],
            ..Self::default()
        }
    }

    /// Every sentence that may cite, in the order of the report.
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
