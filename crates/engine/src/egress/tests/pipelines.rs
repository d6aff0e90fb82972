//! What the pipelines send, as received by a remote source.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use precedent_domain::{Document, EvidenceKind, Hit, PartialDate, Work};
use precedent_sources::{Ability, Holdings, SearchResults, Source, SourceError};

use super::*;
use crate::World;
use crate::assess::{AssessOptions, assess};
use crate::idea::{Idea, IdeaOptions, idea};
use crate::points::{PointsOptions, points};
use crate::review::{ReviewInput, ReviewOptions, review};
use crate::sample::{FixedSource, kelp_paper, kelp_works};

/// A remote source that records every text it receives.
struct Elsewhere {
    kind: EvidenceKind,
    sent: Arc<Mutex<Vec<String>>>,
}

impl Elsewhere {
    fn of(kind: EvidenceKind) -> Self {
        Self {
            kind,
            sent: Arc::default(),
        }
    }

    fn hits(&self, text: &str) -> Vec<Hit> {
        self.sent.lock().unwrap().push(text.to_owned());
        let works = kelp_works()
            .into_iter()
            .filter(|_| self.kind == EvidenceKind::Literature);
        let hit = |work: Work| Hit {
            work,
            score: 1.0,
            source: self.name().to_owned(),
        };
        works.map(hit).collect()
    }
}

#[async_trait]
impl Source for Elsewhere {
    fn name(&self) -> &str {
        match self.kind {
            EvidenceKind::Literature => "library",
            EvidenceKind::Web => "web",
            EvidenceKind::Code => "code",
        }
    }

    fn kind(&self) -> EvidenceKind {
        self.kind
    }

    async fn search(&self, query: &Query, _: Option<PartialDate>, _: usize) -> Result<SearchResults, SourceError> {
        Ok(self.hits(query.topic()).into_iter().collect())
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::Passages | Ability::Titled)
    }

    async fn related(
        &self,
        relation: &Relation<'_>,
        _: Option<PartialDate>,
        _: usize,
    ) -> Result<SearchResults, SourceError> {
        match relation {
            Relation::Near(text) => Ok(self.hits(text).into_iter().collect()),
            // Looking up a cited work's title is another kind of request.
            Relation::Titled(title) => Ok(self.hits(&format!("title: {title}")).into_iter().collect()),
            _ => Ok(SearchResults::default()),
        }
    }

    async fn document(&self, _: &Work) -> Result<Option<Document>, SourceError> {
        Ok(None)
    }

    fn is_metered(&self) -> bool {
        true
    }

    fn holdings(&self) -> Holdings {
        Holdings::default()
    }
}

/// The texts that one source received.
type Received = Arc<Mutex<Vec<String>>>;

fn online() -> (Vec<Arc<dyn Source>>, Vec<Received>) {
    let sources: Vec<Elsewhere> = EvidenceKind::ALL.into_iter().map(Elsewhere::of).collect();
    let sent = sources.iter().map(|one| Arc::clone(&one.sent)).collect();
    (
        sources
            .into_iter()
            .map(|one| Arc::new(one) as Arc<dyn Source>)
            .collect(),
        sent,
    )
}

pub(super) async fn online_world() -> (World, Vec<Received>) {
    let (sources, sent) = online();
    let mut world = world_of(vec![]).await;
    world.sources = sources;
    (world, sent)
}

fn check(command: &str, sent: &[Arc<Mutex<Vec<String>>>], paper: &Paper) {
    let all: Vec<String> = sent.iter().flat_map(|one| one.lock().unwrap().clone()).collect();
    assert!(all.len() > 2, "{command}: {all:?}");
    let runs = sevens(&paper.document.text);
    for text in all {
        let runs = if text.starts_with("title: ") {
            &BTreeSet::new()
        } else {
            &runs
        };
        assert_eq!(
            violations(&text, &set(&PERSONAL), &set(&COINED), runs),
            Vec::<String>::new(),
            "{command}: {text}"
        );
        assert_ne!(text, "title: Harbour quorums for lost ledger shards", "{command}");
    }
}

fn review_options() -> ReviewOptions {
    ReviewOptions {
        as_of: None,
        dimensions: crate::board::dimensions(None).unwrap(),
        personas: crate::board::personas(None).unwrap(),
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

#[tokio::test]
async fn every_pipeline_sends_only_what_the_gate_allows() {
    let paper = beacon_paper();
    let (mut world, sent) = online_world().await;
    world.sources.truncate(1);
    assess(paper.clone(), AssessOptions::default(), &world).await.unwrap();
    check("assess", &sent[..1], &paper);
    let (mut world, sent) = online_world().await;
    world.sources.truncate(1);
    points(&paper, &PointsOptions::default(), &world).await.unwrap();
    check("points", &sent[..1], &paper);
    let (world, sent) = online_world().await;
    review(&ReviewInput::Paper(Box::new(paper.clone())), &review_options(), &world)
        .await
        .unwrap();
    check("review of a paper", &sent, &paper);
    let text = format!(
        "# Harbour quorums for lost ledger shards\n\nNora Ekeland, Bo Strand\n\nUniversity of Tromsdal\n\nWe propose BeaconFold, a protocol for lost shards. {SENTENCE}"
    );
    let (world, sent) = online_world().await;
    review(&ReviewInput::Idea(Idea::new(&text)), &review_options(), &world)
        .await
        .unwrap();
    check("review of an idea", &sent, &paper);
    let (mut world, sent) = online_world().await;
    world.sources.truncate(1);
    let options = IdeaOptions {
        whole_to: ["library".to_owned()].into(),
        samples: 1,
        ..IdeaOptions::default()
    };
    idea(&Idea::new(&text), &options, &world).await.unwrap();
    check("idea", &sent[..1], &paper);
}

#[tokio::test]
async fn local_sources_receive_ungated_queries() {
    let paper = kelp_paper();
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(kelp_works())
    };
    let asked = Arc::clone(&fixed_source.asked);
    let world = world_of(vec![fixed_source]).await;
    let found = assess(paper, AssessOptions::default(), &world).await.unwrap();
    let asked = asked.lock().unwrap().clone();
    for query in &found.metadata.queries {
        assert!(asked.contains(&query.text), "{}", query.text);
    }
}

#[tokio::test]
async fn a_withheld_query_is_reported_and_not_counted() {
    let mut world = world_of(vec![]).await;
    let source = Elsewhere::of(EvidenceKind::Literature);
    let sent = Arc::clone(&source.sent);
    world.sources = vec![Arc::new(source)];
    let world = world.behind(EgressGate::of_paper(&beacon_paper()));
    let source = &world.sources[0];
    let error = source
        .search(&query("Nora Ekeland, Bo Strand"), None, 5)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("was not sent"), "{error}");
    assert!(
        source
            .related(&Relation::Near("Nora Ekeland"), None, 5)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(sent.lock().unwrap().is_empty());
    assert!(source.revision().unwrap().starts_with("gate "));
}
