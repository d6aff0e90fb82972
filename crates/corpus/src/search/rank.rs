use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use precedent_domain::{Span, Work, WorkId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tantivy::Term;

use super::filter::Filter;
use super::frequency::{body_frequency, text_frequency};
use super::scorer::{Lengths, accumulate, idf};
use super::{Found, Ranking, RankingFeatures, SearchOptions, hybrid};
use crate::CorpusError;
use crate::analysis::terms;
use crate::store::{Fields, Segment, Snapshot};

/// Maximum bytes of a query that are read; the rest of a longer one adds little.
const MOST_QUERY_BYTES: usize = 256 * 1024;
/// Maximum number of distinct query terms: those with the highest weights.
const MOST_TERMS: usize = 192;

/// One query term with its weights.
pub(super) struct Weighted {
    pub(super) term: String,
    pub(super) text: f32,
    body: f32,
}

/// A candidate.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) score: f32,
    pub(super) segment: usize,
    pub(super) doc: u32,
    /// The passage with the best score, if any.
    passage: Option<u32>,
}

/// The works that a query finds, best first.
pub(crate) fn search(
    snapshot: &Snapshot,
    fields: &Fields,
    query: &str,
    options: &SearchOptions,
) -> Result<Vec<Found>, CorpusError> {
    ranked(snapshot, fields, query, options)?
        .into_iter()
        .map(|(place, id)| {
            let IdAndTitle { id, title } = id_and_title(snapshot, fields, place, &id)?;
            Ok(found(snapshot, place, id, title))
        })
        .collect()
}

/// Like [`search`], with the whole works.
pub(crate) fn search_works(
    snapshot: &Snapshot,
    fields: &Fields,
    query: &str,
    options: &SearchOptions,
) -> Result<Vec<(Found, Work)>, CorpusError> {
    ranked(snapshot, fields, query, options)?
        .into_iter()
        .map(|(place, id)| {
            let work: Work = stored(snapshot, fields, place, &id)?;
            Ok((found(snapshot, place, work.id.clone(), work.title.clone()), work))
        })
        .collect()
}

/// Ranking features of the best results by words and vectors, in that order. Empty if the corpus has no vectors for the query.
pub(crate) fn ranking_features(
    snapshot: &Snapshot,
    fields: &Fields,
    query: &str,
    options: &SearchOptions,
) -> Result<Vec<RankingFeatures>, CorpusError> {
    let (counts, weighted, mut scored) = score_by_words(snapshot, fields, query, options)?;
    let words: Vec<Vec<f32>> = scored.iter().map(|one| one.scores.clone()).collect();
    let Some(unit) = hybrid::blend(snapshot, &counts, &weighted, &mut scored, options.exact)? else {
        return Ok(Vec::new());
    };
    best(snapshot, &scored, hybrid::TITLES)?
        .into_iter()
        .map(|(place, id)| {
            let IdAndTitle { id, title } = id_and_title(snapshot, fields, place, &id)?;
            let (title_share, title_length) = hybrid::title_features(&title, &counts);
            let words = words.get(place.segment).and_then(|words| words.get(place.doc as usize));
            let words = words.copied().unwrap_or_default() / unit;
            Ok(RankingFeatures {
                id,
                words,
                similarity: (place.score / unit - words) / hybrid::SIMILARITY,
                title_share,
                title_length,
            })
        })
        .collect()
}

fn ranked(
    snapshot: &Snapshot,
    fields: &Fields,
    query: &str,
    options: &SearchOptions,
) -> Result<Vec<(Place, String)>, CorpusError> {
    let limit = options.limit.min(usize::try_from(snapshot.works).unwrap_or(usize::MAX));
    if limit == 0 {
        return Ok(Vec::new());
    }
    let (counts, weighted, mut scored) = score_by_words(snapshot, fields, query, options)?;
    let unit = match options.ranking {
        Ranking::Hybrid => hybrid::blend(snapshot, &counts, &weighted, &mut scored, options.exact)?,
        Ranking::Words => None,
    };
    let Some(unit) = unit else {
        return best(snapshot, &scored, limit);
    };
    let mut found = best(snapshot, &scored, limit.max(hybrid::TITLES))?;
    let title = |place, id: &str| Ok(id_and_title(snapshot, fields, place, id)?.title);
    hybrid::add_titles(&counts, unit, &mut found, title)?;
    found.truncate(limit);
    Ok(found)
}

/// A query's terms with their counts, the same with their weights, and the scores by BM25.
type WordScores<'a> = (BTreeMap<String, u32>, Vec<Weighted>, Vec<Scored<'a>>);

fn score_by_words<'a>(
    snapshot: &'a Snapshot,
    fields: &Fields,
    query: &str,
    options: &SearchOptions,
) -> Result<WordScores<'a>, CorpusError> {
    let with_passages = options.passages && snapshot.passages > 0;
    let counts = counts(query);
    let weighted = weigh(snapshot, fields, &counts, with_passages)?;
    let excluded: FxHashSet<&str> = options.exclude.iter().map(WorkId::as_str).collect();
    let scored: Vec<Scored<'a>> = snapshot
        .segments
        .par_iter()
        .map(|segment| {
            let mut scores =
                score(snapshot, segment, fields, &weighted, with_passages).map_err(CorpusError::index("search"))?;
            let lifted = if with_passages {
                lift(segment, &mut scores)
            } else {
                FxHashMap::default()
            };
            Ok(Scored {
                scores,
                lifted,
                filter: Filter::new(segment, fields, options, &excluded)?,
            })
        })
        .collect::<Result<_, CorpusError>>()?;
    Ok((counts, weighted, scored))
}

/// The index documents of one segment during ranking.
pub(super) struct Scored<'a> {
    /// Scores by index document; results are above 0.
    pub(super) scores: Vec<f32>,
    /// The passages that determined the scores of works.
    lifted: FxHashMap<u32, u32>,
    filter: Filter<'a>,
}

/// The `limit` best works that pass the filters, best first, ties by id.
pub(super) fn best(
    snapshot: &Snapshot,
    scored: &[Scored<'_>],
    limit: usize,
) -> Result<Vec<(Place, String)>, CorpusError> {
    let mut best: BinaryHeap<Lowest> = BinaryHeap::new();
    let mut places = Vec::new();
    for (number, segment) in scored.iter().enumerate() {
        for (doc, &score) in (0..).zip(&segment.scores) {
            let floor = if best.len() < limit {
                0.0
            } else {
                best.peek().map_or(0.0, |lowest| lowest.0)
            };
            // A score equal to the floor stays, because ties are broken by id later.
            if score <= 0.0 || score < floor || !segment.filter.admits(doc) {
                continue;
            }
            places.push(Place {
                score,
                segment: number,
                doc,
                passage: segment.lifted.get(&doc).copied(),
            });
            best.push(Lowest(score));
            if best.len() > limit {
                best.pop();
            }
        }
    }
    let floor = best.peek().map_or(0.0, |lowest| lowest.0);
    places.retain(|place| place.score >= floor);
    let mut ranked = with_ids(snapshot, &places)?;
    ranked.sort_by(best_first);
    ranked.truncate(limit);
    Ok(ranked)
}

/// Order of results: best first, ties by id.
pub(super) fn best_first((a, a_id): &(Place, String), (b, b_id): &(Place, String)) -> Ordering {
    b.score.total_cmp(&a.score).then_with(|| a_id.cmp(b_id))
}

/// The index documents of at least the `wanted` highest scores, by segment and in ascending order. Includes all scores down to the lowest bucket
/// (about 1 % wide) that is needed.
pub(super) fn leaders(scored: &[Scored<'_>], wanted: usize) -> Vec<Vec<u32>> {
    // The upper bits of a positive float increase with its value.
    let step = |score: f32| (score.to_bits() >> STEP_BITS) as usize;
    let mut steps = vec![0_u32; step(f32::INFINITY) + 1];
    for segment in scored {
        for (doc, &score) in (0..).zip(&segment.scores) {
            if score > 0.0
                && segment.filter.admits(doc)
                && let Some(count) = steps.get_mut(step(score))
            {
                *count += 1;
            }
        }
    }
    let mut held = 0;
    let floor = (0..steps.len()).rev().find(|&at| {
        held += steps.get(at).map_or(0, |&count| count as usize);
        held >= wanted
    });
    let floor = floor.unwrap_or_default();
    let of = |segment: &Scored<'_>| {
        let numbered = (0..).zip(&segment.scores);
        numbered
            .filter(|&(doc, &score)| score > 0.0 && step(score) >= floor && segment.filter.admits(doc))
            .map(|(doc, _)| doc)
            .collect()
    };
    scored.iter().map(of).collect()
}

/// Low bits of a score that make less than 1 % of it.
const STEP_BITS: u32 = 16;

/// A score in a heap with the lowest on top.
struct Lowest(f32);

impl PartialEq for Lowest {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Lowest {}
impl PartialOrd for Lowest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Lowest {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0)
    }
}

/// Count of each term in the query.
fn counts(query: &str) -> BTreeMap<String, u32> {
    let end = query.floor_char_boundary(MOST_QUERY_BYTES);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for term in terms(query.get(..end).unwrap_or_default()) {
        *counts.entry(term).or_default() += 1;
    }
    counts
}

/// The terms of the query with their weights, in an order that depends only on the terms.
fn weigh(
    snapshot: &Snapshot,
    fields: &Fields,
    counts: &BTreeMap<String, u32>,
    with_passages: bool,
) -> Result<Vec<Weighted>, CorpusError> {
    let mut weighted = Vec::with_capacity(counts.len());
    for (term, &count) in counts {
        let in_text = text_frequency(snapshot, fields, term)?;
        let in_body = if with_passages {
            body_frequency(snapshot, fields.body, term).map_err(CorpusError::index("read"))?
        } else {
            0
        };
        if in_text + in_body == 0 {
            continue;
        }
        let count = count as f32;
        weighted.push(Weighted {
            text: count * idf(in_text, snapshot.works),
            body: count * idf(in_text + in_body, snapshot.works + snapshot.passages),
            term: term.clone(),
        });
    }
    weighted.sort_by(|a, b| b.text.total_cmp(&a.text).then_with(|| a.term.cmp(&b.term)));
    weighted.truncate(MOST_TERMS);
    Ok(weighted)
}

/// Scores of all index documents of a segment.
fn score(
    snapshot: &Snapshot,
    segment: &Segment,
    fields: &Fields,
    weighted: &[Weighted],
    with_passages: bool,
) -> tantivy::Result<Vec<f32>> {
    let mut scores = vec![0.0; segment.reader.max_doc() as usize];
    let average = |terms: u64, units: u64| terms as f32 / units.max(1) as f32;
    let text_lengths = Lengths::new(average(snapshot.text_terms, snapshot.works));
    let body_lengths = Lengths::new(average(snapshot.body_terms, snapshot.passages));
    for one in weighted {
        let term = Term::from_field_text(fields.text, &one.term);
        accumulate(
            &segment.text,
            &term,
            one.text,
            &segment.text_lengths,
            &text_lengths,
            &mut scores,
        )?;
        if with_passages && segment.passages > 0 {
            let term = Term::from_field_text(fields.body, &one.term);
            accumulate(
                &segment.body,
                &term,
                one.body,
                &segment.body_lengths,
                &body_lengths,
                &mut scores,
            )?;
        }
    }
    Ok(scores)
}

/// Gives each work the score of its best unit, and returns the passages that were best.
fn lift(segment: &Segment, scores: &mut [f32]) -> FxHashMap<u32, u32> {
    let mut lifted = FxHashMap::default();
    if segment.passages == 0 {
        return lifted;
    }
    for doc in 0..segment.reader.max_doc() {
        let nth = segment.nth.get_val(doc);
        if nth < 2 {
            continue;
        }
        let Some(head) = u32::try_from(nth).ok().and_then(|nth| doc.checked_sub(nth)) else {
            continue;
        };
        let score = scores.get(doc as usize).copied().unwrap_or(0.0);
        if let Some(of_work) = scores.get_mut(head as usize)
            && score > *of_work
        {
            *of_work = score;
            lifted.insert(head, doc);
        }
    }
    lifted
}

/// Adds the id to each candidate. Ids are read per segment in dictionary order, which takes one pass for any number of candidates.
fn with_ids(snapshot: &Snapshot, places: &[Place]) -> Result<Vec<(Place, String)>, CorpusError> {
    let mut named = Vec::with_capacity(places.len());
    for (number, segment) in snapshot.segments.iter().enumerate() {
        if let Some(heads) = &segment.heads {
            named.extend(
                places
                    .iter()
                    .filter(|place| place.segment == number)
                    .filter_map(|&place| Some((place, heads.get(place.doc)?.0.to_owned()))),
            );
            continue;
        }
        let Some(ids) = &segment.ids else { continue };
        let mut here: Vec<(u64, Place)> = places
            .iter()
            .filter(|place| place.segment == number)
            .filter_map(|&place| Some((ids.ords().first(place.doc)?, place)))
            .collect();
        here.sort_by_key(|&(ord, _)| ord);
        let ords: Vec<u64> = here.iter().map(|&(ord, _)| ord).collect();
        let mut places = here.into_iter().map(|(_, place)| place);
        ids.dictionary()
            .sorted_ords_to_term_cb(&ords, |id| {
                named.extend(
                    places
                        .next()
                        .map(|place| (place, String::from_utf8_lossy(id).into_owned())),
                );
            })
            .map_err(CorpusError::index("read"))?;
    }
    Ok(named)
}

/// The stored fields that a result shows.
#[derive(Deserialize)]
struct IdAndTitle {
    id: WorkId,
    title: String,
}

/// Id and title of a candidate, without reading the stored work if the segment has a file of them.
fn id_and_title(snapshot: &Snapshot, fields: &Fields, place: Place, id: &str) -> Result<IdAndTitle, CorpusError> {
    let heads = snapshot.segments.get(place.segment).and_then(|one| one.heads.as_ref());
    let at_hand = heads
        .and_then(|heads| heads.get(place.doc))
        .and_then(|(id, title)| Some((id.parse::<WorkId>().ok()?, title.to_owned())));
    match at_hand {
        Some((id, title)) => Ok(IdAndTitle { id, title }),
        None => stored(snapshot, fields, place, id),
    }
}

/// The stored work of a candidate.
fn stored<T: DeserializeOwned>(snapshot: &Snapshot, fields: &Fields, place: Place, id: &str) -> Result<T, CorpusError> {
    let segment = snapshot.segments.get(place.segment);
    let bytes = segment.map_or_else(|| Ok(Vec::new()), |segment| segment.stored(place.doc, fields.work))?;
    serde_json::from_slice(&bytes).map_err(|source| CorpusError::Stored {
        id: id.to_owned(),
        source,
    })
}

fn found(snapshot: &Snapshot, place: Place, id: WorkId, title: String) -> Found {
    let segment = snapshot.segments.get(place.segment);
    Found {
        id,
        score: f64::from(place.score),
        title,
        year: segment.and_then(|segment| segment.year(place.doc)),
        passage: segment.zip(place.passage).and_then(|(segment, doc)| {
            let start = usize::try_from(segment.start.get_val(doc)).ok()?;
            let end = usize::try_from(segment.end.get_val(doc)).ok()?;
            Some(Span::new(start, end))
        }),
    }
}
