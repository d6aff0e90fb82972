//! Works that the references cite, most often cited first.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use precedent_domain::{DateOrder, Hit, Paper, PartialDate, Work, WorkId};
use precedent_sources::{Ability, MergedHit, Source, WorkName, fuse, merge};

use super::found::{ResolvedReference, SecondOrder, has_failed, plain};
use crate::retrieve::search::{SelfMatcher, look_up_alone};

/// Records to look up per wanted work. Equally cited works are sorted newest first, and only the record has a date.
const LOOKED_AT: usize = 3;

/// At most `most` works. Excludes the paper, its references, and works certainly later than `as_of`.
pub(super) async fn second_order(
    paper: &Paper,
    as_of: Option<PartialDate>,
    most: usize,
    references: &[ResolvedReference],
    failures: &mut Vec<(String, String)>,
    sources: &[Arc<dyn Source>],
) -> Vec<SecondOrder> {
    let mut records: BTreeMap<(String, WorkId), BTreeSet<u32>> = BTreeMap::new();
    let mut rankings: Vec<Vec<Hit>> = Vec::new();
    for source in sources.iter().filter(|source| source.can(Ability::References)) {
        if has_failed(failures, source) {
            continue;
        }
        match cited(source, references, most * LOOKED_AT).await {
            Ok((found, failure)) => {
                failures.extend(failure.map(|reason| (source.name().to_owned(), reason)));
                let mut ranking = Vec::new();
                for (work, by) in found {
                    records.insert((source.name().to_owned(), work.id.clone()), by);
                    ranking.push(plain(Hit {
                        work,
                        score: 1.0,
                        source: source.name().to_owned(),
                    }));
                }
                rankings.push(ranking);
            }
            Err(reason) => failures.push((source.name().to_owned(), reason)),
        }
    }
    // The references are included so that the usual deduplication detects works that are references.
    rankings.push(references.iter().map(|one| one.hit.clone()).collect());
    let own: BTreeSet<(&str, &WorkId)> = references
        .iter()
        .map(|one| (one.hit.source.as_str(), &one.hit.work.id))
        .collect();
    let itself = SelfMatcher::new(paper);
    let is_new = |one: &MergedHit| {
        let is_reference = one
            .members
            .iter()
            .any(|(source, id)| own.contains(&(source.as_str(), id)));
        !is_reference && !is_later(&one.work, as_of) && !itself.is(&one.work)
    };
    let works = merge(fuse(&rankings)).into_iter().filter(is_new);
    let mut found: Vec<SecondOrder> = works
        .filter_map(|one| {
            let by: BTreeSet<u32> = one
                .members
                .iter()
                .filter_map(|member| records.get(member))
                .flatten()
                .copied()
                .collect();
            let own = one.members.iter().find(|(_, id)| *id == one.work.id)?;
            let source = own.0.clone();
            Some(SecondOrder {
                hit: Hit {
                    work: one.work,
                    score: by.len() as f64,
                    source,
                },
                cited_by: by.into_iter().collect(),
            })
        })
        .collect();
    found.sort_by(order);
    found.truncate(most);
    found
}

/// Most often cited first, then newest, undated last, then by id.
fn order(a: &SecondOrder, b: &SecondOrder) -> Ordering {
    let newest = |one: &SecondOrder| one.hit.work.earliest().map(|dated| dated.date.last_day());
    let by_count = b.cited_by.len().cmp(&a.cited_by.len());
    by_count
        .then_with(|| newest(b).cmp(&newest(a)))
        .then_with(|| a.hit.work.id.cmp(&b.hit.work.id))
}

fn is_later(work: &Work, as_of: Option<PartialDate>) -> bool {
    let dated = work.earliest().zip(as_of);
    dated.is_some_and(|(dated, as_of)| dated.date.against(as_of) == DateOrder::After)
}

/// Works that `source` lists as cited by the references, each with the numbers of those references. At most `looked_at` works.
async fn cited(
    source: &Arc<dyn Source>,
    references: &[ResolvedReference],
    looked_at: usize,
) -> std::result::Result<(Vec<(Work, BTreeSet<u32>)>, Option<String>), String> {
    let named: Vec<(u32, WorkName)> = references
        .iter()
        .filter_map(|one| Some((one.number, name_for(source.name(), one)?)))
        .collect();
    if named.is_empty() {
        return Ok((Vec::new(), None));
    }
    let names: Vec<WorkName> = named.iter().map(|(_, name)| name.clone()).collect();
    let (lists, failure) = look_up_alone(source, |source| async move { source.references(&names).await }).await?;
    let mut by: BTreeMap<WorkName, BTreeSet<u32>> = BTreeMap::new();
    for ((number, _), list) in named.iter().zip(lists) {
        for name in list.into_iter().flatten() {
            by.entry(name).or_default().insert(*number);
        }
    }
    let own: BTreeSet<&WorkName> = named.iter().map(|(_, name)| name).collect();
    let mut most: Vec<(WorkName, BTreeSet<u32>)> = by.into_iter().filter(|(name, _)| !own.contains(name)).collect();
    // The sort is stable, so equally cited works stay in the order of their names.
    most.sort_by_key(|(_, by)| Reverse(by.len()));
    most.truncate(looked_at);
    let names: Vec<WorkName> = most.iter().map(|(name, _)| name.clone()).collect();
    let (works, failed) = look_up_alone(source, |source| async move { source.look_up(&names).await }).await?;
    let known = works.into_iter().zip(most);
    let works = known.filter_map(|(work, (_, by))| Some((work?, by)));
    Ok((works.collect(), failure.or(failed)))
}

/// The name for querying `source` about a reference: its record there, otherwise an identifier.
fn name_for(source: &str, one: &ResolvedReference) -> Option<WorkName> {
    if one.hit.source == source {
        return Some(WorkName::Record(one.hit.work.id.clone()));
    }
    WorkName::of_identifiers(&one.hit.work.identifiers).into_iter().next()
}
