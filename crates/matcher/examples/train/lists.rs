//! Claims, and for each the papers that a search finds with their features.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use precedent_corpus::{Corpus, SearchOptions};
use precedent_domain::WorkId;
use precedent_matcher::{Claim, Features, PreparedText, features};
use rayon::prelude::*;
use serde::Deserialize;

use crate::FOLDS;

/// Papers compared with each claim.
const SEARCHED: usize = 60;

#[derive(Deserialize)]
struct Line {
    claim: String,
    work: String,
}

pub(crate) struct Claims {
    lines: Vec<Line>,
    folds: BTreeMap<String, usize>,
}

/// The papers compared with one claim.
pub(crate) struct List {
    pub(crate) features: Vec<Features>,
    /// Index of the paper that states the claim, if the corpus has it. It is there for the first regression even if the search does not find it.
    pub(crate) stating: Option<usize>,
    /// Rank of the stating paper in the search, if it found it.
    pub(crate) found: Option<usize>,
    pub(crate) fold: usize,
}

impl List {
    /// Number of papers compared as full texts.
    pub(crate) fn full_texts(&self) -> usize {
        self.features
            .iter()
            .filter(|features| features.first() == Some(&1.0))
            .count()
    }
}

impl Claims {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
        let lines: Vec<Line> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        let mut folds: BTreeMap<String, usize> = lines.iter().map(|line| (line.work.clone(), 0)).collect();
        for (number, fold) in folds.values_mut().enumerate() {
            *fold = number % FOLDS;
        }
        Ok(Self { lines, folds })
    }

    /// Searches the corpus for every claim.
    pub(crate) fn lists(&self, corpus: &Path) -> Result<Vec<List>> {
        let corpus = Corpus::open(corpus)?;
        let mut found: Vec<(Vec<WorkId>, Option<usize>)> = Vec::new();
        for line in &self.lines {
            let results = corpus.search(&line.claim, &SearchOptions::top(SEARCHED))?;
            let mut ids: Vec<WorkId> = results.into_iter().map(|found| found.id).collect();
            let work: WorkId = line
                .work
                .parse()
                .map_err(|error| anyhow::anyhow!("{}: {error}", line.work))?;
            let was_found = ids.iter().position(|id| *id == work);
            if was_found.is_none() && corpus.contains(&work)? {
                ids.push(work);
            }
            found.push((ids, was_found));
        }
        let mut needed: Vec<&WorkId> = found.iter().flat_map(|(ids, _)| ids).collect();
        needed.sort();
        needed.dedup();
        let texts: HashMap<&WorkId, Arc<PreparedText>> = needed
            .into_par_iter()
            .map(|id| Ok((id, Arc::new(prepared(&corpus, id)?))))
            .collect::<Result<_>>()?;
        let lengths: usize = texts.values().map(|text| text.length()).sum();
        println!(
            "{} papers compared, {} terms on average",
            texts.len(),
            lengths / texts.len().max(1)
        );
        let listed = self.lines.par_iter().zip(&found).map(|(line, (ids, found))| {
            let claim = Claim::new(&line.claim);
            List {
                features: ids
                    .iter()
                    .filter_map(|id| texts.get(id))
                    .map(|text| features(&claim, text))
                    .collect(),
                stating: ids.iter().position(|id| id.as_str() == line.work),
                found: *found,
                fold: self.folds.get(&line.work).copied().unwrap_or_default(),
            }
        });
        Ok(listed.collect())
    }
}

fn prepared(corpus: &Corpus, id: &WorkId) -> Result<PreparedText> {
    let work = corpus.work(id)?.context("a paper that was found has a record")?;
    let document = corpus.document(id)?.context("a paper that was found has a text")?;
    Ok(PreparedText::new(&work.title, work.summary.as_deref(), &document))
}
