//! The literature that a paper is set beside: its own references where what was searched holds them, what a search for its topic and its points finds, and works that its
//! references cite, where a source tells.

use std::cmp::Reverse;
use std::sync::Arc;

use futures_util::future::join_all;
use precedent_domain::{
    AsOf, BaseOrigin, CameBy, Candidate, CandidateText, Document, Extent, Funnel, NotSearched, Paper, Query, Reference,
    Scope, SentRecord, SetAside, SetAsideReason, SourceReport, Timing, Work, WorkId,
};
use precedent_sources::{MergedHit, fuse, merge};
use serde::{Deserialize, Serialize};

use super::material::PointsReading;
use crate::stages::queries::queries;
use crate::stages::search::{
    Cited, Itself, SearchOutcome, aliases, document_of, not_before, note_failure, put_alone, reports, search, timing,
};
use crate::world::Stage;
use crate::{OfflineAnalyst, Result, World};

const STAGE: Stage = Stage {
    name: "points.references",
    version: 1,
};
/// Results looked at for one reference, and words of it that are asked for.
const LIMIT: usize = 8;
const WORDS: usize = 40;

/// The literature, works numbered from 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Base {
    pub(super) candidates: Vec<Candidate>,
    pub(super) texts: Vec<CandidateText>,
    /// How each came, in the order of the works.
    pub(super) origins: Vec<Vec<BaseOrigin>>,
    pub(super) cut: usize,
    pub(super) found_references: usize,
    pub(super) set_aside: Vec<SetAside>,
    pub(super) queries: Vec<Query>,
    /// What the search told, without its works.
    pub(super) told: Option<SearchOutcome>,
}

/// A reference of the paper that a source holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Direct {
    number: u32,
    work: Work,
    found_by: Vec<String>,
    timing: Timing,
    document: Document,
}

/// What was found of the reference list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Directs {
    works: Vec<Direct>,
    set_aside: Vec<SetAside>,
    /// By source, why it failed.
    failures: Vec<(String, String)>,
}

/// A work that references of the paper cite.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SecondOrder {
    pub(super) work: Work,
    pub(super) found_by: Vec<String>,
    pub(super) timing: Timing,
    pub(super) document: Document,
    /// How many of the paper's references cite it.
    pub(super) cited_by: u32,
}

/// Collects at most `capacity` works, the paper counted; references of its own are all kept. Nothing later than `as_of` is among them.
///
/// # Errors
/// When no source answers anything, or the ledger fails.
pub(super) async fn base(
    paper: &Paper,
    reading: &PointsReading,
    as_of: Option<&AsOf>,
    capacity: usize,
    world: &World,
) -> Result<Base> {
    // Which passages speak to a point is told by the passages; no model is asked about works one by one.
    let world = world.judged_by(Arc::new(OfflineAnalyst));
    let plan = queries(&reading.extraction, as_of.map(|as_of| as_of.date), &world).await?;
    let found = search(paper, &plan.all(), as_of, &world).await?;
    let directs = directs(paper, &found, as_of, &world).await?;
    let mut base = together(directs, found, capacity);
    base.queries = plan.all();
    world.progress.note(&format!(
        "{} works in the base, {} of them references of the paper, {} with full text",
        base.candidates.len(),
        base.found_references,
        base.texts
            .iter()
            .filter(|text| text.document.extent == Extent::FullText)
            .count()
    ));
    Ok(base)
}

/// Looks for every entry of the reference list that the search did not bring, in sources on this machine: they are asked by title.
async fn directs(paper: &Paper, found: &SearchOutcome, as_of: Option<&AsOf>, world: &World) -> Result<Directs> {
    let known: Vec<u32> = found.candidates.iter().filter_map(|one| one.cited_as).collect();
    let open: Vec<&Reference> = paper
        .references
        .iter()
        .filter(|reference| !known.contains(&reference.number))
        .collect();
    let asked: Vec<(String, Option<String>)> = world
        .sources
        .iter()
        .map(|source| (source.name().to_owned(), source.revision()))
        .collect();
    let input = (&paper.origin.sha256, &paper.references, &known, as_of, asked);
    world.stage(STAGE, &input, look_up(paper, &open, as_of, world)).await
}

async fn look_up(paper: &Paper, open: &[&Reference], as_of: Option<&AsOf>, world: &World) -> Result<Directs> {
    let cited = Cited::new(paper);
    let itself = Itself::new(paper);
    let date = as_of.map(|as_of| as_of.date);
    let local: Vec<_> = world.sources.iter().filter(|source| source.is_local()).collect();
    let answers = open.iter().map(|reference| {
        let text = reference.title.as_deref().unwrap_or(&reference.text);
        let words: Vec<&str> = text.split_whitespace().take(WORDS).collect();
        let query = Query {
            text: words.join(" "),
            scope: Scope::CoreTask,
            variant: u8::MAX,
        };
        join_all(
            local
                .iter()
                .map(move |source| put_alone(source, query.clone(), date, LIMIT)),
        )
    });
    let answers = join_all(answers).await;
    let mut reports = reports(world);
    let mut found = Directs::default();
    for (reference, answers) in open.iter().zip(answers) {
        let mut rankings = Vec::new();
        for (source, answer) in local.iter().zip(answers) {
            match answer {
                Ok(mut hits) => {
                    hits.retain(|hit| cited.number(&hit.work) == Some(reference.number));
                    rankings.push(hits);
                }
                Err(reason) => {
                    if let Some(report) = reports.iter_mut().find(|report| report.name == source.name()) {
                        note_failure(report, reason);
                    }
                }
            }
        }
        let Some(MergedHit { work, members, .. }) = merge(fuse(&rankings)).into_iter().next() else {
            continue;
        };
        let timing = timing(&work, as_of, not_before(paper));
        if itself.is(&work) {
            continue;
        }
        if timing == Timing::Later {
            found.set_aside.push(later(work));
            continue;
        }
        let document = document_of(&work, &members, &mut reports, world).await;
        found.works.push(Direct {
            number: reference.number,
            work: Work {
                extent: document.extent,
                ..work
            },
            found_by: names(&members),
            timing,
            document,
        });
    }
    found.failures = reports
        .into_iter()
        .flat_map(|report| report.failures.into_iter().map(move |why| (report.name.clone(), why)))
        .collect();
    Ok(found)
}

fn later(work: Work) -> SetAside {
    SetAside {
        id: work.id.clone(),
        date: work.earliest().cloned(),
        url: work.url.clone(),
        title: work.title,
        reason: SetAsideReason::Later,
        scopes: Vec::new(),
        duplicate_of: None,
    }
}

fn names(members: &[(String, WorkId)]) -> Vec<String> {
    let mut names: Vec<String> = members.iter().map(|(source, _)| source.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// The base in the order in which works are taken: all references, what the search found, then works that references cite, as far as there is room.
fn together(directs: Directs, mut found: SearchOutcome, capacity: usize) -> Base {
    let mut base = Base::default();
    for (name, why) in directs.failures {
        if let Some(report) = found.sources.iter_mut().find(|report| report.name == name) {
            note_failure(report, why);
        }
    }
    let mut rows: Vec<(Candidate, Document, Vec<BaseOrigin>)> = Vec::new();
    let candidates = std::mem::take(&mut found.candidates);
    let texts = std::mem::take(&mut found.texts);
    let mut searched: Vec<(Candidate, Document, Vec<BaseOrigin>)> = Vec::new();
    let mut second: Vec<SecondOrder> = Vec::new();
    for ((place, candidate), text) in (1..).zip(candidates).zip(texts) {
        // One that no scope holds was not found by a search: by citations, or by text shared with the paper.
        let by_search = BaseOrigin::Search { place };
        let as_reference = candidate.came_by.iter().find_map(|one| match one {
            CameBy::Reference { number } => Some(*number),
            _ => None,
        });
        let cited_by = candidate.came_by.iter().find_map(|one| match one {
            CameBy::CitedByReferences { count } => Some(*count),
            _ => None,
        });
        let of_list = candidate.cited_as.or(as_reference);
        match (of_list, cited_by) {
            (Some(number), _) => {
                let candidate = Candidate {
                    cited_as: Some(number),
                    ..candidate
                };
                rows.push((
                    candidate,
                    text.document,
                    vec![BaseOrigin::Reference { number }, by_search],
                ));
            }
            (None, Some(cited_by)) if candidate.scopes.is_empty() => second.push(SecondOrder {
                work: candidate.work,
                found_by: candidate.found_by,
                timing: candidate.timing,
                document: text.document,
                cited_by,
            }),
            (None, Some(cited_by)) => {
                let origins = vec![by_search, BaseOrigin::SecondOrder { cited_by }];
                searched.push((candidate, text.document, origins));
            }
            (None, None) => searched.push((candidate, text.document, vec![by_search])),
        }
    }
    let is_known = |rows: &[(Candidate, Document, Vec<BaseOrigin>)], work: &Work| {
        rows.iter()
            .any(|(known, ..)| known.work.id == work.id || known.work.also.contains(&work.id))
    };
    for one in directs.works {
        if !is_known(&rows, &one.work) && !is_known(&searched, &one.work) {
            let origin = BaseOrigin::Reference { number: one.number };
            let candidate = bare(one.work, one.timing, one.found_by, Some(one.number));
            rows.push((candidate, one.document, vec![origin]));
        }
    }
    rows.sort_by_key(|(one, ..)| (one.cited_as, one.work.id.clone()));
    base.found_references = rows.len();
    let room = capacity.saturating_sub(1);
    let total = rows.len() + searched.len();
    rows.extend(searched);
    let mut more = 0;
    for one in ranked(second) {
        if !is_known(&rows, &one.work) {
            more += 1;
            let origin = BaseOrigin::SecondOrder { cited_by: one.cited_by };
            rows.push((
                bare(one.work, one.timing, one.found_by, None),
                one.document,
                vec![origin],
            ));
        }
    }
    rows.truncate(room.max(base.found_references));
    base.cut = total + more - rows.len();
    let names = aliases(&rows.iter().map(|(one, ..)| &one.work).collect::<Vec<_>>());
    for (((candidate, document, origins), alias), number) in rows.into_iter().zip(names).zip(1..) {
        base.texts.push(CandidateText { number, document });
        base.origins.push(origins);
        base.candidates.push(Candidate {
            number,
            alias,
            ..candidate
        });
    }
    base.set_aside = std::mem::take(&mut found.set_aside);
    base.set_aside.extend(directs.set_aside);
    base.told = Some(found);
    base
}

fn bare(work: Work, timing: Timing, found_by: Vec<String>, cited_as: Option<u32>) -> Candidate {
    Candidate {
        number: 0,
        alias: String::new(),
        work,
        scopes: Vec::new(),
        timing,
        cited_as,
        found_by,
        came_by: Vec::new(),
        shared_authors: Vec::new(),
    }
}

/// By how many references cite them, then the newest first, then by id; what is later than the paper is left out.
pub(super) fn ranked(mut works: Vec<SecondOrder>) -> Vec<SecondOrder> {
    works.retain(|one| one.timing != Timing::Later);
    works.sort_by_key(|one| {
        let day = one.work.earliest().map(|dated| dated.date.first_day());
        (Reverse(one.cited_by), Reverse(day), one.work.id.clone())
    });
    works
}

impl Base {
    /// What the search told, with the base in the place of its works: for what the report says was not searched.
    pub(super) fn outcome(&self) -> SearchOutcome {
        let mut outcome = self.told.clone().unwrap_or(SearchOutcome {
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
mod tests {
    use super::*;
    use crate::sample::work;

    fn cited(id: &str, date: Option<&str>, cited_by: u32, timing: Timing) -> SecondOrder {
        SecondOrder {
            work: work(id, id, "A. Author", date, "Some words."),
            found_by: vec![],
            timing,
            document: Document::default(),
            cited_by,
        }
    }

    #[test]
    fn works_that_references_cite_rank_by_how_many_do_then_by_date() {
        let works = vec![
            cited("w:old", Some("2001"), 2, Timing::Earlier),
            cited("w:new", Some("2019"), 2, Timing::Earlier),
            cited("w:undated", None, 2, Timing::Undated),
            cited("w:often", Some("1990"), 5, Timing::Earlier),
            cited("w:later", Some("2099"), 9, Timing::Later),
        ];
        let order: Vec<String> = ranked(works).iter().map(|one| one.work.id.to_string()).collect();
        assert_eq!(order, ["w:often", "w:new", "w:old", "w:undated"]);
    }

    #[test]
    fn each_work_is_marked_with_how_it_came_and_references_come_first() {
        let candidate = |id: &str, came_by: Vec<CameBy>| Candidate {
            came_by,
            ..bare(
                work(id, id, "A. Author", Some("2001"), "Some words."),
                Timing::Earlier,
                vec![],
                None,
            )
        };
        let mut found = Base::default().outcome();
        found.candidates = vec![
            candidate("w:cited", vec![CameBy::CitedByReferences { count: 3 }]),
            candidate("w:found", vec![]),
            candidate("w:listed", vec![CameBy::Reference { number: 4 }]),
        ];
        found.texts = (1..=3)
            .map(|number| CandidateText {
                number,
                document: Document::default(),
            })
            .collect();
        let base = together(Directs::default(), found, 200);
        let ids: Vec<&str> = base.candidates.iter().map(|one| one.work.id.as_str()).collect();
        assert_eq!(ids, ["w:listed", "w:found", "w:cited"]);
        assert_eq!(base.origins[0][0], BaseOrigin::Reference { number: 4 });
        assert_eq!(base.origins[1], [BaseOrigin::Search { place: 2 }]);
        assert_eq!(base.origins[2], [BaseOrigin::SecondOrder { cited_by: 3 }]);
        assert_eq!(base.found_references, 1);
    }
}
