use precedent_domain::CoverageLevel;

use super::lists::{Area, DISCLAIMER, LEVELS, level_chip, level_path};
use super::pages::link;
use super::prior::{self, PriorPaper};
use super::{Site, SitePaper, SitePerson, SupersededRun};
use crate::batch::lead;
use crate::blocks::{Block, Column, Line, ReportPage, Row, Section, TableKind, Tone};
use crate::plain::without_paths;
use crate::{BatchStatus, BatchSummary, ClaimLevel, words};

/// Earlier papers on the first page. The others are in their own list.
const PRIOR: usize = 20;
const PATH: &str = "index.html";

/// The first page.
pub(super) fn compose(site: &Site, areas: &[Area<'_>], matched: &[PriorPaper<'_>], chunks: usize) -> ReportPage {
    let mut sections = vec![Section::findings("overview", "Overview", overview(site, chunks)).labelled("Overview")];
    if !areas.is_empty() {
        sections.push(Section::shown("areas", "Areas", vec![areas_table(areas)]));
    }
    sections.push(
        Section::shown(
            "prior",
            "Earlier papers that several papers match",
            prior_papers(matched),
        )
        .labelled("Earlier papers"),
    );
    if !site.people.is_empty() {
        sections.push(Section::shown("people", "Reviewers and chairs", people(site)).labelled("People"));
    }
    let unfinished: Vec<&SitePaper> = site.papers.iter().filter(|one| one.paper.summary.is_none()).collect();
    if !unfinished.is_empty() {
        sections.push(
            Section::shown(
                "unfinished",
                "Papers without a result",
                vec![unfinished_table(&unfinished)],
            )
            .labelled("Without a result"),
        );
    }
    if !site.superseded.is_empty() {
        let title = "Runs left out";
        let count = site.superseded.len().to_string();
        sections.push(Section::folded("superseded", title, superseded(&site.superseded)).noted(count));
    }
    sections.push(Section::shown("files", "Files", files()));
    let reader = site.settings.reader.as_deref();
    ReportPage {
        title: site.settings.title.clone(),
        about: "site",
        kind: "Papers of a venue, compared with earlier work",
        byline: reader
            .map(|name| Line::of("Papers of ").external(name))
            .into_iter()
            .collect(),
        warnings: interrupted(site).into_iter().collect(),
        sections,
        disclaimer: DISCLAIMER.to_owned(),
    }
}

fn overview(site: &Site, chunks: usize) -> Vec<Block> {
    let summary = BatchSummary::new(site.papers.iter().map(|one| one.paper.clone()).collect());
    let claims = |level| {
        let all = site.papers.iter().filter_map(|one| one.paper.summary.as_ref());
        all.flat_map(|one| &one.claims)
            .filter(|claim| Some(claim.level) == level)
            .count()
    };
    let all: usize = LEVELS.into_iter().filter(Option::is_some).map(claims).sum();
    let rows = LEVELS.into_iter().filter_map(|level| {
        let papers = with_level(&site.papers, level);
        let claims = claims(level);
        (papers > 0 || claims > 0).then(|| Row {
            id: None,
            cells: vec![
                Line::default().and(level_chip(level)),
                match papers {
                    0 => Line::of("0 papers"),
                    some => {
                        Line::default().page(&words::count(some, "paper", "papers"), &link(PATH, &level_path(level)))
                    }
                },
                Line::of(words::thousands(claims)),
            ],
        })
    });
    let rows: Vec<Row> = rows.collect();
    let mut blocks = vec![Block::Paragraph(Tone::Lead, Line::of(lead(&summary, all)))];
    if rows.is_empty() {
        return blocks;
    }
    blocks.push(Block::Search { chunks });
    blocks.push(Block::Table {
        label: "Papers by level".to_owned(),
        kind: TableKind::Plain,
        head: vec![
            Column::of("Level"),
            Column::of("Papers with this highest level"),
            Column::number("Claims"),
        ],
        rows,
        most: usize::MAX,
    });
    let all_papers = Line::default().page("All papers", "papers.html");
    blocks.push(Block::paragraph(
        all_papers.text(", most similar prior work first. Read these first."),
    ));
    blocks.extend(hardly_covered(site).map(|wording| Block::paragraph(Line::of(wording))));
    blocks
}

/// How many papers are of a field that the searched papers hardly cover.
fn hardly_covered(site: &Site) -> Option<String> {
    let with = |level: CoverageLevel| {
        let summaries = site.papers.iter().filter_map(|one| one.paper.summary.as_ref());
        summaries.filter(|summary| summary.coverage == Some(level)).count()
    };
    let parts = [
        (with(CoverageLevel::Outside), "not covered"),
        (with(CoverageLevel::Thin), "thinly covered"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, how)| format!("{how}: {}", words::count(count, "paper", "papers")))
        .collect();
    (!parts.is_empty()).then(|| {
        let parts = parts.join("; field ");
        format!("Field {parts}. There, a missing match means little.")
    })
}

/// Says that a batch has not reached all its papers.
fn interrupted(site: &Site) -> Option<Block> {
    let waiting = site
        .papers
        .iter()
        .filter(|one| one.paper.status == BatchStatus::Waiting);
    let waiting = waiting.count();
    let wording = format!(
        "The batch did not finish: {} not done yet.",
        words::count(waiting, "paper is", "papers are")
    );
    let what = Line::message("Repeat the `precedent batch` command to continue it, and then make the site again.");
    (waiting > 0).then(|| Block::Warning(Line::default().strong(wording), vec![Block::paragraph(what)]))
}

/// The runs that do not count, each with the run that does.
fn superseded(runs: &[SupersededRun]) -> Vec<Block> {
    let rows = runs.iter().map(|one| {
        vec![
            Line::foreign(&one.paper),
            Line::foreign(&one.run),
            match &one.by {
                Some(by) => Line::foreign(by),
                None => Line::default().note("none yet: see the papers without a result"),
            },
        ]
    });
    vec![
        Block::paragraph(Line::of(
            "These papers have several runs. The site shows the run of the latest batch, or else the latest run with a result.",
        )),
        Block::table(
            "Table of runs left out",
            &["Paper", "Run left out", "Run shown"],
            rows.collect(),
        ),
    ]
}

fn with_level(papers: &[SitePaper], level: Option<ClaimLevel>) -> usize {
    let with_page = papers.iter().filter(|one| one.paper.summary.is_some());
    with_page.filter(|one| one.level() == level).count()
}

fn areas_table(areas: &[Area<'_>]) -> Block {
    let row = |area: &Area<'_>| {
        let first = Line::default().page(&area.name, &link(PATH, &area.path));
        let with = |level| Line::of(area.papers.iter().filter(|one| one.level() == Some(level)).count());
        Row {
            id: None,
            cells: vec![
                first,
                Line::of(area.papers.len()),
                with(ClaimLevel::Anticipated),
                with(ClaimLevel::Similar),
                with(ClaimLevel::None),
            ],
        }
    };
    let mut head = vec![Column::of("Area"), Column::number("Papers")];
    let levels = [ClaimLevel::Anticipated, ClaimLevel::Similar, ClaimLevel::None];
    head.extend(levels.map(|level| Column::number(level.label())));
    Block::Table {
        label: "Table of areas".to_owned(),
        kind: TableKind::Sortable,
        head,
        rows: areas.iter().map(row).collect(),
        most: usize::MAX,
    }
}

fn prior_papers(matched: &[PriorPaper<'_>]) -> Vec<Block> {
    if matched.is_empty() {
        return vec![Block::empty("No earlier paper matches claims of several papers.")];
    }
    let mut blocks = vec![prior::table(PATH, matched.get(..PRIOR).unwrap_or(matched))];
    if matched.len() > PRIOR {
        let all = format!("All {}", words::count(matched.len(), "earlier paper", "earlier papers"));
        blocks.push(Block::paragraph(Line::default().page(&all, &prior::list_path())));
    }
    blocks
}

fn people(site: &Site) -> Vec<Block> {
    let row = |person: &SitePerson| {
        let papers: Vec<&SitePaper> = person.papers.iter().filter_map(|at| site.papers.get(*at)).collect();
        let with = |level| Line::of(papers.iter().filter(|one| one.level() == Some(level)).count());
        Row {
            id: None,
            cells: vec![
                Line::default().page(&person.name, &link(PATH, &format!("people/{}/index.html", person.id))),
                Line::foreign(&person.role),
                Line::of(papers.len()),
                with(ClaimLevel::Anticipated),
                with(ClaimLevel::Similar),
            ],
        }
    };
    let mut head = vec![Column::of("Name"), Column::of("Role"), Column::number("Papers")];
    head.extend([ClaimLevel::Anticipated, ClaimLevel::Similar].map(|level| Column::number(level.label())));
    vec![
        Block::paragraph(Line::of(
            "The folder of each person, in the folder “people”, is a site of its own with their papers alone. Send them only that folder.",
        )),
        Block::Table {
            label: "Table of people".to_owned(),
            kind: TableKind::Sortable,
            head,
            rows: site.people.iter().map(row).collect(),
            most: usize::MAX,
        },
    ]
}

fn unfinished_table(papers: &[&SitePaper]) -> Block {
    let row = |one: &&SitePaper| Row {
        id: None,
        cells: vec![
            Line::foreign(&one.paper.paper),
            Line::of(one.paper.status.label()),
            Line::foreign(&without_paths(one.paper.error.as_deref().unwrap_or_default())),
        ],
    };
    Block::Table {
        label: "Table of papers without a result".to_owned(),
        kind: TableKind::Plain,
        head: ["Paper", "State", "Reason"].map(Column::of).to_vec(),
        rows: papers.iter().map(row).collect(),
        most: usize::MAX,
    }
}

fn files() -> Vec<Block> {
    let file = |name: &str, what: &str| Line::default().page(name, name).text(what);
    vec![Block::list(vec![
        file("claims.csv", ": one line per claim, for a spreadsheet"),
        file("summary.json", ": the same for a program"),
    ])]
}
