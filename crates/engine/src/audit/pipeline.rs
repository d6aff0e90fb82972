use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::BoxFuture;
use precedent_domain::{
    AUDIT_SCHEMA_VERSION, Audit, AuditDimension, AuditEvidence, AuditItem, CitationAudit, DecidedBy, DimensionAudit,
    PointsReport, Share, title_key,
};
use precedent_language::wording::{cited, without_marks};

use super::evidence::{Audited, evidence};
use super::items::{Evidence, Item, items};
use super::judged::{AuditMaterial, AuditOpinion};
use super::model;
use super::report::{ReportText, report_text};
use super::rules::{Open, ruling};
use crate::gaps::sent;
use crate::passages::{Entry, PassageIndex};
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "audit",
    version: 2,
};
/// Maximum number of unresolved citations listed.
const UNRESOLVED: usize = 20;

/// Audits a report item by item.
///
/// # Errors
/// If the analyst cannot be called, or the ledger fails.
pub fn audit<'a>(audited: &'a Audited<'a>, world: &'a World) -> BoxFuture<'a, Result<Audit>> {
    Box::pin(async move {
        let report = report_text(audited.markdown);
        let paper = audited.paper.map(|paper| paper.document().text.as_str());
        world.begin_calls(paper.into_iter().chain([audited.markdown]));
        let open = Open {
            report: &report,
            data: audited.data,
            paper: audited.paper,
        };
        let ruled: BTreeMap<&str, std::result::Result<(bool, String), String>> = items()
            .iter()
            .filter_map(|item| Some((item.id.as_str(), ruling(&item.rule, &open)?)))
            .collect();
        let opinion = opinion(audited, &report, &ruled, world).await?;
        let asked = world.model.is_some();
        let dimensions: Vec<DimensionAudit> = AuditDimension::ALL
            .into_iter()
            .map(|(dimension, _)| {
                let own = items().iter().filter(|item| item.dimension() == Some(dimension));
                let items = own
                    .map(|item| decided(item, &ruled, &opinion, audited, asked))
                    .collect();
                summed(dimension, items)
            })
            .collect();
        let scores: Vec<f64> = dimensions.iter().filter_map(|one| one.score).collect();
        let overall =
            (scores.len() == dimensions.len()).then(|| hundredth(scores.iter().sum::<f64>() / scores.len() as f64));
        let models = world.model_uses();
        Ok(Audit {
            schema_version: AUDIT_SCHEMA_VERSION.to_owned(),
            title: report.title.clone(),
            evidence: AuditEvidence {
                passages: audited.data.map_or(0, |data| data.passages.len()),
                paper: audited.paper.is_some(),
            },
            citations: citations(&report, audited.data, &opinion, &dimensions),
            dimensions,
            overall,
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            analyst: world.analyst(),
            sent: sent(&models),
            models,
        })
    })
}

/// Asks the model to decide the items without a rule for which there is enough evidence.
async fn opinion(
    audited: &Audited<'_>,
    report: &ReportText,
    ruled: &BTreeMap<&str, std::result::Result<(bool, String), String>>,
    world: &World,
) -> Result<AuditOpinion> {
    let Some(model) = &world.model else {
        return Ok(AuditOpinion::default());
    };
    let wanted: Vec<&Item> = items()
        .iter()
        .filter(|item| !matches!(ruled.get(item.id.as_str()), Some(Ok(_))))
        .filter(|item| missing(item, audited).is_none())
        .collect();
    let evidence = evidence(audited, report, model, world).await?;
    let pairs = pairs(audited, report);
    let material = AuditMaterial {
        report: audited.markdown,
        items: &wanted,
        evidence: &evidence,
        pairs: &pairs,
    };
    let ids: Vec<&str> = wanted.iter().map(|item| item.id.as_str()).collect();
    let input = (audited.markdown, ids, &evidence, &pairs);
    world.stage(STAGE, &input, model::audit_points(model, material)).await
}

/// The evidence that an item needs and that is missing.
fn missing(item: &Item, audited: &Audited<'_>) -> Option<&'static str> {
    let works = audited.data.is_some_and(|data| !data.passages.is_empty());
    let paper = audited.paper.is_some();
    match item.evidence {
        Evidence::Works if !works => Some("the report has no passages of its papers"),
        Evidence::Paper if !paper => Some("the paper is not available"),
        Evidence::Both if !works || !paper => Some("the paper and passages of the cited papers are both needed"),
        _ => None,
    }
}

fn decided(
    item: &Item,
    ruled: &BTreeMap<&str, std::result::Result<(bool, String), String>>,
    opinion: &AuditOpinion,
    audited: &Audited<'_>,
    asked: bool,
) -> AuditItem {
    let answer = |yes: Option<bool>, decided_by, reason: &str| AuditItem {
        id: item.id.clone(),
        group: item.group.clone(),
        question: item.question.clone(),
        yes,
        decided_by,
        reason: reason.to_owned(),
    };
    let ruling = ruled.get(item.id.as_str());
    if let Some(Ok((yes, why))) = ruling {
        return answer(Some(*yes), DecidedBy::Rule, why);
    }
    if let Some((yes, why)) = opinion.answers.get(&item.id) {
        return answer(Some(*yes), DecidedBy::Model, why);
    }
    let why = match (ruling, missing(item, audited)) {
        (Some(Err(why)), _) => why.as_str(),
        (_, Some(why)) => why,
        _ if asked => "the model gave no usable answer",
        _ => "needs a human reader or a model",
    };
    answer(None, DecidedBy::Nobody, why)
}

fn summed(dimension: AuditDimension, items: Vec<AuditItem>) -> DimensionAudit {
    let decided = items.iter().filter(|item| item.yes.is_some()).count();
    let yes = items.iter().filter(|item| item.yes == Some(true)).count();
    let whole = decided == items.len() && decided > 0;
    DimensionAudit {
        dimension,
        score: whole.then(|| hundredth(10.0 * yes as f64 / decided as f64)),
        items,
        yes,
        decided,
    }
}

fn hundredth(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}

fn citations(
    report: &ReportText,
    data: Option<&PointsReport>,
    opinion: &AuditOpinion,
    dimensions: &[DimensionAudit],
) -> CitationAudit {
    let listed: BTreeSet<u32> = report.references.iter().map(|(number, _)| *number).collect();
    let entries: BTreeSet<String> = report.references.iter().map(|(_, entry)| title_key(entry)).collect();
    let mut told = CitationAudit {
        listed: report.references.len(),
        doubles: report.references.len() - entries.len(),
        ..CitationAudit::default()
    };
    for text in report.statements() {
        let numbers = cited(&text);
        told.sentences += usize::from(!numbers.is_empty());
        for number in numbers {
            told.pairs += 1;
            if listed.contains(&number) {
                told.resolved += 1;
            } else if told.unresolved.len() < UNRESOLVED {
                told.unresolved.push(format!("[{number}]: {}", without_marks(&text)));
            }
        }
    }
    let located = data.map(located);
    told.located = located.and_then(|(part, of)| Share::of(part, of));
    told.accuracy = Share::of(opinion.supported, opinion.judged);
    let of_group = |wanted: &str| {
        let items: Vec<&AuditItem> = dimensions
            .iter()
            .filter(|one| one.dimension == AuditDimension::Faithfulness)
            .flat_map(|one| &one.items)
            .filter(|item| item.group.starts_with(wanted))
            .collect();
        let all = items.iter().all(|item| item.yes.is_some());
        let yes = items.iter().filter(|item| item.yes == Some(true)).count();
        Share::of(yes, items.len()).filter(|_| all)
    };
    told.works_faithfulness = of_group("works");
    told.paper_faithfulness = of_group("paper");
    told
}

/// The number of citations whose quoted words are in the cited passage, and the total number of citations, for our own reports.
fn located(data: &PointsReport) -> (usize, usize) {
    let analyses = data.points.iter().filter_map(|point| point.analysis.as_ref());
    let sentences = analyses.flat_map(|one| {
        one.claimed
            .iter()
            .chain(&one.similarities)
            .chain(&one.differences)
            .chain(&one.details)
    });
    let citations: Vec<_> = sentences.flat_map(|one| &one.citations).collect();
    let stands = citations.iter().filter(|citation| {
        let passage = data.passages.iter().find(|one| one.number == citation.passage);
        passage
            .is_some_and(|one| one.reference == citation.reference && one.text.text().contains(citation.quote.text()))
    });
    (stands.count(), citations.len())
}

/// The passages that best match these sentences: first the best for each, then the second best. In the order of the passages.
fn best(entries: &[Entry<'_>], said: &[String], most: usize) -> BTreeSet<usize> {
    let index = PassageIndex::new(entries);
    let answers: Vec<Vec<usize>> = said
        .iter()
        .map(|text| {
            PassageIndex::best(&index.scores(text), 3)
                .iter()
                .map(|one| one.at)
                .collect()
        })
        .collect();
    let mut taken = BTreeSet::new();
    for rank in 0..3 {
        for answer in &answers {
            if let Some(at) = answer.get(rank).filter(|_| taken.len() < most) {
                taken.insert(*at);
            }
        }
    }
    taken
}

/// The passages of each work, for checking the sentences that cite it.
fn pairs(audited: &Audited<'_>, report: &ReportText) -> BTreeMap<u32, (Vec<String>, Vec<String>)> {
    let Some(data) = audited.data else {
        return BTreeMap::new();
    };
    let mut pairs: BTreeMap<u32, (Vec<String>, Vec<String>)> = BTreeMap::new();
    for text in report.statements() {
        for number in cited(&text) {
            let known = data.passages.iter().any(|one| one.reference == number);
            if known {
                pairs.entry(number).or_default().0.push(without_marks(&text));
            }
        }
    }
    for (number, (claims, passages)) in &mut pairs {
        let own: Vec<&str> = data
            .passages
            .iter()
            .filter(|one| one.reference == *number)
            .map(|one| one.text.text())
            .collect();
        let entries: Vec<Entry<'_>> = own.iter().map(|text| Entry { title: "", text }).collect();
        let found = best(&entries, claims, 8);
        let taken: Vec<&str> = match found.is_empty() {
            true => own.iter().take(3).copied().collect(),
            false => found.into_iter().filter_map(|at| own.get(at).copied()).collect(),
        };
        passages.extend(taken.into_iter().map(str::to_owned));
    }
    pairs
}
