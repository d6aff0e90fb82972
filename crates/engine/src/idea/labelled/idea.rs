use precedent_domain::{Extent, NoveltyVerdict, Work, title_key};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// An idea with a known label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledIdea {
    /// Its id, or its position in the file, from 1.
    pub id: String,
    /// Its text.
    pub idea: String,
    /// The papers it was judged by, in order.
    pub works: Vec<LabelledWork>,
    /// Its label: `Novel` or `NotNovel`.
    pub label: NoveltyVerdict,
    /// The reason for the label, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

/// A paper listed with a labelled idea.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledWork {
    /// Its title.
    pub title: String,
    /// Its abstract; empty if unknown.
    #[serde(default, rename = "abstract")]
    pub summary: String,
    /// Its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl LabelledWork {
    /// The paper as a record. Two mentions of one paper get the same id.
    #[must_use]
    pub fn as_work(&self) -> Option<Work> {
        let digest = Sha256::digest(title_key(&self.title).as_bytes());
        let short: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let summary = Some(self.summary.trim().to_owned()).filter(|text| !text.is_empty());
        Some(Work {
            extent: match summary {
                Some(_) => Extent::Abstract,
                None => Extent::TitleOnly,
            },
            summary,
            url: self.url.clone(),
            ..Work::titled(format!("labelled:{short}").parse().ok()?, self.title.clone())
        })
    }
}

/// Why a file cannot be read as labelled ideas. Phrased to follow "failed to".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelledError {
    /// A row is invalid.
    #[error("read labelled idea {number}: {why}")]
    Row {
        /// The row, from 1.
        number: usize,
        /// The reason.
        why: String,
    },
    /// The file contains no ideas.
    #[error("read labelled ideas: the file contains none")]
    Empty,
    /// The table lacks a required column.
    #[error("read labelled ideas: the table has no column for {what}")]
    Column {
        /// The missing content.
        what: &'static str,
    },
}

/// The label in a cell: only these words are accepted.
pub(super) fn parse_label(text: &str) -> Option<NoveltyVerdict> {
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

/// Reads papers from a list of records with title and abstract.
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

pub(super) fn head(text: &str) -> String {
    text.chars().take(40).collect()
}
