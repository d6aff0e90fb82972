//! Converts groups to blocks: completes paragraphs that continue in the next column, joins words broken at line ends, and records pages.

use precedent_domain::ParagraphKind;

use super::group::Group;
use super::kind;
use super::line::Line;
use super::measure::Measures;
use super::words::{Vocabulary, append_line};
use crate::draft::{Block, HeadingHint};

/// Turns groups in smaller print at the foot of a column into footnotes.
pub(super) fn mark_notes(groups: &mut [Group], measures: &Measures, rules: &[Vec<super::matrix::Rect>]) {
    let mut noted: Option<(u32, Option<usize>, f64)> = None;
    // The size of the first entry of the references, and whether entries have raised labels.
    let mut entry = None;
    for group in groups.iter_mut() {
        let Some(first) = group.first() else { continue };
        // A list of references is often in smaller print than the body.
        let raised = first.text.starts_with(['¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']);
        let usual = match group.kind {
            ParagraphKind::Reference => match *entry.get_or_insert((first.size, raised)) {
                (_, false) if raised => measures.body,
                (size, _) => size,
            },
            _ => measures.body,
        };
        let small = first.size < 0.94 * usual;
        let place = (first.page, first.column);
        let may = matches!(
            group.kind,
            ParagraphKind::Body
                | ParagraphKind::ListItem
                | ParagraphKind::FrontMatter
                | ParagraphKind::Code
                | ParagraphKind::Reference
        );
        let under_rule = usize::try_from(first.page)
            .ok()
            .and_then(|page| rules.get(page.checked_sub(1)?))
            .is_some_and(|rules| {
                rules.iter().any(|rule| {
                    rule.y0 > first.y
                        && rule.y0 < first.y + 2.6 * first.size
                        && (rule.x0 - first.x0).abs() < 14.0
                        && rule.width() < 260.0
                })
            });
        let follows = noted.is_some_and(|(page, column, y)| (page, column) == place && first.y < y);
        let ruled = first.text.trim().len() > 9 && first.text.trim().chars().all(|c| c == '_');
        let begins =
            kind::is_note_start(first) || under_rule && first.page > 0 || ruled || kind::is_imprint(&first.text);
        if may && small && (begins || follows) {
            noted = Some((place.0, place.1, first.y));
            group.kind = ParagraphKind::Footnote;
            if ruled && group.lines.len() > 1 {
                group.lines.remove(0);
            }
        }
    }
}

/// The blocks of the groups, in reading order.
pub(super) fn emit(groups: Vec<Group>, measures: &Measures, vocabulary: &Vocabulary) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // The paragraph that may continue in the next column: its block index and its last line.
    let mut open: Option<(usize, Line)> = None;
    for group in groups {
        let running = matches!(
            group.kind,
            ParagraphKind::Body | ParagraphKind::Reference | ParagraphKind::ListItem
        );
        if let Some((words, kind)) = &group.run_in {
            let mut block = Block::new(ParagraphKind::Heading, words.clone());
            block.heading = Some(HeadingHint {
                level: Some(1),
                kind: Some(*kind),
            });
            block.pages = group.first().map(|line| (0, line.page)).into_iter().collect();
            blocks.push(block);
            open = None;
        }
        if running
            && let Some((at, last)) = &open
            && let Some(block) = blocks.get_mut(*at)
            && group.run_in.is_none()
            && (reads_on(&group) || completes_word(block, &group, vocabulary))
            && goes_on(block, last, &group, measures)
        {
            add_lines(block, &group.lines, vocabulary);
            open = group.last().cloned().map(|last| (*at, last));
            continue;
        }
        let block = block_of(&group, vocabulary);
        match group.kind {
            ParagraphKind::Heading => open = None,
            _ if running && reads_on(&group) => open = group.last().cloned().map(|last| (blocks.len(), last)),
            _ => {}
        }
        blocks.push(block);
    }
    blocks
}

/// Whether a group continues the paragraph that was open at the end of the last column.
fn goes_on(block: &Block, last: &Line, group: &Group, measures: &Measures) -> bool {
    let Some(first) = group.first() else { return false };
    if (last.size - first.size).abs() > 0.5 {
        return false;
    }
    let kinds_fit =
        block.kind == group.kind || block.kind == ParagraphKind::ListItem && group.kind == ParagraphKind::Body;
    if !kinds_fit || kind::is_item_start(&first.text) || kind::is_entry_label(&first.text) {
        return false;
    }
    let text = block.text.trim_end();
    let lower = first
        .text
        .chars()
        .find(|c| c.is_alphanumeric())
        .is_some_and(char::is_lowercase);
    let ended = text.ends_with(['.', '!', '?', ':', '”', '"']);
    let moved = last.page != first.page || last.column != first.column;
    if !moved {
        // Something came in between (a formula, a float), or a line was split off by mistake.
        return lower && !ended && block.kind != ParagraphKind::Reference;
    }
    if block.kind == ParagraphKind::Reference {
        let (left, _) = measures.edges(first);
        return !ended || lower || first.x0 > left + 0.5 * first.size;
    }
    lower || !ended && measures.is_full(last) || !ended && text.ends_with([',', '-'])
}

/// Whether a group can be the rest of a sentence: words, not table cells.
fn reads_on(group: &Group) -> bool {
    let text = group.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let lower = words
        .iter()
        .filter(|word| word.chars().next().is_some_and(char::is_lowercase))
        .count();
    let figures = words
        .iter()
        .filter(|word| word.chars().next().is_some_and(|c| c.is_ascii_digit()))
        .count();
    group.kind == ParagraphKind::Reference || lower * 5 >= words.len() * 2 && figures * 5 <= words.len()
}

/// Whether the group begins with the rest of a word that was divided and is elsewhere in the text, so it goes on whatever its other words are.
fn completes_word(block: &Block, group: &Group, vocabulary: &Vocabulary) -> bool {
    let text = group.text();
    let rest = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let before = block.text.trim_end().strip_suffix('-');
    let first = before.and_then(|before| before.rsplit(|c: char| !c.is_alphabetic()).next());
    first.is_some_and(|first| !first.is_empty() && !rest.is_empty() && vocabulary.seen(&format!("{first}{rest}")) > 0)
}

fn block_of(group: &Group, vocabulary: &Vocabulary) -> Block {
    let mut block = Block::new(group.kind, String::new());
    if group.kind == ParagraphKind::Heading {
        block.heading = None;
    }
    add_lines(&mut block, &group.lines, vocabulary);
    block
}

fn add_lines(block: &mut Block, lines: &[Line], vocabulary: &Vocabulary) {
    let verbatim = matches!(block.kind, ParagraphKind::Table | ParagraphKind::Code);
    for line in lines {
        let before = block.text.len();
        if verbatim {
            if !block.text.is_empty() {
                block.text.push('\n');
            }
            push_cells(&mut block.text, line);
        } else {
            append_line(&mut block.text, &line.text, vocabulary);
        }
        let turned = block.pages.last().is_none_or(|(_, page)| *page != line.page);
        if turned {
            let at = if block.pages.is_empty() {
                0
            } else {
                page_start(&block.text, before, &line.text)
            };
            block.pages.push((at, line.page));
        }
    }
}

/// Offset where the line just appended begins. A word broken across pages belongs to the page on which it ends, where possible.
fn page_start(text: &str, before: usize, line: &str) -> usize {
    let at = text
        .len()
        .saturating_sub(line.trim().len())
        .max(before.saturating_sub(1));
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn push_cells(text: &mut String, line: &Line) {
    let mut from = 0;
    for cell in &line.cells {
        text.push_str(line.text.get(from..*cell).unwrap_or_default().trim());
        text.push('\t');
        from = *cell;
    }
    text.push_str(line.text.get(from..).unwrap_or_default().trim());
}

/// Blocks of front matter: adjacent lines with the same column and size.
pub(super) fn front_blocks(lines: &[Line], vocabulary: &Vocabulary) -> Vec<Block> {
    let mut groups: Vec<Group> = Vec::new();
    for line in lines {
        let joins = groups.last().and_then(Group::last).is_some_and(|last| {
            last.column == line.column
                && last.page == line.page
                && (last.size - line.size).abs() < 0.4
                && last.y > line.y
                && last.y - line.y < 1.7 * line.size
        });
        match groups.last_mut() {
            Some(group) if joins => group.lines.push(line.clone()),
            _ => groups.push(Group {
                kind: ParagraphKind::FrontMatter,
                lines: vec![line.clone()],
                look: None,
                run_in: None,
            }),
        }
    }
    groups
        .iter()
        .map(|group| {
            let mut block = Block::new(ParagraphKind::FrontMatter, String::new());
            // Authors and affiliations are lines, not sentences.
            for line in &group.lines {
                if !block.text.is_empty() {
                    block.text.push('\n');
                }
                block.text.push_str(line.text.trim());
            }
            if group.lines.len() == 1 {
                block.text.clear();
                add_lines(&mut block, &group.lines, vocabulary);
            }
            block.pages = group.first().map(|line| (0, line.page)).into_iter().collect();
            block
        })
        .collect()
}

/// The title's block.
pub(super) fn title_block(lines: &[Line], vocabulary: &Vocabulary) -> Block {
    let mut block = Block::new(ParagraphKind::FrontMatter, String::new());
    add_lines(&mut block, lines, vocabulary);
    block
}
