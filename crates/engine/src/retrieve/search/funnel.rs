//! From results to candidates: relevance flag, duplicates, the paper itself, date, limit, merge.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::try_join_all;
use precedent_domain::{
    AsOf, FunnelScope, Hit, Query, ReferenceList, Relevance, Scope, ScopeRank, SetAside, SetAsideReason, Timing, Work,
    WorkId,
};
use precedent_sources::{MergedHit, fuse, merge_with_later};

use super::model::ToJudge;
use super::own_text::OwnText;
use super::self_matcher::SelfMatcher;
use super::timing::{add_identifier_dates, doubt_date, timing, timing_if_cited};
use super::{model, topic_verdicts};
use crate::{Result, World};

/// Maximum number of papers kept for the core task and for a contribution (OpenNovelty, 2.2).
const CORE_TOP: usize = 50;
const CLAIM_TOP: usize = 10;
/// With fewer fully relevant papers than this, the best partly relevant ones are added: up to the limit for a contribution, up to half of it
/// for the core task, because a map of the field needs more than ten papers.
const FEW: usize = 10;
const CORE_FILL: usize = 25;
/// Additional weight of a rank in the results for the paper's own text, relative to a rank in the results for a phrase.
const OWN_TEXT_COUNTS: f64 = 3.0;

/// Context for sorting results.
pub(crate) struct Sorting<'a> {
    pub(crate) itself: &'a SelfMatcher<'a>,
    pub(crate) as_of: Option<&'a AsOf>,
    pub(crate) not_before: Option<u16>,
    pub(crate) cited: &'a ReferenceList<'a>,
    pub(crate) queries: &'a [Query],
    /// Its rankings are among those of the core task.
    pub(crate) own: &'a OwnText,
}

impl Sorting<'_> {
    /// How the date of a work compares with the paper's. What the paper cites is earlier.
    pub(crate) fn timing(&self, work: &Work) -> Timing {
        timing_if_cited(
            timing(work, self.as_of, self.not_before),
            self.cited.certainly_names(work),
        )
    }
}

/// Maximum number of papers kept in `scope`.
pub(crate) fn top_of(scope: Scope) -> usize {
    if scope == Scope::CoreTask { CORE_TOP } else { CLAIM_TOP }
}

/// A paper that was kept.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) work: Work,
    /// Its records as pairs of source and id, sorted.
    pub(crate) members: Vec<(String, WorkId)>,
    pub(crate) timing: Timing,
    /// Empty if it was found only by shared text.
    pub(crate) scopes: Vec<ScopeRank>,
}

/// The result of all scopes.
#[derive(Debug)]
pub(crate) struct Sorted {
    /// By rank for the core task, then for the contributions.
    pub(crate) kept: Vec<Kept>,
    pub(crate) set_aside: Vec<SetAside>,
    pub(crate) scopes: Vec<FunnelScope>,
    /// Number of papers removed by the limit, by scope.
    pub(crate) cut: BTreeMap<Scope, usize>,
}

/// One paper in one scope, before the funnel.
struct FunnelEntry<'m> {
    merged: &'m MergedHit,
    /// Number of results that name it, over all queries.
    hits: usize,
    /// Its records among them: the main record first if present, then the others in order.
    records: Vec<&'m Work>,
    score: f64,
    relevance: Relevance,
    is_self: bool,
    timing: Timing,
}

impl FunnelEntry<'_> {
    fn eligible(&self) -> bool {
        !self.is_self && self.timing != Timing::Later
    }
}

/// Every record found, with the paper it belongs to.
struct FoundRecords<'r> {
    works: &'r [MergedHit],
    /// By source and id.
    known: BTreeMap<(&'r str, &'r WorkId), (usize, &'r Work)>,
}

impl<'r> FoundRecords<'r> {
    fn new(works: &'r [MergedHit], rankings: &'r BTreeMap<Scope, Vec<Vec<Hit>>>) -> Self {
        let mut place: BTreeMap<(&str, &WorkId), usize> = BTreeMap::new();
        for (at, one) in works.iter().enumerate() {
            place.extend(one.members.iter().map(|(source, id)| ((source.as_str(), id), at)));
        }
        let known = rankings.values().flatten().flatten().filter_map(|hit| {
            let key = (hit.source.as_str(), &hit.work.id);
            place.get(&key).map(|at| (key, (*at, &hit.work)))
        });
        Self {
            works,
            known: known.collect(),
        }
    }

    fn of(&self, hit: &Hit) -> Option<(usize, &'r Work)> {
        self.known.get(&(hit.source.as_str(), &hit.work.id)).copied()
    }
}

/// Runs every scope through the funnel and merges the results. The order of rankings within a scope does not matter. Records of one paper
/// are merged before its date is judged. Records in `later` are used only for dates.
pub(crate) async fn sort(
    rankings: &BTreeMap<Scope, Vec<Vec<Hit>>>,
    later: &[Hit],
    sorting: &Sorting<'_>,
    world: &World,
) -> Result<Sorted> {
    let everything: Vec<Vec<Hit>> = rankings.values().flatten().cloned().collect();
    let mut works = merge_with_later(fuse(&everything), later);
    for one in &mut works {
        main_record(&mut one.work);
        add_identifier_dates(&mut one.work, sorting.as_of);
        if !sorting.cited.certainly_names(&one.work) {
            doubt_date(&mut one.work, sorting.as_of, sorting.not_before);
        }
    }
    let records = FoundRecords::new(&works, rankings);
    let mut kept: BTreeMap<usize, Kept> = BTreeMap::new();
    let mut order: Vec<usize> = Vec::new();
    let mut aside = ExcludedRecords::default();
    let mut counts = Vec::new();
    let mut cut = BTreeMap::new();
    let scopes: BTreeSet<Scope> = sorting.queries.iter().map(|query| query.scope).collect();
    let none = Vec::new();
    let ranked = |scope: &Scope| rankings.get(scope).unwrap_or(&none);
    // Scopes are independent, so all of them are judged concurrently.
    let judged = scopes
        .iter()
        .map(|scope| entries(*scope, ranked(scope), &records, sorting, world));
    let judged = try_join_all(judged).await?;
    for (scope, entries) in scopes.into_iter().zip(judged) {
        let scope_rankings = ranked(&scope);
        let step = one_scope(scope, scope_rankings, &entries);
        aside.take(scope, &step);
        for (rank, (at, entry, filled_up)) in (1..).zip(&step.top) {
            let one = kept.entry(*at).or_insert_with(|| {
                order.push(*at);
                Kept {
                    work: entry.merged.work.clone(),
                    members: entry.merged.members.clone(),
                    timing: entry.timing,
                    scopes: Vec::new(),
                }
            });
            one.scopes.push(ScopeRank {
                scope,
                rank,
                relevance: entry.relevance,
                filled_up: *filled_up,
            });
        }
        cut.insert(scope, step.counts.after_date - step.counts.after_top);
        counts.push(step.counts);
    }
    Ok(Sorted {
        kept: order.iter().filter_map(|at| kept.remove(at)).collect(),
        set_aside: aside.listed(),
        scopes: counts,
        cut,
    })
}

/// The result of one scope's funnel.
struct FunnelStep<'e, 'm> {
    counts: FunnelScope,
    /// Entries that passed the relevance flag, before any were excluded.
    passed: Vec<(usize, &'e FunnelEntry<'m>)>,
    top: Vec<(usize, &'e FunnelEntry<'m>, bool)>,
}

fn one_scope<'e, 'm>(
    scope: Scope,
    rankings: &[Vec<Hit>],
    entries: &'e [(usize, FunnelEntry<'m>)],
) -> FunnelStep<'e, 'm> {
    let mut left: Vec<(usize, &FunnelEntry<'_>, bool)> = entries
        .iter()
        .filter(|(_, entry)| entry.relevance == Relevance::Perfect)
        .map(|(at, entry)| (*at, entry, false))
        .collect();
    let perfect = left.iter().filter(|(_, entry, _)| entry.eligible()).count();
    let fill_to = if scope == Scope::CoreTask { CORE_FILL } else { CLAIM_TOP };
    let mut wanted = if perfect < FEW { fill_to - perfect } else { 0 };
    for (at, entry) in entries
        .iter()
        .filter(|(_, entry)| entry.relevance == Relevance::Partial)
    {
        if wanted == 0 {
            break;
        }
        left.push((*at, entry, true));
        wanted -= usize::from(entry.eligible());
    }
    let passed: Vec<(usize, &FunnelEntry<'_>)> = left.iter().map(|(at, entry, _)| (*at, *entry)).collect();
    let sum = |of: &dyn Fn(&FunnelEntry<'_>) -> usize| passed.iter().map(|(_, entry)| of(entry)).sum();
    let (after_flag, distinct) = (sum(&|entry| entry.hits), sum(&|entry| entry.records.len()));
    left.retain(|(_, entry, _)| !entry.is_self);
    let after_self = left.len();
    left.retain(|(_, entry, _)| entry.timing != Timing::Later);
    let after_date = left.len();
    left.truncate(top_of(scope));
    FunnelStep {
        counts: FunnelScope {
            scope,
            raw: rankings.iter().map(Vec::len).sum(),
            after_flag,
            distinct,
            after_dedup: passed.len(),
            after_self,
            after_date,
            after_top: left.len(),
        },
        passed,
        top: left,
    }
}

/// Excluded records, each once with every scope that it was excluded from.
#[derive(Default)]
struct ExcludedRecords {
    /// By reason, id and title, since two sources may use one id for different works.
    listed: BTreeMap<(SetAsideReason, WorkId, String), SetAside>,
}

impl ExcludedRecords {
    fn take(&mut self, scope: Scope, step: &FunnelStep<'_, '_>) {
        for (_, entry) in &step.passed {
            let work = &entry.merged.work;
            if entry.is_self {
                self.put(scope, work, SetAsideReason::SameWork, None);
            } else if entry.timing == Timing::Later {
                self.put(scope, work, SetAsideReason::Later, None);
            }
            for record in entry.records.iter().skip(1) {
                self.put(scope, record, SetAsideReason::Duplicate, Some(&work.id));
            }
        }
    }

    fn put(&mut self, scope: Scope, record: &Work, reason: SetAsideReason, of: Option<&WorkId>) {
        let key = (reason, record.id.clone(), record.title.clone());
        let one = self.listed.entry(key).or_insert_with(|| SetAside {
            id: record.id.clone(),
            title: record.title.clone(),
            date: record.earliest().cloned(),
            reason,
            url: record.url.clone(),
            scopes: Vec::new(),
            duplicate_of: of.cloned(),
        });
        one.scopes.push(scope);
    }

    /// By reason, then id.
    fn listed(self) -> Vec<SetAside> {
        self.listed.into_values().collect()
    }
}

/// The papers of a scope, fully relevant ones first, each group by fused score: by relevance only, never by citations or venue.
async fn entries<'m>(
    scope: Scope,
    rankings: &[Vec<Hit>],
    records: &FoundRecords<'m>,
    sorting: &Sorting<'_>,
    world: &World,
) -> Result<Vec<(usize, FunnelEntry<'m>)>> {
    let mut hits: BTreeMap<usize, (usize, BTreeMap<&WorkId, &Work>)> = BTreeMap::new();
    for (at, record) in rankings.iter().flatten().filter_map(|hit| records.of(hit)) {
        let (count, found) = hits.entry(at).or_default();
        *count += 1;
        found.insert(&record.id, record);
    }
    let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
    for fused in fuse(rankings) {
        if let Some((at, _)) = records.of(&fused.hit) {
            *scores.entry(at).or_default() += fused.score;
        }
    }
    if scope == Scope::CoreTask {
        for fused in fuse(&sorting.own.rankings) {
            if let Some((at, _)) = records.of(&fused.hit) {
                *scores.entry(at).or_default() += OWN_TEXT_COUNTS * fused.score;
            }
        }
    }
    let scope_queries: Vec<Query> = sorting
        .queries
        .iter()
        .filter(|query| query.scope == scope)
        .cloned()
        .collect();
    let numbers: Vec<usize> = scores.keys().copied().collect();
    let judged: Vec<&Work> = numbers
        .iter()
        .filter_map(|at| records.works.get(*at))
        .map(|one| &one.work)
        .collect();
    let is_near = |at: &usize| {
        let merged = records.works.get(*at);
        scope == Scope::CoreTask && merged.is_some_and(|merged| sorting.own.is_near(merged))
    };
    // Similarity to the paper as a whole makes a paper fully relevant, whatever words it shares with a phrase. What a model says takes precedence,
    // because it has read the record.
    let verdicts = topic_verdicts(&scope_queries, &judged);
    let graded: Vec<Relevance> = numbers
        .iter()
        .zip(verdicts)
        .map(|(at, verdicts)| match is_near(at) {
            true => Relevance::Perfect,
            false => Relevance::from_verdicts(&verdicts),
        })
        .collect();
    let mut entries: Vec<(usize, FunnelEntry<'m>)> = numbers
        .into_iter()
        .zip(graded)
        .filter_map(|(at, relevance)| {
            let merged = records.works.get(at)?;
            let (hits, found) = hits.remove(&at).unwrap_or_default();
            let mut found: Vec<&Work> = found.into_values().collect();
            found.sort_by_key(|record| record.id != merged.work.id);
            let entry = FunnelEntry {
                merged,
                hits,
                records: found,
                score: scores.get(&at).copied().unwrap_or_default(),
                relevance,
                is_self: sorting.itself.is(&merged.work),
                timing: sorting.timing(&merged.work),
            };
            Some((at, entry))
        })
        .collect();
    best_first(&mut entries);
    if let Some(model) = &world.model {
        let relevant = entries.iter().filter(|(_, entry)| entry.relevance != Relevance::No);
        let works: Vec<ToJudge<'_>> = relevant
            .map(|(_, entry)| ToJudge {
                work: &entry.merged.work,
                eligible: entry.eligible(),
            })
            .collect();
        let judged = model::judge_relevance(model, &scope_queries, &works, top_of(scope)).await?;
        // Relevant entries come first, so both have the same indexes.
        for (at, relevance) in judged {
            if let Some((_, entry)) = entries.get_mut(at) {
                entry.relevance = relevance;
            }
        }
        best_first(&mut entries);
    }
    Ok(entries)
}

/// By relevance, then by score.
fn best_first(entries: &mut [(usize, FunnelEntry<'_>)]) {
    let grade = |relevance: Relevance| match relevance {
        Relevance::Perfect => 0,
        Relevance::Partial => 1,
        Relevance::No => 2,
    };
    entries.sort_by(|(_, a), (_, b)| {
        let by_flag = grade(a.relevance).cmp(&grade(b.relevance));
        by_flag
            .then(b.score.total_cmp(&a.score))
            .then_with(|| a.merged.work.id.cmp(&b.merged.work.id))
    });
}

/// Puts the id of the highest-ranking identifier first: DOI, arXiv, OpenReview, then title.
fn main_record(work: &mut Work) {
    let rank = |id: &WorkId| {
        let id = id.as_str();
        ["doi:", "arxiv:", "openreview:"]
            .iter()
            .position(|prefix| id.starts_with(prefix))
            .unwrap_or(3)
    };
    let best = work.also.iter().min_by_key(|id| (rank(id), (*id).clone())).cloned();
    if let Some(best) = best.filter(|best| rank(best) < rank(&work.id)) {
        work.also.retain(|id| *id != best);
        work.also.push(std::mem::replace(&mut work.id, best));
        work.also.sort();
    }
}
