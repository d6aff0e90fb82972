use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use precedent_corpus::{Corpus, CorpusError, SearchOptions};
use precedent_domain::{Author, Document, Extent, Identity, PartialDate, Span, Work, WorkId, is_same_work, title_key};
use precedent_matcher::{Claim, Level, PreparedText, Ranked, claim_terms, rank};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::prepared::Prepared;
use super::verbatim::stated_word_for_word;

/// Minimum number of papers that the matcher orders for a claim, from each corpus. The weights were trained with as many.
const SEARCHED: usize = 60;
/// Number of top papers that are always checked for the claim word for word. They also show which of its words are common to the topic.
const COMPARED: usize = 20;
/// Minimum share of the claim's terms in the best passage of another paper that is checked. A literal match has at least 0.85 by another weighting.
const LEAST_COVERAGE: f64 = 0.6;
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
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
    /// By corpus and id: two corpora may have different records with one id.
    prepared: RwLock<HashMap<(usize, WorkId), Arc<Prepared>>>,
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

    /// Whether there is no corpus.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.corpora.is_empty()
    }

    /// Whether a corpus has a paper with this id.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn contains(&self, id: &WorkId) -> Result<bool, CorpusError> {
        for corpus in &self.corpora {
            if corpus.contains(id)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The papers that most probably state the claim, best first. Those that state it nearly word for word come before all others.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn matches(&self, query: &ClaimQuery) -> Result<Vec<ClaimMatch>, CorpusError> {
        self.matches_among(query, &[])
    }

    /// The same, with `others` compared as well: papers found elsewhere, with title and abstract. A paper that a corpus has too is compared once.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn matches_among(&self, query: &ClaimQuery, others: &[Work]) -> Result<Vec<ClaimMatch>, CorpusError> {
        let options = SearchOptions {
            limit: query.limit.max(SEARCHED),
            exclude: query.exclude.clone(),
            as_of: query.as_of,
            ..SearchOptions::default()
        };
        let mut found = DistinctPapers::leaving_out(self.works(&query.exclude)?);
        for (number, corpus) in self.corpora.iter().enumerate() {
            let ids = corpus.search(&query.text, &options)?;
            let texts: Vec<Option<Arc<Prepared>>> = ids
                .par_iter()
                .map(|one| self.prepared(number, corpus, &one.id))
                .collect::<Result<_, _>>()?;
            for text in texts.into_iter().flatten() {
                found.add(text);
            }
        }
        let mut found = found.papers;
        for work in others {
            let is_known = |other: &Arc<Prepared>| {
                other.work.id == work.id || is_same_work(Identity::from(&other.work), Identity::from(work))
            };
            let is_excluded = query.exclude.contains(&work.id) || work.also.iter().any(|id| query.exclude.contains(id));
            if !is_excluded && !found.iter().any(is_known) {
                found.push(Arc::new(Prepared::of_abstract(work.clone())));
            }
        }
        let papers: Vec<&Prepared> = found.iter().map(AsRef::as_ref).collect();
        let mut ranked = rank(&Claim::new(&query.text), &papers);
        let likely = |one: &&Ranked| {
            one.passages
                .first()
                .is_some_and(|passage| passage.coverage >= LEAST_COVERAGE)
        };
        let stated = if ranked.iter().any(|one| likely(&one)) {
            let compared = ranked.iter().enumerate();
            let compared = compared.filter(|(place, one)| *place < COMPARED || likely(one));
            let compared: Vec<&Prepared> = compared.filter_map(|(_, one)| papers.get(one.index).copied()).collect();
            stated_word_for_word(&query.text, &compared)
        } else {
            HashMap::new()
        };
        let is_stated = |one: &Ranked| {
            papers
                .get(one.index)
                .is_some_and(|paper| stated.contains_key(&paper.work.id))
        };
        // The sort is stable, so each part keeps its order.
        ranked.sort_by_key(|one| !is_stated(one));
        let shown = ranked.iter().take(query.limit);
        Ok(shown
            .filter_map(|one| papers.get(one.index).map(|paper| result(query, one, paper, &stated)))
            .collect())
    }

    /// The records of these papers in all corpora.
    fn works(&self, ids: &[WorkId]) -> Result<Vec<Work>, CorpusError> {
        let mut works = Vec::new();
        for (id, corpus) in ids
            .iter()
            .flat_map(|id| self.corpora.iter().map(move |corpus| (id, corpus)))
        {
            works.extend(corpus.work(id)?);
        }
        Ok(works)
    }

    fn prepared(&self, number: usize, corpus: &Corpus, id: &WorkId) -> Result<Option<Arc<Prepared>>, CorpusError> {
        let key = (number, id.clone());
        let kept = self.prepared.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.get(&key) {
            return Ok(Some(kept.clone()));
        }
        drop(kept);
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
            kept.insert(key, prepared.clone());
        }
        Ok(Some(prepared))
    }
}

/// Papers of corpora, each once: a corpus may hold the preprint and the published record of one paper. Twice in the list, neither of the two would
/// stand out from the others.
struct DistinctPapers {
    papers: Vec<Arc<Prepared>>,
    /// Title and first family name of each paper. Records of one paper share one of them, which is faster to compare than the records.
    keys: Vec<(String, String)>,
    left_out: Vec<Work>,
}

impl DistinctPapers {
    /// Of papers that are left out, other records are left out too.
    fn leaving_out(left_out: Vec<Work>) -> Self {
        Self {
            papers: Vec::new(),
            keys: Vec::new(),
            left_out,
        }
    }

    fn add(&mut self, paper: Arc<Prepared>) {
        let is_same =
            |work: &Work| work.id == paper.work.id || is_same_work(Identity::from(work), Identity::from(&paper.work));
        if self.left_out.iter().any(is_same) {
            return;
        }
        let family = paper.work.authors.first().map_or("", Author::family_name);
        let key = (title_key(&paper.work.title), title_key(family));
        let is_alike = |other: &(String, String)| other.0 == key.0 || !key.1.is_empty() && other.1 == key.1;
        let mut others = self.papers.iter_mut().zip(&self.keys);
        let same = others
            .find(|(other, other_key)| other.work.id == paper.work.id || is_alike(other_key) && is_same(&other.work));
        // The record with more text is compared, and of two with as much the earlier one.
        let rank = |one: &Prepared| {
            let first_day = one.work.earliest().map(|dated| dated.date.first_day());
            (one.document.extent, first_day.is_some(), Reverse(first_day))
        };
        match same {
            Some((other, _)) if rank(other) < rank(&paper) => *other = paper,
            Some(_) => {}
            None => {
                self.papers.push(paper);
                self.keys.push(key);
            }
        }
    }
}

fn result(query: &ClaimQuery, ranked: &Ranked, paper: &Prepared, stated: &HashMap<WorkId, Span>) -> ClaimMatch {
    let document = &paper.document;
    let literal = stated.get(&paper.work.id).copied();
    let best = literal.or(ranked.passages.first().map(|passage| passage.span));
    let passage = best.and_then(|span| cut(document, span));
    let words = passage.as_ref().map_or("", |passage| &passage.text);
    let terms = claim_terms(&query.text, words, &document.text);
    let (level, probability) = match literal {
        Some(_) => (Level::Anticipated, 1.0),
        None => (ranked.level, ranked.probability),
    };
    ClaimMatch {
        id: paper.work.id.clone(),
        title: paper.work.title.clone(),
        year: paper.work.year(),
        level,
        probability: (probability * 1_000.0).round() / 1_000.0,
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
