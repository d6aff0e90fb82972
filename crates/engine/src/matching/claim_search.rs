use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use precedent_corpus::{Corpus, CorpusError, SearchOptions};
use precedent_domain::{Document, Extent, PartialDate, Span, Work, WorkId};
use precedent_matcher::{Claim, Level, PreparedText, Ranked, claim_terms, rank};
use rayon::prelude::*;
use serde::Serialize;

use super::verbatim::stated_word_for_word;

/// Minimum number of papers that the matcher orders for a claim, from each corpus. The weights were trained with as many.
const SEARCHED: usize = 60;
/// Minimum number of papers beside which the words of a claim are weighed.
const COMPARED: usize = 20;
/// Maximum number of papers prepared for matching that are kept for the next claims.
const KEPT: usize = 4_096;

/// A claim to look for.
#[derive(Debug, Clone)]
pub struct ClaimQuery {
    /// The claim.
    pub text: String,
    /// Papers left out, such as the one that makes the claim.
    pub exclude: Vec<WorkId>,
    /// Leaves out papers that certainly appeared after this date.
    pub as_of: Option<PartialDate>,
    /// Maximum number of results.
    pub limit: usize,
}

/// A paper that may state the claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaimMatch {
    /// Its id.
    pub id: WorkId,
    /// Its title.
    pub title: String,
    /// Year of its earliest date.
    pub year: Option<u16>,
    /// What the comparison means.
    pub level: Level,
    /// Estimated probability that the compared text states the claim, 0 to 1.
    pub probability: f64,
    /// How much of its text was compared.
    pub compared: Extent,
    /// The most similar passage.
    pub passage: Option<MatchedPassage>,
    /// Terms of the claim in that passage.
    pub shared: Vec<String>,
    /// Terms of the claim that the whole text lacks.
    pub missing: Vec<String>,
}

/// A passage, cut from the paper's text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchedPassage {
    /// The passage, verbatim.
    pub text: String,
    /// Its bytes in the paper's text: title and abstract, or what `read` prints of a full text.
    pub range: [usize; 2],
    /// Its section, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Its page, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

/// Finds papers that state claims. Full texts that were compared are kept prepared, so many claims are faster than as many searches.
#[derive(Debug)]
pub struct ClaimSearch {
    corpora: Vec<Corpus>,
    prepared: RwLock<HashMap<WorkId, Arc<Prepared>>>,
}

/// A paper with its text.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) work: Work,
    pub(super) document: Document,
    text: PreparedText,
}

impl std::borrow::Borrow<PreparedText> for &Prepared {
    fn borrow(&self) -> &PreparedText {
        &self.text
    }
}

impl ClaimSearch {
    /// Searches these corpora.
    #[must_use]
    pub fn new(corpora: Vec<Corpus>) -> Self {
        Self {
            corpora,
            prepared: RwLock::default(),
        }
    }

    /// The papers that most probably state the claim, best first.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn matches(&self, query: &ClaimQuery) -> Result<Vec<ClaimMatch>, CorpusError> {
        let options = SearchOptions {
            limit: query.limit.max(SEARCHED),
            exclude: query.exclude.clone(),
            as_of: query.as_of,
            ..SearchOptions::default()
        };
        let mut found: Vec<Arc<Prepared>> = Vec::new();
        for corpus in &self.corpora {
            let ids = corpus.search(&query.text, &options)?;
            let texts: Vec<Option<Arc<Prepared>>> = ids
                .par_iter()
                .map(|one| self.prepared(corpus, &one.id))
                .collect::<Result<_, _>>()?;
            for text in texts.into_iter().flatten() {
                if found.iter().all(|other| other.work.id != text.work.id) {
                    found.push(text);
                }
            }
        }
        let papers: Vec<&Prepared> = found.iter().map(AsRef::as_ref).collect();
        let claim = Claim::new(&query.text);
        let ranked = rank(&claim, &papers);
        let similar: Vec<usize> = ranked
            .iter()
            .filter(|one| one.level == Level::Similar)
            .map(|one| one.index)
            .collect();
        let beside: Vec<&Prepared> = ranked
            .iter()
            .take(COMPARED.max(similar.len()))
            .filter_map(|one| papers.get(one.index).copied())
            .collect();
        let stated = if similar.is_empty() {
            Vec::new()
        } else {
            stated_word_for_word(&query.text, &beside)
        };
        let shown = ranked.iter().take(query.limit);
        Ok(shown
            .filter_map(|one| papers.get(one.index).map(|paper| result(query, one, paper, &stated)))
            .collect())
    }

    fn prepared(&self, corpus: &Corpus, id: &WorkId) -> Result<Option<Arc<Prepared>>, CorpusError> {
        let kept = self
            .prepared
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(id)
            .cloned();
        if kept.is_some() {
            return Ok(kept);
        }
        let Some(work) = corpus.work(id)? else { return Ok(None) };
        let document = match work.extent {
            Extent::FullText => corpus.document(id)?.unwrap_or_default(),
            _ => Document::from_abstract(&work.title, work.summary.as_deref()),
        };
        let prepared = Arc::new(Prepared {
            text: PreparedText::new(&work.title, work.summary.as_deref(), &document),
            work,
            document,
        });
        // Preparing an abstract is faster than waiting for the lock.
        if prepared.document.extent == Extent::FullText {
            let mut kept = self.prepared.write().unwrap_or_else(PoisonError::into_inner);
            if kept.len() >= KEPT {
                kept.clear();
            }
            kept.insert(id.clone(), prepared.clone());
        }
        Ok(Some(prepared))
    }
}

fn result(query: &ClaimQuery, ranked: &Ranked, paper: &Prepared, stated: &[WorkId]) -> ClaimMatch {
    let document = &paper.document;
    let passage = ranked.passages.first().and_then(|passage| cut(document, passage.span));
    let words = passage.as_ref().map_or("", |passage| &passage.text);
    let terms = claim_terms(&query.text, words, &document.text);
    ClaimMatch {
        id: paper.work.id.clone(),
        title: paper.work.title.clone(),
        year: paper.work.year(),
        level: if stated.contains(&paper.work.id) {
            Level::Anticipated
        } else {
            ranked.level
        },
        probability: (ranked.probability * 1_000.0).round() / 1_000.0,
        compared: document.extent,
        passage,
        shared: terms.shared,
        missing: terms.missing,
    }
}

fn cut(document: &Document, span: Span) -> Option<MatchedPassage> {
    let place = document.place(span);
    Some(MatchedPassage {
        text: document.slice(span)?.to_owned(),
        range: [span.start, span.end],
        section: place.section,
        page: place.page,
    })
}
