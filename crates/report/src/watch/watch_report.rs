use precedent_domain::{PartialDate, Quote, WorkId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{feed, page};
use crate::formats::json::schema_of;
use crate::plain::{open_link, without_paths};
use crate::publish::{InWords, Publish};
use crate::{ClaimLevel, ReportError};

/// Version of `watch.json`.
const WATCH_SCHEMA_VERSION: &str = "1.1";

/// What a watch found since it was added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchReport {
    /// Version of this format.
    pub schema_version: String,
    /// Name of the watch.
    pub name: String,
    /// Title of the paper, or the beginning of the idea.
    pub title: String,
    /// A paper of this level or closer is an alert.
    pub level: ClaimLevel,
    /// Each check, oldest first.
    pub checks: Vec<WatchCheck>,
    /// The papers that checks noticed, oldest check first, and within a check closest first.
    pub papers: Vec<WatchedPaper>,
}

/// One check of a watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchCheck {
    /// Its date.
    pub date: PartialDate,
    /// Papers compared.
    pub compared: usize,
    /// Papers noticed.
    pub noticed: usize,
    /// Whether it was the first look at an idea: its papers are where the watch starts from, so none was noticed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first: bool,
    /// Why sources did not answer all queries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// The run of the check, if a server keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

/// A paper that a check noticed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedPaper {
    /// Its id in the corpus or source.
    pub id: WorkId,
    /// Title.
    pub title: String,
    /// Short name for citing: `Knuth 1989`.
    pub alias: String,
    /// Its earliest date, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<PartialDate>,
    /// Where to open it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Names of the sources that found it.
    pub found_by: Vec<String>,
    /// Date of the check.
    pub noticed: PartialDate,
    /// Why it was noticed.
    pub change: WatchChange,
    /// The closest level of its matches.
    pub level: ClaimLevel,
    /// The claims, or parts of the idea, that it is similar to, closest first. Empty if it is only among the papers closest to the topic.
    pub matches: Vec<WatchMatch>,
}

/// Why a paper was noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WatchChange {
    /// No earlier check found it.
    New,
    /// It was known, and its level is closer now.
    Closer,
}

/// A claim, or a part of an idea, that a paper is similar to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchMatch {
    /// Its name: `claim 1`, `mechanism`.
    pub of: String,
    /// Its words.
    pub text: String,
    /// The level.
    pub level: ClaimLevel,
    /// Estimated probability that the paper's text states it, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The paper's closest passage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<Quote>,
}

impl WatchReport {
    /// A watch without checks.
    #[must_use]
    pub fn new(name: &str, title: &str, level: ClaimLevel) -> Self {
        Self {
            schema_version: WATCH_SCHEMA_VERSION.to_owned(),
            name: name.to_owned(),
            title: title.to_owned(),
            level,
            checks: Vec::new(),
            papers: Vec::new(),
        }
    }

    /// The papers that the latest check noticed, closest first.
    pub fn latest(&self) -> impl Iterator<Item = &WatchedPaper> {
        let check = self.checks.last();
        let from = self.papers.len() - check.map_or(0, |check| check.noticed.min(self.papers.len()));
        self.papers.iter().skip(from)
    }

    /// The latest check in one sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        page::lead(self)
    }

    /// Whether the latest check noticed a paper of the level of an alert.
    #[must_use]
    pub fn is_alert(&self) -> bool {
        self.latest().any(|paper| paper.level <= self.level)
    }

    /// A copy for pages: links that are not `http` or `https` are dropped, and failures and source names lose the folders of local paths.
    #[must_use]
    pub fn published(&self) -> Self {
        self.publishable()
    }

    /// The papers as an Atom feed, newest first. The same report gives the same bytes.
    ///
    /// # Errors
    /// If the template fails, never because of the content of a paper.
    pub fn feed(&self) -> Result<Vec<u8>, ReportError> {
        feed::feed(&self.publishable())
    }
}

impl InWords for WatchReport {
    fn put_in_words(&mut self) {}
}

impl Publish for WatchReport {
    fn clean(&mut self) {
        // A watch may have been added by an earlier version of the program.
        WATCH_SCHEMA_VERSION.clone_into(&mut self.schema_version);
        for check in &mut self.checks {
            for failure in &mut check.failures {
                *failure = without_paths(failure);
            }
        }
        for paper in &mut self.papers {
            paper.url = paper.url.as_deref().and_then(open_link);
            for source in &mut paper.found_by {
                *source = without_paths(source);
            }
        }
    }
}

/// The JSON Schema (draft 2020-12) of `watch.json`. Published in `docs/schema/`.
#[must_use]
pub fn watch_schema() -> Value {
    schema_of::<WatchReport>("watch", "watch", WATCH_SCHEMA_VERSION)
}
