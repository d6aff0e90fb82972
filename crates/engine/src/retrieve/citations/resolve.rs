//! Resolves a paper's references to works.

use std::collections::BTreeMap;
use std::sync::Arc;

use precedent_domain::{Hit, Identity, Naming, Paper, ReferenceEntry as Entry, ReferenceList, Work, is_same_work};
use precedent_sources::{Ability, Relation, Source, WorkName};

use super::found::{Certainty, CitationOptions, ResolvedReference, has_failed, plain};
use crate::retrieve::search::{look_up_alone, related_alone};

/// Number of search results checked for a title.
const HEAD: usize = 5;

/// Failures: source name and reason.
type Failures = Vec<(String, String)>;

/// References resolved with certainty, in the order of the list.
pub(super) async fn resolve(
    paper: &Paper,
    options: CitationOptions,
    failures: &mut Failures,
    sources: &[Arc<dyn Source>],
) -> Vec<ResolvedReference> {
    let list = ReferenceList::new(&paper.references);
    let entries = list.entries();
    let mut found: BTreeMap<u32, ResolvedReference> = BTreeMap::new();
    for source in sources {
        if source.can(Ability::LookUp) {
            by_identifier(entries, source, &mut found, failures).await;
        }
        if source.can(Ability::References) && source.can(Ability::LookUp) && !has_failed(failures, source) {
            by_own_list(paper, entries, source, &mut found, failures).await;
        }
    }
    for source in sources
        .iter()
        .filter(|source| options.local && source.is_local() && source.can(Ability::Titled))
    {
        by_local_search(entries, source, &mut found, failures).await;
    }
    let mut left = options.titles;
    for source in sources.iter().filter(|source| !source.is_local()) {
        if source.can(Ability::Titled) && source.asks_nothing(Ability::Titled) && !has_failed(failures, source) {
            left = by_title(entries, source, left, &mut found, failures).await;
        }
    }
    found.into_values().collect()
}

/// Numbers of the references that are not in `found`.
pub(super) fn unresolved(paper: &Paper, found: &[ResolvedReference]) -> Vec<u32> {
    let numbers = paper.references.iter().map(|reference| reference.number);
    numbers
        .filter(|number| found.iter().all(|one| one.number != *number))
        .collect()
}

/// Resolves references that have a printed identifier.
async fn by_identifier(
    entries: &[Entry<'_>],
    source: &Arc<dyn Source>,
    found: &mut BTreeMap<u32, ResolvedReference>,
    failures: &mut Failures,
) {
    let open = entries
        .iter()
        .filter(|entry| !found.contains_key(&entry.reference.number));
    let named: Vec<(&Entry<'_>, WorkName)> = open
        .flat_map(|entry| {
            let names = WorkName::of_identifiers(&entry.reference.identifiers);
            names.into_iter().map(move |name| (entry, name))
        })
        .collect();
    if named.is_empty() {
        return;
    }
    let names: Vec<WorkName> = named.iter().map(|(_, name)| name.clone()).collect();
    match look_up_alone(source, |source| async move { source.look_up(&names).await }).await {
        Ok((works, failure)) => {
            failures.extend(failure.map(|reason| (source.name().to_owned(), reason)));
            for ((entry, _), work) in named.into_iter().zip(works) {
                // A printed identifier may be wrong, so the work's title must match the entry.
                if let Some(work) = work.filter(|work| entry.names_title_of(work).is_some()) {
                    put(entry, source, work, Certainty::Identifier, found);
                }
            }
        }
        Err(reason) => failures.push((source.name().to_owned(), reason)),
    }
}

/// Matches the source's own list of works cited by the paper against the printed entries.
async fn by_own_list(
    paper: &Paper,
    entries: &[Entry<'_>],
    source: &Arc<dyn Source>,
    found: &mut BTreeMap<u32, ResolvedReference>,
    failures: &mut Failures,
) {
    let own = WorkName::of_identifiers(&paper.identifiers);
    if own.is_empty() || entries.iter().all(|entry| found.contains_key(&entry.reference.number)) {
        return;
    }
    let asked = look_up_alone(source, |source| async move {
        let lists = source.references(&own).await?;
        let names = lists.into_iter().flatten().max_by_key(Vec::len).unwrap_or_default();
        source.look_up(&names).await
    });
    match asked.await {
        Ok((works, failure)) => {
            failures.extend(failure.map(|reason| (source.name().to_owned(), reason)));
            let works: Vec<Work> = works.into_iter().flatten().collect();
            for entry in entries {
                take(entry, source, &works, found);
            }
        }
        Err(reason) => failures.push((source.name().to_owned(), reason)),
    }
}

/// Searches a source on this machine for the titles of references.
async fn by_local_search(
    entries: &[Entry<'_>],
    source: &Arc<dyn Source>,
    found: &mut BTreeMap<u32, ResolvedReference>,
    failures: &mut Failures,
) {
    for entry in entries {
        if found.contains_key(&entry.reference.number) {
            continue;
        }
        let printed = entry.reference.title.as_ref().unwrap_or(&entry.reference.text).clone();
        let ask =
            |source: Arc<dyn Source>| async move { source.related(&Relation::Titled(&printed), None, HEAD).await };
        match related_alone(source, ask).await {
            Ok(results) => {
                let works: Vec<Work> = results.hits.into_iter().map(|hit| hit.work).collect();
                take(entry, source, &works, found);
            }
            Err(reason) => {
                failures.push((source.name().to_owned(), reason));
                return;
            }
        }
    }
}

/// Looks up the titles of at most `most` references, one request each. Returns how many requests are left.
async fn by_title(
    entries: &[Entry<'_>],
    source: &Arc<dyn Source>,
    most: usize,
    found: &mut BTreeMap<u32, ResolvedReference>,
    failures: &mut Failures,
) -> usize {
    let mut left = most;
    for entry in entries {
        let Some(title) = entry.reference.title.clone() else {
            continue;
        };
        if left == 0 || found.contains_key(&entry.reference.number) {
            continue;
        }
        left -= 1;
        let ask = |source: Arc<dyn Source>| async move { source.related(&Relation::Titled(&title), None, HEAD).await };
        match related_alone(source, ask).await {
            Ok(results) => {
                let works: Vec<Work> = results.hits.into_iter().map(|hit| hit.work).collect();
                take(entry, source, &works, found);
            }
            Err(reason) => {
                failures.push((source.name().to_owned(), reason));
                return left;
            }
        }
    }
    left
}

/// Records the work that matches the entry, unless two different works match it.
fn take(entry: &Entry<'_>, source: &Arc<dyn Source>, works: &[Work], found: &mut BTreeMap<u32, ResolvedReference>) {
    let fitting: Vec<&Work> = works.iter().filter(|work| is_certain(entry, work)).collect();
    let Some(first) = fitting.first() else { return };
    if fitting
        .iter()
        .all(|other| first.id == other.id || is_same_work(Identity::from(*first), Identity::from(*other)))
    {
        put(entry, source, (*first).clone(), Certainty::TitleAuthorYear, found);
    }
}

fn put(
    entry: &Entry<'_>,
    source: &Arc<dyn Source>,
    work: Work,
    certainty: Certainty,
    found: &mut BTreeMap<u32, ResolvedReference>,
) {
    let number = entry.reference.number;
    found.entry(number).or_insert_with(|| ResolvedReference {
        number,
        hit: plain(Hit {
            work,
            score: 1.0,
            source: source.name().to_owned(),
        }),
        certainty,
    });
}

/// Whether title, author and year all match the work.
fn is_certain(entry: &Entry<'_>, work: &Work) -> bool {
    entry.names_title_of(work) == Some(Naming::TitleAuthorYear)
}

#[cfg(test)]
mod tests {
    use precedent_domain::Reference;

    use super::*;
    use crate::sample::{reference, work};

    fn certain(reference: &Reference, work: &Work) -> bool {
        ReferenceList::new(std::slice::from_ref(reference))
            .entries()
            .iter()
            .all(|entry| is_certain(entry, work))
    }

    #[test]
    fn a_reference_matches_a_work_only_by_title_author_and_year() {
        let text = "H. Dorn. Growth forecasting for kelp farms from satellite colour. Aquaculture Reports, 2016.";
        let printed = reference(1, text, "Growth forecasting for kelp farms from satellite colour", 2016);
        let is =
            |title: &str, author: &str, date: Option<&str>| certain(&printed, &work("k:1", title, author, date, ""));
        let title = "Growth Forecasting for Kelp Farms from Satellite Colour";
        assert!(is(title, "Hanna Dorn", Some("2016-03")));
        assert!(is(title, "Hanna Dorn", Some("2015")), "a preprint from the year before");
        assert!(!is(title, "Hanna Dorn", Some("2013")));
        assert!(!is(title, "Hanna Dorn", None), "no date, so no certain match");
        assert!(!is(title, "Mia Wu", Some("2016")));
        assert!(!is(title, "", Some("2016")));
        assert!(
            !is("Growth forecasting for kelp farms", "Hanna Dorn", Some("2016")),
            "a different title"
        );
        assert!(!is("Growth", "Hanna Dorn", Some("2016")));
        // Words that a PDF ran together, and an entry without a parsed title.
        let broken = reference(
            2,
            "H. Dorn. Growthforecasting for kelp farmsfrom satellite colour. 2016.",
            "",
            2016,
        );
        assert!(certain(&broken, &work("k:1", title, "Hanna Dorn", Some("2016"), "")));
        let undated = Reference {
            year: None,
            ..printed.clone()
        };
        assert!(!certain(&undated, &work("k:1", title, "Hanna Dorn", Some("2016"), "")));
    }
}
