//! Reads tables with a header (RFC 4180).

use std::collections::BTreeMap;

use super::idea::{LabelledError, LabelledIdea, LabelledWork, head, parse_label, works};
use super::literal::python;

/// The ideas of a table. A column is recognized by its name, else by its content.
pub(super) fn rows(text: &str) -> Result<Vec<LabelledIdea>, LabelledError> {
    let mut rows = cells(text).into_iter();
    let Some(columns) = rows.next() else {
        return Err(LabelledError::Empty);
    };
    let rows: Vec<Vec<String>> = rows
        .filter(|row| row.iter().any(|cell| !cell.trim().is_empty()))
        .collect();
    let named = |names: &[&str]| {
        let bare = |name: &str| -> String {
            name.chars()
                .filter(|c| c.is_alphanumeric())
                .flat_map(char::to_lowercase)
                .collect()
        };
        columns.iter().position(|column| names.contains(&bare(column).as_str()))
    };
    let all = |test: &dyn Fn(&str) -> bool| {
        (0..columns.len())
            .find(|at| !rows.is_empty() && rows.iter().all(|row| row.get(*at).is_some_and(|cell| test(cell))))
    };
    let words = |cell: &str| cell.split_whitespace().count();
    let label = named(&["label", "class", "novelty", "verdict"])
        .or_else(|| all(&|cell| cell.chars().any(char::is_alphabetic) && parse_label(cell).is_some()))
        .ok_or(LabelledError::Column { what: "labels" })?;
    let listed = || all(&|cell| cell.trim_start().starts_with('[') && cell.to_lowercase().contains("title"));
    let spread = Spread::of(&columns);
    let papers = named(&["papers", "relevantpapers", "works", "mostrelevantpapers"])
        .or_else(|| spread.0.is_empty().then(listed).flatten());
    let idea = named(&["idea", "text", "ideas"])
        .or_else(|| all(&|cell| words(cell) >= 5 && !cell.trim_start().starts_with(['[', '{'])))
        .ok_or(LabelledError::Column { what: "ideas" })?;
    let (id, reasoning) = (named(&["id"]), named(&["reasoning", "reason", "review"]));
    rows.iter()
        .enumerate()
        .map(|(at, row)| {
            let number = at + 1;
            let cell = |column: Option<usize>| {
                column
                    .and_then(|at| row.get(at))
                    .map(String::as_str)
                    .unwrap_or_default()
            };
            let why = |why: String| LabelledError::Row { number, why };
            let label_text = cell(Some(label));
            let list = cell(papers).trim();
            let list = match list.is_empty() {
                true => serde_json::Value::Null,
                false => serde_json::from_str(list)
                    .ok()
                    .or_else(|| python(list))
                    .ok_or_else(|| why("its list of papers cannot be read".to_owned()))?,
            };
            let text = cell(Some(idea));
            if text.trim().is_empty() {
                return Err(why("it has no idea".to_owned()));
            }
            Ok(LabelledIdea {
                id: match cell(id).trim() {
                    "" => number.to_string(),
                    id => id.to_owned(),
                },
                idea: text.to_owned(),
                works: match papers {
                    Some(_) => works(&list),
                    None => spread.works(row),
                },
                label: parse_label(label_text).ok_or_else(|| why(format!("`{}` is not a label", head(label_text))))?,
                reasoning: Some(cell(reasoning).trim().to_owned()).filter(|text| !text.is_empty()),
            })
        })
        .collect()
}

/// Papers in numbered columns, `paper0_title,paper0_abstract,paper0_url,paper1_title,…`, as in the published set of Idea Novelty Checker.
struct Spread(BTreeMap<u32, Columns>);

/// The column numbers of one paper.
#[derive(Default)]
struct Columns {
    title: Option<usize>,
    summary: Option<usize>,
    url: Option<usize>,
}

impl Spread {
    fn of(names: &[String]) -> Self {
        let mut works: BTreeMap<u32, Columns> = BTreeMap::new();
        for (at, name) in names.iter().enumerate() {
            let name = name.trim().to_lowercase();
            let Some((number, what)) = name.strip_prefix("paper").and_then(|rest| rest.split_once('_')) else {
                continue;
            };
            let Ok(number) = number.parse() else { continue };
            let of = works.entry(number).or_default();
            match what {
                "title" => of.title = Some(at),
                "abstract" => of.summary = Some(at),
                "url" => of.url = Some(at),
                _ => {}
            }
        }
        Self(works)
    }

    /// The papers of a row, by number. Papers without a title are skipped.
    fn works(&self, row: &[String]) -> Vec<LabelledWork> {
        let cell = |at: Option<usize>| {
            let text = at
                .and_then(|at| row.get(at))
                .map(|cell| cell.trim())
                .unwrap_or_default();
            match text {
                "nan" | "None" => String::new(),
                text => text.to_owned(),
            }
        };
        let works = self.0.values().map(|of| LabelledWork {
            title: cell(of.title),
            summary: cell(of.summary),
            url: Some(cell(of.url)).filter(|url| !url.is_empty()),
        });
        works.filter(|work| !work.title.is_empty()).collect()
    }
}

/// Splits the text into rows of cells. Quoted cells may contain commas, line breaks and doubled quotes.
fn cells(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => quoted = true,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows
}
