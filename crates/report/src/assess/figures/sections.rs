use super::funnel::FunnelFigure;
use super::matrix::MatrixFigure;
use super::timeline::TimelineFigure;
use crate::assess::parts::named;
use crate::blocks::{Block, Column, InMarkdown, Line, Row, TableKind};
use crate::view::Digest;
use crate::words;

/// Maximum number of papers in the matrix of Markdown.
const ROWS: usize = 20;

/// All comparisons of claims with papers.
pub(crate) fn matrix(digest: &Digest<'_>, figure: MatrixFigure) -> Vec<Block> {
    let mut head = vec![Column::of("Paper")];
    head.extend(figure.claims.iter().map(|claim| Column::of(&format!("Claim {claim}"))));
    let rows = figure.rows.iter().map(|row| {
        let mut cells = vec![named(digest, row.number)];
        cells.extend(row.cells.iter().map(Line::of));
        Row { id: None, cells }
    });
    let table = Block::Table {
        label: "Claims and papers, as a table".to_owned(),
        kind: TableKind::Sortable,
        head,
        rows: rows.collect(),
        most: ROWS,
    };
    let text = Line::of(format!("{} Columns are papers, most relevant first.", figure.words));
    vec![
        Block::Chart(Box::new(figure)),
        Block::paragraph(text),
        data("The matrix as a table", table),
    ]
}

/// The papers by year.
pub(crate) fn timeline(figure: TimelineFigure) -> Vec<Block> {
    let text = Line::of(&figure.words);
    vec![Block::Chart(Box::new(figure)), Block::paragraph(text)]
}

/// The papers left after each step of the selection.
pub(crate) fn funnel(digest: &Digest<'_>) -> Vec<Block> {
    let figure = FunnelFigure::new(digest);
    if figure.scopes.is_empty() {
        return vec![Block::empty("Nothing was searched.")];
    }
    let mut head = vec!["Scope"];
    head.extend(words::FUNNEL_STEPS);
    let rows = figure.scopes.iter().map(|scope| {
        let mut row = vec![Line::of(&scope.name)];
        row.extend(scope.bars.iter().map(|bar| Line::of(&bar.count)));
        row
    });
    let table = Block::table("Papers left after each step", &head, rows.collect());
    let merged = Line::of(format!("After merging the scopes: {}.", digest.merged()));
    vec![
        Block::Chart(Box::new(figure)),
        Block::paragraph(merged),
        data("The steps as a table", table),
    ]
}

fn data(title: &str, table: Block) -> Block {
    Block::Fold {
        title: title.to_owned(),
        blocks: vec![table],
        markdown: InMarkdown::Shown,
    }
}
