//! Sends claims to services that search inside texts or by meaning.
//!
//! A word search finds only matching words. So the primary query of the core task and of each claim also goes to such services.
//! Their results join the search results of the same scope.

use std::sync::Arc;

use futures_util::future::join_all;
use precedent_domain::{PartialDate, Query};
use precedent_sources::{Ability, Relation, Source};

use super::asking::{Answer, Answers, Results, note_failure, related_alone};
use crate::World;

/// Maximum number of results per request.
pub const NEAR_LIMIT: usize = 50;

/// Results by source and query, or the reason for a failure.
pub(crate) type ResultsByMeaning = Vec<(usize, usize, Answer<Results>)>;

/// The queries to send, with their indices.
pub fn queries_by_meaning(queries: &[Query]) -> impl Iterator<Item = (usize, &Query)> {
    queries.iter().enumerate().filter(|(_, query)| query.variant == 0)
}

/// Queries every capable service concurrently, one request at a time each. A service that fails gets no further requests, because the
/// next one would wait just as long.
pub(crate) async fn search_by_meaning(
    queries: &[Query],
    as_of: Option<PartialDate>,
    world: &World,
) -> ResultsByMeaning {
    let able = world.sources.iter().enumerate();
    let able = able.filter(|(_, source)| !source.is_local() && source.can(Ability::Passages));
    let all = join_all(able.map(|(at, source)| one(at, source, queries, as_of))).await;
    all.into_iter().flatten().collect()
}

async fn one(at: usize, source: &Arc<dyn Source>, queries: &[Query], as_of: Option<PartialDate>) -> ResultsByMeaning {
    let mut found = Vec::new();
    for (number, query) in queries_by_meaning(queries) {
        let text = query.topic().to_owned();
        let answer = related_alone(source, |source| async move {
            source.related(&Relation::Near(&text), as_of, NEAR_LIMIT).await
        });
        let answer = answer.await;
        let failed = !matches!(&answer, Ok(results) if results.failure.is_none());
        found.push((at, number, answer));
        if failed {
            break;
        }
    }
    found
}

impl Answers {
    /// Adds results in order of source and query. Results of a source whose searches all failed are dropped, because the report lists it as not
    /// searched.
    pub(crate) fn take_by_meaning(&mut self, near: ResultsByMeaning, queries: &[Query]) {
        for (source, query, answer) in near {
            let (Some(report), Some(query)) = (self.sources.get_mut(source), queries.get(query)) else {
                continue;
            };
            match answer {
                Ok(results) if report.answered > 0 => {
                    self.rankings.entry(query.scope).or_default().push(results.hits);
                    self.later.extend(results.later);
                    if let Some(reason) = results.failure {
                        note_failure(report, reason);
                    }
                }
                Ok(_) => {}
                Err(reason) => note_failure(report, reason),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;
    use precedent_domain::{Document, Hit, Scope, Work};
    use precedent_sources::{Holdings, SearchResults, SourceError};

    use super::*;
    use crate::retrieve::search::asking::ask;
    use crate::sample::{FixedSource, kelp_works, work, world_of};

    /// A source that also searches inside texts.
    #[derive(Default)]
    struct Deep {
        fails: bool,
        local: bool,
        asked: Mutex<Vec<String>>,
    }

    #[async_trait]
    impl Source for Deep {
        fn name(&self) -> &str {
            "deep"
        }

        async fn search(&self, _: &Query, _: Option<PartialDate>, _: usize) -> Result<SearchResults, SourceError> {
            Ok(SearchResults::default())
        }

        async fn document(&self, _: &Work) -> Result<Option<Document>, SourceError> {
            Ok(None)
        }

        fn can(&self, ability: Ability) -> bool {
            ability == Ability::Passages
        }

        fn is_local(&self) -> bool {
            self.local
        }

        async fn related(
            &self,
            relation: &Relation<'_>,
            _: Option<PartialDate>,
            _: usize,
        ) -> Result<SearchResults, SourceError> {
            // The whole text is never sent.
            let Relation::Near(text) = relation else {
                return Err(SourceError::BrokenOff {
                    name: "deep".into(),
                    reason: format!("{relation:?}"),
                });
            };
            self.asked.lock().unwrap().push((*text).to_owned());
            if self.fails {
                return Err(SourceError::BrokenOff {
                    name: "deep".into(),
                    reason: "the water is too deep".into(),
                });
            }
            let work = work("deep:1", "Swell inside a text", "Ann Lee", Some("2015"), "Deep.");
            Ok(std::iter::once(Hit {
                work,
                score: 1.0,
                source: "deep".into(),
            })
            .collect())
        }

        fn holdings(&self) -> Holdings {
            Holdings::default()
        }
    }

    fn queries() -> Vec<Query> {
        let query = |scope, variant, text: &str| Query {
            text: format!("{}{text}", Query::PREFIX),
            scope,
            variant,
        };
        vec![
            query(Scope::CoreTask, 0, "forecasting kelp harvests"),
            query(Scope::CoreTask, 1, "kelp harvest forecasts"),
            query(Scope::Contribution(1), 0, "regression of swell records"),
            query(Scope::Contribution(1), 1, "seasonal regression"),
        ]
    }

    async fn asked_of(deep: Deep) -> (Answers, Vec<String>) {
        let deep = Arc::new(deep);
        let mut world = world_of(vec![FixedSource::new(kelp_works())]).await;
        world.sources.push(Arc::clone(&deep) as Arc<dyn Source>);
        let queries = queries();
        let mut answers = ask(&queries, None, &world).await;
        let near = search_by_meaning(&queries, None, &world).await;
        answers.take_by_meaning(near, &queries);
        let asked = deep.asked.lock().unwrap().clone();
        (answers, asked)
    }

    #[tokio::test]
    async fn primary_queries_are_sent_by_meaning_and_join_their_scope() {
        let (answers, asked) = asked_of(Deep::default()).await;
        assert_eq!(asked, ["forecasting kelp harvests", "regression of swell records"]);
        for scope in [Scope::CoreTask, Scope::Contribution(1)] {
            let found = answers.rankings[&scope].iter().flatten();
            assert_eq!(found.filter(|hit| hit.source == "deep").count(), 1, "{scope:?}");
        }
        let (_, asked) = asked_of(Deep {
            local: true,
            ..Deep::default()
        })
        .await;
        assert!(asked.is_empty(), "a corpus is searched with the paper's own text");
    }

    #[tokio::test]
    async fn failing_service_is_not_retried_and_reported_once() {
        let (answers, asked) = asked_of(Deep {
            fails: true,
            ..Deep::default()
        })
        .await;
        assert_eq!(asked.len(), 1);
        let report = answers.sources.iter().find(|one| one.name == "deep").unwrap();
        assert_eq!((report.failures.len(), report.answered), (1, 4));
        assert!(report.failures[0].contains("too deep"));
    }
}
