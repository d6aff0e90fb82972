use futures_util::future::BoxFuture;
use precedent_domain::{
    AsOf, DateOrigin, Funnel, IDEA_SCHEMA_VERSION, IdeaAssessment, IdeaRanking, Query, RankedWork, RunMetadata,
};

use super::collect::{Collected, collect, given, short_queries};
use super::judge::{Judged, judge};
use super::limits::{DISCLAIMER, limits};
use super::listwise::TOP;
use super::next::next_searches;
use super::options::IdeaOptions;
use super::order::{Ordered, order};
use super::read::read;
use super::similarity::{MostSimilar, near};
use crate::compare::field_not_covered;
use crate::extract::Idea;
use crate::model::{model_incomplete, sent};
use crate::retrieve::search::as_of;
use crate::{EngineError, Result, World};

/// Checks an idea against the papers most similar to it (Idea Novelty Checker). The same idea, options and world give the same result, byte for byte.
///
/// # Errors
/// When the idea has no words, no source answers, or the ledger or the analyst fails.
pub fn idea<'a>(idea: &'a Idea, options: &'a IdeaOptions, world: &'a World) -> BoxFuture<'a, Result<IdeaAssessment>> {
    Box::pin(async move {
        if !idea.document().text.chars().any(char::is_alphanumeric) {
            return Err(EngineError::EmptyIdea);
        }
        idea.check_facets()?;
        let world = &world.for_idea(&idea.document(), options.own.as_ref());
        world.begin_calls([idea.document().text.as_str()]);
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
        let ordered = order(&text, &found, &nearest, options.ablation, world).await?;
        let Judged {
            works,
            judged,
            coverage,
            lean,
        } = judge(&text, &ordered, options, world).await?;
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
            next_searches: next_searches(&text, &works, &reading),
            lean,
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
        world.begin_calls([idea.document().text.as_str()]);
        let (_, reading) = read(idea, world).await?;
        Ok(short_queries(&reading))
    })
}

fn ranking(found: &Collected, nearest: &MostSimilar, ordered: &Ordered, world: &World) -> IdeaRanking {
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
        similarity_by: nearest.by.clone(),
        ordered_by: world.analyst(),
        listwise: ordered.listwise,
        further: further.collect(),
    }
}
