//! The front of a paper: title, authors, and where the running text begins.

use precedent_domain::SectionKind;

use super::kind;
use super::line::Line;
use super::measure::Measures;
use crate::headings;
use crate::pattern::pattern;

/// Lines looked at for the front, at most.
const FRONT_LIMIT: usize = 70;

/// The front matter, cut off the lines of the first page.
#[derive(Debug, Default)]
pub(super) struct Front {
    pub(super) title: Vec<Line>,
    /// Lines above the title: names of journals, stamps.
    pub(super) above: Vec<Line>,
    /// Lines behind the title: authors, affiliations, dates.
    pub(super) below: Vec<Line>,
}

/// Cuts the front off the lines of the first page; what is left begins with the abstract or the text.
pub(super) fn cut_front(lines: &mut Vec<Line>, measures: &Measures) -> Front {
    let end = front_end(lines, measures);
    let front: Vec<Line> = lines.drain(..end).collect();
    let Some(title) = title_range(&front, measures) else {
        lines.splice(0..0, front);
        return Front::default();
    };
    let mut parts = Front::default();
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

fn front_end(lines: &[Line], measures: &Measures) -> usize {
    let limit = lines.len().min(FRONT_LIMIT);
    let told = lines.iter().take(limit).position(begins_text);
    if let Some(told) = told.filter(|told| *told > 0) {
        return told;
    }
    // No heading says so: the first long paragraph of the page.
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

/// Which lines are the title: the group of one look that is largest and says something.
fn title_range(front: &[Line], measures: &Measures) -> Option<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for (index, line) in front.iter().enumerate() {
        let joins = groups
            .last()
            .and_then(|group| front.get(group.end - 1))
            .is_some_and(|last| {
                (last.size - line.size).abs() < 0.05 * last.size
                    && (last.is_bold() == line.is_bold() || last.size > 1.2 * measures.body)
                    && last.y - line.y < 2.2 * last.size
            });
        match groups.last_mut() {
            Some(group) if joins => group.end = index + 1,
            _ => groups.push(index..index + 1),
        }
    }
    let score = |group: &std::ops::Range<usize>| -> f64 {
        let lines = front.get(group.clone()).unwrap_or_default();
        let letters: usize = lines
            .iter()
            .map(|line| line.text.chars().filter(|c| c.is_alphabetic()).count())
            .sum();
        let text = lines
            .iter()
            .map(|line| line.text.as_str())
            .collect::<Vec<_>>()
            .join(" ");
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
            score *= 0.6;
        }
        if letters > 320 || is_not_a_title(&text) {
            score *= 0.4;
        }
        score
    };
    let mut best: Option<(f64, std::ops::Range<usize>)> = None;
    for group in groups {
        let next = score(&group);
        if best.as_ref().is_none_or(|(score, _)| next > *score * 1.001) {
            best = Some((next, group));
        }
    }
    best.filter(|(score, _)| *score > 0.0).map(|(_, group)| group)
}

fn is_not_a_title(text: &str) -> bool {
    kind::is_imprint(text)
        || looks_like_affiliation(text)
        || pattern!(r"(?i)@|https?://|^(?:research (?:article|paper)|original (?:article|paper|research)|review article|article|letter|open access|short (?:paper|communication)|technical report|journal of|international journal|vol(?:ume)?\.|\d{4} (?:international|ieee|acm)|contents lists|available online|ieee transactions|the journal|an iop|proc\.|proceedings)\b").is_match(text)
}

pub(super) fn looks_like_affiliation(text: &str) -> bool {
    pattern!(
        r"(?i)\b(?:universit|universidad|université|institut|department|dept\b|school of|college|laborator|\blabs?\b|centre|center for|faculty|academy|hospital|corporation|\binc\b|\bltd\b|gmbh|research (?:center|centre|group|lab)|cnrs|inria|polytechnic|google|microsoft|deepmind|facebook|\bmeta\b|amazon|\bibm\b|openai|nvidia|alibaba|tencent|bytedance|baidu|huawei|street|avenue|\broad\b|p\.?o\.? box|\bst\.|building|city|\busa\b|\bu\.s\.a|\bchina\b|germany|france|\bjapan\b|\bindia\b|united kingdom|\buk\b|italy|spain|canada|switzerland|netherlands|austria|korea|singapore|australia|israel|brazil|mexico|russia|sweden|denmark|finland|norway|poland|turkey|iran|hong kong|taiwan|new york|los angeles|san francisco|pittsburgh|ministry|council|foundation|project|mozilla|adobe|intel\b)"
    )
    .is_match(text)
}
