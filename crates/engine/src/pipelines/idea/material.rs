use precedent_domain::{
    ExamplesShown, FacetComparison, FacetStatement, IdeaText, IdeaVerdict, IdeaWork, QuotableDocument, Work,
};
use serde::{Deserialize, Serialize};

use super::labelled::Examples;

/// What was read from an idea: its facets, and what to search for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IdeaReading {
    /// What it says on each facet, in its own words; at most one statement a facet, in the order of the facets.
    pub facets: Vec<FacetStatement>,
    /// Phrases of three to six words that a search would look for, most telling first.
    pub phrases: Vec<String>,
    /// Titles of at most five words that a work on the same might have.
    pub titles: Vec<String>,
}

/// A window of works to be ordered by how near they stand to an idea, facet by facet.
#[derive(Debug, Clone, Copy)]
pub struct RankQuestion<'a> {
    /// The idea, with its facets.
    pub idea: &'a IdeaText,
    /// The works, numbered from 1 in this order.
    pub works: &'a [&'a Work],
}

/// An idea and the works it is held against, for whoever judges.
#[derive(Debug, Clone, Copy)]
pub struct IdeaMaterial<'a> {
    /// The idea, with its facets.
    pub idea: &'a IdeaText,
    /// The works by number, each with the program's own comparison.
    pub works: &'a [IdeaWork],
    /// Their texts, in the same order.
    pub texts: &'a [QuotableDocument],
    /// The labelled examples.
    pub examples: &'a Examples,
    /// How often the question is put.
    pub samples: usize,
    /// Whether the idea is judged by a date: then only works surely earlier can take its novelty away.
    pub dated: bool,
}

/// What came of judging.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IdeaJudged {
    /// The verdict.
    pub verdict: IdeaVerdict,
    /// The comparison of each work facet by facet, in the order of the works.
    pub facets: Vec<Vec<FacetComparison>>,
    /// The examples that were shown.
    pub examples: ExamplesShown,
}
