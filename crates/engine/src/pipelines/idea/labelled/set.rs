use precedent_domain::{Extent, Identifiers, NoveltyVerdict, Work, title_key};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::table::rows;

/// An idea whose label is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledIdea {
    /// Its id, or its place in the file, counting from 1.
    pub id: String,
    /// Its text.
    pub idea: String,
    /// The works it was judged by, in their order.
    pub works: Vec<LabelledWork>,
    /// Its label: `Novel` or `NotNovel`.
    pub label: NoveltyVerdict,
    /// Why, where somebody wrote it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

/// A work beside a labelled idea.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledWork {
    /// Its title.
    pub title: String,
    /// Its abstract; empty where none is known.
    #[serde(default, rename = "abstract")]
    pub summary: String,
    /// Where it can be opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl LabelledWork {
    /// The work as a record. Two mentions of one work have one id.
    #[must_use]
    pub fn as_work(&self) -> Option<Work> {
        let digest = Sha256::digest(title_key(&self.title).as_bytes());
        let short: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let summary = Some(self.summary.trim().to_owned()).filter(|text| !text.is_empty());
        Some(Work {
            id: format!("labelled:{short}").parse().ok()?,
            title: self.title.clone(),
            extent: match summary {
                Some(_) => Extent::Abstract,
                None => Extent::TitleOnly,
            },
            summary,
            authors: Vec::new(),
            venue: None,
            dates: Vec::new(),
            identifiers: Identifiers::default(),
            url: self.url.clone(),
            also: Vec::new(),
            doubts: Vec::new(),
        })
    }
}

/// Why a file is no set of labelled ideas. Fits "failed to {0}".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelledError {
    /// A row is not understood.
    #[error("read labelled idea {number}: {why}")]
    Row {
        /// Counting from 1.
        number: usize,
        /// Why.
        why: String,
    },
    /// There is none.
    #[error("read labelled ideas: there are none")]
    Empty,
    /// A table without the columns that are needed.
    #[error("read labelled ideas: the table has no column of {what}")]
    Column {
        /// What is missing.
        what: &'static str,
    },
}

/// The ideas in `text`: JSON Lines (`{id?, idea, papers: [{title, abstract}], label, reasoning?}`) or a table with a head line and like columns.
///
/// # Errors
/// When a line is not understood, a label is neither novel nor not novel, or there is none.
pub fn labelled_ideas(text: &str) -> Result<Vec<LabelledIdea>, LabelledError> {
    let text = text.trim_start_matches('\u{feff}');
    let ideas = match text.trim_start().starts_with('{') {
        true => json_lines(text)?,
        false => rows(text)?,
    };
    if ideas.is_empty() {
        return Err(LabelledError::Empty);
    }
    Ok(ideas)
}

fn json_lines(text: &str) -> Result<Vec<LabelledIdea>, LabelledError> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .enumerate()
        .map(|(at, line)| {
            let number = at + 1;
            let row = |why: String| LabelledError::Row { number, why };
            let value: Value = serde_json::from_str(line).map_err(|error| row(error.to_string()))?;
            let string = |names: &[&str]| names.iter().find_map(|name| value.get(name).and_then(Value::as_str));
            let idea = string(&["idea", "text"]).ok_or_else(|| row("it has no idea".to_owned()))?;
            let label = string(&["label", "verdict"]).ok_or_else(|| row("it has no label".to_owned()))?;
            let papers = ["papers", "works"]
                .iter()
                .find_map(|name| value.get(name))
                .cloned()
                .unwrap_or_default();
            Ok(LabelledIdea {
                id: value.get("id").map_or_else(|| number.to_string(), plain),
                idea: idea.to_owned(),
                works: works(&papers),
                label: told_label(label).ok_or_else(|| row(format!("`{}` is no label", head(label))))?,
                reasoning: string(&["reasoning", "reason"])
                    .map(str::to_owned)
                    .filter(|text| !text.trim().is_empty()),
            })
        })
        .collect()
}

/// The label that stands in a cell: these words and no others.
pub(super) fn told_label(text: &str) -> Option<NoveltyVerdict> {
    let bare: String = text
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    match bare.as_str() {
        "novel" | "yes" | "1" | "true" => Some(NoveltyVerdict::Novel),
        "notnovel" | "nonnovel" | "no" | "0" | "false" => Some(NoveltyVerdict::NotNovel),
        _ => None,
    }
}

/// Works from a list of records with title and abstract.
pub(super) fn works(list: &Value) -> Vec<LabelledWork> {
    let records = list.as_array().map(Vec::as_slice).unwrap_or_default();
    records
        .iter()
        .filter_map(|record| {
            let string = |names: &[&str]| names.iter().find_map(|name| record.get(name).and_then(Value::as_str));
            let title = string(&["title", "Title"]).or_else(|| record.as_str())?;
            Some(LabelledWork {
                title: title.trim().to_owned(),
                summary: string(&["abstract", "Abstract", "summary"])
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
                url: string(&["url", "link"]).map(str::to_owned),
            })
        })
        .filter(|work| !work.title.is_empty())
        .collect()
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

pub(super) fn head(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_lines_and_tables_give_the_same_ideas() {
        let lines = r#"{"id": "a", "idea": "Plan \"ferries\", by tide.", "label": "not novel", "papers": [{"title": "T one", "abstract": "It's old.\nVery."}, {"title": "T two", "abstract": null}]}
{"id": "b", "idea": "Weigh clouds.", "label": "Novel", "papers": [], "reasoning": "Nobody does."}"#;
        let table = "id,idea,domain,papers,label,reasoning\r\n\
a,\"Plan \"\"ferries\"\", by tide.\",\"['x', 'y']\",\"[{'title': 'T one', 'abstract': \"\"It's old.\\nVery.\"\"}, {'title': 'T two', 'abstract': None}]\",not novel,\r\n\
b,Weigh clouds.,[],[],Novel,Nobody does.\r\n";
        let from_lines = labelled_ideas(lines).unwrap();
        assert_eq!(labelled_ideas(table).unwrap(), from_lines);
        assert_eq!(from_lines[0].works[0].summary, "It's old.\nVery.");
        assert_eq!(
            (from_lines[0].label, from_lines[1].label),
            (NoveltyVerdict::NotNovel, NoveltyVerdict::Novel)
        );
        let works: Vec<_> = from_lines[0].works.iter().filter_map(LabelledWork::as_work).collect();
        assert_eq!(works.len(), 2);
        assert_ne!(works[0].id, works[1].id);
    }

    #[test]
    fn columns_of_other_names_are_told_by_what_stands_in_them() {
        let table = "n;x\nno,research_idea,gold,top_papers\n";
        assert!(labelled_ideas(table).is_err());
        let table = "key,Research Idea,Expert class,Top papers\nk1,Plan ferries by the tide of the fjord.,not_novel,\"[{'title': 'Tides', 'abstract': 'a'}]\"\n";
        let ideas = labelled_ideas(table).unwrap();
        assert_eq!((ideas[0].works.len(), ideas[0].label), (1, NoveltyVerdict::NotNovel));
        assert!(ideas[0].idea.starts_with("Plan ferries"));
    }

    #[test]
    fn works_in_columns_of_their_own_are_read_by_their_numbers() {
        let table = "idea,domain,paper0_abstract,paper0_title,paper0_url,paper10_title,paper2_abstract,paper2_title,paper2_url,class\n\
\"Plan ferries, by tide.\",\"['Ships']\",Tides move.,Tides,https://a.example/1,Last,\"Old, and\nlong.\",Ferries,nan,not novel\n\
Weigh clouds.,[],nan,nan,,,,,,novel\n";
        let ideas = labelled_ideas(table).unwrap();
        let titles: Vec<&str> = ideas[0].works.iter().map(|work| work.title.as_str()).collect();
        assert_eq!(titles, ["Tides", "Ferries", "Last"]);
        assert_eq!(ideas[0].works[1].summary, "Old, and\nlong.");
        assert_eq!(ideas[0].works[0].url.as_deref(), Some("https://a.example/1"));
        assert_eq!((ideas[0].works[1].url.as_ref(), ideas[1].works.len()), (None, 0));
        assert_eq!(
            (ideas[0].label, ideas[1].label),
            (NoveltyVerdict::NotNovel, NoveltyVerdict::Novel)
        );
    }

    #[test]
    fn what_is_no_label_is_no_label() {
        for bad in ["", "maybe", "novel and not novel", "moderately novel", "nicht neu"] {
            assert_eq!(told_label(bad), None, "{bad}");
        }
        let error = labelled_ideas(r#"{"idea": "x", "label": "moderately novel"}"#).unwrap_err();
        assert!(error.to_string().contains("moderately novel"), "{error}");
        assert!(labelled_ideas("  ").is_err());
        assert!(labelled_ideas("{}").is_err());
    }

    proptest::proptest! {
        #[test]
        fn nothing_that_is_read_breaks_it(text in "(id,idea,papers,label\n)?(\\PC|[\"\\[\\]{}':,\n\\\\]|None|novel){0,80}") {
            let _ = labelled_ideas(&text);
        }
    }
}
