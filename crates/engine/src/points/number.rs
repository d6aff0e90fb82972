//! Numbers works and passages in the order in which the report mentions them.

use std::collections::BTreeMap;

use precedent_domain::{BasePassage, CitedSentence, PointsReference};

use super::material::{PointsJudged, Retrieved};

/// Assigns the final numbers to works and passages. Works that are cited or shown come first and are listed. Of the others, only those with a
/// retrieved passage are kept.
pub(super) fn renumber(
    works: Vec<PointsReference>,
    passages: Vec<BasePassage>,
    found: &mut [Vec<Retrieved>],
    judged: &mut PointsJudged,
) -> (Vec<PointsReference>, Vec<BasePassage>) {
    let of_passage: BTreeMap<u32, u32> = passages.iter().map(|one| (one.number, one.reference)).collect();
    let mut new_works: BTreeMap<u32, u32> = BTreeMap::new();
    let mut new_passages: BTreeMap<u32, u32> = BTreeMap::new();
    let mut name = |passage: u32| {
        let next = u32::try_from(new_passages.len() + 1).unwrap_or(u32::MAX);
        new_passages.entry(passage).or_insert(next);
        if let Some(work) = of_passage.get(&passage) {
            let next = u32::try_from(new_works.len() + 1).unwrap_or(u32::MAX);
            new_works.entry(*work).or_insert(next);
        }
        new_works.len()
    };
    let mut listed = 0;
    let cited = cited_by_point(judged);
    for (at, retrieved) in found.iter().enumerate() {
        for passage in cited.get(at).into_iter().flatten() {
            listed = name(*passage);
        }
        for one in retrieved.iter().filter(|one| one.shown) {
            listed = name(one.passage);
        }
    }
    for one in found.iter().flatten() {
        name(one.passage);
    }
    for one in found.iter_mut().flatten() {
        one.passage = new_passages.get(&one.passage).copied().unwrap_or(one.passage);
    }
    for citation in judged.sentences_mut().flat_map(|sentence| &mut sentence.citations) {
        citation.passage = new_passages.get(&citation.passage).copied().unwrap_or(citation.passage);
        citation.reference = new_works
            .get(&citation.reference)
            .copied()
            .unwrap_or(citation.reference);
    }
    let mut passages: Vec<BasePassage> = passages
        .into_iter()
        .filter_map(|one| {
            Some(BasePassage {
                number: *new_passages.get(&one.number)?,
                reference: *new_works.get(&one.reference)?,
                text: one.text,
            })
        })
        .collect();
    passages.sort_by_key(|one| one.number);
    let mut works: Vec<PointsReference> = works
        .into_iter()
        .filter_map(|one| {
            let number = *new_works.get(&one.number)?;
            let listed = usize::try_from(number).is_ok_and(|number| number <= listed);
            Some(PointsReference { number, listed, ..one })
        })
        .collect();
    works.sort_by_key(|one| one.number);
    (works, passages)
}

/// The passages cited by the sentences of each point, in order.
fn cited_by_point(judged: &PointsJudged) -> Vec<Vec<u32>> {
    let passages = |sentences: &[CitedSentence]| -> Vec<u32> {
        let citations = sentences.iter().flat_map(|one| &one.citations);
        citations.map(|one| one.passage).collect()
    };
    judged
        .analyses
        .iter()
        .map(|analysis| {
            let parts = analysis.iter().flat_map(|one| {
                [
                    passages(&one.claimed),
                    passages(&one.similarities),
                    passages(&one.differences),
                    passages(&one.details),
                ]
            });
            parts.flatten().collect()
        })
        .collect()
}
