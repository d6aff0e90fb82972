use precedent_domain::{
    ExamplesShown, FacetComparison, FacetStatement, IdeaText, IdeaVerdict, IdeaWork, QuotableDocument, Work,
};
use serde::{Deserialize, Serialize};

use super::labelled::Examples;

/// The reading of an idea: its facets, and what to search for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IdeaReading {
    /// What it says on each facet, in its own words: at most one statement per facet, in the order of the facets.
    pub facets: Vec<FacetStatement>,
    /// Search phrases of three to six words, most significant first.
    pub phrases: Vec<String>,
    /// Titles of at most five words that a similar paper might have.
    pub titles: Vec<String>,
}

/// Request to order a window of papers by similarity to an idea, facet by facet.
#[derive(Debug, Clone, Copy)]
pub struct RankQuestion<'a> {
    /// The idea, with its facets.
    pub idea: &'a IdeaText,
    /// The papers, numbered from 1 in this order.
    pub works: &'a [&'a Work],
    /// Whether to order by facets, not by relevance in general.
    pub by_facets: bool,
}

/// An idea and the papers it is compared with, for the analyst.
#[derive(Debug, Clone, Copy)]
pub struct IdeaMaterial<'a> {
    /// The idea, with its facets.
    pub idea: &'a IdeaText,
    /// The papers by number, each with the program's own comparison.
    pub works: &'a [IdeaWork],
    /// Their texts, in the same order.
    pub texts: &'a [QuotableDocument],
    /// The labelled examples.
    pub examples: &'a Examples,
    /// How often the model is called.
    pub samples: usize,
    /// Whether the idea has a judgement date. If so, only certainly earlier papers count as prior art.
    pub dated: bool,
}

/// Result of judging.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IdeaJudged {
    /// The verdict.
    pub verdict: IdeaVerdict,
    /// The comparison of each paper, facet by facet, in the order of the papers.
    pub facets: Vec<Vec<FacetComparison>>,
    /// The examples shown.
    pub examples: ExamplesShown,
}
