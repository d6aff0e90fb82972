use std::collections::{BTreeMap, BTreeSet};

use super::pages::link;
use super::{Site, SitePaper};
use crate::batch::covered;
use crate::blocks::{Block, Column, Line, ReportPage, Row, Section, Span, TableKind, Tone};
use crate::plain::slug;
use crate::{BatchStatus, ClaimLevel, words};

/// Papers on one page of a list.
const PAPERS: usize = 200;

/// The levels of a paper, most similar prior work first. `None` for papers without claims.
pub(super) const LEVELS: [Option<ClaimLevel>; 6] = [
    Some(ClaimLevel::Anticipated),
    Some(ClaimLevel::Similar),
    Some(ClaimLevel::None),
    Some(ClaimLevel::NotAssessable),
    Some(ClaimLevel::NotCompared),
    None,
];

/// An area with its papers.
pub(super) struct Area<'s> {
    /// Its name.
    pub(super) name: String,
    /// The path of its first page.
    pub(super) path: String,
    /// Its papers, most similar prior work first.
    pub(super) papers: Vec<&'s SitePaper>,
}

/// The lists of all papers, by level and by area, and the areas.
pub(super) fn pages(site: &Site) -> (Vec<(String, ReportPage)>, Vec<Area<'_>>) {
    let mut all: Vec<&SitePaper> = site.papers.iter().filter(|one| one.paper.summary.is_some()).collect();
    all.sort_by_cached_key(|one| {
        (
            one.level().is_none(),
            one.level(),
            std::cmp::Reverse(thousandths(one)),
            one.title(),
        )
    });
    let mut pages = paged("papers", "All papers", &all);
    for level in LEVELS {
        let papers: Vec<&SitePaper> = all.iter().copied().filter(|one| one.level() == level).collect();
        if !papers.is_empty() {
            pages.extend(paged(
                &format!("levels/{}", level_name(level)),
                level_label(level),
                &papers,
            ));
        }
    }
    let mut by_area: BTreeMap<&str, Vec<&SitePaper>> = BTreeMap::new();
    for one in &all {
        if let Some(area) = &one.paper.area {
            by_area.entry(area).or_default().push(one);
        }
    }
    let mut taken = BTreeSet::new();
    let mut areas = Vec::new();
    for (name, papers) in by_area {
        let stem = format!("areas/{}", slug(name, &mut taken));
        pages.extend(paged(&stem, name, &papers));
        areas.push(Area {
            name: name.to_owned(),
            path: format!("{stem}.html"),
            papers,
        });
    }
    (pages, areas)
}

/// The path of the list of papers of a level.
pub(super) fn level_path(level: Option<ClaimLevel>) -> String {
    format!("levels/{}.html", level_name(level))
}

pub(super) fn level_chip(level: Option<ClaimLevel>) -> Span {
    Span::Chip(level.map_or("none", ClaimLevel::key), level_label(level).to_owned())
}

fn level_label(level: Option<ClaimLevel>) -> &'static str {
    level.map_or("No claim found", |level| level.label())
}

fn level_name(level: Option<ClaimLevel>) -> &'static str {
    match level {
        Some(ClaimLevel::Anticipated) => "anticipated",
        Some(ClaimLevel::Similar) => "similar",
        Some(ClaimLevel::None) => "no-match",
        Some(ClaimLevel::NotAssessable) => "not-assessable",
        Some(ClaimLevel::NotCompared) => "not-compared",
        None => "no-claims",
    }
}

fn probability(one: &SitePaper) -> Option<f64> {
    one.first_claim()?.closest.first()?.probability
}

/// For sorting.
fn thousandths(one: &SitePaper) -> i64 {
    probability(one).map_or(-1, |one| (one * 1000.0).round() as i64)
}

/// The path of a page of a list.
pub(super) fn page_path(stem: &str, number: usize) -> String {
    match number {
        1 => format!("{stem}.html"),
        number => format!("{stem}-{number}.html"),
    }
}

/// Links from one page of a list to the others. `None` if there is only one.
pub(super) fn page_numbers(stem: &str, own: usize, all: usize) -> Option<Block> {
    let from = page_path(stem, own);
    let numbers = (1..=all).fold(Line::of("Pages:"), |line, number| match number == own {
        true => line.text(" ").strong(number),
        false => line
            .text(" ")
            .page(&number.to_string(), &link(&from, &page_path(stem, number))),
    });
    (all > 1).then(|| Block::paragraph(numbers))
}

fn paged(stem: &str, title: &str, papers: &[&SitePaper]) -> Vec<(String, ReportPage)> {
    let chunks: Vec<&[&SitePaper]> = papers.chunks(PAPERS).collect();
    let many = words::count(papers.len(), "paper", "papers");
    let pages = (1..).zip(&chunks).map(|(number, chunk)| {
        let own = page_path(stem, number);
        let lead = Line::of(format!("{many}, most similar prior work first."));
        let mut blocks = vec![Block::Paragraph(Tone::Lead, lead)];
        blocks.extend(page_numbers(stem, number, chunks.len()));
        blocks.push(table(&own, chunk));
        blocks.extend(page_numbers(stem, number, chunks.len()));
        (own, list_page(title, "List of papers", blocks))
    });
    pages.collect()
}

/// A page of one section.
pub(super) fn list_page(title: &str, kind: &'static str, blocks: Vec<Block>) -> ReportPage {
    ReportPage {
        title: title.to_owned(),
        about: "site",
        kind,
        byline: Vec::new(),
        warnings: Vec::new(),
        sections: vec![Section::findings("papers", "Papers", blocks)],
        disclaimer: DISCLAIMER.to_owned(),
    }
}

/// The last line of lists.
pub(super) const DISCLAIMER: &str = "This site assists readers. It is not a judgement of any paper.";

fn table(from: &str, papers: &[&SitePaper]) -> Block {
    let has_areas = papers.iter().any(|one| one.paper.area.is_some());
    let mut head = vec![
        Column::of("Paper"),
        Column::of("Highest level"),
        Column::of("Closest paper"),
        Column::number("Probability"),
        Column::number("Claims"),
        Column::of("Field"),
    ];
    head.extend(has_areas.then(|| Column::of("Area")));
    let row = |one: &&SitePaper| {
        let claim = one.first_claim();
        let closest = claim.and_then(|claim| claim.closest.first());
        let mut paper = Line::default().page(&one.title(), &link(from, &one.path()));
        paper = paper.and(Span::Break).note(&one.paper.paper);
        if one.paper.status != BatchStatus::Complete {
            paper = paper.text(" ").strong(one.paper.status.label());
        }
        let summary = one.paper.summary.as_ref();
        let mut cells = vec![
            paper,
            Line::default().and(level_chip(one.level())),
            match closest {
                Some(closest) => Line::foreign(&closest.title).text(" ").note(&closest.alias),
                None => Line::default().note("none"),
            },
            Line::of(probability(one).map(words::probability).unwrap_or_default()),
            Line::of(summary.map_or(0, |summary| summary.claims.len())),
            Line::of(covered(summary.and_then(|summary| summary.coverage)).0),
        ];
        cells.extend(has_areas.then(|| Line::foreign(one.paper.area.as_deref().unwrap_or_default())));
        Row { id: None, cells }
    };
    Block::Table {
        label: "Table of papers".to_owned(),
        kind: TableKind::Sortable,
        head,
        rows: papers.iter().map(row).collect(),
        most: usize::MAX,
    }
}
