//! From results to candidates: flag, duplicates, the paper itself, date, top, merge.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{
    AsOf, CriterionVerdict, Funnel, FunnelScope, Hit, Query, Relevance, Scope, SetAside, SetAsideReason, Timing, Work,
    WorkId,
};
use precedent_sources::{MergedHit, fuse, merge};

use super::itself::Itself;
use super::timing::timing;
use crate::{Result, World};

/// Most works kept for the core task and for a contribution (OpenNovelty, 2.2).
const CORE_TOP: usize = 50;
const CLAIM_TOP: usize = 10;
/// With fewer perfect works than this, the best partial ones fill up: for a contribution to its top, for the core task to half of it, since
/// a map of the field wants more than ten works.
const FEW: usize = 10;
const CORE_FILL: usize = 25;

/// What is known when results are sorted.
pub(crate) struct Sorting<'a> {
    pub(crate) itself: &'a Itself<'a>,
    pub(crate) as_of: Option<&'a AsOf>,
    pub(crate) not_before: Option<u16>,
    pub(crate) queries: &'a [Query],
}

/// A work that was kept in at least one scope.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) work: Work,
    pub(crate) found_by: Vec<String>,
    pub(crate) timing: Timing,
    pub(crate) scopes: Vec<precedent_domain::ScopeRank>,
}

/// What came out of all scopes.
#[derive(Debug)]
pub(crate) struct Sorted {
    /// By rank for the core task, then by the contributions.
    pub(crate) kept: Vec<Kept>,
    pub(crate) set_aside: Vec<SetAside>,
    pub(crate) funnel: Funnel,
    /// Works cut by the limit, by scope.
    pub(crate) cut: BTreeMap<Scope, usize>,
}

/// One work in one scope, before the funnel.
struct Entry<'m> {
    merged: &'m MergedHit,
    /// Results that name it, all queries counted.
    hits: usize,
    /// Distinct records among them.
    records: usize,
    score: f64,
    relevance: Relevance,
    is_self: bool,
    timing: Timing,
}

impl Entry<'_> {
    fn eligible(&self) -> bool {
        !self.is_self && self.timing != Timing::Later
    }
}

/// Runs every scope through the funnel and merges what is left. The order of rankings within a scope changes nothing.
pub(crate) async fn sort(
    rankings: &BTreeMap<Scope, Vec<Vec<Hit>>>,
    sorting: &Sorting<'_>,
    world: &World,
) -> Result<Sorted> {
    let everything: Vec<Vec<Hit>> = rankings.values().flatten().cloned().collect();
    let mut works = merge(fuse(&everything));
    for one in &mut works {
        main_record(&mut one.work);
    }
    let place: BTreeMap<&WorkId, usize> = works
        .iter()
        .enumerate()
        .flat_map(|(at, one)| {
            std::iter::once(&one.work.id)
                .chain(&one.work.also)
                .map(move |id| (id, at))
        })
        .collect();
    let mut kept: BTreeMap<usize, Kept> = BTreeMap::new();
    let mut order: Vec<usize> = Vec::new();
    let mut aside: BTreeMap<usize, SetAside> = BTreeMap::new();
    let mut funnel = Funnel {
        scopes: Vec::new(),
        merged: 0,
        shared_text: 0,
    };
    let mut cut = BTreeMap::new();
    let scopes: BTreeSet<Scope> = sorting.queries.iter().map(|query| query.scope).collect();
    for scope in scopes {
        let none = Vec::new();
        let scope_rankings = rankings.get(&scope).unwrap_or(&none);
        let entries = entries(scope, scope_rankings, &works, &place, sorting, world).await?;
        let step = one_scope(scope, scope_rankings, &entries);
        for (at, entry, reason) in &step.aside {
            aside
                .entry(*at)
                .or_insert_with(|| set_aside(&entry.merged.work, *reason));
        }
        for (rank, (at, entry, filled_up)) in (1..).zip(&step.top) {
            let one = kept.entry(*at).or_insert_with(|| {
                order.push(*at);
                Kept {
                    work: entry.merged.work.clone(),
                    found_by: entry.merged.found_by.clone(),
                    timing: entry.timing,
                    scopes: Vec::new(),
                }
            });
            one.scopes.push(precedent_domain::ScopeRank {
                scope,
                rank,
                relevance: entry.relevance,
                filled_up: *filled_up,
            });
        }
        cut.insert(scope, step.cut);
        funnel.scopes.push(step.counts);
    }
    let kept: Vec<Kept> = order.iter().filter_map(|at| kept.remove(at)).collect();
    funnel.merged = kept.len();
    let mut set_aside: Vec<SetAside> = aside.into_values().collect();
    set_aside.sort_by(|a, b| a.reason.cmp(&b.reason).then_with(|| a.id.cmp(&b.id)));
    Ok(Sorted {
        kept,
        set_aside,
        funnel,
        cut,
    })
}

/// What one scope's funnel gives.
struct Step<'e, 'm> {
    counts: FunnelScope,
    top: Vec<(usize, &'e Entry<'m>, bool)>,
    aside: Vec<(usize, &'e Entry<'m>, SetAsideReason)>,
    cut: usize,
}

fn one_scope<'e, 'm>(scope: Scope, rankings: &[Vec<Hit>], entries: &'e [(usize, Entry<'m>)]) -> Step<'e, 'm> {
    let mut passed: Vec<(usize, &Entry<'_>, bool)> = entries
        .iter()
        .filter(|(_, entry)| entry.relevance == Relevance::Perfect)
        .map(|(at, entry)| (*at, entry, false))
        .collect();
    let perfect = passed.iter().filter(|(_, entry, _)| entry.eligible()).count();
    let fill_to = if scope == Scope::CoreTask { CORE_FILL } else { CLAIM_TOP };
    let mut left = if perfect < FEW { fill_to - perfect } else { 0 };
    for (at, entry) in entries
        .iter()
        .filter(|(_, entry)| entry.relevance == Relevance::Partial)
    {
        if left == 0 {
            break;
        }
        passed.push((*at, entry, true));
        left -= usize::from(entry.eligible());
    }
    let raw = rankings.iter().map(Vec::len).sum();
    let after_flag = passed.iter().map(|(_, entry, _)| entry.hits).sum();
    let after_dedup = passed.len();
    let mut aside = Vec::new();
    for (at, entry, _) in &passed {
        if entry.is_self {
            aside.push((*at, *entry, SetAsideReason::SameWork));
        } else if entry.timing == Timing::Later {
            aside.push((*at, *entry, SetAsideReason::Later));
        } else if entry.records > 1 || !entry.merged.work.also.is_empty() {
            // The work stays; its other records are named by the candidate itself.
        }
    }
    passed.retain(|(_, entry, _)| !entry.is_self);
    let after_self = passed.len();
    passed.retain(|(_, entry, _)| entry.timing != Timing::Later);
    let after_date = passed.len();
    let most = if scope == Scope::CoreTask { CORE_TOP } else { CLAIM_TOP };
    passed.truncate(most);
    let after_top = passed.len();
    Step {
        counts: FunnelScope {
            scope,
            raw,
            after_flag,
            distinct: after_dedup,
            after_dedup,
            after_self,
            after_date,
            after_top,
        },
        top: passed,
        aside,
        cut: after_date - after_top,
    }
}

/// The works of a scope, perfect ones first, each group by fused score: by relevance only, never by citations or venue.
async fn entries<'m>(
    scope: Scope,
    rankings: &[Vec<Hit>],
    works: &'m [MergedHit],
    place: &BTreeMap<&WorkId, usize>,
    sorting: &Sorting<'_>,
    world: &World,
) -> Result<Vec<(usize, Entry<'m>)>> {
    let mut hits: BTreeMap<usize, usize> = BTreeMap::new();
    for hit in rankings.iter().flatten() {
        if let Some(at) = place.get(&hit.work.id) {
            *hits.entry(*at).or_default() += 1;
        }
    }
    let mut scores: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
    for fused in fuse(rankings) {
        if let Some(at) = place.get(&fused.hit.work.id) {
            let entry = scores.entry(*at).or_default();
            entry.0 += fused.score;
            entry.1 += 1;
        }
    }
    let scope_queries: Vec<Query> = sorting
        .queries
        .iter()
        .filter(|query| query.scope == scope)
        .cloned()
        .collect();
    let numbers: Vec<usize> = scores.keys().copied().collect();
    let records: Vec<&Work> = numbers
        .iter()
        .filter_map(|at| works.get(*at))
        .map(|one| &one.work)
        .collect();
    let verdicts: Vec<Vec<CriterionVerdict>> = world.analyst.judge_relevance(&scope_queries, &records).await?;
    let mut entries: Vec<(usize, Entry<'m>)> = numbers
        .into_iter()
        .zip(verdicts)
        .filter_map(|(at, verdicts)| {
            let merged = works.get(at)?;
            let (score, records) = scores.get(&at).copied().unwrap_or_default();
            let entry = Entry {
                merged,
                hits: hits.get(&at).copied().unwrap_or_default(),
                records,
                score,
                relevance: Relevance::from_verdicts(&verdicts),
                is_self: sorting.itself.is(&merged.work),
                timing: timing(&merged.work, sorting.as_of, sorting.not_before),
            };
            Some((at, entry))
        })
        .collect();
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
    Ok(entries)
}

/// Of the ids of a merged work the one whose identifier ranks highest comes first: DOI, arXiv, OpenReview, then title.
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

fn set_aside(work: &Work, reason: SetAsideReason) -> SetAside {
    SetAside {
        id: work.id.clone(),
        title: work.title.clone(),
        date: work.earliest().cloned(),
        reason,
        url: work.url.clone(),
        scopes: Vec::new(),
        duplicate_of: None,
    }
}
