use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was sent to a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SentRecord {
    /// The host.
    pub host: String,
    /// In words. Empty until the report is written, if there is a `content`: then the report has the words.
    #[serde(default)]
    pub what: String,
    /// Number of requests.
    pub requests: usize,
    /// Bytes of text in them. Repeated attempts count once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bytes: u64,
    /// The same as a code with its figures. Missing in reports of schema 1.0.
    #[serde(flatten)]
    pub content: Option<SentContent>,
}

/// What was sent, and what for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "content", rename_all = "snake_case")]
pub enum SentContent {
    /// Queries to a literature service.
    Queries {
        /// The service.
        service: String,
        /// Bytes by kind.
        kinds: BTreeMap<QueryContent, u64>,
        /// Whether it answered at all.
        answered: bool,
        /// Answers from the cache of this machine. Nothing was sent for them.
        #[serde(default, skip_serializing_if = "is_none")]
        cached: usize,
    },
    /// Names and titles of cited papers, to follow citations.
    CitedPapers,
    /// Names of papers found, to fetch their texts.
    PapersFound,
    /// The name of the paper, to download it.
    PaperName,
    /// Queries and passages of papers, to rank the passages.
    Passages,
    /// Text of the idea, with titles and abstracts of what was found, to rank it.
    Candidates,
    /// Texts, to a model.
    Texts {
        /// The model.
        model: String,
        /// Whether it answered at all.
        answered: bool,
        /// Tokens sent.
        input_tokens: u64,
        /// Of those, tokens read from the provider's cache.
        cached_tokens: u64,
        /// Tokens received.
        output_tokens: u64,
        /// Attempts without an answer, counted at their maximum cost.
        lost_attempts: u64,
        /// Cost in US dollars, if the price is known.
        dollars: Option<f64>,
    },
}

/// The content of a query to a literature service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QueryContent {
    /// The words of a short query.
    Words,
    /// Key words of a text, for a search by meaning.
    Text,
    /// The words of a title.
    Title,
    /// Names of works.
    Names,
}

impl SentRecord {
    /// Whether both records are of the same host and purpose. Their figures may differ.
    #[must_use]
    pub fn is_of_the_same_kind(&self, other: &Self) -> bool {
        let service = |one: &Self| match &one.content {
            Some(SentContent::Queries { service, .. }) => Some(service.clone()),
            Some(SentContent::Texts { model, .. }) => Some(model.clone()),
            _ => None,
        };
        let kind = |one: &Self| one.content.as_ref().map(std::mem::discriminant);
        self.host == other.host
            && kind(self) == kind(other)
            && service(self) == service(other)
            && (self.content.is_some() || self.what == other.what)
    }

    /// Adds the figures of a record of the same kind.
    pub fn add(&mut self, more: &Self) {
        self.requests += more.requests;
        self.bytes += more.bytes;
        if let (
            Some(SentContent::Queries {
                kinds,
                answered,
                cached,
                ..
            }),
            Some(SentContent::Queries {
                kinds: more_kinds,
                answered: more_answered,
                cached: more_cached,
                ..
            }),
        ) = (&mut self.content, &more.content)
        {
            for (kind, bytes) in more_kinds {
                *kinds.entry(*kind).or_default() += bytes;
            }
            *answered |= more_answered;
            *cached += more_cached;
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn is_none(number: &usize) -> bool {
    *number == 0
}
