//! Author names in the lines after the title.

use precedent_domain::Author;
use precedent_text::pattern;

use super::front::looks_like_affiliation;
use super::line::Line;

/// More names than this are a parsing error, or a collaboration that prints its names elsewhere.
const LIMIT: usize = 400;

/// Author names in the lines between title and abstract.
pub(super) fn authors(lines: &[Line]) -> Vec<Author> {
    let mut names: Vec<String> = Vec::new();
    let mut style: Option<(f64, bool, bool)> = None;
    let mut after_affiliation = false;
    let mut last_column = None;
    let mut last_y = f64::INFINITY;
    for line in lines {
        if last_column != Some(line.column) || line.y > last_y + line.size {
            after_affiliation = false;
        }
        last_column = Some(line.column);
        last_y = line.y;
        let text = line.text.trim();
        if text.contains('@') || text.contains("://") {
            after_affiliation = false;
            continue;
        }
        let own = (line.size, line.is_bold(), line.is_italic());
        let same_style =
            style.is_none_or(|style| (style.0 - own.0).abs() < 1.3 && style.1 == own.1 && style.2 == own.2);
        let found = names_of(line);
        if found.is_empty() || looks_like_affiliation(text) && !mixed_line(text) {
            after_affiliation |= style.is_some();
            continue;
        }
        // After an affiliation in the same style, two capitalised words are as likely a place as a person.
        if !same_style || after_affiliation && found.len() == 1 && !has_raised(line) && style.is_some() {
            continue;
        }
        style.get_or_insert(own);
        for name in found {
            if !names.contains(&name) && names.len() < LIMIT {
                names.push(name);
            }
        }
    }
    names.iter().map(|name| Author::new(name)).collect()
}

fn has_raised(line: &Line) -> bool {
    line.pieces.iter().any(|piece| piece.raised)
}

/// In a line of many names, one word may also be a place name.
fn mixed_line(text: &str) -> bool {
    text.matches(',').count() >= 2 && !pattern!(r"(?i)universit|institut|department|school of|laborator").is_match(text)
}

/// The names on one line, without marks, degrees and brackets.
fn names_of(line: &Line) -> Vec<String> {
    let mut text = String::new();
    let mut at = 0;
    for piece in &line.pieces {
        if piece.raised {
            text.push_str(line.text.get(at..piece.range.start).unwrap_or_default());
            text.push('\u{1}');
            at = piece.range.end;
        }
    }
    // A wide gap separates names like a comma.
    let rest_start = at;
    let rest = line.text.get(rest_start..).unwrap_or_default();
    let mut from = 0;
    for cell in line.cells.iter().filter_map(|cell| cell.checked_sub(rest_start)) {
        text.push_str(rest.get(from..cell).unwrap_or_default());
        text.push('\u{1}');
        from = cell;
    }
    text.push_str(rest.get(from..).unwrap_or_default());
    let text = pattern!(r"\([^)]*\)|\[[^\]]*\]").replace_all(&text, " ").into_owned();
    let text = pattern!(r"^(?i:by|authors?:)\s+").replace(&text, "").into_owned();
    let parts = pattern!(r"\s*(?:[,;·•|&\x01]|\band\b|\bund\b|\bet\b)\s*").split(&text);
    let mut names = Vec::new();
    for part in parts {
        let part = pattern!(r"^(?i:dr|prof|professor|mr|ms|mrs)\.?\s+").replace(part.trim(), "");
        let part = pattern!(r"\.(\p{Lu})").replace_all(&part, ". $1");
        let part = part
            .trim_matches(|c: char| !c.is_alphabetic() && c != '.')
            .trim_end_matches(['*', '∗', '†', '‡', '§', '¶', '#', '$', '+'])
            .trim();
        if part.is_empty()
            || pattern!(r"^(?i:jr|sr|ph\.?\s?d|m\.?d|ii|iii|student member|senior member|member|fellow|ieee)\.?$")
                .is_match(part)
        {
            continue;
        }
        if !is_name(part) {
            return Vec::new();
        }
        names.push(part.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    names
}

/// Two to five capitalised words, with particles allowed and no digits.
pub(super) fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_particle = |word: &str| {
        matches!(
            word.to_lowercase().trim_end_matches('.'),
            "de" | "da"
                | "di"
                | "del"
                | "della"
                | "dos"
                | "du"
                | "la"
                | "le"
                | "van"
                | "von"
                | "der"
                | "den"
                | "ten"
                | "ter"
                | "bin"
                | "ibn"
                | "al"
                | "el"
                | "y"
                | "e"
                | "zu"
                | "av"
                | "st"
                | "do"
                | "das"
                | "af"
                | "and"
                | "abd"
        )
    };
    let is_part = |word: &str| {
        let first = word.chars().find(|c| c.is_alphabetic());
        let plain = word
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\'' | '’' | '`' | '‐' | '·'));
        plain && first.is_some_and(char::is_uppercase)
    };
    let wide = text.chars().any(|c| u32::from(c) >= 0x2e80);
    let initials = pattern!(r"^(?:\p{Lu}\.-?){1,3}\p{Lu}[\p{L}'’-]+$").is_match(text);
    if initials {
        return true;
    }
    let long = words
        .iter()
        .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() >= 2)
        .count();
    (wide && text.chars().count() <= 6)
        || (2..=6).contains(&words.len())
            && words.iter().all(|word| is_part(word) || is_particle(word))
            && long >= 1
            && words.last().is_some_and(|word| is_part(word))
            && words.first().is_some_and(|word| is_part(word) || is_particle(word))
            && !pattern!(r"(?i)^(?:abstract|keywords|index terms|introduction|the|an?|this|in|on|for|of|technical report|draft|version)(?:\s|$)").is_match(text)
}

/// Names from the file's metadata that the page also prints.
pub(super) fn printed_authors(told: &str, page: &str) -> Vec<Author> {
    pattern!(r"\s*(?:[,;&]|\band\b)\s*")
        .split(told)
        .map(str::trim)
        .filter(|name| is_name(name) && page.contains(*name))
        .take(LIMIT)
        .map(Author::new)
        .collect()
}
