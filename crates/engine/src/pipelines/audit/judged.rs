use std::collections::BTreeMap;

use precedent_domain::AuditDimension;
use serde::{Deserialize, Serialize};

use super::items::Item;

/// What lies open for whoever decides items that no rule does.
#[derive(Clone, Copy)]
pub struct AuditMaterial<'a> {
    /// The report, as it was given.
    pub report: &'a str,
    /// The items to be decided.
    pub items: &'a [&'a Item],
    /// What lies open for the items of each dimension that want more than the report.
    pub evidence: &'a BTreeMap<AuditDimension, AuditPassages>,
    /// Sentences with the works that they cite, and the passages of each work, for telling whether it supports them.
    pub pairs: &'a BTreeMap<u32, (Vec<String>, Vec<String>)>,
}

/// Passages that bear on a dimension.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditPassages {
    /// What they were looked for with.
    pub queries: Vec<String>,
    /// Of the works, each with the title of its work.
    pub works: Vec<(String, String)>,
    /// Of the paper.
    pub paper: Vec<String>,
}

/// What was decided.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditOpinion {
    /// Answers by item, with a reason; items without a usable answer are missing.
    pub answers: BTreeMap<String, (bool, String)>,
    /// Pairs of a sentence and a work that were judged, and those of them that the work supports.
    pub judged: usize,
    /// See `judged`.
    pub supported: usize,
}
