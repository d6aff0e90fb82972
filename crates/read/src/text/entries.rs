use precedent_text::pattern;
use regex::Regex;

use super::lines::Line;

/// Whether each line of a reference list begins an entry. The first line always does.
pub(crate) fn split_entries(lines: &[Line<'_>], width: Option<usize>) -> Vec<bool> {
    let labelled: Vec<bool> = lines.iter().map(|line| label_pattern().is_match(line.text)).collect();
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
    for pattern in [label_pattern(), number_pattern()] {
        if let Some(found) = pattern.captures(entry) {
            return Some((found.get(1)?.as_str().trim(), found.get(0)?.end()));
        }
    }
    None
}

fn label_pattern() -> &'static Regex {
    pattern!(r"^\[([^\]\s][^\]]{0,40})\]\s*")
}

fn number_pattern() -> &'static Regex {
    pattern!(r"^(\d{1,4})[.)]\s+")
}

/// Lines that start with the next number of the list.
fn numbered(lines: &[Line<'_>]) -> Vec<bool> {
    let mut last = 0u32;
    lines
        .iter()
        .map(|line| {
            let number = number_pattern()
                .captures(line.text)
                .and_then(|found| found.get(1)?.as_str().parse::<u32>().ok());
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
    let author = pattern!(
        r"^(?:\p{Lu}[\p{L}'’-]+,\s+\p{Lu}|\p{Lu}\.\s?(?:\p{Lu}\.\s?|-\p{Lu}\.\s?)*\p{Lu}[\p{L}'’-]+|\p{Lu}[\p{L}'’-]+(?: \p{Lu}\.)? \p{Lu}[\p{L}'’-]+(?:,| and | \())"
    );
    let mut ended = true;
    lines
        .iter()
        .map(|line| {
            let starts = line.gap || (ended && author.is_match(line.text));
            ended = line.text.ends_with(['.', ')', ']']) || line.text.ends_with(|c: char| c.is_ascii_digit());
            starts
        })
        .collect()
}
