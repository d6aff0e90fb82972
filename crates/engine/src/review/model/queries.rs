use std::collections::BTreeSet;
use std::fmt::Write;

use precedent_domain::{EvidenceKind, IdeaPart, KnowledgeQuery, Refinement, ReviewedIdea};
use precedent_llm::{Check, Checks, Fence, Violation};
use precedent_text::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parts::PartReply;
use crate::Result;
use crate::model::checks::Checked;
use crate::model::policy::Worded;
use crate::model::prose::is_phrase;
use crate::model::{ModelAnalyst, checks};
use crate::review::QueriesQuestion;

/// Longest query, in words.
const WORDS: usize = 14;
/// Maximum earlier queries, and results of each kind, that are shown.
const ASKED: usize = 80;
const RESULTS: usize = 12;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct KnowledgeQueriesReply {
    queries: Vec<KnowledgeQueryReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct KnowledgeQueryReply {
    kind: KindReply,
    /// `None` for the whole.
    part: Option<PartReply>,
    /// Only where earlier queries were given.
    way: Option<WayReply>,
    query: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum KindReply {
    Literature,
    Web,
    Code,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum WayReply {
    Rewritten,
    Generalised,
    Concretised,
}

#[derive(Serialize)]
struct FirstInputs {
    mark: String,
    statements: String,
    kinds: String,
}

#[derive(Serialize)]
struct FurtherInputs {
    mark: String,
    statements: String,
    asked: String,
    nearest: String,
    kinds: String,
}

/// The statements of an idea, with their numbers and parts.
pub(crate) fn statements(fence: &Fence, idea: &ReviewedIdea) -> String {
    let mut text = String::new();
    if !idea.title.is_empty() {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "Title: {}", one_line(&idea.title));
    }
    for one in &idea.statements {
        let _ = writeln!(
            text,
            "{}. ({}) {}",
            one.number,
            one.part.name(),
            one_line(&one.statement)
        );
    }
    if idea.statements.is_empty() {
        let head: String = idea.document.text.chars().take(2_000).collect();
        text.push_str(&one_line(&head));
    }
    fence.wrap("statements of the idea", text.trim_end())
}

/// Every untrusted text that is shown of an idea.
pub(crate) fn texts(idea: &ReviewedIdea) -> impl Iterator<Item = &str> {
    let reply = idea.statements.iter().map(|one| one.statement.as_str());
    reply.chain([idea.title.as_str(), idea.document.text.as_str()])
}

/// The search queries of a review.
pub(crate) async fn word_knowledge(model: &ModelAnalyst, question: QueriesQuestion<'_>) -> Result<Vec<KnowledgeQuery>> {
    let own = question.own.clone();
    let answer = ask_queries(model, question).await?;
    Ok(model.printed(answer, || own))
}

/// The model's usable queries. The caller adds the program's own to fill up.
async fn ask_queries(model: &ModelAnalyst, question: QueriesQuestion<'_>) -> Result<Vec<KnowledgeQuery>> {
    if question.kinds.is_empty() {
        return Ok(question.own);
    }
    let fence = model.fence();
    let kinds: Vec<&str> = question.kinds.iter().map(|kind| kind.name()).collect();
    let kinds = kinds.join(", ");
    let statements = statements(&fence, question.idea);
    let own = OwnWords::of(question.idea);
    let is_query = |one: &KnowledgeQueryReply| is_query(one, &own);
    let something = |reply: &KnowledgeQueriesReply| match reply.queries.iter().any(|one| is_query(one).is_ok()) {
        true => Ok(()),
        false => Err(Violation("there are no queries of plain words".to_owned())),
    };
    let plain = |reply: &KnowledgeQueriesReply| reply.queries.iter().try_for_each(is_query);
    let must: [Check<'_, KnowledgeQueriesReply>; 1] = [&something];
    let should: [Check<'_, KnowledgeQueriesReply>; 1] = [&plain];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let mark = fence.mark().to_owned();
    let reply = if question.round <= 1 {
        let inputs = FirstInputs {
            mark,
            statements,
            kinds,
        };
        model.ask("review.queries", &inputs, checks).await?
    } else {
        let inputs = FurtherInputs {
            mark,
            statements,
            asked: fence.wrap("queries so far", &asked(question.asked)),
            nearest: fence.wrap("best results so far", &nearest(&question)),
            kinds,
        };
        model.ask("review.refine", &inputs, checks).await?
    };
    let Some(reply) = reply else { return Ok(question.own) };
    let worded = reply
        .value
        .queries
        .iter()
        .filter(|one| is_query(one).is_ok())
        .map(|one| KnowledgeQuery {
            kind: match one.kind {
                KindReply::Literature => EvidenceKind::Literature,
                KindReply::Web => EvidenceKind::Web,
                KindReply::Code => EvidenceKind::Code,
            },
            part: one.part.map(IdeaPart::from),
            text: one_line(&one.query),
            refined: match (question.round, one.way) {
                (0 | 1, _) => Refinement::First,
                (_, Some(WayReply::Generalised)) => Refinement::Generalised,
                (_, Some(WayReply::Concretised)) => Refinement::Concretised,
                _ => Refinement::Rewritten,
            },
        });
    Ok(worded.collect())
}

fn is_query(one: &KnowledgeQueryReply, own: &OwnWords) -> Checked {
    checks::title("a query", &one.query, 1, WORDS)?;
    match own.repeated_in(&one.query) {
        true => Err(Violation(format!(
            "a query repeats the idea's own words in a row: {}",
            checks::head(&one.query)
        ))),
        false => Ok(()),
    }
}

/// The words of an idea in order. A query that repeats a run of them would give the idea away to the source.
struct OwnWords {
    runs: BTreeSet<Vec<String>>,
    title: Vec<String>,
}

/// Length of a run of words that a query may not share with the idea.
const RUN: usize = 6;
/// Longest title, in words, that counts as a mere topic.
const TOPIC: usize = 3;

impl OwnWords {
    fn of(idea: &ReviewedIdea) -> Self {
        Self::of_texts(&idea.title, texts(idea))
    }

    fn of_texts<'a>(title: &str, texts: impl Iterator<Item = &'a str>) -> Self {
        let runs = texts.flat_map(|text| folded(text).windows(RUN).map(<[String]>::to_vec).collect::<Vec<_>>());
        Self {
            runs: runs.collect(),
            title: folded(title),
        }
    }

    fn repeated_in(&self, query: &str) -> bool {
        let words = folded(query);
        let holds_title = self.title.len() > TOPIC && words.windows(self.title.len()).any(|run| run == self.title);
        holds_title || words.windows(RUN).any(|run| self.runs.contains(run))
    }
}

fn folded(text: &str) -> Vec<String> {
    // A compound is one word: `state-of-the-art` gives nothing away.
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    let words = words.map(|word| word.trim_matches('-')).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn asked(queries: &[KnowledgeQuery]) -> String {
    let last = queries.len().saturating_sub(ASKED);
    let lines = queries
        .iter()
        .skip(last)
        .map(|one| format!("{}: {}", one.kind.name(), one.text));
    lines.collect::<Vec<_>>().join("\n")
}

fn nearest(question: &QueriesQuestion<'_>) -> String {
    let lines = question.nearest.iter().flat_map(|(kind, closest)| {
        closest.iter().take(RESULTS).map(move |one| {
            let query = one.query.as_ref().map(|query| format!("; query: {query}"));
            let head = format!("{} ({:.2}{})", kind.name(), one.score, query.unwrap_or_default());
            let line = format!("{head}: {}", one_line(&one.title));
            match one.excerpt.is_empty() {
                true => line,
                false => format!("{line}\n  Text: {}", one_line(&one.excerpt)),
            }
        })
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Worded for Vec<KnowledgeQuery> {
    fn without_sentences(mut self, own: Self) -> Self {
        self.retain(|query| own.contains(query) || is_phrase(&query.text));
        match self.is_empty() {
            true => own,
            false => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_must_not_repeat_six_words_in_a_row_or_the_title() {
        let text =
            "We send symbols by tugging a mooring rope, whose state-of-the-art text-to-speech alarm drifts under load.";
        let own = OwnWords::of_texts("Symbols that ropes carry far", [text].into_iter());
        for worded in [
            "send symbols by tugging a mooring rope",
            "telemetry: We send SYMBOLS, by tugging a",
            "symbols that ropes carry far",
            "survey of symbols that ropes carry far offshore",
        ] {
            assert!(own.repeated_in(worded), "{worded}");
        }
        for free in [
            "tugging a mooring rope",
            "rope telemetry without radio for moored buoys",
            "state-of-the-art text-to-speech alarm",
            "symbols that ropes carry",
            "",
        ] {
            assert!(!own.repeated_in(free), "{free}");
        }
        // A title of three words is a topic.
        assert!(!OwnWords::of_texts("Mooring rope telemetry", [].into_iter()).repeated_in("mooring rope telemetry"));
    }
}
