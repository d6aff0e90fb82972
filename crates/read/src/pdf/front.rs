//! The front of a paper: title, authors, and the start of the running text.

use std::ops::Range;

use precedent_domain::{SectionKind, title_key};
use precedent_text::pattern;

use super::authors::looks_like_affiliation;
use super::line::Line;
use super::measure::Measures;
use super::{authors, kind};
use crate::headings;

/// Maximum lines examined for the front matter.
const FRONT_LIMIT: usize = 70;
/// Maximum lines of a title page. A page of text has more, even with double spacing (25 to 30) and running heads.
const TITLE_PAGE: usize = 24;
/// A group of lines with this share of the title's score could be the title as well.
const RIVAL: f64 = 0.93;
/// From this score on, a title differs clearly from running text, whose score is 1.
const CLEAR: f64 = 1.1;
/// Minimum distance of the base lines of a title and the names under it, in letter sizes. The lines of a title are 1.1 to 1.3 apart.
const APART: f64 = 1.4;
/// Maximum words of a journal's name above a title.
const MASTHEAD_WORDS: usize = 5;

/// The lines that are the title.
struct FoundTitle {
    range: Range<usize>,
    score: f64,
    /// The highest score of other lines that could be the title.
    rival: f64,
    /// Whether the file's metadata has the same title.
    is_stated: bool,
}

impl FoundTitle {
    fn is_doubtful(&self) -> bool {
        !self.is_stated && (self.score < CLEAR || self.rival > RIVAL * self.score)
    }
}

/// The front matter, split from the lines of the first page.
#[derive(Debug, Default)]
pub(super) struct Front {
    pub(super) title: Vec<Line>,
    /// Lines above the title: journal names, stamps.
    pub(super) above: Vec<Line>,
    /// Lines after the title: authors, affiliations, dates.
    pub(super) below: Vec<Line>,
    /// Whether other lines could be the title as well.
    pub(super) doubtful: bool,
}

/// Splits the front matter from the lines of the first page. The remaining lines begin with the abstract or the text. `stated` is the title in the
/// file's metadata, which counts where the page prints it.
pub(super) fn cut_front(lines: &mut Vec<Line>, measures: &Measures, stated: Option<&str>) -> Front {
    let end = front_end(lines, measures);
    let mut front: Vec<Line> = lines.drain(..end).collect();
    let mut found = title_range(&front, measures, stated);
    let score = found.as_ref().map_or(0.0, |found| found.score);
    let is_stated = found.as_ref().is_some_and(|found| found.is_stated);
    if !is_stated && let Some(title) = larger_elsewhere(lines, score, measures) {
        return Front {
            title,
            above: front,
            ..Front::default()
        };
    }
    if found.is_none() && front.is_empty() && lines.len() <= TITLE_PAGE {
        // A page with the front matter alone: manuscripts and theses.
        front = std::mem::take(lines);
        found = title_range(&front, measures, stated);
    }
    let Some(found) = found else {
        lines.splice(0..0, front);
        return Front::default();
    };
    let title = found.range.clone();
    let front = give_back_prose(front, title.end, lines);
    let mut parts = Front {
        doubtful: found.is_doubtful(),
        ..Front::default()
    };
    for (index, line) in front.into_iter().enumerate() {
        if index < title.start {
            parts.above.push(line);
        } else if index < title.end {
            parts.title.push(line);
        } else {
            parts.below.push(line);
        }
    }
    parts
}

/// An abstract without heading follows the authors. It is moved back to the text.
fn give_back_prose(mut front: Vec<Line>, title_end: usize, lines: &mut Vec<Line>) -> Vec<Line> {
    let fluent = |line: &Line| {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let lower = words
            .iter()
            .filter(|word| word.chars().next().is_some_and(char::is_lowercase))
            .count();
        words.len() >= 7 && lower * 2 > words.len() && !line.text.contains('@')
    };
    let start = (title_end..front.len()).find(|start| {
        front.get(*start..*start + 3).is_some_and(|three| {
            three.iter().all(fluent)
                && three.iter().filter(|line| looks_like_affiliation(&line.text)).count() < 2
                && three
                    .windows(2)
                    .all(|pair| matches!(pair, [one, other] if (one.size - other.size).abs() < 0.4))
        })
    });
    if let Some(start) = start {
        let prose = front.split_off(start);
        lines.splice(0..0, prose);
    }
    front
}

fn front_end(lines: &[Line], measures: &Measures) -> usize {
    let limit = lines.len().min(FRONT_LIMIT);
    let heading = lines.iter().take(limit).position(begins_text);
    if let Some(heading) = heading.filter(|heading| *heading > 0) {
        return heading;
    }
    // Without a heading: the first long paragraph of the page.
    let long = |line: &Line| {
        let (left, right) = measures.edges(line);
        line.width() > 0.7 * (right - left)
            && line.text.split_whitespace().count() >= 6
            && !line.is_bold()
            && line.size < measures.body * 1.15
    };
    (1..limit)
        .find(|start| {
            lines.get(*start..*start + 4).is_some_and(|four| {
                four.iter().all(long)
                    && !four.iter().any(|line| looks_like_affiliation(&line.text))
                    && four
                        .windows(2)
                        .all(|pair| matches!(pair, [one, other] if (one.size - other.size).abs() < 0.4))
            })
        })
        .unwrap_or(0)
}

fn begins_text(line: &Line) -> bool {
    let text = line.text.trim();
    if pattern!(r"^(?i:abstract|summary|a\s?b\s?s\s?t\s?r\s?a\s?c\s?t)\s*(?:$|[.:—–―-])").is_match(text)
        || pattern!(r"^ABSTRACT\b|^Abstract\s+\p{Lu}").is_match(text)
    {
        return true;
    }
    if !kind::is_known_heading(text) {
        return false;
    }
    let parts = headings::take_apart(text);
    matches!(
        headings::kind_of(&parts.words),
        Some(SectionKind::Abstract | SectionKind::Introduction)
    )
}

/// Which lines are the title.
fn title_range(front: &[Line], measures: &Measures, stated: Option<&str>) -> Option<FoundTitle> {
    if let Some(range) = stated.and_then(|stated| stated_range(front, stated)) {
        let is_stated = true;
        let (score, rival) = (CLEAR, 0.0);
        return Some(FoundTitle {
            range,
            score,
            rival,
            is_stated,
        });
    }
    let mut best: Option<FoundTitle> = None;
    for group in look_groups(front, measures) {
        let lines = front.get(group.clone()).unwrap_or_default();
        let mut next = title_score(lines, measures);
        if group.start == 0 && is_masthead(lines, front.get(group.end..).unwrap_or_default()) {
            next *= 0.5;
        }
        // Logos and running titles follow addresses, so an earlier title candidate is preferred.
        let between = best.as_ref().and_then(|found| front.get(found.range.end..group.start));
        let behind = between.is_some_and(|lines| {
            lines
                .iter()
                .any(|line| line.text.contains('@') || looks_like_affiliation(&line.text))
        });
        let margin = if behind { 1.6 } else { 1.001 };
        match &mut best {
            Some(found) if next <= found.score * margin => {
                // Names and addresses are no rivals.
                if !behind && !lines.iter().any(authors::can_be_name) {
                    found.rival = found.rival.max(next);
                }
            }
            before => {
                let rival = before.as_ref().map_or(0.0, |found| found.score);
                let (range, score, is_stated) = (group, next, false);
                best = Some(FoundTitle {
                    range,
                    score,
                    rival,
                    is_stated,
                });
            }
        }
    }
    best.filter(|found| found.score > 0.0)
}

/// The lines that print the title in the file's metadata.
fn stated_range(front: &[Line], stated: &str) -> Option<Range<usize>> {
    let squeeze = |text: &str| title_key(text).replace(' ', "");
    let key = squeeze(stated);
    if key.chars().count() < 12 {
        return None;
    }
    (0..front.len()).find_map(|start| {
        let mut printed = String::new();
        for (end, line) in front.iter().enumerate().skip(start).take(8) {
            printed.push_str(&squeeze(&line.text));
            // A footnote mark may follow.
            if printed
                .strip_prefix(key.as_str())
                .is_some_and(|more| more.chars().count() < 3)
            {
                return Some(start..end + 1);
            }
            if !key.starts_with(printed.as_str()) {
                break;
            }
        }
        None
    })
}

/// Whether the first lines of a page are the name of a journal: a few words above a type of article, a volume or an address.
fn is_masthead(lines: &[Line], after: &[Line]) -> bool {
    let words: usize = lines.iter().map(|line| line.text.split_whitespace().count()).sum();
    let marks = pattern!(
        r"(?i)www\.|https?://|\bissn\b|\bvol(?:ume|\.)?\s*\d|open access|^(?:research|original|review|regular|short) (?:article|paper|research|communication|report)|^(?:review|article|letter|report)s?$|journal homepage|contents lists|^doi\b"
    );
    words <= MASTHEAD_WORDS && after.iter().take(3).any(|line| marks.is_match(line.text.trim()))
}

/// Groups of adjacent lines with the same look.
fn look_groups(lines: &[Line], measures: &Measures) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let joins = groups
            .last()
            .and_then(|group| lines.get(group.end - 1))
            .is_some_and(|last| {
                (last.size - line.size).abs() < 0.05 * last.size
                    && (last.is_bold() == line.is_bold() || last.size > 1.2 * measures.body)
                    && last.y - line.y < if line.is_bold() { 2.6 } else { 2.2 } * last.size
                    && last.y >= line.y
                    && !begins_names(last, line, lines.get(index + 1))
            });
        match groups.last_mut() {
            Some(group) if joins => group.end = index + 1,
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

/// Whether names in the look of the title begin with `line`.
fn begins_names(last: &Line, line: &Line, next: Option<&Line>) -> bool {
    let is_one = || {
        authors::can_be_name(line)
            && next.is_some_and(|next| looks_like_affiliation(&next.text) || next.text.contains('@'))
    };
    last.y - line.y > APART * line.size && (authors::lists_names(line) || is_one())
}

fn title_score(lines: &[Line], measures: &Measures) -> f64 {
    let text = lines
        .iter()
        .map(|line| line.text.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let words = text.split_whitespace().filter(|word| word.chars().count() > 1).count();
    let (Some(first), true) = (lines.first(), letters >= 4) else {
        return 0.0;
    };
    let mut score = first.size / measures.body;
    if first.is_bold() {
        score *= 1.12;
    }
    if kind::is_capitals(&text) && letters > 15 {
        score *= 1.08;
    }
    if words < 2 || letters < 9 {
        score *= 0.5;
    }
    // Titles also name places and institutions, but no address is printed so large.
    let is_address = first.size < 1.2 * measures.body && !first.is_bold() && looks_like_affiliation(&text);
    if letters > 320 || is_address || is_not_a_title(&text) {
        score *= 0.4;
    } else if lines.iter().all(authors::lists_names) {
        score *= 0.6;
    }
    score
}

/// Posters and slides draw their parts in any order. A far larger line elsewhere on the page is the title, together with lines next to it that are
/// about as large or larger.
fn larger_elsewhere(lines: &mut Vec<Line>, score: f64, measures: &Measures) -> Option<Vec<Line>> {
    let FoundTitle {
        range: found,
        score: found_score,
        ..
    } = title_range(lines, measures, None)?;
    if found_score < 1.5 * score || found_score < 1.3 {
        return None;
    }
    let size = lines.get(found.start)?.size;
    let (top, bottom) = (lines.get(found.start)?.y, lines.get(found.end - 1)?.y);
    let page_top = lines.iter().map(|line| line.y).fold(f64::NEG_INFINITY, f64::max);
    if top < 0.6 * page_top {
        return None;
    }
    let belongs =
        |line: &Line| line.size > 0.9 * size && line.y < top + 2.2 * line.size && line.y > bottom - 2.2 * line.size;
    let mut title: Vec<Line> = lines.iter().filter(|line| belongs(line)).cloned().collect();
    lines.retain(|line| !belongs(line));
    title.sort_by(|one, other| other.y.total_cmp(&one.y));
    Some(title)
}

fn is_not_a_title(text: &str) -> bool {
    kind::is_imprint(text)
        || pattern!(r"(?i)^(?:university of|department of|school of|faculty of|institute of)\b").is_match(text)
        || pattern!(r"(?i)[^\s@]@[a-z0-9-]+\.[a-z]|https?://|^(?:research (?:article|paper)|original (?:article|paper|research)|review article|article|letter|open access|short (?:paper|communication)|technical report|journal of|international journal|vol(?:ume)?\.|\d{4} (?:international|ieee|acm)|contents lists|available online|ieee transactions|the journal|an iop|proc\.|proceedings)\b").is_match(text)
}
