use std::collections::BTreeMap;

use precedent_language::wording::cited;
use precedent_llm::{Check, Checks, Fence};
use precedent_text::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::audit::{AuditMaterial, AuditOpinion, Evidence, Item};
use crate::model::asker::{Parts, Task};
use crate::model::policy::Worded;
use crate::model::prose::Prose;
use crate::model::{ModelAnalyst, checks};
use crate::points::model::{Judgement, ValidatedReply};

/// Longest report that is shown, in bytes.
pub(crate) const LONGEST: usize = 60_000;
/// Claims per request.
const BATCH: usize = 12;

/// Printed in place of the model's reason.
pub(crate) const NO_REASON: &str = "the model says so";

#[derive(Serialize)]
struct AuditJudgeInputs {
    mark: String,
    report: String,
    evidence: String,
    items: String,
}

#[derive(Serialize)]
struct SupportInputs {
    mark: String,
    source: String,
    claims: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct ItemsReply {
    items: Vec<ItemReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct ItemReply {
    /// The item's number.
    item: u32,
    yes: bool,
    /// At most 30 words.
    reason: String,
}

/// The result of one request.
enum JudgedPart {
    Items(BTreeMap<String, (bool, String)>),
    /// Number of pairs judged, and of pairs supported.
    Pairs(usize, usize),
}

/// Answers the audit items on a report on points that no rule decides.
pub(crate) async fn audit_points(model: &ModelAnalyst, material: AuditMaterial<'_>) -> Result<AuditOpinion> {
    let answer = ask_opinion(model, material).await?;
    Ok(model.printed(answer, AuditOpinion::default))
}

/// Answers the items in groups that need the same evidence, and judges every citation against its source.
async fn ask_opinion(model: &ModelAnalyst, material: AuditMaterial<'_>) -> Result<AuditOpinion> {
    let fence = model.fence();
    let mut groups: BTreeMap<(String, Evidence), Vec<&Item>> = BTreeMap::new();
    for item in material.items {
        let dimension = item.id.split('.').next().unwrap_or_default().to_owned();
        groups.entry((dimension, item.evidence)).or_default().push(item);
    }
    let fence = &fence;
    let mut asks: Vec<Task<'_, Result<JudgedPart>>> = Vec::new();
    for ((_, evidence), items) in groups {
        asks.push(Box::pin(ask_items(model, material, fence, evidence, items)));
    }
    for (claims, passages) in material.pairs.values() {
        for batch in claims.chunks(BATCH) {
            asks.push(Box::pin(ask_pairs(model, fence, batch, passages)));
        }
    }
    let mut opinion = AuditOpinion::default();
    for part in model.all("items", asks).await? {
        match part {
            JudgedPart::Items(answers) => opinion.answers.extend(answers),
            JudgedPart::Pairs(judged, supported) => {
                opinion.judged += judged;
                opinion.supported += supported;
            }
        }
    }
    Ok(opinion)
}

async fn ask_items(
    model: &ModelAnalyst,
    material: AuditMaterial<'_>,
    fence: &Fence,
    evidence: Evidence,
    items: Vec<&Item>,
) -> Result<JudgedPart> {
    let (mut parts, mut answers) = (Parts::of(&items), BTreeMap::new());
    while let Some(part) = parts.next() {
        answers.extend(ask_part_of_items(model, material, fence, evidence, part, &mut parts).await?);
    }
    Ok(JudgedPart::Items(answers))
}

/// The answers by the items' ids.
async fn ask_part_of_items<'p>(
    model: &ModelAnalyst,
    material: AuditMaterial<'_>,
    fence: &Fence,
    evidence: Evidence,
    items: &'p [&Item],
    parts: &mut Parts<'p, &'p Item>,
) -> Result<BTreeMap<String, (bool, String)>> {
    let numbers: Vec<u32> = (1..).zip(items).map(|(number, _)| number).collect();
    let fenced = numbers
        .iter()
        .zip(items)
        .map(|(number, item)| fence.wrap(&format!("item {number}"), &item.question));
    let dimension = items.first().and_then(|item| item.dimension());
    let open = dimension
        .and_then(|dimension| material.evidence.get(&dimension))
        .cloned();
    let open = open.unwrap_or_default();
    let mut shown = Vec::new();
    if matches!(evidence, Evidence::Paper | Evidence::Both) {
        let passages: Vec<String> = open.paper.iter().map(|text| one_line(text)).collect();
        shown.push(fence.wrap("paper", &passages.join("\n…\n")));
    }
    if matches!(evidence, Evidence::Works | Evidence::Both) {
        let passages = open
            .works
            .iter()
            .map(|(title, text)| format!("Of: {}\n{}", one_line(title), one_line(text)));
        shown.push(fence.wrap("works", &passages.collect::<Vec<_>>().join("\n…\n")));
    }
    let end = material.report.floor_char_boundary(LONGEST);
    let inputs = AuditJudgeInputs {
        mark: fence.mark().to_owned(),
        report: fence.wrap("report", material.report.get(..end).unwrap_or_default()),
        evidence: shown.join("\n"),
        items: fenced.collect::<Vec<_>>().join("\n"),
    };
    let known = |reply: &ItemsReply| checks::known_once("item", reply.items.iter().map(|one| one.item), &numbers);
    let questions = items.iter().map(|item| item.question.as_str());
    let works = open
        .works
        .iter()
        .flat_map(|(title, text)| [title.as_str(), text.as_str()]);
    let prose = Prose::of(&[])
        .given(questions.chain(works).chain(open.paper.iter().map(String::as_str)))
        .given([material.report])
        .numbering(cited(material.report))
        .judging();
    let complete = |reply: &ItemsReply| {
        checks::none_missing("item", reply.items.iter().map(|one| one.item), &numbers)?;
        reply
            .items
            .iter()
            .try_for_each(|one| prose.check("a reason", &one.reason))
    };
    let must: [Check<'_, ItemsReply>; 1] = [&known];
    let should: [Check<'_, ItemsReply>; 1] = [&complete];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask_part("audit.items", &inputs, checks, items, parts).await?;
    let answers = reply.map(|reply| reply.value.items).unwrap_or_default();
    let of_item = answers.into_iter().filter_map(|one| {
        let at = numbers.iter().position(|number| *number == one.item)?;
        let reason = match prose.check("a reason", &one.reason) {
            Ok(()) => one_line(&one.reason),
            Err(_) => NO_REASON.to_owned(),
        };
        Some((items.get(at)?.id.clone(), (one.yes, reason)))
    });
    Ok(of_item.collect())
}

async fn ask_pairs(model: &ModelAnalyst, fence: &Fence, claims: &[String], passages: &[String]) -> Result<JudgedPart> {
    let (mut parts, mut judged, mut supported) = (Parts::of(claims), 0, 0);
    while let Some(part) = parts.next() {
        let (more, of_them) = ask_part_of_pairs(model, fence, part, &mut parts, passages).await?;
        judged += more;
        supported += of_them;
    }
    Ok(JudgedPart::Pairs(judged, supported))
}

/// Number of pairs judged, and of pairs supported.
async fn ask_part_of_pairs<'p>(
    model: &ModelAnalyst,
    fence: &Fence,
    claims: &'p [String],
    parts: &mut Parts<'p, String>,
    passages: &[String],
) -> Result<(usize, usize)> {
    let numbers: Vec<u32> = (1..).zip(claims).map(|(number, _)| number).collect();
    let fenced = numbers
        .iter()
        .zip(claims)
        .map(|(number, claim)| fence.wrap(&format!("claim {number}"), claim));
    let passages: Vec<String> = passages.iter().map(|text| one_line(text)).collect();
    let inputs = SupportInputs {
        mark: fence.mark().to_owned(),
        source: fence.wrap("source", &passages.join("\n…\n")),
        claims: fenced.collect::<Vec<_>>().join("\n"),
    };
    let known =
        |reply: &ValidatedReply| checks::known_once("claim", reply.claims.iter().map(|one| one.claim), &numbers);
    let must: [Check<'_, ValidatedReply>; 1] = [&known];
    let checks = Checks {
        must: &must,
        should: &[],
    };
    let reply = model
        .ask_part("points.validate", &inputs, checks, claims, parts)
        .await?;
    let answers = reply.map(|reply| reply.value.claims).unwrap_or_default();
    let supported = answers.iter().filter(|one| one.verdict == Judgement::Correct).count();
    Ok((answers.len(), supported))
}

impl Worded for AuditOpinion {
    fn without_sentences(mut self, _own: Self) -> Self {
        for (_, reason) in self.answers.values_mut() {
            NO_REASON.clone_into(reason);
        }
        self
    }
}
