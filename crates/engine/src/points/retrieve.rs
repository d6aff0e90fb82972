//! Retrieves the passages of the base that are most similar to each point.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{BasePassage, Gap, PointsReference, QuotableDocument, Quote, SectionKind, Span, Timing, WorkId};
use precedent_matcher::{Claim, Level, PreparedText, rank};
use serde::{Deserialize, Serialize};

use super::base::Base;
use super::material::{PointDraft, Retrieved};
use crate::compare::{ComparisonSet, PriorReading, Sentence, WeightedTerms, matching_passage};
use crate::retrieve::passages::{Answer, Entry, PassageModels, Ranker, passages};

/// Passages kept per query (NoveltyAgent, A.1); at most 42 for six queries.
const A_QUERY: usize = 7;
/// Maximum number of passages printed per point, and per work.
const SHOWN: usize = 7;
const SHOWN_OF_A_WORK: usize = 2;
/// Maximum number from works that are not certainly earlier, if earlier works fill the page.
const SHOWN_APART: usize = 3;
/// Content terms that one or two sentences must share with a point to be shown, or the share of its words by weight.
const TERMS: usize = 2;
pub(crate) const ENOUGH: f64 = 0.3;
/// Minimum share of a point's words. A passage with less is not worth reading.
const LEAST: f64 = 0.15;
/// A work hardly related to the paper's topic by [`PriorReading::topic_similarity`] needs a much higher share, because words are shared across fields.
const FAR: f64 = 0.2;
const LEAST_FAR: f64 = 0.4;
/// Minimum gain in share from a second sentence, and maximum words of a quote.
const SECOND: f64 = 0.08;
const QUOTE_WORDS: usize = 90;
/// Weights in the ranking of passages: the point's own words, the queries, and the similarity of the whole works.
const BY_WORDS: f64 = 0.5;
const BY_QUERIES: f64 = 0.25;
const BY_TOPIC: f64 = 0.25;

/// The passages found for all points. Works are numbered by their position in the base.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) works: Vec<PointsReference>,
    pub(super) passages: Vec<BasePassage>,
    pub(super) points: Vec<Vec<Retrieved>>,
    /// For each point, the earlier works that contain its claim nearly word for word.
    pub(super) word_for_word: Vec<BTreeSet<WorkId>>,
    /// Number of passages of each work.
    pub(super) counts: Vec<usize>,
    /// Why models that rank passages were not used.
    pub(super) failed: Vec<Gap>,
    /// Names of the embedder and the reranker, if they did not fail.
    pub(super) ordered_by: (Option<String>, Option<String>),
}

/// Searches the passages of all works with every point's queries. `set` contains the base.
pub(super) fn retrieve(
    points: &[PointDraft],
    base: &Base,
    texts: &[QuotableDocument],
    set: &ComparisonSet<'_>,
    models: PassageModels,
) -> Found {
    let spans: Vec<Vec<Span>> = texts.iter().map(passages).collect();
    let places: Vec<(usize, Span)> = spans
        .iter()
        .enumerate()
        .flat_map(|(work, spans)| spans.iter().map(move |span| (work, *span)))
        .collect();
    let entries: Vec<Entry<'_>> = places
        .iter()
        .filter_map(|(work, span)| {
            Some(Entry {
                title: &base.candidates.get(*work)?.work.title,
                text: texts.get(*work)?.document().slice(*span)?,
            })
        })
        .collect();
    let mut ranker = Ranker::new(entries, models);
    let mut found = Found {
        works: works(base),
        counts: spans.iter().map(Vec::len).collect(),
        ..Found::default()
    };
    let mut numbers: BTreeMap<usize, u32> = BTreeMap::new();
    let prepared: Vec<&PreparedText> = set.priors().iter().map(|prior| &prior.prepared).collect();
    for point in points {
        let sought = sought(point, set);
        let ranked = rank(&Claim::new(point.claim.text()), &prepared);
        let mut retrieved: Vec<RankedPassage> = Vec::new();
        for (answer, queries) in answers(point, &mut ranker) {
            let (Some((work, span)), Some(number)) = (places.get(answer.at), number_of(answer.at, &mut numbers)) else {
                continue;
            };
            let at = base.candidates.get(*work).and_then(|one| {
                let mut priors = set.priors().iter();
                priors.position(|prior| prior.candidate.number == one.number)
            });
            let prior = at.and_then(|at| set.priors().get(at));
            let matched = ranked.iter().find(|one| Some(one.index) == at);
            let assessable = matched.filter(|one| one.level != Level::NotAssessable);
            let (shared, nearest) = prior.map_or((0.0, None), |prior| nearest(prior, *span, &sought));
            let topic_similarity = prior.map_or(0.0, |prior| prior.topic_similarity);
            let order = BY_WORDS * shared + BY_QUERIES * answer.score + BY_TOPIC * topic_similarity;
            let candidate = base.candidates.get(*work);
            retrieved.push(RankedPassage {
                apart: candidate.is_none_or(|one| one.timing != Timing::Earlier),
                order,
                work: *work,
                passage: Retrieved {
                    passage: number,
                    score: thousandth(answer.score),
                    by_words: thousandth(answer.by_words),
                    by_vectors: thousandth(answer.by_vectors),
                    queries,
                    shared: thousandth(shared),
                    nearest: nearest.filter(|_| shared >= if topic_similarity < FAR { LEAST_FAR } else { LEAST }),
                    shown: false,
                    probability: assessable.map(|one| thousandth(one.probability)),
                    similar: matched.is_some_and(|one| one.level == Level::Similar),
                },
            });
        }
        // Works that are not certainly earlier are not prior art, so they come last.
        retrieved.sort_by(|a, b| {
            let by_order = b.order.total_cmp(&a.order);
            let by_date = a.apart.cmp(&b.apart);
            by_date.then(by_order).then(a.passage.passage.cmp(&b.passage.passage))
        });
        found.word_for_word.push(word_for_word(point, &retrieved, base, set));
        found.points.push(shown(retrieved));
    }
    found.ordered_by = ranker.names();
    found.failed = ranker.failed;
    let mut numbered: Vec<(u32, usize)> = numbers.into_iter().map(|(at, number)| (number, at)).collect();
    numbered.sort_unstable();
    for (number, at) in numbered {
        let cut = places.get(at).and_then(|(work, span)| {
            let text = Quote::at(texts.get(*work)?.document(), *span)?;
            Some((base.candidates.get(*work)?.number, text))
        });
        if let Some((reference, text)) = cut {
            found.passages.push(BasePassage {
                number,
                reference,
                text,
            });
        }
    }
    found
}

/// The earlier retrieved works that contain the point's claim nearly word for word.
fn word_for_word(
    point: &PointDraft,
    retrieved: &[RankedPassage],
    base: &Base,
    set: &ComparisonSet<'_>,
) -> BTreeSet<WorkId> {
    let works: BTreeSet<usize> = retrieved.iter().filter(|one| !one.apart).map(|one| one.work).collect();
    let earlier = works.into_iter().filter_map(|at| base.candidates.get(at));
    let found = earlier.filter(|one| {
        let prior = set.priors().iter().find(|prior| prior.candidate.number == one.number);
        let passage = prior.and_then(|prior| matching_passage(set, &point.claim, prior));
        passage.is_some_and(|passage| passage.literal)
    });
    found.map(|one| one.work.id.clone()).collect()
}

/// The number of a passage, assigned from 1 in order of first use.
fn number_of(at: usize, numbers: &mut BTreeMap<usize, u32>) -> Option<u32> {
    let next = u32::try_from(numbers.len() + 1).ok()?;
    Some(*numbers.entry(at).or_insert(next))
}

/// The point's own words as a weighted query.
pub(super) fn sought(point: &PointDraft, set: &ComparisonSet<'_>) -> WeightedTerms {
    let wordings = std::iter::once(&point.claim).chain(&point.also_stated);
    WeightedTerms::of(wordings.map(Quote::text).chain([point.name.as_str()]), set)
}

/// The best passages of each query. Each passage appears once, with its best answer and all queries that found it. Of passages with the same words,
/// the first in the base is kept.
fn answers(point: &PointDraft, ranker: &mut Ranker<'_>) -> Vec<(Answer, Vec<u8>)> {
    let mut taken: BTreeMap<usize, (Answer, Vec<u8>)> = BTreeMap::new();
    for (number, query) in (1..).zip(&point.queries) {
        for answer in ranker.best(query, A_QUERY) {
            let one = taken.entry(answer.at).or_insert((answer, Vec::new()));
            one.1.push(number);
            if answer.score > one.0.score {
                one.0 = answer;
            }
        }
    }
    let mut words: BTreeMap<&str, ()> = BTreeMap::new();
    taken.retain(|at, _| {
        let entry = ranker.entries().get(*at);
        let text = entry.map(|entry| entry.text.trim()).unwrap_or_default();
        words.insert(text, ()).is_none()
    });
    taken.into_values().collect()
}

/// The sentence, or pair of consecutive sentences, with the largest share of the point's words, and that share.
fn nearest(prior: &PriorReading<'_>, passage: Span, sought: &WeightedTerms) -> (f64, Option<Quote>) {
    let reading = &prior.reading;
    let inside = |span: Span| span.start >= passage.start && span.end <= passage.end;
    let sentences = reading.sentences();
    // The title is printed above the passage anyway.
    let is_title = |one: &Sentence| one.section == SectionKind::FrontMatter;
    let mut best: (f64, Option<Span>) = (0.0, None);
    for (at, sentence) in sentences
        .iter()
        .enumerate()
        .filter(|(_, one)| inside(one.span) && !is_title(one))
    {
        let mut consider = |share: f64, substance: usize, span: Span| {
            if share > best.0 && (substance >= TERMS || share >= ENOUGH) {
                best = (share, Some(span));
            }
        };
        let (share, substance) = sought.found(reading.words(sentence.words.clone()));
        consider(share, substance, sentence.span);
        let next = sentences
            .get(at + 1)
            .filter(|next| next.paragraph == sentence.paragraph && inside(next.span));
        if let Some(next) = next {
            let span = Span::new(sentence.span.start, next.span.end);
            let words = reading
                .document()
                .slice(span)
                .map_or(0, |text| text.split_whitespace().count());
            let (share, substance) = sought.found(reading.words(sentence.words.start..next.words.end));
            if words <= QUOTE_WORDS {
                consider(share - SECOND, substance, span);
            }
        }
    }
    let quote = best.1.and_then(|span| Quote::at(reading.document(), span));
    let share = quote.as_ref().map_or(0.0, |quote| {
        sought.found(words_at(reading, quote.span()).iter().copied()).0
    });
    (share, quote)
}

/// The words of a reading within a span of whole sentences.
fn words_at<'r>(reading: &'r crate::compare::Reading<'_>, span: Span) -> Vec<&'r precedent_language::terms::Word> {
    reading
        .sentences()
        .iter()
        .filter(|one| one.span.start >= span.start && one.span.end <= span.end)
        .flat_map(|one| reading.words(one.words.clone()))
        .collect()
}

/// A passage with its sort keys.
struct RankedPassage {
    /// Whether its work is not certainly earlier than the paper.
    apart: bool,
    order: f64,
    /// Index of the work in the base.
    work: usize,
    passage: Retrieved,
}

/// Marks the passages to print: the most similar ones, at most two per work.
fn shown(retrieved: Vec<RankedPassage>) -> Vec<Retrieved> {
    let mut of_work: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut earlier, mut apart) = (0, 0);
    let mark = |one: RankedPassage| {
        let mut passage = one.passage;
        let count = of_work.entry(one.work).or_default();
        let room = match one.apart {
            false => earlier < SHOWN,
            true => apart < SHOWN_APART.max(SHOWN.saturating_sub(earlier)),
        };
        // What the matcher finds similar is shown, however few words it shares.
        let is_shown = passage.nearest.is_some() && room || passage.similar && *count == 0;
        if is_shown && *count < SHOWN_OF_A_WORK {
            passage.shown = true;
            *(if one.apart { &mut apart } else { &mut earlier }) += 1;
            *count += 1;
        }
        passage
    };
    retrieved.into_iter().map(mark).collect()
}

fn works(base: &Base) -> Vec<PointsReference> {
    let origins = base.origins.iter().cloned();
    base.candidates
        .iter()
        .zip(origins)
        .map(|(one, origins)| PointsReference {
            number: one.number,
            alias: one.alias.clone(),
            work: one.work.clone(),
            timing: one.timing,
            origins,
            found_by: one.found_by.clone(),
            listed: false,
        })
        .collect()
}

fn thousandth(share: f64) -> f64 {
    (share * 1_000.0).round() / 1_000.0
}
