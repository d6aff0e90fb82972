use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use precedent_domain::{ContributionComparison, Extent, Status, Timing};

use crate::view::Digest;
use crate::words;

/// Claims × papers: the status of each comparison.
#[derive(Template)]
#[template(path = "parts/matrix.html")]
pub(crate) struct MatrixFigure {
    /// The figure as text.
    pub(crate) words: String,
    /// At most [`COLUMNS`] papers each, so that a block fits on a phone.
    pub(crate) blocks: Vec<Block>,
    pub(crate) claims: Vec<u32>,
    /// Whether some comparisons are not assessable.
    pub(crate) has_not_assessable: bool,
    /// The same as a table: a paper, then one cell per claim.
    pub(crate) rows: Vec<Row>,
}

/// A part of the figure.
pub(crate) struct Block {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) label: String,
    pub(crate) columns: Vec<Column>,
    /// The claim numbers and their vertical positions.
    pub(crate) lines: Vec<(u32, usize)>,
}

/// One paper.
pub(crate) struct Column {
    pub(crate) number: u32,
    /// Short name of the paper.
    pub(crate) alias: String,
    pub(crate) x: usize,
    /// Whether it is concurrent or undated, so that it does not count.
    pub(crate) apart: bool,
    pub(crate) cells: Vec<Cell>,
}

/// One comparison.
pub(crate) struct Cell {
    pub(crate) y: usize,
    /// `found`, `reading`, `absent`, `none` if not assessable, `far` if not similar, or empty if not compared.
    pub(crate) key: &'static str,
    /// Whether the full text was compared.
    pub(crate) full: bool,
    pub(crate) words: String,
    pub(crate) anchor: String,
}

/// One paper in the table.
pub(crate) struct Row {
    pub(crate) number: u32,
    pub(crate) cells: Vec<String>,
}

const COLUMNS: usize = 8;
const CELL: usize = 25;
const LEFT: usize = 54;
/// Room for the names of papers, which are turned by 60°.
const TOP: usize = 100;
/// How far the name of the last paper leans over the edge.
const LEAN: usize = 56;
/// Longest name of a paper, in characters.
const LONGEST: usize = 17;

impl MatrixFigure {
    /// The matrix of a report. `None` if nothing was compared.
    pub(crate) fn new(digest: &Digest<'_>) -> Option<Self> {
        let analysis = &digest.report.contribution_analysis;
        let claims: Vec<u32> = analysis.contributions.iter().map(|one| one.number).collect();
        let mut works: BTreeMap<u32, Vec<&ContributionComparison>> = BTreeMap::new();
        // If no source covers the field, only papers that are similar to a claim are shown.
        let shown: BTreeSet<u32> = analysis
            .comparisons
            .iter()
            .filter(|one| one.near || !digest.is_outside())
            .map(|one| one.candidate)
            .collect();
        let of_report = |one: &&ContributionComparison| claims.contains(&one.contribution);
        for one in analysis.comparisons.iter().filter(of_report) {
            if shown.contains(&one.candidate) {
                works.entry(one.candidate).or_default().push(one);
            }
        }
        if works.is_empty() {
            return None;
        }
        let compared: BTreeSet<u32> = analysis.comparisons.iter().map(|one| one.candidate).collect();
        let left_out = compared.iter().filter(|number| !works.contains_key(number)).count();
        let mut order: Vec<(u32, Vec<&ContributionComparison>)> = works.into_iter().collect();
        order.sort_by_key(|(number, all)| {
            let (found, reading, nearest) = strength(all);
            (
                Reverse(found),
                Reverse(reading),
                is_apart(digest, *number),
                Reverse(nearest),
                *number,
            )
        });
        // Papers that are similar to no claim would only add empty columns.
        let near = |all: &[&ContributionComparison]| all.iter().any(|one| one.near);
        let drawn: Vec<(u32, Vec<&ContributionComparison>)> =
            order.iter().filter(|(_, all)| near(all)).cloned().collect();
        let blocks = drawn
            .chunks(COLUMNS)
            .map(|chunk| block(digest, &claims, chunk))
            .collect();
        Some(Self {
            has_not_assessable: drawn.iter().flat_map(|(_, all)| all).any(|one| one.says_too_little()),
            words: in_words(&claims, &order, drawn.len(), left_out),
            blocks,
            rows: order.iter().map(|(number, all)| row(&claims, *number, all)).collect(),
            claims,
        })
    }
}

/// Whether the paper is concurrent or undated, so that it does not count.
fn is_apart(digest: &Digest<'_>, number: u32) -> bool {
    digest.work(number).is_none_or(|work| work.timing != Timing::Earlier)
}

/// Sort key: how many claims the paper anticipates, how many comparisons need review, then the highest similarity in thousandths.
fn strength(all: &[&ContributionComparison]) -> (usize, usize, u32) {
    let count = |status| all.iter().filter(|one| one.status == status).count();
    let nearest = all.iter().map(|one| one.closeness).fold(0.0_f64, f64::max);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of one in thousandths"
    )]
    let nearest = (nearest.clamp(0.0, 1.0) * 1000.0) as u32;
    let reading = all.iter().filter(|one| one.needs_reading()).count();
    (count(Status::CanRefute), reading, nearest)
}

fn in_words(claims: &[u32], order: &[(u32, Vec<&ContributionComparison>)], drawn: usize, left_out: usize) -> String {
    let all = || order.iter().flat_map(|(_, all)| all);
    let count = |status| all().filter(|one| one.status == status).count();
    let reading = all().filter(|one| one.needs_reading()).count();
    let not_assessable = match count(Status::Unclear) - reading {
        0 => String::new(),
        some => format!(", not assessable in {some}"),
    };
    let rest = match order.len() - drawn {
        0 => String::new(),
        1 => " 1 paper that is similar to no claim is in the table only.".to_owned(),
        some => format!(
            " {} papers that are similar to no claim are in the table only.",
            words::thousands(some)
        ),
    };
    let rest = match left_out {
        0 => rest,
        some => format!(
            "{rest} {} that are similar to no claim are not shown.",
            words::count(some, "paper", "papers")
        ),
    };
    format!(
        "{} and {}, {}: anticipated in {}, similar in {reading}, no match in {}{not_assessable}.{rest}",
        words::count(claims.len(), "claim", "claims"),
        words::count(order.len(), "paper", "papers"),
        words::count(all().count(), "comparison", "comparisons"),
        count(Status::CanRefute),
        count(Status::CannotRefute),
    )
}

/// The name, cut to fit above its column.
fn short(alias: &str) -> String {
    match alias.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", alias.get(..at).unwrap_or_default()),
        None => alias.to_owned(),
    }
}

fn block(digest: &Digest<'_>, claims: &[u32], works: &[(u32, Vec<&ContributionComparison>)]) -> Block {
    let label = match works {
        [(only, _)] => format!("paper {only}"),
        _ => format!(
            "papers {}",
            words::and_list(&works.iter().map(|(number, _)| number.to_string()).collect::<Vec<_>>())
        ),
    };
    let columns = works.iter().enumerate().map(|(at, (number, all))| Column {
        number: *number,
        alias: short(&digest.cite(*number).alias),
        x: LEFT + at * CELL,
        apart: is_apart(digest, *number),
        cells: claims
            .iter()
            .enumerate()
            .map(|(line, claim)| cell(digest, *claim, *number, all, TOP + line * CELL))
            .collect(),
    });
    Block {
        width: LEFT + works.len() * CELL + LEAN,
        height: TOP + claims.len() * CELL + 4,
        label: format!("Claims compared with {label}"),
        columns: columns.collect(),
        lines: claims
            .iter()
            .enumerate()
            .map(|(line, claim)| (*claim, TOP + line * CELL))
            .collect(),
    }
}

fn cell(digest: &Digest<'_>, claim: u32, number: u32, all: &[&ContributionComparison], y: usize) -> Cell {
    let cite = digest.cite(number);
    let Some(one) = all.iter().find(|one| one.contribution == claim) else {
        return Cell {
            y,
            key: "",
            full: false,
            words: format!("Claim {claim}, {cite}: not compared"),
            anchor: String::new(),
        };
    };
    Cell {
        y,
        key: if one.near { words::status_key_of(one) } else { "far" },
        full: one.compared == Extent::FullText,
        words: format!(
            "Claim {claim}, {cite}: {}{}, {}",
            words::status_of(one).to_lowercase(),
            if one.near { "" } else { ", not similar" },
            words::extent(one.compared)
        ),
        anchor: format!("claim-{claim}-work-{number}"),
    }
}

fn row(claims: &[u32], number: u32, all: &[&ContributionComparison]) -> Row {
    let text = |claim: &u32| match all.iter().find(|one| one.contribution == *claim) {
        Some(one) => format!("{} ({})", words::status_of(one), words::extent(one.compared)),
        None => "not compared".to_owned(),
    };
    Row {
        number,
        cells: claims.iter().map(text).collect(),
    }
}
