use precedent_llm::{Check, Checks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judge::LONGEST;
use crate::Result;
use crate::audit::{AuditQueries, items};
use crate::model::policy::{Worded, phrases};
use crate::model::{ModelAnalyst, checks};
use crate::retrieve::passages::filled_up;

/// Longest query, in words: two more than the prompt requests.
const QUERY_WORDS: usize = 8;

#[derive(Serialize)]
struct AuditQueriesInputs {
    mark: String,
    report: String,
    dimensions: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct AuditQueriesReply {
    dimensions: Vec<QueriesOfDimension>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct QueriesOfDimension {
    /// The dimension's number.
    dimension: u32,
    /// Four of 2 to 4 words.
    key_words: Vec<String>,
    /// Two of 4 to 6 words.
    phrases: Vec<String>,
}

/// Six queries per audit dimension, for passages that its items need.
pub(crate) async fn word_audit(model: &ModelAnalyst, report: &str, own: AuditQueries) -> Result<AuditQueries> {
    let answer = ask_queries(model, report, own.clone()).await?;
    Ok(model.printed(answer, || own))
}

/// The model's queries for each dimension, filled up with the program's own.
async fn ask_queries(model: &ModelAnalyst, report: &str, own: AuditQueries) -> Result<AuditQueries> {
    if own.is_empty() {
        return Ok(own);
    }
    let fence = model.fence();
    let numbers: Vec<u32> = (1..).zip(&own).map(|(number, _)| number).collect();
    let shown = numbers.iter().zip(own.keys()).map(|(number, dimension)| {
        let asked = items().iter().filter(|item| item.dimension() == Some(*dimension));
        let asked: Vec<&str> = asked.map(|item| item.question.as_str()).collect();
        fence.wrap(&format!("dimension {number}"), &asked.join("\n"))
    });
    let inputs = AuditQueriesInputs {
        mark: fence.mark().to_owned(),
        dimensions: shown.collect::<Vec<_>>().join("\n"),
        report: fence.wrap(
            "report",
            report.get(..report.floor_char_boundary(LONGEST)).unwrap_or_default(),
        ),
    };
    let known = |reply: &AuditQueriesReply| {
        checks::known_once("dimension", reply.dimensions.iter().map(|one| one.dimension), &numbers)
    };
    let must: [Check<'_, AuditQueriesReply>; 1] = [&known];
    let checks = Checks {
        must: &must,
        should: &[],
    };
    let Some(reply) = model.ask("audit.queries", &inputs, checks).await? else {
        return Ok(own);
    };
    let worded = numbers.into_iter().zip(own).map(|(number, (dimension, own))| {
        let reply = reply.value.dimensions.iter().find(|one| one.dimension == number);
        let all: Vec<String> = reply
            .into_iter()
            .flat_map(|one| one.key_words.iter().chain(&one.phrases))
            .filter(|query| checks::title("a query", query, 1, QUERY_WORDS).is_ok())
            .cloned()
            .collect();
        (dimension, filled_up(&all, &own))
    });
    Ok(worded.collect())
}

impl Worded for AuditQueries {
    fn without_sentences(mut self, own: Self) -> Self {
        for (dimension, own) in own {
            let known = self.entry(dimension).or_default();
            phrases(known, &own);
        }
        self
    }
}
