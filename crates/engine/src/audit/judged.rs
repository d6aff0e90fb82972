use std::collections::BTreeMap;

use precedent_domain::AuditDimension;
use serde::{Deserialize, Serialize};

use super::items::Item;

/// The material for deciding items without a rule.
#[derive(Clone, Copy)]
pub struct AuditMaterial<'a> {
    /// The report as given.
    pub report: &'a str,
    /// The items to decide.
    pub items: &'a [&'a Item],
    /// Evidence by dimension, for items that need more than the report.
    pub evidence: &'a BTreeMap<AuditDimension, AuditPassages>,
    /// Sentences with the works they cite, and the passages of each work, for checking whether it supports them.
    pub pairs: &'a BTreeMap<u32, (Vec<String>, Vec<String>)>,
}

/// Passages relevant to a dimension.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditPassages {
    /// The queries that found them.
    pub queries: Vec<String>,
    /// Passages of the works, each with the work's title.
    pub works: Vec<(String, String)>,
    /// Passages of the paper.
    pub paper: Vec<String>,
}

/// The decisions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditOpinion {
    /// Answers by item, with a reason; items without a usable answer are missing.
    pub answers: BTreeMap<String, (bool, String)>,
    /// Number of judged pairs of a sentence and a work.
    pub judged: usize,
    /// Number of those pairs in which the work supports the sentence.
    pub supported: usize,
}
