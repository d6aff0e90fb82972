use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use precedent_corpus::{Embedder, VectorCache};
use precedent_domain::{
    AsOf, DateOrigin, Funnel, IDEA_SCHEMA_VERSION, IdeaAssessment, IdeaRanking, Paper, PartialDate, Query, RankedWork,
    RunMetadata, Work,
};
use precedent_sources::WorkName;
use serde::Serialize;

use super::collect::{Collected, collect, given, short_queries};
use super::judge::judge;
use super::labelled::Examples;
use super::limits::{DISCLAIMER, limits};
use super::listwise::TOP;
use super::order::{Ordered, order};
use super::read::read;
use super::similarity::{Nearest, near};
use crate::extract::Idea;
use crate::gaps::{field_not_covered, model_incomplete, sent};
use crate::retrieve::search::as_of;
use crate::{EgressGate, EngineError, Result, World};

/// Options of an idea's assessment.
#[derive(Clone, Default)]
pub struct IdeaOptions {
    /// Judgement date: later papers do not count. Default: the date of the idea's own paper. Without either, every paper counts as earlier.
    pub as_of: Option<PartialDate>,
    /// Papers that the idea was made from. Similar papers are searched too. They are prior work like any other.
    pub seeds: Vec<Seed>,
    /// Names of the services that may receive the whole idea, if they support it, because the user named them. Local sources always do.
    pub whole_to: BTreeSet<String>,
    /// The idea's own paper, if it has one. Its versions are excluded as the same work.
    pub own: Option<Paper>,
    /// The papers to compare the idea with, instead of a search.
    pub given: Option<Vec<Work>>,
    /// Labelled examples for the model.
    pub examples: Examples,
    /// How often the model is called for the verdict; at least once.
    pub samples: usize,
    /// Embedding model to use instead of the program's own vectors, and the cache of its vectors.
    pub embedder: Option<(Arc<dyn Embedder>, Arc<VectorCache>)>,
}

/// A paper that an idea was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Seed {
    /// Its title; empty if it was given by identifier alone.
    pub title: String,
    /// Its abstract; empty if unknown.
    pub summary: String,
    /// Its identifiers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<WorkName>,
}

/// Checks an idea against the papers most similar to it (Idea Novelty Checker). The same idea, options and world give the same result, byte for byte.
///
/// # Errors
/// When the idea has no words, no source answers, or the ledger or the analyst fails.
pub fn idea<'a>(idea: &'a Idea, options: &'a IdeaOptions, world: &'a World) -> BoxFuture<'a, Result<IdeaAssessment>> {
    Box::pin(async move {
        if !idea.document().text.chars().any(char::is_alphanumeric) {
            return Err(EngineError::EmptyIdea);
        }
        let world = &world.behind(EgressGate::of_idea(&idea.document(), options.own.as_ref()));
        // An idea with a paper of its own has that paper's date.
        let as_of = match &options.own {
            Some(own) => as_of(own, options.as_of),
            None => options.as_of.map(|date| AsOf {
                date,
                origin: DateOrigin::Given,
            }),
        };
        let options = &IdeaOptions {
            as_of: as_of.as_ref().map(|as_of| as_of.date),
            ..options.clone()
        };
        let (text, reading) = read(idea, world).await?;
        let found = match &options.given {
            Some(works) => given(works, options.as_of),
            None => collect(&text, &reading, options, world).await?,
        };
        let nearest = near(&text, &found, options, world).await?;
        let ordered = order(&text, &found, &nearest, world).await?;
        let (works, judged, coverage) = judge(&text, &ordered, options, world).await?;
        let mut not_searched = limits(&found, &nearest, &ordered, &works, options, world);
        let not_covered = coverage.as_ref().and_then(field_not_covered);
        not_searched.splice(0..0, not_covered);
        not_searched.splice(0..0, model_incomplete(world));
        let models = world.model_uses();
        let sent_to_models = sent(&models);
        Ok(IdeaAssessment {
            schema_version: IDEA_SCHEMA_VERSION.to_owned(),
            verdict: judged.verdict,
            examples: judged.examples,
            ranking: ranking(&found, &nearest, &ordered, world),
            set_aside: found.set_aside,
            metadata: RunMetadata {
                program_version: env!("CARGO_PKG_VERSION").to_owned(),
                analyst: world.analyst(),
                as_of,
                seed: world.seed,
                queries: found.queries,
                funnel: Funnel {
                    scopes: Vec::new(),
                    merged: found.merged,
                    shared_text: 0,
                },
                sources: ordered.sources,
                not_searched,
                sent: sent_to_models.into_iter().chain(found.sent).collect(),
                models,
                disclaimer: DISCLAIMER.to_owned(),
            },
            idea: text,
            works,
        })
    })
}

/// The short queries that sources are searched with for an idea.
///
/// # Errors
/// When the ledger or the analyst fails.
pub fn idea_queries<'a>(idea: &'a Idea, world: &'a World) -> BoxFuture<'a, Result<Vec<Query>>> {
    Box::pin(async move {
        let (_, reading) = read(idea, world).await?;
        Ok(short_queries(&reading))
    })
}

fn ranking(found: &Collected, nearest: &Nearest, ordered: &Ordered, world: &World) -> IdeaRanking {
    let further = (1..).zip(&ordered.further).map(|(at, work)| RankedWork {
        rank: at + u32::try_from(TOP).unwrap_or_default(),
        id: work.id.clone(),
        title: work.title.clone(),
        year: work.year(),
        also: work.also.clone(),
    });
    IdeaRanking {
        results: found.results,
        works: found.merged,
        without_text: found.without_text,
        set_aside: found.set_aside.len(),
        ranked: found.works.len(),
        nearness_by: nearest.by.clone(),
        ordered_by: world.analyst(),
        listwise: ordered.listwise,
        further: further.collect(),
    }
}
