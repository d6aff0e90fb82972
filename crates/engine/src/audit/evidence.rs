//! Evidence for items that need more than the report: passages of the papers, found with six queries per dimension (NoveltyAgent, 3.4).

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{AuditDimension, PointsReport, QuotableDocument};
use precedent_language::wording::{cited, without_marks};

use super::items::{Evidence, items};
use super::judged::AuditPassages;
use super::model;
use super::prior::Case;
use super::report::ReportText;
use crate::model::ModelAnalyst;
use crate::retrieve::passages::{Entry, PassageModels, Ranker, passages, queries_of};
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "audit.queries",
    version: 1,
};
/// Passages of the works, and of the paper, kept per query; and passages of the works per model request.
const OF_WORKS: usize = 4;
const OF_PAPER: usize = 2;
const MOST: usize = 30;
/// Omitted papers shown per model request.
const OMITTED: usize = 10;
/// Passages shown first of each paper that the report cites.
const OF_CITED: usize = 2;
/// Marks a paper in the prompt.
const NOT_MENTIONED: &str = "the report does not mention this work";

/// The dimensions with items that need passages, each with six queries derived from the text.
fn own_queries(report: &ReportText, data: Option<&PointsReport>) -> BTreeMap<AuditDimension, Vec<String>> {
    let wants = |dimension: AuditDimension| {
        let mut own = items().iter().filter(|item| item.dimension() == Some(dimension));
        own.any(|item| item.evidence != Evidence::Report)
    };
    let part = |wanted: &[usize]| -> String {
        let all = report.sentences().into_iter();
        let inside = all.filter(|(place, _)| place.is_some_and(|(_, part)| wanted.contains(&part)));
        inside
            .map(|(_, text)| without_marks(&text))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let claims: Vec<&str> = data
        .iter()
        .flat_map(|data| &data.points)
        .map(|point| point.claim.text())
        .collect();
    let (claims, claimed, compared, details) = (claims.join(" "), part(&[0]), part(&[1, 2]), part(&[2, 3]));
    let all = AuditDimension::ALL.into_iter().map(|(dimension, _)| dimension);
    all.filter(|dimension| wants(*dimension))
        .map(|dimension| {
            // Completeness depends on the paper's claims, faithfulness on statements about works, depth on stated differences.
            let texts: [(&str, f64); 3] = match dimension {
                AuditDimension::Faithfulness => [(&compared, 2.0), (&claimed, 1.0), (&claims, 0.7)],
                AuditDimension::Depth => [(&details, 2.0), (&claimed, 1.0), (&claims, 0.7)],
                _ => [(&claims, 2.0), (&claimed, 1.0), (&compared, 0.7)],
            };
            (dimension, queries_of(&texts, &[]))
        })
        .collect()
}

/// Audit queries by dimension.
pub type AuditQueries = BTreeMap<AuditDimension, Vec<String>>;

/// The passages of each dimension, found with the model's queries.
///
/// # Errors
/// If the analyst cannot be called, or the ledger fails.
pub(super) async fn evidence(
    case: &Case<'_>,
    model: &ModelAnalyst,
    world: &World,
) -> Result<BTreeMap<AuditDimension, AuditPassages>> {
    let (report, data) = (&case.report, case.literature());
    let own = own_queries(report, data);
    let input = (case.markdown, &own);
    let asked = model::word_audit(model, case.markdown, own.clone());
    let queries = world.stage(STAGE, &input, asked).await?;
    let paper = case.paper.as_ref().map(spans_of).unwrap_or_default();
    let mut of_paper = ranker(paper.iter().copied());
    let passages: Vec<&str> = data
        .iter()
        .flat_map(|data| &data.passages)
        .map(|one| one.text.text())
        .collect();
    let mut of_works = ranker(passages.iter().copied());
    let first = match (&case.found, case.own) {
        (Some(found), _) => of_cited(case, found),
        (None, Some(own)) => behind_citations(own, report),
        (None, None) => Vec::new(),
    };
    let found = queries.into_iter().map(|(dimension, queries)| {
        let mut works = first.clone();
        let mut own: BTreeSet<usize> = BTreeSet::new();
        for query in &queries {
            works.extend(of_works.best(query, OF_WORKS).iter().map(|one| one.at));
            own.extend(of_paper.best(query, OF_PAPER).iter().map(|one| one.at));
        }
        let mut known = BTreeSet::new();
        works.retain(|at| known.insert(*at));
        works.truncate(MOST);
        let title = |at: usize| {
            let data = data?;
            let passage = data.passages.get(at)?;
            let work = data.references.iter().find(|one| one.number == passage.reference)?;
            Some((work.work.title.clone(), passage.text.text().to_owned()))
        };
        // What the report omits is what a reader of the report alone would miss.
        let omitted = case.omissions.iter().take(OMITTED);
        let omitted = omitted.map(|one| {
            (
                format!("{} ({NOT_MENTIONED})", one.title),
                one.passage.text().to_owned(),
            )
        });
        let passages = AuditPassages {
            works: omitted.chain(works.into_iter().filter_map(title)).collect(),
            paper: own
                .into_iter()
                .filter_map(|at| paper.get(at))
                .map(|text| (*text).to_owned())
                .collect(),
            queries,
        };
        (dimension, passages)
    });
    Ok(found.collect())
}

/// The first passages of the papers that the report cites.
fn of_cited(case: &Case<'_>, found: &PointsReport) -> Vec<usize> {
    let cited: BTreeSet<u32> = case.report.statements().iter().flat_map(|text| cited(text)).collect();
    let works: BTreeSet<u32> = cited
        .iter()
        .filter_map(|number| case.numbers.get(number).copied())
        .collect();
    let of_work = |work: &u32| {
        let places = found.passages.iter().enumerate();
        let own = places.filter(|(_, one)| one.reference == *work).map(|(at, _)| at);
        own.take(OF_CITED).collect::<Vec<_>>()
    };
    works.iter().flat_map(of_work).take(MOST / 2).collect()
}

fn ranker<'t>(texts: impl Iterator<Item = &'t str>) -> Ranker<'t> {
    let entries = texts.map(|text| Entry { title: "", text });
    Ranker::new(entries.collect(), PassageModels::default())
}

fn spans_of(paper: &QuotableDocument) -> Vec<&str> {
    let spans = passages(paper);
    spans.iter().filter_map(|span| paper.document().slice(*span)).collect()
}

/// Indices of the passages that the report's own citations name, which are needed to check a sentence against its source. Empty if the citations do
/// not name passages.
fn behind_citations(data: &PointsReport, report: &ReportText) -> Vec<usize> {
    let analyses = data.points.iter().filter_map(|point| point.analysis.as_ref());
    let sentences = analyses.flat_map(|one| {
        one.similarities
            .iter()
            .chain(&one.differences)
            .chain(&one.details)
            .chain(&one.claimed)
    });
    let named: BTreeSet<u32> = sentences
        .flat_map(|one| &one.citations)
        .map(|one| one.passage)
        .collect();
    let works: BTreeSet<u32> = report.statements().iter().flat_map(|text| cited(text)).collect();
    let places = data.passages.iter().enumerate();
    places
        .filter(|(_, one)| named.contains(&one.number) && works.contains(&one.reference))
        .map(|(at, _)| at)
        .take(MOST / 2)
        .collect()
}
