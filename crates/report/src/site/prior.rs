use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::WorkId;

use super::lists::{DISCLAIMER, level_chip, list_page, page_numbers, page_path};
use super::pages::link;
use super::{Site, SitePaper};
use crate::blocks::{Block, Column, Line, ReportPage, Row, Section, TableKind, Tone};
use crate::plain::cut_words;
use crate::{ClaimLevel, ClosestPaper, words};

/// Minimum number of papers that match an earlier paper for a page of its own.
const PAPERS: usize = 2;
/// Earlier papers on one page of their list.
const LISTED: usize = 200;
/// Longest passage shown, in words.
const PASSAGE: usize = 40;
const LIST: &str = "prior-papers";

/// An earlier paper that several papers match.
pub(super) struct PriorPaper<'s> {
    /// The path of its page.
    pub(super) path: String,
    /// Its title and short name.
    pub(super) closest: &'s ClosestPaper,
    /// How many papers match it.
    pub(super) papers: usize,
    /// How many claims it anticipates.
    pub(super) anticipated: usize,
    matches: Vec<PriorMatch<'s>>,
}

struct PriorMatch<'s> {
    paper: &'s SitePaper,
    claim: u32,
    closest: &'s ClosestPaper,
}

/// The earlier papers that at least two papers match, most often matched first.
pub(super) fn matched(site: &Site) -> Vec<PriorPaper<'_>> {
    let mut by_id: BTreeMap<&WorkId, Vec<PriorMatch<'_>>> = BTreeMap::new();
    for paper in &site.papers {
        for claim in paper.paper.summary.iter().flat_map(|one| &one.claims) {
            let near = claim.closest.iter();
            let near =
                near.filter(|one| one.earlier && matches!(one.level, ClaimLevel::Anticipated | ClaimLevel::Similar));
            for closest in near {
                let claim = claim.number;
                by_id
                    .entry(&closest.id)
                    .or_default()
                    .push(PriorMatch { paper, claim, closest });
            }
        }
    }
    let mut all: Vec<PriorPaper<'_>> = by_id.into_values().filter_map(prior).collect();
    all.sort_by(|a, b| b.papers.cmp(&a.papers).then(b.anticipated.cmp(&a.anticipated)));
    for (number, one) in (1..).zip(&mut all) {
        one.path = format!("prior/{number}.html");
    }
    all
}

fn prior(matches: Vec<PriorMatch<'_>>) -> Option<PriorPaper<'_>> {
    let papers: BTreeSet<&str> = matches.iter().map(|one| one.paper.id.as_str()).collect();
    let papers = papers.len();
    (papers >= PAPERS).then_some(())?;
    Some(PriorPaper {
        path: String::new(),
        closest: matches.first()?.closest,
        papers,
        anticipated: matches
            .iter()
            .filter(|one| one.closest.level == ClaimLevel::Anticipated)
            .count(),
        matches,
    })
}

/// A page for each, and the list of all.
pub(super) fn pages(all: &[PriorPaper<'_>]) -> Vec<(String, ReportPage)> {
    let mut pages: Vec<(String, ReportPage)> = all.iter().map(|one| (one.path.clone(), page(one))).collect();
    let chunks: Vec<&[PriorPaper<'_>]> = all.chunks(LISTED).collect();
    let title = "Earlier papers that several papers match";
    for (number, chunk) in (1..).zip(&chunks) {
        let path = page_path(LIST, number);
        let mut blocks = vec![table(&path, chunk)];
        blocks.extend(page_numbers(LIST, number, chunks.len()));
        pages.push((path, list_page(title, "Earlier papers", blocks)));
    }
    pages
}

/// The path of the list.
pub(super) fn list_path() -> String {
    page_path(LIST, 1)
}

/// The earlier papers as a table of the page at `from`.
pub(super) fn table(from: &str, all: &[PriorPaper<'_>]) -> Block {
    let row = |one: &PriorPaper<'_>| Row {
        id: None,
        cells: vec![
            Line::default()
                .page(&one.closest.title, &link(from, &one.path))
                .text(" ")
                .note(&one.closest.alias),
            Line::of(one.closest.year.map(|year| year.to_string()).unwrap_or_default()),
            Line::of(one.papers),
            Line::of(one.anticipated),
        ],
    };
    Block::Table {
        label: "Table of earlier papers".to_owned(),
        kind: TableKind::Sortable,
        head: vec![
            Column::of("Earlier paper"),
            Column::number("Year"),
            Column::number("Papers that match it"),
            Column::number("Claims anticipated"),
        ],
        rows: all.iter().map(row).collect(),
        most: usize::MAX,
    }
}

fn page(one: &PriorPaper<'_>) -> ReportPage {
    let row = |found: &PriorMatch<'_>| {
        let claim = format!("{}#claim-{}", link(&one.path, &found.paper.path()), found.claim);
        let passage = found.closest.passage.as_deref().unwrap_or_default();
        let shown = cut_words(passage, PASSAGE);
        let more = if shown.cut { " …" } else { "" };
        Row {
            id: None,
            cells: vec![
                Line::default().page(&found.paper.title(), &link(&one.path, &found.paper.path())),
                Line::default().page(&found.claim.to_string(), &claim),
                Line::default().and(level_chip(Some(found.closest.level))),
                Line::of(found.closest.probability.map(words::probability).unwrap_or_default()),
                Line::foreign(&format!("{}{more}", shown.text)),
            ],
        }
    };
    let lead = format!("{} papers match this earlier paper.", words::thousands(one.papers));
    let mut facts = Line::foreign(&one.closest.alias)
        .text(" · ")
        .external(&one.closest.id.to_string());
    if let Some(year) = one.closest.year {
        facts = facts.text(format!(" · {year}"));
    }
    let blocks = vec![
        Block::Paragraph(Tone::Lead, Line::of(lead)),
        Block::Table {
            label: "Claims that match".to_owned(),
            kind: TableKind::Sortable,
            head: vec![
                Column::of("Paper"),
                Column::number("Claim"),
                Column::of("Level"),
                Column::number("Probability"),
                Column::of("Closest passage of the earlier paper, word for word"),
            ],
            rows: one.matches.iter().map(row).collect(),
            most: usize::MAX,
        },
    ];
    ReportPage {
        title: one.closest.title.clone(),
        about: "site",
        kind: "Earlier paper",
        byline: vec![facts],
        warnings: Vec::new(),
        sections: vec![Section::findings("papers", "Papers that match", blocks)],
        disclaimer: DISCLAIMER.to_owned(),
    }
}
