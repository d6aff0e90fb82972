use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{Doubt, Hit, Identity, Work, WorkId, disagreements, is_same_work, title_key};

use crate::FusedHit;
use crate::service::PAGE;

/// A work with what all its records together say of it.
#[derive(Debug, Clone, PartialEq)]
pub struct MergedHit {
    /// The work, merged from its records.
    pub work: Work,
    /// Sum of the fused scores of its records.
    pub score: f64,
    /// Names of the sources that found it, sorted.
    pub found_by: Vec<String>,
    /// The records it was merged from: source and id there, sorted. An id alone says little: two corpora may both count from 1.
    pub members: Vec<(String, WorkId)>,
}

/// Merges records of one work (`domain::is_same_work`), best first. Which records are one work does not depend on their order: what is the
/// same as one of a group belongs to the group.
#[must_use]
pub fn merge(hits: Vec<FusedHit>) -> Vec<MergedHit> {
    in_order(grouped(hits))
}

fn grouped(hits: Vec<FusedHit>) -> Vec<MergedHit> {
    let groups = groups(&hits.iter().map(|hit| &hit.hit.work).collect::<Vec<_>>());
    let mut members: BTreeMap<usize, Vec<FusedHit>> = BTreeMap::new();
    for (hit, group) in hits.into_iter().zip(groups) {
        members.entry(group).or_default().push(hit);
    }
    members.into_values().filter_map(merge_group).collect()
}

fn in_order(mut merged: Vec<MergedHit>) -> Vec<MergedHit> {
    doubt_shared_dois(&mut merged);
    merged.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.work.id.cmp(&b.work.id)));
    merged
}

/// As [`merge`], with the `later` records that searches saw beyond the requested date. They take part in what the records of a paper say, its dates above all.
/// A paper that only they know is left out, and none of them changes a score.
#[must_use]
pub fn merge_with_later(hits: Vec<FusedHit>, later: &[Hit]) -> Vec<MergedHit> {
    if later.is_empty() {
        return merge(hits);
    }
    let key = |hit: &Hit| (hit.source.clone(), hit.work.id.clone());
    let found: BTreeSet<(String, WorkId)> = hits.iter().map(|one| key(&one.hit)).collect();
    let others: BTreeMap<(String, WorkId), &Hit> = later
        .iter()
        .map(|hit| (key(hit), hit))
        .filter(|(key, _)| !found.contains(key))
        .collect();
    let others = others.into_values().map(|hit| FusedHit {
        hit: hit.clone(),
        score: 0.0,
        found_by: vec![hit.source.clone()],
    });
    let mut merged = grouped(hits.into_iter().chain(others).collect());
    merged.retain(|one| one.members.iter().any(|member| found.contains(member)));
    in_order(merged)
}

fn merge_group(mut hits: Vec<FusedHit>) -> Option<MergedHit> {
    hits.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.hit.work.id.cmp(&b.hit.work.id))
            .then_with(|| a.hit.source.cmp(&b.hit.source))
    });
    let mut members: Vec<(String, WorkId)> = hits
        .iter()
        .map(|one| (one.hit.source.clone(), one.hit.work.id.clone()))
        .collect();
    members.sort();
    let doubt = disputed(&hits);
    let score = hits.iter().map(|hit| hit.score).sum();
    let found_by: BTreeSet<String> = hits.iter().flat_map(|hit| hit.found_by.iter().cloned()).collect();
    let mut work = merge_works(hits.into_iter().map(|hit| hit.hit.work))?;
    work.doubt_with(doubt.into_iter().collect());
    Some(MergedHit {
        work,
        score,
        found_by: found_by.into_iter().collect(),
        members,
    })
}

/// What records of two sources disagree on that agree on an identifier.
fn disputed(hits: &[FusedHit]) -> Option<Doubt> {
    let (mut on, mut between) = (BTreeSet::new(), BTreeSet::new());
    for (at, a) in hits.iter().enumerate() {
        for b in hits.iter().skip(at + 1) {
            let (one, other) = (&a.hit.work, &b.hit.work);
            if a.hit.source == b.hit.source || !one.identifiers.agree(&other.identifiers) {
                continue;
            }
            let found = disagreements(identity(one), identity(other));
            if !found.is_empty() {
                between.extend([a.hit.source.clone(), b.hit.source.clone()]);
            }
            on.extend(found.into_iter().map(str::to_owned));
        }
    }
    (!on.is_empty()).then(|| Doubt::Disputed {
        on: on.into_iter().collect(),
        between: between.into_iter().collect(),
    })
}

/// One DOI over two works that are none: sources disagree on what it names, and neither work is sure.
fn doubt_shared_dois(merged: &mut [MergedHit]) {
    let mut by_doi: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, one) in merged.iter().enumerate() {
        if let Some(doi) = &one.work.identifiers.doi {
            by_doi.entry(doi.to_string()).or_default().push(at);
        }
    }
    for places in by_doi.into_values().filter(|places| places.len() > 1) {
        let sources = places.iter().filter_map(|at| merged.get(*at));
        let between: BTreeSet<String> = sources.flat_map(|one| one.found_by.clone()).collect();
        // Within one source two works of one DOI are parts of a volume more often than not.
        if between.len() < 2 {
            continue;
        }
        for at in places {
            if let Some(one) = merged.get_mut(at) {
                one.work.doubt_with(vec![Doubt::Disputed {
                    on: vec!["title".to_owned()],
                    between: between.iter().cloned().collect(),
                }]);
            }
        }
    }
}

/// One work out of its records: the first is the main one, and takes from the others what it lacks, all dates, and the fuller text. The ids of
/// the others stand in `also`, in order.
pub fn merge_works(records: impl IntoIterator<Item = Work>) -> Option<Work> {
    let mut records = records.into_iter();
    let mut main = records.next()?;
    for mut other in records {
        main.also.push(other.id);
        main.also.append(&mut other.also);
        main.dates.append(&mut other.dates);
        main.identifiers.fill_from(&other.identifiers);
        main.doubt_with(other.doubts);
        main.extent = main.extent.max(other.extent);
        main.summary = main.summary.or(other.summary);
        main.venue = main.venue.or(other.venue);
        main.url = main.url.or(other.url);
        if main.authors.is_empty() {
            main.authors = other.authors;
        }
    }
    main.also.sort();
    main.also.dedup();
    main.also.retain(|id| *id != main.id);
    main.dates.sort_by(|a, b| {
        a.date
            .sort_order(b.date)
            .then_with(|| format!("{:?}", a.origin).cmp(&format!("{:?}", b.origin)))
    });
    main.dates.dedup();
    Some(main)
}

/// A group number for each work. Only works that share an identifier or a title can be the same, so only those are compared.
fn groups(works: &[&Work]) -> Vec<usize> {
    let mut rooms: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, work) in works.iter().enumerate() {
        let ids = &work.identifiers;
        let keys = [
            Some(format!("title {}", title_key(&work.title))),
            Some(format!("id {}", work.id)),
            ids.doi.as_ref().map(|id| format!("doi {id}")),
            ids.arxiv.as_ref().map(|id| format!("arxiv {id}")),
            ids.openreview.as_ref().map(|id| format!("openreview {id}")),
            ids.acl.as_ref().map(|id| format!("acl {id}")),
            ids.pmc.as_ref().map(|id| format!("pmc {id}")),
            // A title may be printed with a slip or without its subtitle: the first author is the same then.
            work.authors
                .first()
                .map(|author| format!("author {}", author.family_name().to_lowercase())),
        ];
        for key in keys.into_iter().flatten() {
            rooms.entry(key).or_default().push(number);
        }
    }
    let mut group: Vec<usize> = (0..works.len()).collect();
    for room in rooms.values() {
        for (at, &a) in room.iter().enumerate() {
            for &b in room.iter().skip(at + 1) {
                let same = match (works.get(a), works.get(b)) {
                    (Some(a), Some(b)) => one_record(a, b) || is_same_work(identity(a), identity(b)),
                    _ => false,
                };
                if same {
                    join(&mut group, a, b);
                }
            }
        }
    }
    (0..works.len()).map(|number| root(&group, number)).collect()
}

/// Whether two sources give one record: the same id, which alone may be the same number in two lists, and the same title. A page is one by its address, whatever
/// title a search shows of it.
fn one_record(a: &Work, b: &Work) -> bool {
    a.id == b.id && (a.id.as_str().starts_with(PAGE) || title_key(&a.title) == title_key(&b.title))
}

/// Whether two records are of one work.
pub(crate) fn is_one_work(a: &Work, b: &Work) -> bool {
    one_record(a, b) || is_same_work(identity(a), identity(b))
}

fn identity(work: &Work) -> Identity<'_> {
    Identity {
        title: &work.title,
        authors: &work.authors,
        dates: &work.dates,
        identifiers: &work.identifiers,
        summary: work.summary.as_deref(),
    }
}

fn root(group: &[usize], mut number: usize) -> usize {
    while let Some(&parent) = group.get(number)
        && parent != number
    {
        number = parent;
    }
    number
}

fn join(group: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(group, a), root(group, b));
    if let Some(parent) = group.get_mut(a.max(b)) {
        *parent = a.min(b);
    }
}
