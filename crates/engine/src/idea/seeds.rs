//! Looks up the papers that an idea was made from.

use std::sync::Arc;

use precedent_domain::{Gap, Hit, NotSearched, SourceReport, Work, is_same_title, title_key};
use precedent_sources::{Ability, Relation, Source, WorkName};

use super::options::Seed;
use crate::World;
use crate::retrieve::search::{in_plain_words, look_up_alone, note_failure, related_alone};

/// A seed paper with its records from the sources.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    pub(super) title: String,
    pub(super) summary: String,
    /// Its records. It is prior work like any other.
    pub(super) records: Vec<Hit>,
    /// Its identifiers, given ones first.
    names: Vec<WorkName>,
}

impl Known {
    /// The identifier to use with `source`: that of its own record, else a given one.
    pub(super) fn name_for(&self, source: &str) -> Option<WorkName> {
        let mut own = self.records.iter().filter(|hit| hit.source == source);
        let record = own.next().map(|hit| WorkName::Record(hit.work.id.clone()));
        record.or_else(|| self.names.first().cloned())
    }

    fn take(&mut self, source: &str, mut work: Work) {
        in_plain_words(&mut work);
        if self.title.is_empty() {
            self.title.clone_from(&work.title);
        }
        if self.summary.is_empty() {
            self.summary = work.summary.clone().unwrap_or_default();
        }
        for name in WorkName::of_identifiers(&work.identifiers) {
            if !self.names.contains(&name) {
                self.names.push(name);
            }
        }
        self.records.push(Hit {
            work,
            score: 1.0,
            source: source.to_owned(),
        });
    }
}

/// Looks the seeds up: by identifier, else by title in sources with recommendations. Also returns messages on seeds that were not found.
pub(super) async fn known(
    seeds: &[Seed],
    reports: &mut [SourceReport],
    world: &World,
) -> (Vec<Known>, Vec<NotSearched>) {
    let mut found: Vec<Known> = seeds
        .iter()
        .map(|seed| Known {
            title: seed.title.clone(),
            summary: seed.summary.clone(),
            names: seed.names.clone(),
            records: Vec::new(),
        })
        .collect();
    for (source, report) in world.sources.iter().zip(reports) {
        if source.can(Ability::LookUp) {
            by_name(source, report, &mut found).await;
        }
        if source.can(Ability::Recommended) {
            by_title(source, report, &mut found).await;
        }
    }
    let unknown = found.iter().zip(seeds);
    let unknown = unknown.filter(|(known, _)| known.title.is_empty()).map(|(_, seed)| {
        let names: Vec<String> = seed.names.iter().map(ToString::to_string).collect();
        NotSearched::from(Gap::SeedNotFound { names })
    });
    let unknown = unknown.collect();
    (found, unknown)
}

/// Looks up all identifiers in one request.
async fn by_name(source: &Arc<dyn Source>, report: &mut SourceReport, found: &mut [Known]) {
    let named: Vec<(usize, WorkName)> = found
        .iter()
        .enumerate()
        .flat_map(|(at, seed)| seed.names.iter().map(move |name| (at, name.clone())))
        .collect();
    if named.is_empty() {
        return;
    }
    let names: Vec<WorkName> = named.iter().map(|(_, name)| name.clone()).collect();
    let records = look_up_alone(source, |source| async move { source.look_up(&names).await }).await;
    match records {
        Ok((records, failure)) => {
            if let Some(reason) = failure {
                note_failure(report, reason);
            }
            for ((at, _), work) in named.into_iter().zip(records) {
                if let (Some(seed), Some(work)) = (found.get_mut(at), work)
                    && seed.records.iter().all(|hit| hit.source != source.name())
                {
                    seed.take(source.name(), work);
                }
            }
        }
        Err(reason) => note_failure(report, reason),
    }
}

/// One request for each seed given by title alone. A record with a different title is another paper.
async fn by_title(source: &Arc<dyn Source>, report: &mut SourceReport, found: &mut [Known]) {
    for seed in found
        .iter_mut()
        .filter(|seed| seed.names.is_empty() && !seed.title.is_empty())
    {
        let title = seed.title.clone();
        let ask = |source: Arc<dyn Source>| async move { source.related(&Relation::Titled(&title), None, 5).await };
        match related_alone(source, ask).await {
            Ok(results) => {
                let own = title_key(&seed.title);
                let same = results
                    .hits
                    .into_iter()
                    .find(|hit| is_same_title(&title_key(&hit.work.title), &own));
                if let Some(hit) = same {
                    seed.take(source.name(), hit.work);
                }
            }
            Err(reason) => note_failure(report, reason),
        }
    }
}
