use askama::Template;
use precedent_domain::CoverageLevel;

use super::{BatchStatus, BatchSummary};
use crate::formats::html::page;
use crate::plain::{cut_words, percent_encode};
use crate::{ClaimLevel, ReportError, words};

/// Longest claim or passage shown in the table, in words.
const LONGEST: usize = 40;

/// The index as a page. `format` is the name used in errors.
pub(super) fn html(summary: &BatchSummary, format: &'static str) -> Result<Vec<u8>, ReportError> {
    page(&IndexPage::new(summary), format)
}

#[derive(Template)]
#[template(path = "batch.html")]
struct IndexPage {
    title: String,
    lead: String,
    levels: Vec<LevelCount>,
    rows: Vec<ClaimRow>,
    /// Papers without a result: name, what happened, and why.
    unfinished: Vec<(String, &'static str, String)>,
    /// How many claims are of papers whose field is covered, thinly covered or not covered.
    fields: Vec<(&'static str, usize)>,
    assessed: bool,
    /// Papers in which no claim was found.
    without_claims: Vec<PaperLink>,
}

struct LevelCount {
    key: &'static str,
    label: &'static str,
    claims: usize,
}

struct PaperLink {
    title: String,
    name: String,
    href: Option<String>,
}

struct ClaimRow {
    paper: PaperLink,
    number: u32,
    href: Option<String>,
    text: String,
    level: LevelCount,
    rank: usize,
    closest: Option<Closest>,
    coverage: (&'static str, usize),
    note: &'static str,
}

struct Closest {
    title: String,
    facts: String,
    percent: String,
    probability: f64,
    passage: String,
}

impl IndexPage {
    fn new(summary: &BatchSummary) -> Self {
        let claims = summary.claims();
        let levels = ClaimLevel::ALL.iter().map(|level| LevelCount {
            key: level.key(),
            label: level.label(),
            claims: claims.iter().filter(|(_, claim)| claim.level == *level).count(),
        });
        let rows = claims.iter().map(|(paper, claim)| {
            let link = paper_link(paper);
            let coverage = paper.summary.as_ref().and_then(|one| one.coverage);
            ClaimRow {
                href: link.href.as_ref().map(|report| match report.ends_with(".html") {
                    true => format!("{report}#claim-{}", claim.number),
                    false => report.clone(),
                }),
                paper: link,
                number: claim.number,
                text: cut(&claim.text),
                level: LevelCount {
                    key: claim.level.key(),
                    label: claim.level.label(),
                    claims: 0,
                },
                rank: ClaimLevel::ALL
                    .iter()
                    .position(|one| *one == claim.level)
                    .unwrap_or(ClaimLevel::ALL.len()),
                closest: claim.closest.first().map(closest),
                coverage: covered(coverage),
                note: match paper.status {
                    BatchStatus::Complete => "",
                    other => other.label(),
                },
            }
        });
        let mut fields: Vec<(&str, usize)> = Vec::new();
        for (paper, _) in &claims {
            let (name, _) = covered(paper.summary.as_ref().and_then(|one| one.coverage));
            match fields.iter_mut().find(|(other, _)| *other == name) {
                Some((_, count)) => *count += 1,
                None => fields.push((name, 1)),
            }
        }
        fields.sort_unstable();
        let unfinished = summary.papers.iter().filter(|one| one.summary.is_none());
        let without_claims = summary
            .papers
            .iter()
            .filter(|one| one.summary.as_ref().is_some_and(|found| found.claims.is_empty()));
        Self {
            title: words::count(summary.papers.len(), "paper", "papers"),
            lead: lead(summary, claims.len()),
            levels: levels.filter(|one| one.claims > 0).collect(),
            rows: rows.collect(),
            unfinished: unfinished
                .map(|one| {
                    (
                        one.paper.clone(),
                        one.status.label(),
                        one.error.clone().unwrap_or_default(),
                    )
                })
                .collect(),
            without_claims: without_claims.map(paper_link).collect(),
            fields,
            assessed: summary.papers.iter().any(|one| one.summary.is_some()),
        }
    }
}

/// How many papers were assessed, and how many claims they have.
pub(crate) fn lead(summary: &BatchSummary, claims: usize) -> String {
    let with = |status| summary.papers.iter().filter(|one| one.status == status).count();
    let assessed = summary.papers.iter().filter(|one| one.summary.is_some()).count();
    let mut parts = vec![format!(
        "{} assessed, with {}",
        words::count(assessed, "paper", "papers"),
        words::count(claims, "claim", "claims")
    )];
    let of = |count: usize, label: &str| (count > 0).then(|| format!("{} {label}", words::thousands(count)));
    parts.extend(of(with(BatchStatus::Failed), "failed"));
    parts.extend(of(with(BatchStatus::Waiting), "not done yet"));
    let nothing = of(with(BatchStatus::NothingSearched), "without any prior work to search");
    parts.extend(nothing);
    let incomplete = summary.incomplete().map(|sentence| format!("{sentence} "));
    format!("{}{}.", incomplete.unwrap_or_default(), parts.join(", "))
}

/// The path of a paper's report from the index: its page, else the best other format.
pub(super) fn report_path(paper: &super::BatchPaper) -> Option<String> {
    let endings = [".html", ".pdf", ".md", ".json"].into_iter();
    let mut reports = endings.filter_map(|ending| paper.files.iter().find(|file| file.ends_with(ending)));
    Some(format!("{}/{}", paper.folder.as_ref()?, reports.next()?))
}

fn paper_link(paper: &super::BatchPaper) -> PaperLink {
    PaperLink {
        title: paper.summary.as_ref().map_or(&paper.paper, |one| &one.title).clone(),
        name: paper.paper.clone(),
        href: report_path(paper).map(|path| percent_encode(&path)),
    }
}

fn closest(one: &crate::ClosestPaper) -> Closest {
    let mut facts = vec![one.alias.clone(), words::extent(one.compared).to_owned()];
    if !one.earlier {
        facts.push("not known to be earlier".to_owned());
    }
    Closest {
        title: one.title.clone(),
        facts: facts.join(", "),
        percent: one.probability.map(words::probability).unwrap_or_default(),
        probability: one.probability.unwrap_or(-1.0),
        passage: one.passage.as_deref().map(cut).unwrap_or_default(),
    }
}

/// A word for how well the field of a paper is covered, and its order.
pub(crate) fn covered(coverage: Option<CoverageLevel>) -> (&'static str, usize) {
    match coverage {
        Some(CoverageLevel::Covered) => ("covered", 0),
        Some(CoverageLevel::Thin) => ("thin", 1),
        Some(CoverageLevel::Outside) => ("outside", 2),
        _ => ("not measured", 3),
    }
}

fn cut(text: &str) -> String {
    let shown = cut_words(text, LONGEST);
    let more = if shown.cut { " …" } else { "" };
    format!("{}{more}", shown.text)
}
