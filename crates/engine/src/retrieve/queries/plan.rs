use futures_util::future::BoxFuture;
use precedent_domain::{Query, Scope};

use super::model;
use super::query_plan::QueryPlan;
use super::wording::{Terms, alike, query};
use crate::extract::Extraction;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "queries",
    version: 5,
};
/// Number of variants besides the primary query.
const VARIANTS: usize = 2;
/// Number of words of a claim combined with the core task in a variant.
const ANCHOR_WORDS: usize = 8;

/// The queries for what was extracted from the paper.
///
/// # Errors
/// If the model or the ledger fails.
pub fn queries<'a>(extraction: &'a Extraction, world: &'a World) -> BoxFuture<'a, Result<QueryPlan>> {
    Box::pin(async move { world.stage(STAGE, extraction, compute(extraction, world)).await })
}

async fn compute(extraction: &Extraction, world: &World) -> Result<QueryPlan> {
    let terms = Terms::of(extraction);
    let mut plan = QueryPlan::default();
    if let Some(task) = &extraction.core_task {
        let mut others = vec![task.keywords.join(" ")];
        others.extend(task.alternatives.iter().cloned());
        plan.core_task = for_scope(Scope::CoreTask, &task.phrase, &others, &terms);
    }
    for (number, contribution) in (1..).zip(&extraction.contributions) {
        let primary = contribution.topics.first().unwrap_or(&contribution.name);
        let mut others: Vec<String> = contribution.topics.iter().skip(1).rev().cloned().collect();
        others.push(contribution.description.clone());
        if let Some(task) = &extraction.core_task {
            // A claim's own words may occur in many fields (`mimics human behaviour`). The task's words restrict the query to this one.
            others.insert(0, format!("{}, {}", first_words(primary, ANCHOR_WORDS), task.phrase));
        }
        plan.contributions
            .push(for_scope(Scope::Contribution(number), primary, &others, &terms));
    }
    match &world.model {
        None => Ok(plan),
        Some(model) => model::word_queries(model, extraction, plan).await,
    }
}

/// A primary query and its variants: the topic with abbreviations written out, then the paper's other wordings of it.
fn for_scope(scope: Scope, primary: &str, others: &[String], terms: &Terms<'_>) -> Vec<Query> {
    let Some(first) = query(primary, scope, 0, terms) else {
        return Vec::new();
    };
    let others = others.iter().map(String::as_str);
    let topics = std::iter::once(primary)
        .chain(others)
        .map(|topic| terms.swapped(topic).unwrap_or_else(|| topic.to_owned()));
    let mut queries = vec![first];
    for topic in topics {
        if queries.len() > VARIANTS {
            break;
        }
        let variant = u8::try_from(queries.len()).unwrap_or(u8::MAX);
        if let Some(next) = query(&topic, scope, variant, terms)
            && !queries.iter().any(|other| alike(other, &next))
        {
            queries.push(next);
        }
    }
    queries
}

/// The first `most` words, without a punctuation mark at the end.
pub(super) fn first_words(text: &str, most: usize) -> String {
    let words = text.split_whitespace().take(most).collect::<Vec<_>>().join(" ");
    words.trim_end_matches([',', ';', ':']).to_owned()
}
