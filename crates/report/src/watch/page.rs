use super::{WatchChange, WatchCheck, WatchMatch, WatchReport, WatchedPaper};
use crate::blocks::{Block, Column, Line, ReportPage, Row, Section, Span, TableKind, Tone};
use crate::passage::Passage;
use crate::plain::capitalized;
use crate::{ClaimLevel, words};

/// The report of a watch as blocks.
pub(crate) fn compose(report: &WatchReport) -> ReportPage {
    let latest: Vec<&WatchedPaper> = report.latest().collect();
    let earlier: Vec<&WatchedPaper> = report
        .papers
        .iter()
        .take(report.papers.len() - latest.len())
        .rev()
        .collect();
    let mut sections = vec![Section::findings("new", "New papers", findings(report, &latest)).labelled("New")];
    if !latest.iter().all(|paper| paper.matches.is_empty()) {
        sections.push(Section::shown("passages", "Passages", passages(&latest)));
    }
    if !earlier.is_empty() {
        let blocks = vec![table("Table of earlier papers", &earlier)];
        sections.push(Section::folded("earlier", "Papers of earlier checks", blocks).labelled("Earlier"));
    }
    sections.push(Section::folded("checks", "Checks", vec![checks(report)]));
    ReportPage {
        title: report.title.clone(),
        about: "watch",
        kind: "New papers since the last check",
        byline: Vec::new(),
        warnings: Vec::new(),
        sections,
        disclaimer: String::new(),
    }
}

fn findings(report: &WatchReport, latest: &[&WatchedPaper]) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(Tone::Lead, Line::of(lead(report)))];
    if !latest.is_empty() {
        blocks.push(table("Table of new papers", latest));
    }
    let failures = report.checks.last().into_iter().flat_map(|check| &check.failures);
    blocks.extend(failures.map(|failure| Block::Paragraph(Tone::Small, Line::message(failure))));
    blocks
}

/// The latest check in one sentence.
pub(super) fn lead(report: &WatchReport) -> String {
    let Some(check) = report.checks.last() else {
        return "Not checked yet.".to_owned();
    };
    if check.first {
        let papers = words::count(check.compared, "paper", "papers");
        return format!(
            "First check on {}: {papers} noted. The next check reports what is new.",
            check.date
        );
    }
    let similar = report.latest().filter(|paper| !paper.matches.is_empty()).count();
    let papers = words::count(check.noticed, "paper", "papers");
    match check.noticed {
        0 => format!("Nothing new on {}.", check.date),
        _ => format!("New on {}: {papers}, {similar} similar.", check.date),
    }
}

fn table(label: &str, papers: &[&WatchedPaper]) -> Block {
    let row = |paper: &&WatchedPaper| Row {
        id: None,
        cells: vec![
            Line::default().and(Span::Chip(paper.level.key(), level(paper.level).to_owned())),
            title(paper),
            Line::of(match paper.matches.as_slice() {
                [] => "only the topic".to_owned(),
                matches => matches.iter().map(of).collect::<Vec<_>>().join(", "),
            }),
            Line::of(paper.date.map_or_else(|| "unknown".to_owned(), |date| date.to_string())),
        ],
    };
    Block::Table {
        label: label.to_owned(),
        kind: TableKind::Findings,
        head: ["Level", "Paper", "Similar to", "Date"].map(Column::of).into(),
        rows: papers.iter().map(row).collect(),
        most: usize::MAX,
    }
}

/// The label of a paper that need not be earlier, so that nothing is anticipated by it.
fn level(level: ClaimLevel) -> &'static str {
    match level {
        ClaimLevel::Anticipated => "Nearly word for word",
        other => other.label(),
    }
}

fn title(paper: &WatchedPaper) -> Line {
    let line = Line::default().title(&paper.title, paper.url.as_deref());
    match paper.change {
        WatchChange::New => line,
        WatchChange::Closer => line.text(" ").note("(known; closer than before)"),
    }
}

fn of(one: &WatchMatch) -> String {
    match one.probability {
        Some(probability) => format!("{} ({})", one.of, words::probability(probability)),
        None => one.of.clone(),
    }
}

fn passages(papers: &[&WatchedPaper]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for paper in papers.iter().filter(|paper| paper.level <= ClaimLevel::Similar) {
        blocks.push(Block::Heading(3, title(paper)));
        for one in &paper.matches {
            let label = format!("{}: ", capitalized(&one.of));
            blocks.push(Block::paragraph(Line::default().strong(label).external(&one.text)));
            if let Some(passage) = &one.passage {
                blocks.push(Block::paragraph(Line::default().quote(&Passage::of(passage))));
            }
        }
    }
    blocks
}

fn checks(report: &WatchReport) -> Block {
    let row = |check: &WatchCheck| {
        vec![
            Line::of(check.date),
            Line::of(check.compared),
            Line::of(check.noticed),
            Line::of(match check.failures.is_empty() {
                true => "all sources answered".to_owned(),
                false => words::count(check.failures.len(), "failure", "failures"),
            }),
        ]
    };
    let rows = report.checks.iter().rev().map(row).collect();
    Block::table("Table of checks", &["Date", "Papers compared", "New", "Sources"], rows)
}
