use std::sync::LazyLock;

use regex::Regex;

use super::lines::Line;

/// Whether each line of a reference list begins an entry. The first line always does.
pub(crate) fn split_entries(lines: &[Line<'_>], width: Option<usize>) -> Vec<bool> {
    let labelled: Vec<bool> = lines.iter().map(|line| matches(&LABEL, line.text)).collect();
    let numbered = numbered(lines);
    let count = |starts: &[bool]| starts.iter().filter(|&&start| start).count();
    let gaps: Vec<bool> = lines.iter().map(|line| line.gap).collect();
    let hanging: Vec<bool> = hanging(lines);
    let mut starts = if count(&labelled) >= 2 {
        labelled
    } else if count(&numbered) >= 2 {
        numbered
    } else if width.is_none() {
        vec![true; lines.len()]
    } else if count(&gaps) * 5 >= lines.len() {
        gaps
    } else if count(&hanging) * 6 >= lines.len() && count(&hanging) < lines.len() {
        hanging
    } else {
        by_authors(lines)
    };
    if let Some(first) = starts.first_mut() {
        *first = true;
    }
    starts
}

/// The printed label of an entry, and the length of the label with its delimiters.
pub(crate) fn label_of(entry: &str) -> Option<(&str, usize)> {
    for pattern in [&LABEL, &NUMBER] {
        if let Some(found) = pattern.as_ref().and_then(|pattern| pattern.captures(entry)) {
            return Some((found.get(1)?.as_str().trim(), found.get(0)?.end()));
        }
    }
    None
}

static LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\[([^\]\s][^\]]{0,40})\]\s*").ok());
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^(\d{1,4})[.)]\s+").ok());
static AUTHOR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:\p{Lu}[\p{L}'’-]+,\s+\p{Lu}|\p{Lu}\.\s?(?:\p{Lu}\.\s?|-\p{Lu}\.\s?)*\p{Lu}[\p{L}'’-]+|\p{Lu}[\p{L}'’-]+(?: \p{Lu}\.)? \p{Lu}[\p{L}'’-]+(?:,| and | \())").ok()
});

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Lines that start with the next number of the list.
fn numbered(lines: &[Line<'_>]) -> Vec<bool> {
    let mut last = 0u32;
    lines
        .iter()
        .map(|line| {
            let number = NUMBER
                .as_ref()
                .and_then(|pattern| pattern.captures(line.text)?.get(1)?.as_str().parse::<u32>().ok());
            // Numbers may skip (a lost line) but never decrease. A year at the start of a line is not an entry number.
            let starts = number.is_some_and(|number| number > last && number <= last + 3);
            if starts {
                last = number.unwrap_or(last);
            }
            starts
        })
        .collect()
}

fn hanging(lines: &[Line<'_>]) -> Vec<bool> {
    let least = lines.iter().map(|line| line.indent).min().unwrap_or_default();
    lines.iter().map(|line| line.indent < least + 2).collect()
}

fn by_authors(lines: &[Line<'_>]) -> Vec<bool> {
    let mut ended = true;
    lines
        .iter()
        .map(|line| {
            let starts = line.gap || (ended && matches(&AUTHOR, line.text));
            ended = line.text.ends_with(['.', ')', ']']) || line.text.ends_with(|c: char| c.is_ascii_digit());
            starts
        })
        .collect()
}
