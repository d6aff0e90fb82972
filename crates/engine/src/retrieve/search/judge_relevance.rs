//! Relevance: how well a paper meets a scope (OpenNovelty, B; the published system's engine returned such verdicts, Precedent computes them).
//!
//! Input: the queries of one scope and the records of papers. Output: a verdict per criterion. Time is not a criterion here. It is a separate
//! step of the funnel, so that the report can list later papers that were found.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{CriterionVerdict, Query, Verdict, Work};
use precedent_language::wording::{content_stems, is_generic, stem, words};

/// Minimum share of the topic's term weight in a record for support, and for partial support.
const NAMES_MOST: f64 = 0.45;
const NAMES_SOME: f64 = 0.25;
/// Maximum distance of two terms that count as a pair, in words.
const NEAR: usize = 3;

/// Verdicts by counting: whether the record names the topic's terms, and whether it contains one of the topic's phrases.
pub(crate) fn topic_verdicts(queries: &[Query], works: &[&Work]) -> Vec<Vec<CriterionVerdict>> {
    let records: Vec<RecordTerms> = works.iter().map(|work| RecordTerms::of(work)).collect();
    let topic = Topic::of(queries, &records);
    records.iter().map(|record| topic.judge(record)).collect()
}

/// The stems of a record, and the pairs of stems close to each other.
struct RecordTerms {
    stems: BTreeSet<String>,
    pairs: BTreeSet<(String, String)>,
    has_summary: bool,
}

impl RecordTerms {
    fn of(work: &Work) -> Self {
        let summary = work.summary.as_deref().unwrap_or_default();
        let mut pairs = near_pairs(&work.title);
        pairs.extend(near_pairs(summary));
        let mut stems = content_stems(&work.title);
        stems.extend(content_stems(summary));
        Self {
            stems,
            pairs,
            has_summary: !summary.trim().is_empty(),
        }
    }
}

/// The terms of a scope.
struct Topic {
    weights: BTreeMap<String, f64>,
    /// Terms of the variants.
    wider: BTreeMap<String, f64>,
    pairs: BTreeSet<(String, String)>,
}

impl Topic {
    fn of(queries: &[Query], records: &[RecordTerms]) -> Self {
        let mut weights: BTreeMap<String, f64> = BTreeMap::new();
        let mut pairs = BTreeSet::new();
        let mut wider: BTreeMap<String, f64> = BTreeMap::new();
        for query in queries {
            let of_scope = if query.variant == 0 { &mut weights } else { &mut wider };
            for stem in content_stems(query.topic()) {
                of_scope.insert(stem, 1.0);
            }
            // Variants may be bags of words, in which neighbours mean nothing.
            if query.variant == 0 {
                pairs.extend(near_pairs(query.topic()));
            }
        }
        weigh(&mut weights, records);
        weigh(&mut wider, records);
        Self { weights, wider, pairs }
    }

    fn judge(&self, record: &RecordTerms) -> Vec<CriterionVerdict> {
        let share = share_named(&self.weights, record);
        let wider = share_named(&self.wider, record);
        let unknown = |verdict: Verdict| match verdict {
            Verdict::Reject if !record.has_summary => Verdict::InsufficientInformation,
            other => other,
        };
        // A record that names little of the phrase itself may still name most of the other wordings.
        let names = if share >= NAMES_MOST || wider >= NAMES_MOST || share + wider >= NAMES_MOST + NAMES_SOME / 2.0 {
            Verdict::Support
        } else if share >= NAMES_SOME || wider >= NAMES_SOME {
            Verdict::SomewhatSupport
        } else {
            Verdict::Reject
        };
        let mut verdicts = vec![CriterionVerdict {
            criterion: "names most of the topic's terms".to_owned(),
            about_time: false,
            verdict: unknown(names),
        }];
        if !self.pairs.is_empty() {
            let ours = |stem: &String| self.weights.contains_key(stem) || self.wider.contains_key(stem);
            let neighbours = record.pairs.iter().filter(|(a, b)| ours(a) && ours(b)).count();
            let holds = neighbours >= 2 || self.pairs.intersection(&record.pairs).next().is_some();
            let phrase = if holds { Verdict::Support } else { Verdict::Reject };
            verdicts.push(CriterionVerdict {
                criterion: "has the topic's terms next to each other as in the topic".to_owned(),
                about_time: false,
                verdict: unknown(phrase),
            });
        }
        verdicts
    }
}

/// Terms in nearly every result are not distinctive. Terms in no result are the paper's own wording.
#[expect(clippy::cast_precision_loss, reason = "counts of search results")]
fn weigh(weights: &mut BTreeMap<String, f64>, records: &[RecordTerms]) {
    for (stem, weight) in weights {
        let holding = records.iter().filter(|record| record.stems.contains(stem)).count();
        *weight = if holding == 0 {
            0.25
        } else {
            0.3 + (records.len() as f64 / holding as f64).ln().min(2.5)
        };
    }
}

/// Weighted share of the terms that the record names.
fn share_named(weights: &BTreeMap<String, f64>, record: &RecordTerms) -> f64 {
    let total: f64 = weights.values().sum();
    let named: f64 = weights
        .iter()
        .filter(|(stem, _)| record.stems.contains(*stem))
        .map(|(_, weight)| weight)
        .sum();
    if total > 0.0 { named / total } else { 0.0 }
}

/// Pairs of content stems at most [`NEAR`] words apart, each pair in alphabetical order.
fn near_pairs(text: &str) -> BTreeSet<(String, String)> {
    let found: Vec<Option<String>> = words(text, 0)
        .into_iter()
        .flat_map(|word| {
            let parts: Vec<String> = word.lower.split('-').map(str::to_owned).collect();
            parts.into_iter().map(|part| {
                (!precedent_language::wording::is_function_word(&part) && !is_generic(&part) && part.len() > 1)
                    .then(|| stem(&part))
            })
        })
        .collect();
    let mut pairs = BTreeSet::new();
    for (at, first) in found.iter().enumerate() {
        let Some(first) = first else { continue };
        for second in found.iter().skip(at + 1).take(NEAR).flatten() {
            if first != second {
                let pair = if first < second {
                    (first.clone(), second.clone())
                } else {
                    (second.clone(), first.clone())
                };
                pairs.insert(pair);
            }
        }
    }
    pairs
}
