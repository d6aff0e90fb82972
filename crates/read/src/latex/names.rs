use precedent_domain::Author;

/// Parses the names of a `.bib` field into reading order, and whether it ends with `and others`. `render` turns TeX into text.
pub(crate) fn bib_names(field: &str, mut render: impl FnMut(&str) -> String) -> (Vec<Author>, bool) {
    let mut authors = Vec::new();
    let mut others = false;
    for name in split_outside(field, " and ").into_iter().take(5_000) {
        let name = name.trim();
        if name.eq_ignore_ascii_case("others") {
            others = true;
            continue;
        }
        let parts = split_outside(name, ",");
        let ordered = match parts.as_slice() {
            [family, given] => format!("{} {}", given.trim(), family.trim()),
            [family, suffix, given, ..] => format!("{} {} {}", given.trim(), family.trim(), suffix.trim()),
            _ => name.to_owned(),
        };
        let author = Author::new(&render(&ordered));
        if !author.name.is_empty() {
            authors.push(author);
        }
    }
    (authors, others)
}

/// Splits at separators outside braces. White space counts as one space.
fn split_outside(text: &str, separator: &str) -> Vec<String> {
    let text = crate::format::fold_space(text);
    let mut parts = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    let mut skip_to = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && at >= skip_to && text.get(at..).is_some_and(|rest| rest.starts_with(separator)) {
            parts.push(text.get(start..at).unwrap_or_default().to_owned());
            start = at + separator.len();
            skip_to = start;
        }
    }
    parts.push(text.get(start..).unwrap_or_default().to_owned());
    parts.retain(|part| !part.trim().is_empty());
    parts
}
