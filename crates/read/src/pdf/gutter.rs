//! Detects the gaps between the columns of a page.

use super::run::Run;
use crate::budget::{ReadBudget, ReadResource};

/// The empty strip between two columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gutter {
    /// Right edge of the left column.
    pub(super) left: f64,
    /// Left edge of the right column.
    pub(super) right: f64,
}

/// Runs shorter than this are ignored in column detection.
const LONG: usize = 14;

/// Runs that are compared with an edge per step.
const RUNS_A_STEP: usize = 4;

/// The gutters of a page, from left to right. Detected by the common left edge of the lines after each gutter.
pub(super) fn gutters(runs: &[Run], width: f64, budget: &ReadBudget) -> Vec<Gutter> {
    let long: Vec<&Run> = runs.iter().filter(|run| run.letters >= LONG && !run.figure).collect();
    if long.len() < 8 {
        return Vec::new();
    }
    let mut edges: Vec<f64> = long
        .iter()
        .map(|run| run.x0)
        .filter(|x| (0.22 * width..0.78 * width).contains(x))
        .collect();
    edges.sort_by(f64::total_cmp);
    let mut found: Vec<(usize, Gutter)> = Vec::new();
    let mut start = 0;
    while let Some(&edge) = edges.get(start) {
        let members = edges.iter().skip(start).take_while(|x| **x < edge + 2.5).count();
        start += members;
        if !budget.spend(ReadResource::Steps, long.len() / RUNS_A_STEP) {
            return Vec::new();
        }
        if let Some(gutter) = judge(&long, edge, members) {
            found.push((members, gutter));
        }
    }
    // Of edges close to each other, keep the one with the most lines.
    found.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.right.total_cmp(&other.1.right)));
    let mut kept: Vec<Gutter> = Vec::new();
    for (_, gutter) in found {
        if kept
            .iter()
            .all(|other| (other.right - gutter.right).abs() > 0.18 * width)
            && kept.len() < 3
        {
            kept.push(gutter);
        }
    }
    kept.sort_by(|one, other| one.right.total_cmp(&other.right));
    kept
}

fn judge(long: &[&Run], edge: f64, members: usize) -> Option<Gutter> {
    let crossing = long
        .iter()
        .filter(|run| run.x0 < edge - 6.0 && run.x1 > edge + 6.0)
        .count();
    if members < 4 || members * 12 < long.len() || crossing > members {
        return None;
    }
    let mut ends: Vec<f64> = long
        .iter()
        .filter(|run| run.x1 < edge + 1.0 && run.x0 < edge - 40.0)
        .map(|run| run.x1)
        .collect();
    if ends.len() < 4 {
        return None;
    }
    ends.sort_by(f64::total_cmp);
    // Most lines of a justified column end at its edge.
    let left = *ends.get(ends.len() * 3 / 4)?;
    (edge - left > 4.0).then_some(Gutter { left, right: edge })
}

/// Whether a gutter known from other pages is consistent with this page's text.
pub(super) fn fits(runs: &[Run], gutter: Gutter) -> bool {
    let long = runs.iter().filter(|run| run.letters >= LONG && !run.figure);
    let (mut crossing, mut beside) = (0, 0);
    for run in long {
        if run.x0 < gutter.right - 8.0 && run.x1 > gutter.right + 8.0 {
            crossing += 1;
        } else {
            beside += 1;
        }
    }
    beside > crossing
}
