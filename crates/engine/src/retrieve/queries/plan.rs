use futures_util::future::BoxFuture;
use precedent_domain::{PartialDate, Query, Scope};
use precedent_language::wording::{content_stems, word_count};

use super::feedback::field_terms;
use super::model;
use super::query_plan::QueryPlan;
use super::wording::{AIM, Terms, alike, query};
use crate::extract::Extraction;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "queries",
    version: 4,
};
/// Number of variants besides the primary query.
const VARIANTS: usize = 2;
/// Number of words of a claim combined with the core task in a variant.
const ANCHOR_WORDS: usize = 8;

/// The queries for what was extracted from the paper. Reads vocabulary from the sources' top results, none later than `as_of`.
///
/// # Errors
/// If the ledger fails. A source that fails adds no words.
pub fn queries<'a>(
    extraction: &'a Extraction,
    as_of: Option<PartialDate>,
    world: &'a World,
) -> BoxFuture<'a, Result<QueryPlan>> {
    Box::pin(async move {
        let asked: Vec<(String, Option<String>)> = world
            .sources
            .iter()
            .map(|source| (source.name().to_owned(), source.revision()))
            .collect();
        world
            .stage(STAGE, &(extraction, as_of, asked), compute(extraction, as_of, world))
            .await
    })
}

async fn compute(extraction: &Extraction, as_of: Option<PartialDate>, world: &World) -> Result<QueryPlan> {
    let terms = Terms::of(extraction);
    let mut plan = QueryPlan::default();
    if let Some(task) = &extraction.core_task {
        let mut others = vec![task.keywords.join(" ")];
        others.extend(task.alternatives.iter().cloned());
        plan.core_task = for_scope(Scope::CoreTask, &task.phrase, &others, as_of, &terms, world).await;
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
            .push(for_scope(Scope::Contribution(number), primary, &others, as_of, &terms, world).await);
    }
    match &world.model {
        None => Ok(plan),
        Some(model) => model::word_queries(model, extraction, plan).await,
    }
}

/// A primary query and its variants: long forms with added words of the field, then the paper's other wordings of the topic.
async fn for_scope(
    scope: Scope,
    primary: &str,
    others: &[String],
    as_of: Option<PartialDate>,
    terms: &Terms<'_>,
    world: &World,
) -> Vec<Query> {
    let Some(first) = query(primary, scope, 0, terms) else {
        return Vec::new();
    };
    let related = field_terms(&first, as_of, &|word| terms.is_coined(word), world).await;
    let swapped = terms.swapped(primary);
    let mut topics: Vec<String> = vec![with_more(
        swapped.as_deref().unwrap_or(primary),
        related.into_iter().take(2),
    )];
    topics.extend(
        others
            .iter()
            .map(|other| terms.swapped(other).unwrap_or_else(|| other.clone())),
    );
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

/// A topic with missing words of the field added, within the target length.
fn with_more(topic: &str, more: impl Iterator<Item = String>) -> String {
    let mut topic = topic.to_owned();
    for term in more {
        let stems = content_stems(&topic);
        let fresh = content_stems(&term).iter().any(|stem| !stems.contains(stem));
        if fresh && word_count(&topic) + word_count(&term) <= AIM {
            topic = format!("{topic}, {term}");
        }
    }
    topic
}
