//! Limits and form of queries.

use std::collections::BTreeSet;

use precedent_domain::{Query, Scope, title_key};
use precedent_language::wording::{content_stems, without_long_names, word_count, words};

use crate::extract::Extraction;

/// Maximum and target length of a query, in words (OpenNovelty, A).
pub(super) const HARD_LIMIT: usize = 25;
pub(super) const AIM: usize = 15;

/// The paper's coined names, which no query contains, and its abbreviations, which a query may expand.
pub(super) struct Terms<'a> {
    extraction: &'a Extraction,
    coined: BTreeSet<&'a str>,
}

impl<'a> Terms<'a> {
    pub(super) fn of(extraction: &'a Extraction) -> Self {
        Self {
            extraction,
            coined: extraction.coined.iter().map(String::as_str).collect(),
        }
    }

    pub(super) fn is_coined(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        self.coined.contains(lower.as_str())
            || lower
                .split('-')
                .any(|part| part.len() > 2 && self.coined.contains(part))
    }

    /// The topic with abbreviations written out; `None` if nothing changes.
    pub(super) fn swapped(&self, topic: &str) -> Option<String> {
        let mut changed = false;
        let mut out: Vec<String> = Vec::new();
        for word in topic.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let singular = bare.strip_suffix('s').unwrap_or(bare);
            let long = self
                .extraction
                .abbreviations
                .iter()
                .find(|(short, _)| (short == bare || short == singular) && !self.is_coined(short));
            match long {
                Some((_, long)) if !topic.to_lowercase().contains(&long.to_lowercase()) => {
                    out.push(long.to_lowercase());
                    changed = true;
                }
                _ => out.push(word.to_owned()),
            }
        }
        changed.then(|| out.join(" "))
    }
}

/// A topic as a query of `scope`: without coined names, with the prefix, cut to the limits.
pub(super) fn query(topic: &str, scope: Scope, variant: u8, terms: &Terms<'_>) -> Option<Query> {
    let topic = &without_long_names(topic, terms.extraction.coined.iter().map(String::as_str));
    let kept: Vec<&str> = topic
        .split_whitespace()
        .filter(|word| !terms.is_coined(word.trim_matches(|c: char| !c.is_alphanumeric())))
        .collect();
    let prefix = match scope {
        Scope::CoreTask => "",
        Scope::Contribution(_) => Query::PREFIX,
    };
    let limit = if variant == 0 { AIM } else { HARD_LIMIT };
    let most = limit - word_count(prefix);
    let mut kept: Vec<&str> = kept.into_iter().take(most).collect();
    while kept
        .last()
        .is_some_and(|last| precedent_language::wording::is_function_word(&last.to_lowercase()))
    {
        kept.pop();
    }
    let text = kept.join(" ");
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '.' | '-'));
    // Queries contain no operators, so signs that some engines interpret are removed.
    let text: String = text
        .chars()
        .filter(|c| {
            !matches!(
                c,
                '"' | '\\' | '{' | '}' | '$' | '*' | '~' | '^' | '[' | ']' | '|' | '<' | '>'
            )
        })
        .collect();
    let says_something = !content_stems(&text).is_empty()
        || words(&text, 0)
            .iter()
            .any(|word| word.text.chars().any(char::is_alphanumeric));
    (says_something && !text.trim().is_empty()).then(|| Query {
        text: format!("{prefix}{}", text.trim()),
        scope,
        variant,
    })
}

/// Whether two queries have the same words in the same order.
pub(crate) fn alike(a: &Query, b: &Query) -> bool {
    title_key(a.topic()) == title_key(b.topic())
}
