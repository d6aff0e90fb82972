//! Many sources with separate rate limits: no source waits for another, and no request for another request.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use precedent_domain::{Document, PartialDate, Query, Scope, Work};
use precedent_sources::{Holdings, SearchResults, Source, SourceError};
use tokio::sync::Barrier;

use super::asking::ask;
use crate::sample::world_of;

const SOURCES: usize = 8;
const QUERIES: usize = 12;

/// Answers only after every query was sent to every source, so sequential requests would wait forever.
struct Together {
    name: String,
    all: Arc<Barrier>,
    asked: AtomicUsize,
}

#[async_trait]
impl Source for Together {
    fn name(&self) -> &str {
        &self.name
    }

    async fn search(&self, _: &Query, _: Option<PartialDate>, _: usize) -> Result<SearchResults, SourceError> {
        self.all.wait().await;
        self.asked.fetch_add(1, Ordering::SeqCst);
        Ok(SearchResults::default())
    }

    async fn document(&self, _: &Work) -> Result<Option<Document>, SourceError> {
        Ok(None)
    }

    fn is_metered(&self) -> bool {
        true
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(30)
    }

    fn holdings(&self) -> Holdings {
        Holdings::default()
    }
}

/// So a search takes as long as the source with the tightest limit on twelve requests. The HTTP client keeps each source's rate separately.
#[tokio::test]
async fn twelve_queries_go_to_eight_sources_concurrently() {
    let all = Arc::new(Barrier::new(SOURCES * QUERIES));
    let together: Vec<Arc<Together>> = (0..SOURCES)
        .map(|at| {
            Arc::new(Together {
                name: format!("source-{at}"),
                all: Arc::clone(&all),
                asked: AtomicUsize::default(),
            })
        })
        .collect();
    let mut world = world_of(vec![]).await;
    world.sources = together.iter().map(|one| Arc::clone(one) as Arc<dyn Source>).collect();
    let queries: Vec<Query> = (0..QUERIES)
        .map(|at| Query {
            text: format!("Find papers about rope {at}"),
            scope: Scope::CoreTask,
            variant: u8::try_from(at).unwrap(),
        })
        .collect();
    let answers = ask(&queries, None, &world).await;
    assert!(together.iter().all(|one| one.asked.load(Ordering::SeqCst) == QUERIES));
    let well = |one: &precedent_domain::SourceReport| one.answered == QUERIES && one.failures.is_empty();
    assert!(answers.sources.iter().all(well), "{:#?}", answers.sources);
}
