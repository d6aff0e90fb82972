//! Corrects groups by their neighbours: pieces of one formula, rows next to a table's caption, a reference list without heading.

use precedent_domain::ParagraphKind;
use precedent_text::pattern;

use super::group::Group;
use super::kind;
use super::line::ratio;
use super::measure::Measures;

/// Corrects the groups in place.
pub(super) fn mend(groups: &mut Vec<Group>, measures: &Measures) {
    mark_formula_pieces(groups, measures);
    join_formulas(groups);
    join_listings(groups);
    mark_tables(groups, measures);
    mark_listed_references(groups);
    mark_contents(groups);
    demote_labels(groups, measures);
}

/// Bold words above table columns or inside a figure look like headings, but no text follows them.
fn demote_labels(groups: &mut [Group], measures: &Measures) {
    for index in (0..groups.len()).rev() {
        let Some(group) = groups.get(index) else { continue };
        let text = group.text();
        if group.kind != ParagraphKind::Heading || kind::is_known_heading(&text) || kind::is_numbered(&text) {
            continue;
        }
        let page = group.first().map(|line| line.page);
        let next = groups
            .get(index + 1..)
            .unwrap_or_default()
            .iter()
            .find(|next| next.kind != ParagraphKind::Footnote);
        let followed = next.is_some_and(|next| match next.kind {
            ParagraphKind::Heading | ParagraphKind::ListItem | ParagraphKind::Reference | ParagraphKind::Code => true,
            ParagraphKind::Body => {
                next.first().map(|line| line.page) != page || next.lines.len() > 2 || is_prose(next, measures, false)
            }
            _ => false,
        });
        if !followed && let Some(group) = groups.get_mut(index) {
            group.kind = ParagraphKind::Table;
        }
    }
}

/// Marks the lines under `Contents` that end with a page number.
fn mark_contents(groups: &mut [Group]) {
    let start = groups.iter().take(60).position(|group| {
        group.kind == ParagraphKind::Heading
            && matches!(
                crate::headings::squash(&group.text()).as_str(),
                "contents" | "tableofcontents"
            )
    });
    let Some(start) = start else { return };
    for group in groups.iter_mut().skip(start + 1) {
        if !group.text().trim_end().ends_with(|c: char| c.is_ascii_digit()) {
            break;
        }
        group.kind = ParagraphKind::Table;
    }
}

/// Fractions, brackets and numbers of a formula are on lines of their own. Next to a formula they are part of it.
fn mark_formula_pieces(groups: &mut [Group], measures: &Measures) {
    for _ in 0..3 {
        let kinds: Vec<ParagraphKind> = groups.iter().map(|group| group.kind).collect();
        let mut changed = false;
        for index in 0..groups.len() {
            let beside = |other: Option<usize>| {
                other
                    .and_then(|other| kinds.get(other))
                    .is_some_and(|kind| *kind == ParagraphKind::DisplayMath)
            };
            let near = beside(index.checked_sub(1)) || beside(index.checked_add(1));
            if let Some(group) = groups.get_mut(index)
                && near
                && matches!(
                    group.kind,
                    ParagraphKind::Body | ParagraphKind::ListItem | ParagraphKind::Table
                )
                && is_piece(group, measures)
            {
                group.kind = ParagraphKind::DisplayMath;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
}

fn is_piece(group: &Group, measures: &Measures) -> bool {
    let text = group.text();
    let words = text
        .split_whitespace()
        .filter(|word| word.chars().count() >= 4 && word.chars().all(char::is_alphabetic))
        .count();
    let Some(first) = group.first() else { return false };
    let (left, right) = measures.edges(first);
    let narrow = group
        .lines
        .iter()
        .all(|line| line.width() < 0.75 * (right - left).max(1.0));
    text.chars().count() < 60 && words == 0 && narrow || pattern!(r"^\(\d{1,3}[a-z]?\)$").is_match(text.trim())
}

fn join_formulas(groups: &mut Vec<Group>) {
    let mut joined: Vec<Group> = Vec::with_capacity(groups.len());
    for group in groups.drain(..) {
        if group.kind == ParagraphKind::DisplayMath
            && let Some(last) = joined.last_mut()
            && last.kind == ParagraphKind::DisplayMath
            && let (Some(above), Some(first)) = (last.last(), group.first())
            && above.page == first.page
            && above.column == first.column
            && (above.y - first.y).abs() < 4.0 * first.size.max(above.size)
            && !pattern!(r"\(\d{1,3}[a-z]?\)$").is_match(above.text.trim())
        {
            last.lines.extend(group.lines);
        } else {
            joined.push(group);
        }
    }
    *groups = joined;
}

/// Joins the lines of a listing, some of which look like table rows or words.
fn join_listings(groups: &mut Vec<Group>) {
    let mut joined: Vec<Group> = Vec::with_capacity(groups.len());
    for mut group in groups.drain(..) {
        let mono = group
            .lines
            .iter()
            .all(|line| line.share(|look| look.mono) > 0.6 && !line.text.contains("://"));
        let joins = joined.last().is_some_and(|last| {
            last.kind == ParagraphKind::Code
                && matches!((last.last(), group.first()), (Some(above), Some(first)) if above.page == first.page
                    && above.column == first.column
                    && above.y >= first.y
                    && above.y - first.y < 3.5 * first.size)
        });
        if mono
            && matches!(
                group.kind,
                ParagraphKind::Code | ParagraphKind::Table | ParagraphKind::Body | ParagraphKind::ListItem
            )
        {
            if joins && let Some(last) = joined.last_mut() {
                last.lines.append(&mut group.lines);
                continue;
            }
            if group.kind == ParagraphKind::Table {
                group.kind = ParagraphKind::Code;
            }
        }
        joined.push(group);
    }
    *groups = joined;
}

/// Marks table rows without wide gaps: they are next to the caption and do not read as sentences.
fn mark_tables(groups: &mut [Group], measures: &Measures) {
    let captions: Vec<usize> = groups
        .iter()
        .enumerate()
        .filter(|(_, group)| group.kind == ParagraphKind::Caption)
        .map(|(index, _)| index)
        .collect();
    for caption in captions {
        let Some(place) = groups
            .get(caption)
            .and_then(Group::first)
            .map(|line| (line.page, line.column))
        else {
            continue;
        };
        let table = groups
            .get(caption)
            .is_some_and(|group| pattern!(r"^(?i:table|tab\.)").is_match(group.text().trim()));
        let before = (0..caption).rev().take(12);
        let after = (caption + 1..groups.len()).take(12);
        for side in [before.collect::<Vec<usize>>(), after.collect()] {
            let mut last_y = groups.get(caption).and_then(Group::first).map_or(0.0, |line| line.y);
            for index in side {
                let Some(group) = groups.get_mut(index) else { break };
                let here = group.first().map(|line| (line.page, line.column));
                let y = group.first().map_or(0.0, |line| line.y);
                let far = (y - last_y).abs() > 14.0 * measures.body;
                let rows = matches!(
                    group.kind,
                    ParagraphKind::Body
                        | ParagraphKind::ListItem
                        | ParagraphKind::Table
                        | ParagraphKind::DisplayMath
                        | ParagraphKind::Code
                ) && !is_prose(group, measures, table);
                if here != Some(place) || far || !rows {
                    break;
                }
                if group.kind != ParagraphKind::Code {
                    group.kind = ParagraphKind::Table;
                }
                last_y = y;
            }
        }
    }
}

/// Whether a group reads as running text.
pub(super) fn is_prose(group: &Group, measures: &Measures, beside_table: bool) -> bool {
    let text = group.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let lower = words
        .iter()
        .filter(|word| word.chars().count() >= 2 && word.chars().all(|c| c.is_lowercase() || c == ',' || c == '.'))
        .count();
    let Some(first) = group.first() else { return false };
    let (left, right) = measures.edges(first);
    let inner = group.lines.len().saturating_sub(1).max(1);
    let full = group
        .lines
        .iter()
        .take(inner)
        .filter(|line| line.width() > 0.8 * (right - left))
        .count();
    let body = (first.size - measures.body).abs() < 0.45;
    let fluent = ratio(lower, words.len()) > 0.5;
    let celled = group.lines.iter().filter(|line| !line.cells.is_empty()).count();
    if celled * 2 > group.lines.len() {
        return false;
    }
    fluent && (full * 3 >= inner * 2) && (body || !beside_table || group.lines.len() > 2)
        || body && group.lines.len() > 3 && full * 4 >= inner * 3 && ratio(lower, words.len()) > 0.35
}

/// Marks a list `[1] … [2] …` at the end of a paper that prints no heading above its references.
fn mark_listed_references(groups: &mut Vec<Group>) {
    if groups.iter().any(|group| group.kind == ParagraphKind::Reference) {
        return;
    }
    let label = |group: &Group| -> Option<u32> {
        let text = group.text();
        let found = pattern!(r"^\[(\d{1,3})\]\s*\S").captures(text.trim_start())?;
        found.get(1)?.as_str().parse().ok()
    };
    let Some(start) = groups.iter().rposition(|group| label(group) == Some(1)) else {
        return;
    };
    let labels: Vec<u32> = groups.iter().skip(start).filter_map(label).collect();
    let rising = labels
        .windows(2)
        .all(|pair| matches!(pair, [one, other] if other > one));
    if labels.len() < 4 || !rising || start * 2 < groups.len() {
        return;
    }
    for group in groups.iter_mut().skip(start) {
        if group.kind == ParagraphKind::Heading || kind::is_known_heading(&group.text()) {
            break;
        }
        if matches!(
            group.kind,
            ParagraphKind::Body
                | ParagraphKind::ListItem
                | ParagraphKind::Table
                | ParagraphKind::DisplayMath
                | ParagraphKind::Code
        ) {
            group.kind = ParagraphKind::Reference;
        }
    }
    // A group without a label is the rest of the entry above it.
    let list: Vec<Group> = groups.drain(start..).collect();
    for group in list {
        match groups.last_mut() {
            Some(last)
                if group.kind == ParagraphKind::Reference
                    && last.kind == ParagraphKind::Reference
                    && label(&group).is_none() =>
            {
                last.lines.extend(group.lines);
            }
            _ => groups.push(group),
        }
    }
}
