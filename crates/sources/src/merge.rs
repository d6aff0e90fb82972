use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{
    Doi, Doubt, Hit, Identity, Work, WorkId, disagreements, is_preprint_venue, is_same_work, title_key,
};

use crate::FusedHit;
use crate::service::PAGE;

/// A work with the combined information of all its records.
#[derive(Debug, Clone, PartialEq)]
pub struct MergedHit {
    /// The work, merged from its records.
    pub work: Work,
    /// Sum of the fused scores of its records.
    pub score: f64,
    /// Names of the sources that found it, sorted.
    pub found_by: Vec<String>,
    /// The records it was merged from, as source and id, sorted. An id alone is ambiguous: two corpora may both count from 1.
    pub members: Vec<(String, WorkId)>,
}

/// Merges records of the same work (`domain::is_same_work`), best first. Groups are transitive, so they do not depend on the order of the records.
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

/// Like [`merge`], with the `later` records that searches found beyond the requested date. They add to the information on a paper, above all its
/// dates. A paper known only from them is left out, and they never change a score.
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

/// Fields on which records with the same identifier disagree across two sources.
fn disputed(hits: &[FusedHit]) -> Option<Doubt> {
    let (mut on, mut between) = (BTreeSet::new(), BTreeSet::new());
    for (at, a) in hits.iter().enumerate() {
        for b in hits.iter().skip(at + 1) {
            let (one, other) = (&a.hit.work, &b.hit.work);
            if a.hit.source == b.hit.source || !one.identifiers.agree(&other.identifiers) {
                continue;
            }
            let found = disagreements(Identity::from(one), Identity::from(other));
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

/// Two different works have the same DOI: sources disagree on what it names, so neither work is certain.
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
        // Within one source, two works with the same DOI are usually parts of a volume.
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

/// Whether a summary is a piece of a text, as search engines show it, and not an abstract.
fn is_excerpt(summary: &str) -> bool {
    let text = summary.trim();
    let marked = |mark: &str| text.starts_with(mark) || text.ends_with(mark);
    marked("…") || marked("...")
}

/// Merges records into one work. The first is the main one and takes from the others what it lacks, all dates, and the fuller text. Venue and DOI are
/// those of one published version, if there is one. The ids of the others are in `also`, in order.
pub fn merge_works(records: impl IntoIterator<Item = Work>) -> Option<Work> {
    let records: Vec<Work> = records.into_iter().collect();
    let (version, title) = (published_version(&records), agreed_title(&records));
    let mut records = records.into_iter();
    let mut main = records.next()?;
    for mut other in records {
        main.also.push(other.id);
        main.also.append(&mut other.also);
        main.dates.append(&mut other.dates);
        main.identifiers.fill_from(&other.identifiers);
        main.doubt_with(other.doubts);
        main.extent = main.extent.max(other.extent);
        main.cited_by = main.cited_by.max(other.cited_by);
        main.stars = main.stars.max(other.stars);
        main.summary = match (main.summary, other.summary) {
            (Some(own), Some(whole)) if is_excerpt(&own) && !is_excerpt(&whole) => Some(whole),
            (own, other) => own.or(other),
        };
        main.venue = main.venue.or(other.venue);
        main.url = main.url.or(other.url);
        if main.authors.is_empty() {
            main.authors = other.authors;
        }
    }
    if let Some((venue, doi)) = version {
        main.venue = Some(venue);
        main.identifiers.doi = doi.or(main.identifiers.doi);
    }
    main.title = title.unwrap_or(main.title);
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

/// Venue and DOI of the first record of a published version, preferably of one that has both.
fn published_version(records: &[Work]) -> Option<(String, Option<Doi>)> {
    let versions = || {
        records.iter().filter_map(|work| {
            let venue = work.venue.clone().filter(|venue| !is_preprint_venue(venue))?;
            let doi = work.identifiers.doi.clone().filter(|doi| !doi.is_of_preprint());
            Some((venue, doi))
        })
    };
    versions().find(|(_, doi)| doi.is_some()).or_else(|| versions().next())
}

/// The title on which at least two records agree, if the main one has another that no other record has.
fn agreed_title(records: &[Work]) -> Option<String> {
    let (main, others) = records.split_first()?;
    let keys: Vec<String> = others.iter().map(|work| title_key(&work.title)).collect();
    if keys.contains(&title_key(&main.title)) {
        return None;
    }
    let agreed = others.iter().zip(&keys);
    let mut agreed = agreed.filter(|(_, key)| keys.iter().filter(|other| other == key).count() > 1);
    agreed.next().map(|(work, _)| work.title.clone())
}

/// Assigns a group number to each work. Only works that share an identifier, a title or a first author are compared.
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
            // A title may have a typo or lack its subtitle. The first author is then the same.
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
                    (Some(a), Some(b)) => is_one_work(a, b),
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

/// Whether two sources return the same record: the same id and the same title, because two lists may use the same number. A page is identified by its
/// address alone, because its title in search results varies.
fn one_record(a: &Work, b: &Work) -> bool {
    a.id == b.id && (a.id.as_str().starts_with(PAGE) || title_key(&a.title) == title_key(&b.title))
}

/// Whether two records are of the same work.
pub(crate) fn is_one_work(a: &Work, b: &Work) -> bool {
    one_record(a, b) || is_same_work(Identity::from(a), Identity::from(b))
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
