//! What the evidence says about two ideas: summary, strengths, weaknesses, risks, trade-offs and consensus (InnoEval, pair evaluation).

use precedent_domain::{PairComparison, PairSection, PairStatement};
use precedent_llm::{Check, Checks, Violation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evidence::{PromptEvidence, ReviewShown};
use super::model::wrapped;
use crate::model::{ModelAnalyst, checks};
use crate::review::model::sentences::{Ground, normal};
use crate::world::Stage;
use crate::{EngineError, Result, World};

const PAIR: Stage = Stage {
    name: "rank.pair",
    version: 1,
};
/// Shortest and longest statement in words, longest in sentences, and maximum statements of a section on one idea. Each limit is looser than the prompt's,
/// so that an answer is not refused for one word.
const WORDS: (usize, usize) = (5, 70);
const SENTENCES: usize = 3;
const STATEMENTS: usize = 5;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct PairReply {
    statements: Vec<StatementReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct StatementReply {
    /// summary, strength, weakness, risk, trade_off or consensus.
    section: String,
    /// 1 or 2; 0 for a statement about both.
    idea: u32,
    /// One or two sentences.
    text: String,
    /// The numbers of the documents that it is based on.
    documents: Vec<u32>,
}

#[derive(Serialize)]
struct PairInputs {
    mark: String,
    ideas: String,
    deciding: String,
}

/// Compares two ideas by their reviews, in the order of the report. `None` if there is no evidence to cite, no sentence of a model is printed, or the model
/// gave no usable answer.
///
/// # Errors
/// If the budget ended, or the ledger or the analyst fails.
pub(super) async fn compare(
    texts: &[&str],
    reviews: &[ReviewShown],
    model: &ModelAnalyst,
    world: &World,
) -> Result<Option<PairComparison>> {
    let shown: Vec<&ReviewShown> = reviews.iter().collect();
    let evidence = PromptEvidence::new(texts, &shown);
    // Without evidence a request is only counted, because an estimate knows no results of services.
    if shown.len() != 2 || !model.prints_sentences() || evidence.deciding().is_empty() && !model.only_counts() {
        return Ok(None);
    }
    let found: Option<PairComparison> = world
        .stage(PAIR, &(texts, reviews), ask(texts, &evidence, model))
        .await?;
    match found {
        None if model.log().is_over_budget() => Err(EngineError::OverBudget { what: "rank the ideas" }),
        found => Ok(found),
    }
}

async fn ask(texts: &[&str], evidence: &PromptEvidence<'_>, model: &ModelAnalyst) -> Result<Option<PairComparison>> {
    let fence = model.fence();
    let deciding = evidence.deciding();
    let listed: Vec<String> = deciding.iter().map(u32::to_string).collect();
    let inputs = PairInputs {
        mark: fence.mark().to_owned(),
        ideas: wrapped(&fence, texts, Some(evidence)),
        deciding: listed.join(", "),
    };
    let ground = evidence.ground(&fence);
    let fits = |one: &StatementReply| fits(one, &ground, &deciding);
    let some = |reply: &PairReply| match reply.statements.first().map(fits) {
        None => Err(Violation("there is no statement".to_owned())),
        Some(Err(first)) if reply.statements.iter().all(|one| fits(one).is_err()) => Err(first),
        Some(_) => Ok(()),
    };
    let all = |reply: &PairReply| reply.statements.iter().try_for_each(|one| fits(one).map(|_| ()));
    let must: [Check<'_, PairReply>; 1] = [&some];
    let should: [Check<'_, PairReply>; 1] = [&all];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask("rank.pair", &inputs, checks).await?;
    Ok(reply.map(|reply| settled(&reply.value, fits, evidence)))
}

/// The statement of an entry, with the numbers of the prompt, if it is valid.
fn fits(one: &StatementReply, ground: &Ground<'_>, deciding: &[u32]) -> std::result::Result<PairStatement, Violation> {
    let no = |why: String| Err(Violation(why));
    let Some(section) = section(&one.section) else {
        return no(format!(
            "the section must be summary, strength, weakness, risk, trade_off or consensus, and is: {}",
            checks::head(&one.section)
        ));
    };
    let idea = match (section.is_of_one_idea(), one.idea) {
        (true, 1 | 2) => Some(one.idea),
        (true, other) => {
            return no(format!(
                "a statement of {} must name idea 1 or idea 2, and names {other}",
                section.name()
            ));
        }
        (false, _) => None,
    };
    let known: Vec<u32> = ground.pieces.iter().map(|one| one.number).collect();
    if let Some(unknown) = one.documents.iter().find(|number| !known.contains(number)) {
        return no(format!("a statement names document {unknown}, which was not shown"));
    }
    let mut evidence = one.documents.clone();
    evidence.extend(ground.cited("a statement", &one.text)?);
    evidence.sort_unstable();
    evidence.dedup();
    if !evidence.iter().any(|number| deciding.contains(number)) {
        return no("a statement names no document that may decide".to_owned());
    }
    checks::words_between("a statement", &one.text, WORDS.0, WORDS.1)?;
    let of_these = Ground {
        throughout: evidence.clone(),
        scores: ground.scores.clone(),
        ..ground.again()
    };
    of_these.holds("a statement", &one.text, SENTENCES)?;
    Ok(PairStatement {
        section,
        idea,
        text: normal(&one.text),
        evidence,
    })
}

fn section(name: &str) -> Option<PairSection> {
    match name.trim() {
        "summary" => Some(PairSection::Summary),
        "strength" => Some(PairSection::Strength),
        "weakness" => Some(PairSection::Weakness),
        "risk" => Some(PairSection::Risk),
        "trade_off" => Some(PairSection::TradeOff),
        "consensus" => Some(PairSection::Consensus),
        _ => None,
    }
}

/// The valid statements by section and idea, with the numbers of the report, and the count of the others.
fn settled(
    reply: &PairReply,
    fits: impl Fn(&StatementReply) -> std::result::Result<PairStatement, Violation>,
    evidence: &PromptEvidence<'_>,
) -> PairComparison {
    let numbers = evidence.numbers();
    let mut statements: Vec<PairStatement> = Vec::new();
    for one in reply.statements.iter().filter_map(|one| fits(one).ok()) {
        let same = |known: &&PairStatement| (known.section, known.idea) == (one.section, one.idea);
        if statements.iter().filter(same).count() < STATEMENTS {
            statements.push(PairStatement {
                text: evidence.in_report(&one.text),
                evidence: one
                    .evidence
                    .iter()
                    .filter_map(|number| numbers.get(number).copied())
                    .collect(),
                ..one
            });
        }
    }
    statements.sort_by_key(|one| (one.section, one.idea));
    PairComparison {
        dropped: reply.statements.len() - statements.len(),
        statements,
    }
}
