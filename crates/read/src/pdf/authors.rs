//! Author names in the lines after the title.

use precedent_domain::Author;
use precedent_text::pattern;

use super::line::Line;
use crate::names::is_lower_case_name;

/// More names than this are a parsing error, or a collaboration that prints its names elsewhere.
const LIMIT: usize = 400;

/// The author names that were found.
#[derive(Debug, Default)]
pub(super) struct FoundAuthors {
    pub(super) authors: Vec<Author>,
    /// Whether other lines also look like names, so that some may be missing.
    pub(super) doubtful: bool,
}

/// Author names in the lines between title and abstract.
pub(super) fn authors(lines: &[Line]) -> FoundAuthors {
    let mut names: Vec<String> = Vec::new();
    let mut doubtful = false;
    let mut style: Option<(f64, bool, bool)> = None;
    let mut after_affiliation = false;
    let mut last_column = None;
    let mut last_y = f64::INFINITY;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if last_column != Some(line.column) || line.y > last_y + line.size {
            after_affiliation = false;
        }
        last_column = Some(line.column);
        last_y = line.y;
        let text = line.text.trim();
        let mut marked = marked_text(line);
        at += 1;
        if text.contains('@') || text.contains("://") {
            after_affiliation = false;
            continue;
        }
        // A name that goes on in the next line.
        while let Some(next) = lines
            .get(at)
            .filter(|next| continues(line, last_y, next) && ends_within_name(&marked))
        {
            marked = format!("{} {}", marked.trim_end(), marked_text(next));
            last_y = next.y;
            at += 1;
        }
        let own = (line.size, line.is_bold(), line.is_italic());
        let same_style =
            style.is_none_or(|style| (style.0 - own.0).abs() < 1.3 && style.1 == own.1 && style.2 == own.2);
        let found = names_in(&marked);
        if found.names.is_empty() || looks_like_affiliation(text) && !mixed_line(text) {
            doubtful |=
                found.rejected > 0 && found.rejected * 2 < found.parts && same_style && !looks_like_affiliation(text);
            after_affiliation |= style.is_some();
            continue;
        }
        // After an affiliation in the same style, two capitalised words are as likely a place as a person. A person has an affiliation too.
        let is_alone = after_affiliation && found.names.len() == 1 && !has_raised(line) && style.is_some();
        let has_affiliation = lines
            .get(at)
            .is_some_and(|next| next.column == line.column && names_institution(&next.text));
        if !same_style || is_alone && !has_affiliation {
            doubtful |= same_style || found.names.len() > 1;
            continue;
        }
        style.get_or_insert(own);
        for name in found.names {
            if !names.contains(&name) && names.len() < LIMIT {
                names.push(name);
            }
        }
    }
    FoundAuthors {
        authors: names.iter().map(|name| Author::new(name)).collect(),
        doubtful,
    }
}

/// Whether `next` is the next line of the same paragraph. `y` is the base line of the last line.
fn continues(line: &Line, y: f64, next: &Line) -> bool {
    (next.size - line.size).abs() < 0.5
        && next.is_bold() == line.is_bold()
        && next.column == line.column
        && next.y < y
        && y - next.y < 2.2 * line.size
        && !next.text.contains('@')
        && !names_institution(&next.text)
}

/// Whether a list of names breaks off after a given name: `Ann Lee, Sergey`.
fn ends_within_name(marked: &str) -> bool {
    let parts: Vec<&str> = separators().split(marked).collect();
    let last = parts.last().map_or("", |part| part.trim());
    let is_one_word = !last.is_empty() && last.split_whitespace().count() == 1;
    parts.len() > 1
        && is_one_word
        && last.starts_with(char::is_uppercase)
        && last
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '’' | '\''))
}

/// Whether a line names an institution, in words that are not places.
fn names_institution(text: &str) -> bool {
    pattern!(r"(?i)\b(?:universit|universidad|université|institut|department|dept\b|school of|college|laborator|faculty|academy|hospital|corporation|research (?:center|centre|group|lab))").is_match(text)
}

fn has_raised(line: &Line) -> bool {
    line.pieces.iter().any(|piece| piece.raised)
}

/// In a line of many names, one word may also be a place name.
fn mixed_line(text: &str) -> bool {
    text.matches(',').count() >= 2 && !pattern!(r"(?i)universit|institut|department|school of|laborator").is_match(text)
}

/// Whether a line lists persons: at least two names, or one with a raised mark.
pub(super) fn lists_names(line: &Line) -> bool {
    let found = names_in(&marked_text(line));
    found.names.len() >= 2 || found.names.len() == 1 && has_raised(line)
}

/// Whether a line can be the name of one person.
pub(super) fn can_be_name(line: &Line) -> bool {
    !names_in(&marked_text(line)).names.is_empty()
}

/// A line with its raised marks and wide gaps replaced by a separator.
fn marked_text(line: &Line) -> String {
    let mut text = String::new();
    let mut at = 0;
    for piece in &line.pieces {
        if piece.raised {
            text.push_str(line.text.get(at..piece.range.start).unwrap_or_default());
            text.push('\u{1}');
            at = piece.range.end;
        }
    }
    let rest_start = at;
    let rest = line.text.get(rest_start..).unwrap_or_default();
    let mut from = 0;
    for cell in line.cells.iter().filter_map(|cell| cell.checked_sub(rest_start)) {
        text.push_str(rest.get(from..cell).unwrap_or_default());
        text.push('\u{1}');
        from = cell;
    }
    text.push_str(rest.get(from..).unwrap_or_default());
    text
}

/// What separates names. Small capitals are read as capitals.
fn separators() -> &'static regex::Regex {
    pattern!(r"\s*(?:[,;·•|&\x01]|\b(?i:and|und|et)\b)\s*")
}

/// The names in a list, if all its parts can be names.
#[derive(Debug, Default)]
struct NamesInLine {
    names: Vec<String>,
    parts: usize,
    /// Parts that cannot be names.
    rejected: usize,
}

/// The names in a marked text, without marks, degrees and brackets.
fn names_in(marked: &str) -> NamesInLine {
    let text = pattern!(r"\([^)]*\)|\[[^\]]*\]").replace_all(marked, " ").into_owned();
    let text = pattern!(r"^(?i:by|authors?:)\s+").replace(&text, "").into_owned();
    let mut found = NamesInLine::default();
    let mut lower = 0;
    for part in separators().split(&text) {
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
        found.parts += 1;
        let is_lower = is_lower_case_name(part);
        lower += usize::from(is_lower);
        if is_name(part) || is_lower {
            found.names.push(precedent_text::one_line(part));
        } else {
            found.rejected += 1;
        }
    }
    // A lower-case name is one only among others.
    if found.rejected > 0 || lower * 2 >= found.parts {
        found.names.clear();
    }
    found
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
                | "im"
                | "vom"
                | "zum"
                | "zur"
                | "op"
                | "tot"
                | "ben"
                | "abu"
                | "'t"
                | "’t"
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
            && !pattern!(r"(?i)^(?:abstract|keywords|index terms|introduction|the|an?|this|in|on|for|of|technical report|draft|version|open access|received|revised|accepted|published|available|edited|editors?|correspond(?:ence|ing)|citation|(?:research|original|review|regular|full|short|brief) (?:article|paper|research|communication|report))(?:\s|$)").is_match(text)
}

/// Names from the file's metadata that the page also prints.
pub(super) fn printed_authors(listed: &str, page: &str) -> Vec<Author> {
    pattern!(r"\s*(?:[,;&]|\band\b)\s*")
        .split(listed)
        .map(str::trim)
        .filter(|name| is_name(name) && page.contains(*name))
        .take(LIMIT)
        .map(Author::new)
        .collect()
}

pub(super) fn looks_like_affiliation(text: &str) -> bool {
    pattern!(
        r"(?i)\b(?:universit|universidad|université|institut|department|dept\b|school of|college|laborator|\blabs?\b|centre|center for|faculty|academy|hospital|corporation|\binc\b|\bltd\b|gmbh|research (?:center|centre|group|lab)|cnrs|inria|polytechnic|google|microsoft|deepmind|facebook|\bmeta\b|amazon|\bibm\b|openai|nvidia|alibaba|tencent|bytedance|baidu|huawei|street|avenue|\broad\b|p\.?o\.? box|\bst\.|building|city|\busa\b|\bu\.s\.a|\bchina\b|germany|france|\bjapan\b|\bindia\b|united kingdom|\buk\b|italy|spain|canada|switzerland|netherlands|austria|korea|singapore|australia|israel|brazil|mexico|russia|sweden|denmark|finland|norway|poland|turkey|iran|hong kong|taiwan|new york|los angeles|san francisco|pittsburgh|ministry|council|foundation|project|mozilla|adobe|intel\b)"
    )
    .is_match(text)
}
