//! Queries written by a model: one primary query per claim, with two variants each.

use std::collections::BTreeMap;

use precedent_domain::{Query, Scope};
use precedent_llm::{Check, Checks, Violation};
use precedent_text::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::extract::Extraction;
use crate::model::asker::Parts;
use crate::model::checks::Checked;
use crate::model::policy::Worded;
use crate::model::prose::is_phrase;
use crate::model::{ModelAnalyst, checks};
use crate::retrieve::queries::{QueryPlan, alike, worded};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct QueriesReply {
    queries: Vec<QueryReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct QueryReply {
    /// The item's number.
    item: u32,
    query: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct VariantsReply {
    queries: Vec<VariantReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct VariantReply {
    /// The item's number.
    item: u32,
    /// Two.
    variants: Vec<String>,
}

/// Variants in addition to the primary query (OpenNovelty, 2.1).
const VARIANTS: usize = 2;
/// Longest query, in words, that is shortened; a longer one is sent back.
const MOST_WORDS: usize = 40;

#[derive(Serialize)]
struct Primary {
    mark: String,
    topic: String,
    items: String,
}

#[derive(Serialize)]
struct Variants {
    mark: String,
    items: String,
}

/// Rewords the queries.
pub(crate) async fn word_queries(model: &ModelAnalyst, extraction: &Extraction, plan: QueryPlan) -> Result<QueryPlan> {
    let answer = ask_queries(model, extraction, plan.clone()).await?;
    Ok(model.printed(answer, || plan))
}

/// The program's plan with the model's queries, each within the limits of every query. The program's query stays where the model gave none.
async fn ask_queries(model: &ModelAnalyst, extraction: &Extraction, plan: QueryPlan) -> Result<QueryPlan> {
    let claims: BTreeMap<u32, String> = (1..)
        .zip(&extraction.contributions)
        .map(|(number, one)| {
            (
                number,
                format!("{}\n{}\n{}", one.name, one_line(one.claim.text()), one.description),
            )
        })
        .collect();
    let topic = extraction
        .core_task
        .as_ref()
        .map(|task| task.phrase.clone())
        .unwrap_or_default();
    let mut scopes = vec![plan.core_task];
    scopes.extend(plan.contributions);
    if !claims.is_empty() {
        ask_primary(model, &topic, &claims, extraction, &mut scopes).await?;
    }
    ask_variants(model, extraction, &mut scopes).await?;
    let mut scopes = scopes.into_iter();
    Ok(QueryPlan {
        core_task: scopes.next().unwrap_or_default(),
        contributions: scopes.collect(),
    })
}

async fn ask_primary(
    model: &ModelAnalyst,
    topic: &str,
    claims: &BTreeMap<u32, String>,
    extraction: &Extraction,
    scopes: &mut [Vec<Query>],
) -> Result<()> {
    let numbers: Vec<u32> = claims.keys().copied().collect();
    let fence = model.fence();
    let (mut parts, mut queries) = (Parts::of(&numbers), Vec::new());
    while let Some(part) = parts.next() {
        let inputs = Primary {
            mark: fence.mark().to_owned(),
            topic: fence.wrap("topic", topic),
            items: wrapped(&fence, claims, part),
        };
        let known = |reply: &QueriesReply| {
            checks::known_once("item", reply.queries.iter().map(|one| one.item), part)?;
            reply.queries.iter().try_for_each(|one| is_query(&one.query))
        };
        let complete =
            |reply: &QueriesReply| checks::none_missing("item", reply.queries.iter().map(|one| one.item), part);
        let must: [Check<'_, QueriesReply>; 1] = [&known];
        let should: [Check<'_, QueriesReply>; 1] = [&complete];
        let checks = Checks {
            must: &must,
            should: &should,
        };
        let reply = model
            .ask_part("queries.primary", &inputs, checks, part, &mut parts)
            .await?;
        if let Some(reply) = &reply {
            let answered = reply.value.queries.iter().map(|one| one.item);
            model.report_left_out("queries.primary", answered, part);
        }
        queries.extend(reply.into_iter().flat_map(|reply| reply.value.queries));
    }
    for one in queries {
        let query = worded(&one.query, Scope::Contribution(one.item), 0, extraction);
        let scope = usize::try_from(one.item).ok().and_then(|at| scopes.get_mut(at));
        if let (Some(query), Some(scope)) = (query, scope) {
            match scope.first_mut() {
                Some(first) => *first = query,
                None => scope.push(query),
            }
        }
    }
    Ok(())
}

async fn ask_variants(model: &ModelAnalyst, extraction: &Extraction, scopes: &mut [Vec<Query>]) -> Result<()> {
    let primaries: BTreeMap<u32, String> = (0..)
        .zip(scopes.iter())
        .filter_map(|(at, scope)| Some((at, scope.first()?.text.clone())))
        .collect();
    if primaries.is_empty() {
        return Ok(());
    }
    let numbers: Vec<u32> = primaries.keys().copied().collect();
    let fence = model.fence();
    let (mut parts, mut answers) = (Parts::of(&numbers), Vec::new());
    while let Some(part) = parts.next() {
        let inputs = Variants {
            mark: fence.mark().to_owned(),
            items: wrapped(&fence, &primaries, part),
        };
        let known = |reply: &VariantsReply| {
            checks::known_once("item", reply.queries.iter().map(|one| one.item), part)?;
            let variants = reply.queries.iter().flat_map(|one| &one.variants);
            variants.into_iter().try_for_each(|query| is_query(query))
        };
        let complete = |reply: &VariantsReply| {
            checks::none_missing("item", reply.queries.iter().map(|one| one.item), part)?;
            match reply.queries.iter().find(|one| one.variants.len() != VARIANTS) {
                Some(one) => Err(Violation(format!(
                    "item {} has not exactly {VARIANTS} variants",
                    one.item
                ))),
                None => Ok(()),
            }
        };
        let must: [Check<'_, VariantsReply>; 1] = [&known];
        let should: [Check<'_, VariantsReply>; 1] = [&complete];
        let checks = Checks {
            must: &must,
            should: &should,
        };
        let reply = model
            .ask_part("queries.variants", &inputs, checks, part, &mut parts)
            .await?;
        if let Some(reply) = &reply {
            let answered = reply.value.queries.iter().map(|one| one.item);
            model.report_left_out("queries.variants", answered, part);
        }
        answers.extend(reply.into_iter().flat_map(|reply| reply.value.queries));
    }
    for one in answers {
        let Some(scope) = usize::try_from(one.item).ok().and_then(|at| scopes.get_mut(at)) else {
            continue;
        };
        let of = if one.item == 0 {
            Scope::CoreTask
        } else {
            Scope::Contribution(one.item)
        };
        with_variants(scope, of, &one.variants, extraction);
    }
    Ok(())
}

/// The primary query, the model's variants, and the program's variants where the model's are missing or duplicates.
fn with_variants(scope: &mut Vec<Query>, of: Scope, variants: &[String], extraction: &Extraction) {
    let own = std::mem::take(scope);
    let mut own = own.into_iter();
    scope.extend(own.next());
    let worded_variants = variants.iter().filter_map(|reply| worded(reply, of, 1, extraction));
    for query in worded_variants.chain(own) {
        if scope.len() <= VARIANTS && !scope.iter().any(|other| alike(other, &query)) {
            let variant = u8::try_from(scope.len()).unwrap_or(u8::MAX);
            scope.push(Query { variant, ..query });
        }
    }
}

fn is_query(query: &str) -> Checked {
    checks::title("a query", query, 2, MOST_WORDS)
}

fn wrapped(fence: &precedent_llm::Fence, items: &BTreeMap<u32, String>, part: &[u32]) -> String {
    let wrapped = items
        .iter()
        .filter(|(number, _)| part.contains(number))
        .map(|(number, text)| fence.wrap(&format!("item {number}"), text));
    wrapped.collect::<Vec<_>>().join("\n")
}

impl Worded for QueryPlan {
    fn without_sentences(mut self, own: Self) -> Self {
        let kept = |given: &mut Vec<Query>, own: &[Query]| {
            if !given.iter().all(|query| own.contains(query) || is_phrase(&query.text)) {
                *given = own.to_vec();
            }
        };
        kept(&mut self.core_task, &own.core_task);
        for (given, own) in self.contributions.iter_mut().zip(&own.contributions) {
            kept(given, own);
        }
        self
    }
}
