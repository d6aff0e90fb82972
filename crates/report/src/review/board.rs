//! The readers of the board and their scores.

use precedent_domain::{BoardReview, IdeaReview, ReviewDimension};

use super::shown;
use crate::blocks::{Block, Column, InMarkdown, Line, Row, TableKind, Tone};

const NONE: &str = "–";

/// The anchor of a reader, by position.
pub(super) fn anchor(at: usize) -> String {
    format!("reader-{}", at + 1)
}

/// The scores of all readers on all dimensions.
pub(super) fn table(review: &IdeaReview) -> Block {
    let mut head = vec![Column::of("Dimension")];
    head.extend((0..review.board.len()).map(|at| Column::from(Line::default().link(shown::letter(at), anchor(at)))));
    head.extend(["Mean", "Spread"].map(Column::of));
    let mut rows: Vec<Vec<Line>> = review.dimensions.iter().map(|one| row(review, one)).collect();
    let mut last = vec![Line::of("Mean by reader")];
    let average = |one: &BoardReview| Line::of(one.average.map_or(NONE.to_owned(), shown::score));
    last.extend(review.board.iter().map(average));
    last.extend([Line::default(), Line::default()]);
    rows.push(last);
    Block::Table {
        label: "Scores as a table".to_owned(),
        kind: TableKind::Plain,
        head,
        rows: rows.into_iter().map(|cells| Row { id: None, cells }).collect(),
        most: usize::MAX,
    }
}

fn row(review: &IdeaReview, dimension: &ReviewDimension) -> Vec<Line> {
    let score = |one: &BoardReview| {
        let opinion = one.opinions.iter().find(|one| one.dimension == dimension.id);
        opinion.map(|one| one.score)
    };
    let scores: Vec<Option<f64>> = review.board.iter().map(score).collect();
    let given: Vec<f64> = scores.iter().flatten().copied().collect();
    let lowest = given.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = given.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shown = |one: Option<f64>| Line::of(one.map_or(NONE.to_owned(), shown::score));
    let mut row = vec![Line::foreign(&dimension.name)];
    row.extend(scores.into_iter().map(shown));
    row.push(shown(shown::mean(&given)));
    row.push(match given.is_empty() {
        true => Line::of(NONE),
        false => Line::of(format!("{} to {}", shown::score(lowest), shown::score(highest))),
    });
    row
}

/// A reader with the opinions.
pub(super) fn reader(review: &IdeaReview, at: usize, one: &BoardReview) -> Block {
    let background = Line::foreign(&one.background).text(" ").text(shown::had(one));
    let mut blocks = vec![Block::Paragraph(Tone::Fine, background)];
    if one.opinions.is_empty() {
        blocks.push(Block::empty("No usable answer."));
    }
    for wording in &one.opinions {
        let name = review.dimensions.iter().find(|one| one.id == wording.dimension);
        let name = name.map_or(wording.dimension.as_str(), |one| one.name.as_str());
        let head = Line::foreign(name).text(format!(": {}", shown::score(wording.score)));
        blocks.push(Block::Heading(4, head));
        blocks.push(Block::Paragraph(Tone::Prose, shown::prose(review, &wording.reason)));
        if !wording.working.is_empty() {
            blocks.push(Block::Fold {
                title: "Reasoning steps".to_owned(),
                blocks: vec![Block::List {
                    numbered: true,
                    items: wording.working.iter().map(|line| Line::foreign(line)).collect(),
                }],
                markdown: InMarkdown::Shown,
            });
        }
    }
    Block::Article {
        id: anchor(at),
        above: String::new(),
        title: Line::of(format!("{}. ", shown::letter(at))).external(&one.name),
        sides: false,
        blocks,
    }
}
