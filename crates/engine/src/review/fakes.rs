//! Fake sources of each kind, and an idea for them.

use std::sync::Arc;

use async_trait::async_trait;
use precedent_domain::{Document, EvidenceKind, IdeaReview, PartialDate, Query, Work};
use precedent_sources::{Holdings, SearchResults, Source, SourceError};

use super::{ReviewInput, ReviewOptions, review};
use crate::World;
use crate::board::{dimensions, personas};
use crate::extract::Idea;
use crate::sample::{FixedSource, work, world_of};

pub(crate) const IDEA: &str = "We propose to shift the departures of small ferries in narrow fjords by the predicted current so that crossings burn less fuel. \
Existing timetables ignore tides and ferries burn much fuel against the current. \
A harmonic tide model gives the current ahead of time and a queueing network bounds how long passengers wait. \
It will be evaluated on two ferry lines over one season, measuring fuel and waiting of passengers.";

/// A test source that holds one kind of evidence.
pub(crate) struct Kinded {
    pub(crate) fixed_source: FixedSource,
    pub(crate) kind: EvidenceKind,
    /// The id of every document it was asked for.
    pub(crate) read: Arc<std::sync::Mutex<Vec<String>>>,
}

#[async_trait]
impl Source for Kinded {
    fn name(&self) -> &str {
        &self.fixed_source.name
    }

    fn kind(&self) -> EvidenceKind {
        self.kind
    }

    async fn search(
        &self,
        query: &Query,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        self.fixed_source.search(query, as_of, limit).await
    }

    async fn document(&self, work: &Work) -> Result<Option<Document>, SourceError> {
        self.read.lock().unwrap().push(work.id.as_str().to_owned());
        self.fixed_source.document(work).await
    }

    fn is_local(&self) -> bool {
        self.fixed_source.local
    }

    fn holdings(&self) -> Holdings {
        self.fixed_source.holdings()
    }
}

/// Papers of one kind on ferries, and one on tea.
fn of_kind(kind: EvidenceKind) -> Vec<Work> {
    let name = kind.name();
    let id = |at: &str| format!("{name}:{at}");
    vec![
        work(
            &id("fuel"),
            &format!("Fuel of ferries against the current ({name})"),
            "Ida Berg",
            Some("2012"),
            "Small ferries in fjords burn much fuel against the current, and existing timetables ignore tides. We measured the fuel of crossings on two ferry lines.",
        ),
        work(
            &id("tide"),
            &format!("A harmonic tide model for narrow fjords ({name})"),
            "Ole Dahl",
            Some("2015"),
            "A harmonic tide model gives the current in narrow fjords ahead of time. It is fitted to gauges of one season.",
        ),
        work(
            &id("queue"),
            &format!("Queueing of passengers at piers ({name})"),
            "Mia Wu",
            None,
            "A queueing network bounds how long passengers wait at the piers of ferry lines.",
        ),
        work(
            &id("later"),
            &format!("Deep departures of ferries in fjords by the current ({name})"),
            "Ann Lee",
            Some("2024"),
            "Departures of ferries in fjords are shifted by the predicted current with deep networks, and crossings burn less fuel.",
        ),
        work(
            &id("tea"),
            "Pricing of tea on islands",
            "Lu Tan",
            Some("2001"),
            "Tea prices follow the moon, as passengers say.",
        ),
    ]
}

pub(crate) fn kinded(name: &str, kind: EvidenceKind) -> Kinded {
    Kinded {
        fixed_source: FixedSource {
            name: name.to_owned(),
            ..FixedSource::new(of_kind(kind))
        },
        kind,
        read: Arc::default(),
    }
}

pub(crate) async fn world_with(sources: Vec<Kinded>) -> World {
    let mut world = world_of(vec![]).await;
    let sources = sources.into_iter().map(|one| Arc::new(one) as Arc<dyn Source>);
    world.sources = sources.collect();
    world
}

pub(crate) async fn three_kinds() -> World {
    world_with(vec![
        kinded("papers", EvidenceKind::Literature),
        kinded("pages", EvidenceKind::Web),
        kinded("code", EvidenceKind::Code),
    ])
    .await
}

pub(crate) fn options() -> ReviewOptions {
    ReviewOptions {
        as_of: None,
        dimensions: dimensions(None).unwrap(),
        personas: personas(None).unwrap(),
        required: Vec::new(),
        board: 5,
        rounds: 3,
        keep: 10,
        oversample: 3,
        alpha: 0.2,
        as_published: false,
        embedder: None,
        reranker: None,
    }
}

pub(crate) async fn reviewed(world: World, as_of: Option<&str>) -> IdeaReview {
    let options = ReviewOptions {
        as_of: as_of.map(|date| date.parse().unwrap()),
        ..options()
    };
    review(&ReviewInput::Idea(Idea::new(IDEA)), &options, &world)
        .await
        .unwrap()
}
