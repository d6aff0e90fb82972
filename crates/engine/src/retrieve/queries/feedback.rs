//! Vocabulary feedback: terms that the titles of the top results share and the query lacks.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{PartialDate, Query};
use precedent_language::wording::{content_stems, is_evaluative, is_generic, key_phrases, stem, words};

use crate::World;
use crate::retrieve::search::put_alone;

/// Number of results whose titles are read.
const NEAREST: usize = 20;
/// Minimum number of papers that share a term for it to belong to the field.
const LEAST_WORKS: usize = 3;
/// Minimum [`rarity`]: at 0.4 a term is in fewer than 1 paper in 160 of a corpus of 333,000, and 1 in 4 of a corpus of 40.
const LEAST_RARITY: f64 = 0.4;

/// Terms of the field for `query`, most distinctive first. Papers that share a phrase with the query count more the higher they rank.
/// Terms that are common in the sources count less.
pub(super) async fn field_terms(
    query: &Query,
    as_of: Option<PartialDate>,
    coined: &(dyn Fn(&str) -> bool + Sync),
    world: &World,
) -> Vec<String> {
    let mut titles: Vec<(usize, String)> = Vec::new();
    // Metered sources are skipped, because queries must be known before anything is sent, so that they can be shown first.
    for source in world.sources.iter().filter(|source| !source.is_metered()) {
        // The search itself records a source that fails.
        let found = put_alone(source, query.clone(), as_of, NEAREST)
            .await
            .unwrap_or_default();
        titles.extend(
            found
                .hits
                .into_iter()
                .enumerate()
                .map(|(rank, hit)| (rank, hit.work.title)),
        );
    }
    let asked = content_stems(query.topic());
    let mut terms: BTreeMap<String, FeedbackTerm> = BTreeMap::new();
    for (rank, title) in &titles {
        #[expect(clippy::cast_precision_loss, reason = "a rank below twenty")]
        let weight = 1.0 / (5.0 + *rank as f64);
        for (key, printed) in terms_of(title) {
            let fresh = key.split(' ').all(|stem| !asked.contains(stem));
            if fresh && !printed.split([' ', '-']).any(coined) {
                let term = terms.entry(key).or_insert_with(|| FeedbackTerm {
                    printed: printed.clone(),
                    weight: 0.0,
                    works: 0,
                });
                term.weight += weight;
                term.works += 1;
            }
        }
    }
    let mut ranked: Vec<(f64, String, String)> = terms
        .into_iter()
        .filter(|(_, term)| term.works >= LEAST_WORKS)
        .map(|(key, term)| (term.weight, rarity(&term.printed, world), key, term.printed))
        // A word of a whole discipline is not specific to this topic.
        .filter(|(_, rarity, _, _)| *rarity >= LEAST_RARITY)
        .map(|(weight, rarity, key, printed)| (weight * rarity, key, printed))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut chosen = Vec::new();
    for (_, key, printed) in ranked {
        if key.split(' ').all(|stem| !seen.contains(stem)) {
            seen.extend(key.split(' ').map(str::to_owned));
            chosen.push(printed.to_lowercase());
        }
    }
    chosen.truncate(6);
    chosen
}

struct FeedbackTerm {
    printed: String,
    weight: f64,
    works: usize,
}

/// Words and key phrases of a title, keyed by their stems.
fn terms_of(title: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for word in words(title, 0)
        .iter()
        .filter(|word| word.is_content() && !is_generic(&word.lower) && !is_evaluative(&word.lower))
    {
        if word.text.chars().count() > 2 && !word.text.contains(|c: char| c.is_ascii_digit()) {
            found.insert(stem(&word.lower), word.text.clone());
        }
    }
    for phrase in key_phrases(&[(title, 1.0)], &|_| false) {
        if (2..=3).contains(&phrase.stems.len()) {
            found.insert(phrase.stems.join(" "), phrase.text);
        }
    }
    found
}

/// How distinctive a term is, by the share of all papers that contain it; 0.5 if no source reports it.
fn rarity(term: &str, world: &World) -> f64 {
    let mut works = 0;
    let mut naming = 0;
    for source in &world.sources {
        if let (Some(held), Some(frequency)) = (source.holdings().works, source.document_frequency(term)) {
            works += held;
            naming += frequency;
        }
    }
    if works == 0 {
        return 0.5;
    }
    #[expect(clippy::cast_precision_loss, reason = "works of a corpus, far below 2^52")]
    let rarity = ((works as f64 + 1.0) / (naming as f64 + 1.0)).ln() / (works as f64 + 1.0).ln();
    rarity.clamp(0.0, 1.0)
}
