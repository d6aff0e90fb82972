//! The findings of a report on points: one line per point.

use precedent_domain::{NoveltyPoint, PointsReference, PointsReport, Timing};

use super::shown::{self, LIMITS, cite};
use crate::blocks::{Block, Column, Line, Row, Span, TableKind, Tone, first_limits};
use crate::words;

/// The score, each point with level, closest paper and reason, and the first limits.
pub(super) fn compose(report: &PointsReport) -> Vec<Block> {
    let mut blocks = Vec::new();
    match &report.novelty_summary {
        Some(summary) => {
            let line = Line::default().strong(shown::score(summary.score)).text(": ");
            blocks.push(Block::Paragraph(Tone::Lead, line.external(&summary.one_line)));
            let who = format!(
                "Given by {}, based on the comparisons with the papers below. The scale is under ",
                report.metadata.analyst
            );
            let line = Line::of(who).link("About this report", "about").text(".");
            blocks.push(Block::Paragraph(Tone::Fine, line));
        }
        None => blocks.push(Block::Paragraph(Tone::Lead, Line::of(shown::counts(report)))),
    }
    let known = shown::known_notes(report).into_iter();
    blocks.extend(known.map(|note| Block::paragraph(Line::default().strong(note))));
    let row = |one: &NoveltyPoint| {
        let level = shown::level(report, one);
        let cells = vec![
            Line::default()
                .link(format!("{}. {}", one.number, one.name), format!("point-{}", one.number))
                .text(" ")
                .note(one.class.name()),
            Line::default().and(Span::Chip(level.key(), level.label().to_owned())),
            closest(report, one),
            Line::of(shown::why_level(report, one)),
        ];
        Row { id: None, cells }
    };
    if !report.points.is_empty() {
        blocks.push(Block::Table {
            label: "Table of findings".to_owned(),
            kind: TableKind::Findings,
            head: ["Point", "Level", "Closest paper", "Why"].map(Column::of).into(),
            rows: report.points.iter().map(row).collect(),
            most: usize::MAX,
        });
    }
    blocks.push(first_limits(LIMITS, &words::limits(&report.metadata)));
    blocks
}

/// The paper that states a point nearly word for word, or the paper of the first passage shown for it.
fn closest(report: &PointsReport, one: &NoveltyPoint) -> Line {
    let Some(work) = shown::closest(report, one) else {
        return match shown::known_title(report, one) {
            Some(title) => Line::foreign(title),
            None => Line::default().note("none is similar"),
        };
    };
    let line = cite_passage(report, one, work).text(" ").external(&work.work.title);
    match work.timing {
        Timing::Earlier => line,
        _ => line.text(" ").note("(may not be earlier)"),
    }
}

/// A citation that leads to the paper's first passage shown for a point.
fn cite_passage(report: &PointsReport, one: &NoveltyPoint, work: &PointsReference) -> Line {
    let mut shown = one.passages.iter().filter(|one| one.shown);
    let first = shown.find(|one| shown::work_of(report, one.passage).is_some_and(|other| other.number == work.number));
    match first {
        Some(first) => Line::default().cite_at(&work.alias, work.number, Some(format!("passage-{}", first.passage))),
        None => cite(work),
    }
}
