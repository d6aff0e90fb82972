use precedent_domain::{
    AsOf, BaseOrigin, BaseWork, Extent, LiteratureBase, NotSearched, NoveltyPoint, POINTS_SCHEMA_VERSION, Paper,
    PointPassage, PointsReport, RunMetadata, SentRecord,
};

use super::base::Base;
use super::limits::DISCLAIMER;
use super::material::{PointsJudged, PointsReading, Retrieved};
use super::number::renumber;
use super::retrieve::Found;
use crate::World;
use crate::extract::original;
use crate::model::sent;

/// The contents of the report.
pub(super) struct Parts<'a> {
    pub(super) paper: &'a Paper,
    pub(super) reading: PointsReading,
    pub(super) base: Base,
    pub(super) capacity: usize,
    pub(super) found: Found,
    pub(super) judged: PointsJudged,
    pub(super) as_of: Option<AsOf>,
    pub(super) not_searched: Vec<NotSearched>,
    /// Names of the models that embedded and ranked passages.
    pub(super) ordered_by: (Option<String>, Option<String>),
    /// What was sent to those models.
    pub(super) asked: Vec<SentRecord>,
}

/// Assembles the report.
pub(super) fn assemble(parts: Parts<'_>, world: &World) -> PointsReport {
    let Parts {
        paper,
        reading,
        base,
        capacity,
        mut found,
        mut judged,
        as_of,
        not_searched,
        ordered_by,
        asked,
    } = parts;
    let literature = LiteratureBase {
        embedder: ordered_by.0,
        reranker: ordered_by.1,
        ..literature(paper, &base, capacity, &found)
    };
    let (references, passages) = renumber(found.works, found.passages, &mut found.points, &mut judged);
    let analyses = judged.analyses.into_iter().chain(std::iter::repeat(None));
    let points =
        (1..)
            .zip(reading.points)
            .zip(found.points)
            .zip(analyses)
            .map(|(((number, draft), retrieved), analysis)| NoveltyPoint {
                number,
                name: draft.name,
                class: draft.class,
                class_rule: draft.class_rule,
                claim: draft.claim,
                also_stated: draft.also_stated,
                said_of_it: draft.said_of_it,
                queries: draft.queries,
                passages: retrieved.into_iter().map(passage).collect(),
                analysis,
            });
    let models = world.model_uses();
    let outcome = base.search_outcome.clone();
    let searched = outcome.as_ref();
    PointsReport {
        schema_version: POINTS_SCHEMA_VERSION.to_owned(),
        original_paper: original(paper),
        content_summary: judged.content_summary,
        points: points.collect(),
        novelty_summary: judged.novelty_summary,
        references,
        passages,
        base: literature,
        validation: judged.validation,
        notes: Vec::new(),
        coded_notes: reading.notes,
        set_aside: base.set_aside,
        metadata: RunMetadata {
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            analyst: world.analyst(),
            as_of,
            seed: world.seed,
            queries: base.queries,
            funnel: searched.map_or_else(
                || precedent_domain::Funnel {
                    scopes: Vec::new(),
                    merged: 0,
                    shared_text: 0,
                },
                |found| found.funnel.clone(),
            ),
            sources: searched.map(|found| found.sources.clone()).unwrap_or_default(),
            not_searched,
            sent: sent(&models)
                .into_iter()
                .chain(searched.map(|found| found.sent.clone()).unwrap_or_default())
                .chain(asked)
                .collect(),
            models,
            disclaimer: DISCLAIMER.to_owned(),
        },
    }
}

fn passage(one: Retrieved) -> PointPassage {
    PointPassage {
        passage: one.passage,
        score: one.score,
        by_words: one.by_words,
        by_vectors: one.by_vectors,
        queries: one.queries,
        shared: one.shared,
        nearest: one.nearest,
        shown: one.shown,
        probability: one.probability,
        similar: Some(one.similar),
    }
}

fn literature(paper: &Paper, base: &Base, capacity: usize, found: &Found) -> LiteratureBase {
    let only =
        |wanted: fn(&BaseOrigin) -> bool| base.origins.iter().filter(|origins| origins.iter().all(wanted)).count();
    let works = base
        .candidates
        .iter()
        .zip(&base.origins)
        .zip(&found.counts)
        .map(|((one, origins), passages)| BaseWork {
            id: one.work.id.clone(),
            title: one.work.title.clone(),
            year: one.work.year(),
            origins: origins.clone(),
            passages: *passages,
        });
    LiteratureBase {
        capacity,
        listed_references: paper.references.len(),
        found_references: base.found_references,
        second_order: only(|origin| matches!(origin, BaseOrigin::SecondOrder { .. })),
        by_search: only(|origin| matches!(origin, BaseOrigin::Search { .. })),
        cut: base.cut,
        full_texts: base
            .texts
            .iter()
            .filter(|text| text.document.extent == Extent::FullText)
            .count(),
        passages: found.counts.iter().sum(),
        works: works.collect(),
        ..LiteratureBase::default()
    }
}
