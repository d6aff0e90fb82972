use futures_util::future::BoxFuture;
use precedent_domain::{
    Funnel, IdeaReview, KnowledgeQuery, Query, REVIEW_SCHEMA_VERSION, ReviewDimension, RunMetadata, Scope, SearchRound,
};

use super::gather::{gather, has_words};
use super::judge::judge;
use super::limits::DISCLAIMER;
use super::material::{ReviewInput, ReviewOptions};
use super::parts::read;
use super::queries::{first, settled};
use super::search::kinds;
use crate::model::sent;
use crate::{Result, World};

/// Reviews an idea, or a paper treated as an idea, with evidence from papers, web pages and repositories (InnoEval). The same input, options and
/// world give the same review, byte for byte. Without a model the review has evidence but no scores.
///
/// # Errors
/// When the input has no words, no source answers, or the ledger or the analyst fails.
pub fn review<'a>(
    input: &'a ReviewInput,
    options: &'a ReviewOptions,
    world: &'a World,
) -> BoxFuture<'a, Result<IdeaReview>> {
    Box::pin(async move {
        let world = &world.behind(input.egress_gate());
        world.begin_calls([input.text().as_str()]);
        let mut gathered = gather(input, options, world).await?;
        let judged = judge(&gathered, options, world).await?;
        let models = world.model_uses();
        let sent_to_models = sent(&models);
        // Judging calls models too, so their limits are added only now.
        gathered.not_searched = super::limits::with_models(gathered.not_searched, world);
        gathered.notes.extend(judged.notes);
        Ok(IdeaReview {
            schema_version: REVIEW_SCHEMA_VERSION.to_owned(),
            metadata: RunMetadata {
                program_version: env!("CARGO_PKG_VERSION").to_owned(),
                analyst: world.analyst(),
                as_of: gathered.as_of,
                seed: world.seed,
                queries: put(&gathered.search.rounds),
                funnel: Funnel {
                    scopes: Vec::new(),
                    merged: 0,
                    shared_text: 0,
                },
                sources: gathered.sources,
                not_searched: gathered.not_searched,
                sent: sent_to_models.into_iter().chain(gathered.sent).collect(),
                models,
                disclaimer: DISCLAIMER.to_owned(),
            },
            idea: gathered.idea,
            knowledge: gathered.knowledge,
            search: gathered.search,
            grounding: gathered.grounding,
            dimensions: options
                .dimensions
                .iter()
                .map(|one| ReviewDimension {
                    id: one.id.clone(),
                    name: one.name.clone(),
                    question: one.question.clone(),
                })
                .collect(),
            board: judged.board,
            meta: judged.meta,
            suggestions: judged.suggestions,
            notes: Vec::new(),
            coded_notes: gathered.notes,
            set_aside: gathered.set_aside,
        })
    })
}

/// The queries of the first round. Later rounds build on the results, so their queries are not known in advance.
///
/// # Errors
/// When the input has no words, or the ledger or the analyst fails.
pub fn review_queries<'a>(input: &'a ReviewInput, world: &'a World) -> BoxFuture<'a, Result<Vec<KnowledgeQuery>>> {
    Box::pin(async move {
        has_words(input)?;
        world.begin_calls([input.text().as_str()]);
        let subject = read(input, world).await?;
        let kinds = kinds(world);
        Ok(settled(first(&subject, &kinds), &kinds, &[]))
    })
}

/// The queries of all rounds in the format that other reports use.
fn put(rounds: &[SearchRound]) -> Vec<Query> {
    let all = rounds.iter().flat_map(|round| {
        let number = u8::try_from(round.number.saturating_sub(1)).unwrap_or(u8::MAX);
        round.queries.iter().map(move |query| Query {
            text: query.text.clone(),
            scope: Scope::CoreTask,
            variant: number,
        })
    });
    all.collect()
}
