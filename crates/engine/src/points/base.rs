//! The literature base for a paper: its own references, search results for its topic and points, and works that its references cite.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use futures_util::future::BoxFuture;
use precedent_domain::{
    AsOf, BaseOrigin, CameBy, Candidate, CandidateText, Document, Extent, Funnel, Identity, NotSearched,
    NotSearchedKind, Paper, Query, SentRecord, SetAside, SourceReport, Timing, Work, is_same_work, title_key,
};

use super::cited::{CitedWorks, SecondOrder, cited_works};
use super::material::PointsReading;
use super::read::read;
use crate::retrieve::queries::queries;
use crate::retrieve::search::{SearchOutcome, aliases, note_failure, search};
use crate::{Result, World};

/// The literature base, with works numbered from 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Base {
    pub(super) candidates: Vec<Candidate>,
    pub(super) texts: Vec<CandidateText>,
    /// How each work was found, in the order of the works.
    pub(super) origins: Vec<Vec<BaseOrigin>>,
    pub(super) cut: usize,
    pub(super) found_references: usize,
    pub(super) set_aside: Vec<SetAside>,
    pub(super) queries: Vec<Query>,
    /// The search outcome without its works.
    pub(super) search_outcome: Option<SearchOutcome>,
}

/// Collects at most `capacity` works, including the paper. Its own references are always kept. Excludes everything later than `as_of`.
///
/// # Errors
/// If every source fails, or the ledger fails.
pub(super) async fn base(
    paper: &Paper,
    reading: &PointsReading,
    as_of: Option<&AsOf>,
    capacity: usize,
    world: &World,
) -> Result<Base> {
    // Relevance is decided by passages, so no model is called for single works.
    let mut searching = world.without_model();
    let plan = queries(&reading.extraction, &searching).await?;
    // Full texts are fetched only after the whole base is known, when the best works can be chosen.
    searching.texts = None;
    let found = search(paper, &plan.all(), as_of, &searching).await?;
    let cited = match found.sources.iter().any(|source| source.answered > 0) {
        true => cited_works(paper, &found, as_of, capacity, &searching).await?,
        false => CitedWorks::default(),
    };
    let mut base = together(cited, found, capacity);
    base.queries = plan.all();
    Ok(base)
}

/// Reports how many papers the base has.
pub(super) fn report_base(base: &Base, world: &World) {
    world.progress.note(&format!(
        "{} in the base ({} cited by the paper, {} with full text)",
        match base.candidates.len() {
            1 => "1 paper".to_owned(),
            works => format!("{works} papers"),
        },
        base.found_references,
        base.texts
            .iter()
            .filter(|text| text.document.extent == Extent::FullText)
            .count()
    ));
}

/// The queries sent to sources for a paper's points.
///
/// # Errors
/// If the analyst cannot be called, or the ledger fails.
pub fn points_queries<'a>(paper: &'a Paper, world: &'a World) -> BoxFuture<'a, Result<Vec<Query>>> {
    Box::pin(async move {
        let reading = read(paper, world).await?;
        Ok(queries(&reading.extraction, world).await?.all())
    })
}

/// A work of the base before it has a number.
struct BaseWork {
    candidate: Candidate,
    document: Document,
    origins: Vec<BaseOrigin>,
}

/// The works collected so far.
#[derive(Default)]
struct Rows {
    rows: Vec<BaseWork>,
    /// Indices of works by title key. Works with different titles are different works, unless their record is named.
    by_title: BTreeMap<String, Vec<usize>>,
}

impl Rows {
    /// The row of this work if present, by one of its ids or by the usual comparison of works.
    fn of(&mut self, work: &Work) -> Option<&mut BaseWork> {
        let is_named = |row: &BaseWork| {
            let ids = |one: &Work| -> Vec<_> { std::iter::once(&one.id).chain(&one.also).cloned().collect() };
            let own = ids(&row.candidate.work);
            ids(work).iter().any(|id| own.contains(id))
        };
        let same = |at: &&usize| {
            self.rows.get(**at).is_some_and(|row| {
                let known = &row.candidate.work;
                is_named(row) || is_same_work(Identity::from(known), Identity::from(work))
            })
        };
        let by_title = self.by_title.get(&title_key(&work.title)).into_iter().flatten();
        let at = by_title.into_iter().find(same).copied();
        let at = at.or_else(|| self.rows.iter().position(is_named));
        at.and_then(|at| self.rows.get_mut(at))
    }

    fn put(&mut self, row: BaseWork) {
        let places = self.by_title.entry(title_key(&row.candidate.work.title)).or_default();
        places.push(self.rows.len());
        self.rows.push(row);
    }
}

/// Combines the sources of the base in order of priority: all references by number, then search results by rank, then works cited by references, up
/// to the capacity. Each work appears once, with every way in which it was found.
fn together(cited: CitedWorks, mut found: SearchOutcome, capacity: usize) -> Base {
    let mut base = Base::default();
    for (name, why) in cited.failures {
        if let Some(report) = found.sources.iter_mut().find(|report| report.name == name) {
            note_failure(report, why);
        }
    }
    found.sent.extend(cited.sent);
    // The limits of the search's own citation graph do not apply here, because citations were followed further.
    found
        .not_searched
        .retain(|one| one.kind != NotSearchedKind::ReferencesNotFollowed);
    let candidates = std::mem::take(&mut found.candidates);
    let texts = std::mem::take(&mut found.texts);
    let mut rows = Rows::default();
    let mut second: Vec<SecondOrder> = Vec::new();
    for ((place, candidate), text) in (1..).zip(candidates).zip(texts) {
        let (as_reference, cited_by) = ways(&candidate);
        match (candidate.cited_as.or(as_reference), cited_by) {
            (Some(number), _) => rows.put(BaseWork {
                candidate: Candidate {
                    cited_as: Some(number),
                    ..candidate
                },
                document: text.document,
                origins: vec![BaseOrigin::Reference { number }, BaseOrigin::Search { place }],
            }),
            // A candidate without scopes was not found by a search.
            (None, Some(cited_by)) if candidate.scopes.is_empty() => second.push(SecondOrder {
                work: candidate.work,
                found_by: candidate.found_by,
                timing: candidate.timing,
                document: text.document,
                cited_by,
            }),
            (None, cited_by) => {
                let second = cited_by.map(|cited_by| BaseOrigin::SecondOrder { cited_by });
                rows.put(BaseWork {
                    candidate,
                    document: text.document,
                    origins: std::iter::once(BaseOrigin::Search { place }).chain(second).collect(),
                });
            }
        }
    }
    for (number, work) in &cited.known {
        if let Some(row) = rows.of(work) {
            row.is_reference(*number);
        }
    }
    for one in cited.references {
        match rows.of(&one.work) {
            Some(row) => row.is_reference(one.number),
            None => rows.put(BaseWork {
                candidate: bare(one.work, one.timing, one.found_by, Some(one.number)),
                document: one.document,
                origins: vec![BaseOrigin::Reference { number: one.number }],
            }),
        }
    }
    for one in ranked(cited.second.into_iter().chain(second).collect()) {
        match rows.of(&one.work) {
            Some(row) => row.is_cited_by(one.cited_by),
            None => rows.put(BaseWork {
                origins: vec![BaseOrigin::SecondOrder { cited_by: one.cited_by }],
                candidate: bare(one.work, one.timing, one.found_by, None),
                document: one.document,
            }),
        }
    }
    let mut rows = rows.rows;
    // Stable sort: search results keep their rank, and works cited by references follow in theirs.
    rows.sort_by_key(|row| {
        let number = row.candidate.cited_as;
        (number.is_none(), number, number.map(|_| row.candidate.work.id.clone()))
    });
    base.found_references = rows.iter().filter(|row| row.candidate.cited_as.is_some()).count();
    let total = rows.len();
    rows.truncate(capacity.saturating_sub(1).max(base.found_references));
    base.cut = total - rows.len();
    let names = aliases(&rows.iter().map(|row| &row.candidate.work).collect::<Vec<_>>());
    for ((row, alias), number) in rows.into_iter().zip(names).zip(1..) {
        base.texts.push(CandidateText {
            number,
            document: row.document,
        });
        base.origins.push(row.origins);
        base.candidates.push(Candidate {
            number,
            alias,
            ..row.candidate
        });
    }
    base.set_aside = std::mem::take(&mut found.set_aside);
    base.set_aside.extend(cited.set_aside);
    base.search_outcome = Some(found);
    base
}

/// The paper's reference number of a found work, and how many of its references cite it, if known from citations.
fn ways(candidate: &Candidate) -> (Option<u32>, Option<u32>) {
    let as_reference = candidate.came_by.iter().find_map(|one| match one {
        CameBy::Reference { number } => Some(*number),
        _ => None,
    });
    let cited_by = candidate.came_by.iter().find_map(|one| match one {
        CameBy::CitedByReferences { count } => Some(*count),
        _ => None,
    });
    (as_reference, cited_by)
}

impl BaseWork {
    fn is_reference(&mut self, number: u32) {
        let is_known = self.candidate.cited_as.is_some();
        if !is_known {
            self.candidate.cited_as = Some(number);
            self.origins
                .retain(|one| !matches!(one, BaseOrigin::SecondOrder { .. }));
            self.origins.insert(0, BaseOrigin::Reference { number });
        }
    }

    /// Keeps the higher count, which comes from the more complete lookup.
    fn is_cited_by(&mut self, cited_by: u32) {
        if self.candidate.cited_as.is_some() {
            return;
        }
        let known = self.origins.iter_mut().find_map(|one| match one {
            BaseOrigin::SecondOrder { cited_by } => Some(cited_by),
            _ => None,
        });
        match known {
            Some(known) => *known = (*known).max(cited_by),
            None => self.origins.push(BaseOrigin::SecondOrder { cited_by }),
        }
    }
}

fn bare(work: Work, timing: Timing, found_by: Vec<String>, cited_as: Option<u32>) -> Candidate {
    Candidate {
        cited_as,
        found_by,
        ..Candidate::new(0, work, timing)
    }
}

/// Sorted by the number of citing references, then newest, then id. Excludes works later than the paper.
fn ranked(mut works: Vec<SecondOrder>) -> Vec<SecondOrder> {
    works.retain(|one| one.timing != Timing::Later);
    works.sort_by_key(|one| {
        let day = one.work.earliest().map(|dated| dated.date.last_day());
        (Reverse(one.cited_by), Reverse(day), one.work.id.clone())
    });
    works
}

impl Base {
    /// The search outcome with the base in place of its works, for the limits section of the report.
    pub(super) fn outcome(&self) -> SearchOutcome {
        let mut outcome = self.search_outcome.clone().unwrap_or(SearchOutcome {
            candidates: Vec::new(),
            texts: Vec::new(),
            set_aside: Vec::new(),
            funnel: Funnel {
                scopes: Vec::new(),
                merged: 0,
                shared_text: 0,
            },
            sources: Vec::<SourceReport>::new(),
            cut: Vec::new(),
            not_searched: Vec::<NotSearched>::new(),
            sent: Vec::<SentRecord>::new(),
            texts_may_come: false,
        });
        outcome.candidates.clone_from(&self.candidates);
        outcome.texts.clone_from(&self.texts);
        outcome
    }
}

#[cfg(test)]
#[path = "base_tests.rs"]
mod tests;
