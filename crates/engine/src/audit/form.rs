//! Turns reports of other systems, in JSON or in a format of papers, into Markdown for the audit.

use std::fmt::Write;

use precedent_domain::{Paper, ParagraphKind, SectionKind};
use precedent_language::wording::word_count;
use precedent_text::{one_line, pattern};
use serde_json::{Map, Value};

/// Keys under which other systems keep a whole report in one string.
const WHOLE: [&str; 8] = [
    "report",
    "markdown",
    "content",
    "text",
    "output",
    "final_report",
    "review",
    "analysis",
];
/// Keys of the title.
const TITLE: [&str; 4] = ["title", "paper_title", "paper_name", "report_title"];
/// Fewest words of a string that is prose. Shorter ones are labels.
const PROSE: usize = 4;
/// Most levels of nesting that are read.
const DEEPEST: usize = 12;

/// The text of a report in JSON, as Markdown: keys as headings, strings as paragraphs, references as a list at the end. Strings of fewer than four words,
/// addresses, numbers and anything that is nested too deep are left out.
#[must_use]
pub fn markdown_of_json(value: &Value) -> String {
    if let Some(whole) = whole(value) {
        return whole.to_owned();
    }
    let mut out = Written::default();
    if let Some(title) = title(value, 2) {
        put(&mut out.text, &format!("# {title}"));
    }
    walk(value, 2, &mut out);
    if !out.references.is_empty() {
        put(&mut out.text, "## References");
        out.text.push_str(&out.references);
    }
    out.text
}

/// Markdown in two parts. References come last, because text after them would not be read as prose.
#[derive(Default)]
struct Written {
    text: String,
    references: String,
}

/// The string that holds the whole report, if one has most of the words.
fn whole(value: &Value) -> Option<&str> {
    if let Value::String(text) = value {
        return Some(text);
    }
    let object = value.as_object()?;
    let longest = WHOLE
        .iter()
        .filter_map(|key| object.get(*key)?.as_str())
        .max_by_key(|text| text.len())?;
    let all: usize = words_in(value, DEEPEST);
    (word_count(longest) * 2 > all).then_some(longest)
}

fn words_in(value: &Value, levels: usize) -> usize {
    match value {
        _ if levels == 0 => 0,
        Value::String(text) => word_count(text),
        Value::Array(all) => all.iter().map(|one| words_in(one, levels - 1)).sum(),
        Value::Object(all) => all.values().map(|one| words_in(one, levels - 1)).sum(),
        _ => 0,
    }
}

/// The title of the report or of its paper, at most `levels` below the top.
fn title(value: &Value, levels: usize) -> Option<String> {
    let object = value.as_object()?;
    let own = TITLE.iter().find_map(|key| object.get(*key)?.as_str());
    let own = own.map(one_line).filter(|title| !title.is_empty());
    own.or_else(|| {
        let below = levels.checked_sub(1)?;
        object.values().find_map(|one| title(one, below))
    })
}

fn walk(value: &Value, level: usize, out: &mut Written) {
    if level > DEEPEST {
        return;
    }
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                entry(key, value, level, out);
            }
        }
        Value::Array(all) => {
            for one in all {
                walk(one, level, out);
            }
        }
        Value::String(text) if word_count(text) >= PROSE && !is_address(text) => put(&mut out.text, text.trim()),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn entry(key: &str, value: &Value, level: usize, out: &mut Written) {
    let name = words_of(key);
    if matches!(name.as_str(), "references" | "bibliography" | "reference list") {
        references(value, &mut out.references);
        return;
    }
    let before = out.text.len();
    put(&mut out.text, &format!("{} {}", "#".repeat(level.min(6)), name));
    let heading = out.text.len();
    walk(value, level + 1, out);
    if out.text.len() == heading {
        out.text.truncate(before);
    }
}

/// A list of references, each with its number.
fn references(value: &Value, out: &mut String) {
    let entries: Vec<(Option<&str>, &Value)> = match value {
        Value::Array(all) => all.iter().map(|one| (None, one)).collect(),
        Value::Object(all) => all.iter().map(|(key, one)| (Some(key.as_str()), one)).collect(),
        Value::String(text) => {
            let mut lines: Vec<String> = Vec::new();
            let labelled = text.lines().any(|line| without_label(line.trim()).0.is_some());
            for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
                match lines.last_mut() {
                    // The rest of a long entry.
                    Some(last) if labelled && without_label(line).0.is_none() => *last = format!("{last} {line}"),
                    _ => lines.push(line.to_owned()),
                }
            }
            let lines: Vec<Value> = lines.into_iter().map(Value::from).collect();
            return numbered(lines.iter().map(|one| (None, one)), out);
        }
        _ => Vec::new(),
    };
    let nested = |(_, one): &(Option<&str>, &Value)| one.is_array();
    if !entries.is_empty() && entries.iter().all(nested) {
        // Lists by kind, such as candidates and excluded papers.
        for (_, one) in entries {
            numbered(one.as_array().into_iter().flatten().map(|one| (None, one)), out);
        }
        return;
    }
    numbered(entries.into_iter(), out);
}

fn numbered<'v>(entries: impl Iterator<Item = (Option<&'v str>, &'v Value)>, out: &mut String) {
    for (place, (key, one)) in (1_u64..).zip(entries) {
        let text = match one {
            Value::String(text) => one_line(text),
            Value::Object(object) => described(object, key),
            _ => continue,
        };
        let (printed, text) = without_label(&text);
        let number = printed
            .or_else(|| {
                let object = one.as_object()?;
                let mut names = ["number", "index", "ref", "id"].iter();
                names.find_map(|key| object.get(*key)?.as_u64())
            })
            .or_else(|| key?.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok())
            .unwrap_or(place);
        if !text.is_empty() {
            put(out, &format!("[{number}] {text}"));
        }
    }
}

/// The number printed before a reference, such as `[3]` or `3.`, and the reference.
fn without_label(text: &str) -> (Option<u64>, &str) {
    let label = pattern!(r"^(?:\[(\d{1,4})\]\s*|(\d{1,3})[.)]\s+)").captures(text);
    let Some((label, whole)) = label.and_then(|label| Some((label.get(1).or(label.get(2))?, label.get(0)?))) else {
        return (None, text);
    };
    let rest = text.get(whole.end()..).unwrap_or_default();
    (label.as_str().parse().ok(), rest)
}

/// Author, title and year of a reference, wherever they are in its object.
fn described(object: &Map<String, Value>, key: Option<&str>) -> String {
    let text = |name: &str| object.get(name).and_then(Value::as_str).map(one_line);
    let alias = text("alias").or_else(|| text("author")).or_else(|| key.map(one_line));
    let inner = object.get("work").or_else(|| object.get("paper"));
    let title = TITLE
        .iter()
        .find_map(|key| text(key))
        .or_else(|| title(inner?, 1))
        .unwrap_or_default();
    let year = object
        .get("year")
        .and_then(|year| year.as_u64().map(|year| year.to_string()));
    let parts = alias.into_iter().chain([title]).chain(year);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(". ")
}

fn is_address(text: &str) -> bool {
    !text.trim().contains(char::is_whitespace) && (text.contains("://") || text.contains('/'))
}

/// `core_task_survey` and `coreTaskSurvey` in words.
fn words_of(key: &str) -> String {
    let mut words = String::new();
    for c in key.chars() {
        if c.is_uppercase() && words.chars().last().is_some_and(char::is_lowercase) {
            words.push(' ');
        }
        words.extend(if c == '_' || c == '-' { ' ' } else { c }.to_lowercase());
    }
    one_line(&words)
}

/// The text of a report in a format of papers, such as HTML, as Markdown. Hidden text is not in it.
#[must_use]
pub fn markdown_of_paper(paper: &Paper) -> String {
    let document = &paper.document;
    let mut out = String::new();
    if let Some(title) = &paper.title {
        put(&mut out, &format!("# {}", one_line(title)));
    }
    for paragraph in &document.paragraphs {
        let text = document.slice(paragraph.span).unwrap_or_default();
        let section = document.section_at(paragraph.span.start);
        if paper
            .title
            .as_deref()
            .is_some_and(|title| one_line(title) == one_line(text))
        {
            continue;
        }
        match paragraph.kind {
            ParagraphKind::Heading => {
                let level = section.map_or(2, |section| usize::from(section.level) + 1).clamp(2, 6);
                put(&mut out, &format!("{} {}", "#".repeat(level), one_line(text)));
            }
            ParagraphKind::BlockQuote => put(&mut out, &format!("> {}", one_line(text))),
            ParagraphKind::Table => put(&mut out, &format!("| {} |", one_line(text))),
            ParagraphKind::Code => {}
            _ if section.is_some_and(|section| section.kind == SectionKind::References)
                && !paper.references.is_empty() => {}
            _ => put(&mut out, text.trim()),
        }
    }
    if !paper.references.is_empty() {
        put(&mut out, "## References");
        for one in &paper.references {
            let text = one_line(&one.text);
            put(&mut out, &format!("[{}] {}", one.number, without_label(&text).1));
        }
    }
    out
}

fn put(out: &mut String, paragraph: &str) {
    // Writing into a string cannot fail.
    let _ = write!(out, "{paragraph}\n\n");
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::report::report_text;
    use super::*;

    #[test]
    fn json_of_another_system_becomes_headings_paragraphs_and_references() {
        let report = json!({
            "original_paper": {"title": "KelpCast", "pdf_url": "https://example.org/kelp.pdf", "year": 2024},
            "contribution_analysis": {"contributions": [{"name": "Regression", "description": "It joins swell with colour, like Dorn2016[1]."}],
                "overall": ["The regression is a small step from Dorn2016[1]."]},
            "references": [{"alias": "Dorn2016", "number": 1, "title": "Growth forecasting", "year": 2016}],
            "metadata": {"tokens": 7, "model": "x"},
        });
        let markdown = markdown_of_json(&report);
        let text = report_text(&markdown);
        assert_eq!(text.title.as_deref(), Some("KelpCast"));
        assert_eq!(text.references, [(1, "Dorn2016. Growth forecasting. 2016".to_owned())]);
        assert_eq!(text.sentences().len(), 2, "{markdown}");
        assert!(
            !markdown.contains("example.org") && !markdown.contains("metadata"),
            "{markdown}"
        );
    }

    #[test]
    fn the_three_sections_may_be_strings_of_json() {
        let report = json!({
            "references": "[1] Dorn. 3D growth forecasting.\n[2] Roy. Swell\n  records.",
            "1. Paper Content Summary": "The paper forecasts kelp harvests from colour.",
            "2. Point-wise Novelty Analysis": {"2.1. Novelty Point 1": {
                "a) Claimed novelty": "A regression joins swell with colour.",
                "b) Similarities": "Both forecast kelp from colour. [1]"}},
            "3. Novelty Summary": "It joins two sources that are known. [2]",
        });
        let markdown = markdown_of_json(&report);
        let text = report_text(&markdown);
        assert_eq!(
            text.content, "The paper forecasts kelp harvests from colour.",
            "{markdown}"
        );
        assert_eq!(text.novelty, "It joins two sources that are known. [2]", "{markdown}");
        let [point] = text.points.as_slice() else {
            panic!("{markdown}")
        };
        assert_eq!(point.parts.iter().flatten().count(), 2, "{markdown}");
        assert_eq!(
            text.references,
            [
                (1, "Dorn. 3D growth forecasting.".to_owned()),
                (2, "Roy. Swell records.".to_owned())
            ]
        );
    }

    #[test]
    fn references_keep_their_words_whatever_their_label() {
        let report = json!({
            "references": ["[Hallan2009] Talking through rope.", "[7] 3D talking.", "3D talking heads.", "5. Ropes."],
            "conclusion": "This text comes after the references.",
        });
        let text = report_text(&markdown_of_json(&report));
        assert_eq!(
            text.references,
            [
                (1, "[Hallan2009] Talking through rope.".to_owned()),
                (7, "3D talking.".to_owned()),
                (3, "3D talking heads.".to_owned()),
                (5, "Ropes.".to_owned())
            ]
        );
        assert_eq!(text.sentences().len(), 1);
    }

    #[test]
    fn a_report_in_one_string_is_taken_as_it_is() {
        let markdown = "# KelpCast\n\n## 1. Paper Content Summary\n\nIt weighs kelp.";
        assert_eq!(markdown_of_json(&json!({"report": markdown, "cost": 1})), markdown);
        assert_eq!(markdown_of_json(&json!(markdown)), markdown);
    }
}
