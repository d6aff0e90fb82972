//! Page furniture: running headers and footers, page numbers, line numbers of review templates.

use std::collections::HashMap;

use precedent_text::pattern;

use super::glyph::{Glyph, PageGlyphs};
use super::line::{Line, ratio};
use super::run::Run;
use crate::budget::{ReadBudget, ReadResource};

/// Columns of numbers that are compared per step.
const COLUMNS_A_STEP: usize = 8;

/// Drops the line numbers that review templates print.
pub(super) fn drop_line_numbers(page: &PageGlyphs, glyphs: &[Glyph], runs: &mut Vec<Run>, budget: &ReadBudget) {
    let number_of = |run: &Run| -> Option<u32> {
        if run.letters > 4 {
            return None;
        }
        let text: String = glyphs
            .get(run.glyphs.clone())?
            .iter()
            .map(|glyph| page.text_of(glyph))
            .collect();
        let text = text.trim();
        text.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| text.parse().ok())?
    };
    let numbers: Vec<(usize, u32)> = runs
        .iter()
        .enumerate()
        .filter_map(|(index, run)| Some((index, number_of(run)?)))
        .collect();
    if numbers.len() < 12 {
        return;
    }
    let mut dropped: Vec<usize> = Vec::new();
    let edge = |index: usize| runs.get(index).map_or(0.0, |run| run.x1);
    let mut columns: Vec<(f64, Vec<(usize, u32)>)> = Vec::new();
    for (index, value) in numbers {
        let x = edge(index);
        if !budget.spend(ReadResource::Steps, columns.len() / COLUMNS_A_STEP) {
            return;
        }
        match columns.iter_mut().find(|(other, _)| (*other - x).abs() < 3.0) {
            Some((_, members)) => members.push((index, value)),
            None => columns.push((x, vec![(index, value)])),
        }
    }
    for (_, mut members) in columns {
        members.sort_by(|one, other| {
            let y = |index: usize| runs.get(index).map_or(0.0, |run| run.y);
            y(other.0).total_cmp(&y(one.0))
        });
        let steps = members
            .windows(2)
            .filter(|pair| matches!(pair, [(_, one), (_, other)] if one.checked_add(1) == Some(*other)))
            .count();
        if members.len() >= 12 && steps * 10 >= (members.len() - 1) * 9 {
            dropped.extend(members.into_iter().map(|(index, _)| index));
        }
    }
    dropped.sort_unstable();
    let mut index = 0;
    runs.retain(|_| {
        let keep = dropped.binary_search(&index).is_err();
        index += 1;
        keep
    });
}

/// Removes running headers, footers and page numbers from the lines of each page.
pub(super) fn drop_furniture(pages: &mut [Vec<Line>], heights: &[f64]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (lines, height) in pages.iter().zip(heights) {
        let mut keys: Vec<String> = edge_lines(lines, *height)
            .into_iter()
            .filter_map(|index| lines.get(index))
            .map(|line| key(&line.text))
            .collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            *seen.entry(key).or_default() += 1;
        }
    }
    let count = pages.len();
    for (lines, height) in pages.iter_mut().zip(heights) {
        let edges = edge_lines(lines, *height);
        let mut index = 0;
        let lowest = lines.iter().map(|line| line.y).fold(f64::INFINITY, f64::min);
        let highest = lines.iter().map(|line| line.y).fold(f64::NEG_INFINITY, f64::max);
        lines.retain(|line| {
            let at_edge = edges.contains(&index);
            index += 1;
            let repeated = seen.get(&key(&line.text)).copied().unwrap_or(0);
            let often = repeated >= 3 && ratio(repeated, count) > 0.28 || repeated >= 2 && count <= 4;
            let outermost = (line.y - lowest).abs() < 3.0 || (line.y - highest).abs() < 3.0;
            !(at_edge && (often || outermost && is_page_number(&line.text)) || line.pagination)
        });
    }
}

/// The few lines closest to the top and bottom of the page.
fn edge_lines(lines: &[Line], height: f64) -> Vec<usize> {
    let mut by_height: Vec<(usize, f64)> = lines.iter().enumerate().map(|(index, line)| (index, line.y)).collect();
    by_height.sort_by(|one, other| one.1.total_cmp(&other.1));
    let low = by_height.iter().take(4).filter(|(_, y)| *y < 0.13 * height);
    let high = by_height.iter().rev().take(4).filter(|(_, y)| *y > 0.87 * height);
    low.chain(high).map(|(index, _)| *index).collect()
}

/// The text of a line with all numbers replaced by the same placeholder.
fn key(text: &str) -> String {
    let mut key = String::new();
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        if character.is_ascii_digit() {
            if !key.ends_with('#') {
                key.push('#');
            }
        } else {
            key.extend(character.to_lowercase());
        }
    }
    key
}

fn is_page_number(text: &str) -> bool {
    pattern!(r"(?i)^(?:[-–—\[(]?\s*\d{1,5}\s*[-–—\])]?|[ivxl]{1,6}|page\s+\d+(?:\s*(?:of|/)\s*\d+)?|\d+\s*(?:of|/)\s*\d+|p\.\s*\d+|\d+-\d+|[A-Z]{1,4}-?\d{1,4})$")
        .is_match(text.trim())
}
