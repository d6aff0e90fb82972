//! Suggests searches that were not made: the idea's facets together, and words of the closest papers that the idea does not use.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{Facet, IdeaText, IdeaWork, NextSearch};
use precedent_language::wording::{content_stems, key_phrases};

use super::material::IdeaReading;

/// Maximum suggestions with words of papers.
const MOST: usize = 4;
/// Key phrases of each paper that are compared with those of the others.
const PHRASES: usize = 25;
/// Minimum papers that use a phrase. One paper's phrase is often a name that it coined.
const FEWEST_PAPERS: usize = 2;

/// The suggestions, most promising first.
pub(super) fn next_searches(idea: &IdeaText, works: &[IdeaWork], reading: &IdeaReading) -> Vec<NextSearch> {
    let own = content_stems(&idea.document.text);
    let searched: Vec<BTreeSet<String>> = reading
        .phrases
        .iter()
        .chain(&reading.titles)
        .map(|query| content_stems(query))
        .collect();
    let is_new = |query: &str| {
        let stems = content_stems(query);
        !stems.is_empty() && searched.iter().all(|other| *other != stems)
    };
    let mut suggested = Vec::new();
    let facets: Vec<String> = [Facet::ApplicationDomain, Facet::Mechanism]
        .iter()
        .filter_map(|facet| idea.facets.iter().find(|one| one.facet == *facet))
        .filter_map(|one| key_phrases(&[(one.quote.text(), 1.0)], &|_| false).into_iter().next())
        .map(|phrase| phrase.text)
        .collect();
    if facets.len() == 2 && content_stems(&facets.join(" ")).len() > 2 && is_new(&facets.join(" ")) {
        suggested.push(NextSearch {
            query: facets.join(" "),
            words_of: Vec::new(),
        });
    }
    let mut users: BTreeMap<Vec<String>, (String, Vec<u32>, f64)> = BTreeMap::new();
    for work in works {
        let texts = [
            (work.work.title.as_str(), 2.0),
            (work.work.summary.as_deref().unwrap_or_default(), 1.0),
        ];
        let phrases = key_phrases(&texts, &|_| false).into_iter();
        for phrase in phrases.filter(|phrase| phrase.stems.len() >= 2).take(PHRASES) {
            let entry = users
                .entry(phrase.stems)
                .or_insert_with(|| (phrase.text, Vec::new(), 0.0));
            entry.1.push(work.number);
            entry.2 += phrase.weight;
        }
    }
    let mut foreign: Vec<(String, Vec<u32>, f64)> = users
        .into_iter()
        .filter(|(stems, (text, papers, _))| {
            papers.len() >= FEWEST_PAPERS && stems.iter().any(|stem| !own.contains(stem)) && is_new(text)
        })
        .map(|(_, found)| found)
        .collect();
    foreign.sort_by(|(a_text, a_papers, a), (b_text, b_papers, b)| {
        let by_papers = b_papers.len().cmp(&a_papers.len());
        by_papers.then(b.total_cmp(a)).then(a_text.cmp(b_text))
    });
    suggested.extend(
        foreign
            .into_iter()
            .take(MOST)
            .map(|(query, words_of, _)| NextSearch { query, words_of }),
    );
    suggested
}
