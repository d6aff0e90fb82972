use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::BoxFuture;
use precedent_domain::{
    AUDIT_SCHEMA_VERSION, Audit, AuditDimension, AuditEvidence, AuditItem, CitationAudit, DecidedBy, DimensionAudit,
    Paper, PartialDate, PointsReport, Share, title_key,
};
use precedent_language::wording::{cited, without_marks};

use super::evidence::evidence;
use super::items::{Evidence, Item, items};
use super::judged::{AuditMaterial, AuditOpinion};
use super::model;
use super::prior::Case;
use super::report::report_text;
use super::rules::ruling;
use super::ruling::Open;
use crate::model::sent;
use crate::retrieve::passages::{Entry, PassageIndex};
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "audit",
    version: 3,
};
/// Maximum number of unresolved citations listed.
const UNRESOLVED: usize = 20;

/// The report to audit.
pub struct Audited<'a> {
    /// The report as Markdown.
    pub markdown: &'a str,
    /// The same report as data, with its passages and quotes, if it is one of ours.
    pub data: Option<&'a PointsReport>,
    /// The paper that it is about. With it, the sources are searched for the literature that the report should know.
    pub paper: Option<&'a Paper>,
    /// The date by which the paper is judged, instead of its own.
    pub as_of: Option<PartialDate>,
}

/// The results of the rules, by item.
type Ruled = BTreeMap<&'static str, std::result::Result<(bool, String), String>>;

/// Audits a report item by item.
///
/// # Errors
/// If no source or analyst can be called, or the ledger fails.
pub fn audit<'a>(audited: &'a Audited<'a>, world: &'a World) -> BoxFuture<'a, Result<Audit>> {
    Box::pin(async move {
        let report = report_text(audited.markdown);
        let text = audited.paper.map(|paper| paper.document.text.as_str());
        world.begin_calls(text.into_iter().chain([audited.markdown]));
        let case = Case::open(
            audited.markdown,
            report,
            audited.data,
            audited.paper,
            audited.as_of,
            world,
        )
        .await?;
        let open = Open {
            report: &case.report,
            data: case.own,
            paper: case.paper.as_ref(),
            found: case.found.as_ref(),
            numbers: &case.numbers,
            omissions: &case.omissions,
        };
        let ruled: Ruled = items()
            .iter()
            .filter_map(|item| Some((item.id.as_str(), ruling(item, &open)?)))
            .collect();
        let opinion = opinion(&case, &ruled, world).await?;
        let with_model = world.model.is_some();
        let dimensions: Vec<DimensionAudit> = AuditDimension::ALL
            .into_iter()
            .map(|(dimension, _)| {
                let own = items().iter().filter(|item| item.dimension() == Some(dimension));
                let items = own
                    .map(|item| decided(item, &ruled, &opinion, &case, with_model))
                    .collect();
                summed(dimension, items)
            })
            .collect();
        let scores: Vec<f64> = dimensions.iter().filter_map(|one| one.score).collect();
        let overall =
            (scores.len() == dimensions.len()).then(|| hundredth(scores.iter().sum::<f64>() / scores.len() as f64));
        let models = world.model_uses();
        let of_search = case.found.iter().flat_map(|found| found.metadata.sent.iter().cloned());
        Ok(Audit {
            schema_version: AUDIT_SCHEMA_VERSION.to_owned(),
            title: case.report.title.clone(),
            evidence: AuditEvidence {
                passages: case.literature().map_or(0, |data| data.passages.len()),
                paper: case.paper.is_some(),
                searched: case.found.as_ref().map(|found| found.base.works.len()),
            },
            limits: case.limits(
                audited.paper.and_then(|paper| paper.title.as_deref()),
                match with_model {
                    true => model::LONGEST,
                    false => usize::MAX,
                },
            ),
            citations: citations(&case, &opinion, &dimensions),
            omissions: case.omissions.clone(),
            dimensions,
            overall,
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            analyst: world.analyst(),
            sent: sent(&models).into_iter().chain(of_search).collect(),
            models,
        })
    })
}

/// Asks the model about every item that no rule refuses and for which there is enough evidence. A yes of a rule alone would let a report pass that no
/// reader approves.
async fn opinion(case: &Case<'_>, ruled: &Ruled, world: &World) -> Result<AuditOpinion> {
    let Some(model) = &world.model else {
        return Ok(AuditOpinion::default());
    };
    let wanted: Vec<&Item> = items()
        .iter()
        .filter(|item| !matches!(ruled.get(item.id.as_str()), Some(Ok((false, _)))))
        .filter(|item| missing(item, case).is_none())
        .collect();
    let evidence = evidence(case, model, world).await?;
    let pairs = pairs(case);
    let material = AuditMaterial {
        report: case.markdown,
        items: &wanted,
        evidence: &evidence,
        pairs: &pairs,
    };
    let ids: Vec<&str> = wanted.iter().map(|item| item.id.as_str()).collect();
    let input = (case.markdown, ids, &evidence, &pairs);
    world.stage(STAGE, &input, model::audit_points(model, material)).await
}

/// The evidence that an item needs and that is missing.
fn missing(item: &Item, case: &Case<'_>) -> Option<&'static str> {
    let works = case.literature().is_some_and(|data| !data.passages.is_empty());
    let paper = case.paper.is_some();
    match item.evidence {
        Evidence::Works if !works => Some("no passages of other papers are available"),
        Evidence::Paper if !paper => Some("the paper is not available"),
        Evidence::Both if !works || !paper => Some("the paper and passages of other papers are both needed"),
        _ => None,
    }
}

fn decided(item: &Item, ruled: &Ruled, opinion: &AuditOpinion, case: &Case<'_>, with_model: bool) -> AuditItem {
    let answer = |yes: Option<bool>, decided_by, reason: &str| AuditItem {
        id: item.id.clone(),
        group: item.group.clone(),
        question: item.question.clone(),
        yes,
        decided_by,
        reason: reason.to_owned(),
    };
    let ruling = ruled.get(item.id.as_str());
    let of_rule = |yes: bool| match ruling {
        Some(Ok((ruled, why))) if *ruled == yes => Some(answer(Some(yes), DecidedBy::Rule, why)),
        _ => None,
    };
    let of_model = opinion.answers.get(&item.id);
    let of_model = of_model.map(|(yes, why)| answer(Some(*yes), DecidedBy::Model, why));
    let without_model = || of_rule(true).filter(|_| !with_model);
    if let Some(decided) = of_rule(false).or(of_model).or_else(without_model) {
        return decided;
    }
    let why = match (ruling, missing(item, case)) {
        (Some(Err(why)), _) => why.as_str(),
        (_, Some(why)) => why,
        _ if with_model => "the model gave no usable answer",
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

fn citations(case: &Case<'_>, opinion: &AuditOpinion, dimensions: &[DimensionAudit]) -> CitationAudit {
    let report = &case.report;
    let listed: BTreeSet<u32> = report.references.iter().map(|(number, _)| *number).collect();
    let entries: BTreeSet<String> = report.references.iter().map(|(_, entry)| title_key(entry)).collect();
    let mut audit = CitationAudit {
        listed: report.references.len(),
        doubles: report.references.len() - entries.len(),
        ..CitationAudit::default()
    };
    for text in report.statements() {
        let numbers = cited(&text);
        audit.sentences += usize::from(!numbers.is_empty());
        for number in numbers {
            audit.pairs += 1;
            if listed.contains(&number) {
                audit.resolved += 1;
            } else if audit.unresolved.len() < UNRESOLVED {
                audit.unresolved.push(format!("[{number}]: {}", without_marks(&text)));
            }
        }
    }
    let located = case.own.map(located);
    audit.located = located.and_then(|(part, of)| Share::of(part, of));
    audit.accuracy = Share::of(opinion.supported, opinion.judged);
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
    audit.works_faithfulness = of_group("works");
    audit.paper_faithfulness = of_group("paper");
    audit
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
    let located = citations.iter().filter(|citation| {
        let passage = data.passages.iter().find(|one| one.number == citation.passage);
        passage
            .is_some_and(|one| one.reference == citation.reference && one.text.text().contains(citation.quote.text()))
    });
    (located.count(), citations.len())
}

/// The passages that best match these sentences: first the best for each, then the second best. In the order of the passages.
fn best(entries: &[Entry<'_>], queries: &[String], most: usize) -> BTreeSet<usize> {
    let index = PassageIndex::new(entries);
    let answers: Vec<Vec<usize>> = queries
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

/// The sentences that cite each work, and its passages.
type Cited = BTreeMap<u32, (Vec<String>, Vec<String>)>;

/// The passages of each work, for checking the sentences that cite it.
fn pairs(case: &Case<'_>) -> Cited {
    let Some(data) = case.literature() else {
        return Cited::new();
    };
    let mut pairs = Cited::new();
    for text in case.report.statements() {
        for number in cited(&text).into_iter().filter_map(|number| case.numbers.get(&number)) {
            let known = data.passages.iter().any(|one| one.reference == *number);
            if known {
                pairs.entry(*number).or_default().0.push(without_marks(&text));
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
