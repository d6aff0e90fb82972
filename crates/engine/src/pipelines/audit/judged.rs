use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::items::Item;

/// What lies open for whoever decides items that no rule does.
#[derive(Clone, Copy)]
pub struct AuditMaterial<'a> {
    /// The report, as it was given.
    pub report: &'a str,
    /// The items to be decided.
    pub items: &'a [&'a Item],
    /// Passages of the works, each with the title of its work, that bear on the report.
    pub works: &'a [(String, String)],
    /// Passages of the paper that bear on it.
    pub paper: &'a [String],
    /// Sentences with the works that they cite, and the passages of each work, for telling whether it supports them.
    pub pairs: &'a BTreeMap<u32, (Vec<String>, Vec<String>)>,
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
