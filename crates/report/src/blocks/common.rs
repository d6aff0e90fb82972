//! Blocks that several kinds of reports contain.

use precedent_domain::{ModelCoverage, ModelUse, RunMetadata, SentRecord};

use super::{Block, Line};
use crate::{coverage_warning, words};

/// How many limits are shown with the findings.
const FIRST: usize = 5;

/// The most important limits in brief, for the findings.
pub(crate) fn first_limits(title: &'static str, all: &[String]) -> Block {
    Block::Limits {
        title,
        first: all
            .iter()
            .take(FIRST)
            .map(|one| Line::message(&limit_in_brief(one)))
            .collect(),
        all: all.len(),
        complete: are_complete(all),
    }
}

/// Whether the findings show all limits in full.
fn are_complete(all: &[String]) -> bool {
    all.len() <= FIRST && all.iter().all(|one| limit_in_brief(one) == *one)
}

/// First words of sentences that say what to do.
const ACTIONS: [&str; 7] = ["Add ", "Check ", "Read ", "Repeat ", "Run ", "Search ", "Use "];

/// A limit with what happened, its first sentence, and what to do. The full text is in its own part.
#[must_use]
pub fn limit_in_brief(limit: &str) -> String {
    let sentences = sentences(limit);
    let mut brief: Vec<&str> = sentences.iter().take(1).copied().collect();
    let is_action = |one: &&&str| one.contains('`') || ACTIONS.iter().any(|action| one.starts_with(action));
    brief.extend(sentences.iter().skip(1).filter(is_action));
    brief.join(" ")
}

/// The sentences of a message: each but the first starts with a capital letter.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(at) = rest.get(from..).and_then(|tail| tail.find(". ")) {
        let end = from + at + 1;
        let (sentence, after) = rest.split_at(end);
        if after.trim_start().starts_with(char::is_uppercase) {
            found.push(sentence);
            (rest, from) = (after.trim_start(), 0);
        } else {
            from = end;
        }
    }
    found.push(rest);
    found
}

/// All limits in full, if the findings leave something out.
pub(crate) fn all_limits(title: &'static str, all: &[String]) -> Vec<Block> {
    if are_complete(all) {
        return Vec::new();
    }
    let lines = all.iter().map(|one| Line::message(one));
    vec![
        Block::Anchored("all-limits".to_owned(), Line::of(title)),
        Block::list(lines.collect()),
    ]
}

/// The same of a report that lists no limits, by what its models answered.
pub(crate) fn incomplete_models(models: &[ModelUse]) -> Vec<Block> {
    let wording = coverage_warning(ModelCoverage::of(models));
    let warning = |wording| Block::Warning(Line::default().strong(wording), Vec::new());
    wording.map(warning).into_iter().collect()
}

/// Says that a model failed, before the findings.
pub(crate) fn incomplete(metadata: &RunMetadata) -> Vec<Block> {
    let wording =
        words::incomplete(metadata).map(|wording| Block::Warning(Line::default().strong(wording), Vec::new()));
    wording.into_iter().collect()
}

/// What left the machine.
pub(crate) fn sent(all: &[SentRecord]) -> Vec<Block> {
    let lines = all.iter().map(|one| Line::of(words::sent(one)));
    vec![
        Block::Heading(3, Line::of("Data sent from this machine")),
        match all.is_empty() {
            true => Block::paragraph(Line::of("No data left this machine.")),
            false => Block::list(lines.collect()),
        },
    ]
}

/// Papers that were found but excluded, each with the reason.
pub(crate) fn excluded<'s>(all: impl Iterator<Item = (&'s str, &'static str)>) -> Vec<Block> {
    let lines: Vec<Line> = all
        .map(|(title, reason)| Line::foreign(title).text(format!(": {reason}")))
        .collect();
    if lines.is_empty() {
        return Vec::new();
    }
    vec![Block::Heading(3, Line::of("Found but excluded")), Block::list(lines)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_in_brief_has_what_happened_and_what_to_do() {
        assert_eq!(
            limit_in_brief("No date (0.27 vs. 0.31). Papers of 2008 are not counted. Use `--as-of` to set it."),
            "No date (0.27 vs. 0.31). Use `--as-of` to set it."
        );
        assert_eq!(limit_in_brief("One sentence."), "One sentence.");
        let short = ["One.".to_owned(), "Two.".to_owned()];
        assert!(all_limits("Limits", &short).is_empty());
        let long = ["One. Explained.".to_owned()];
        assert_eq!(all_limits("Limits", &long).len(), 2);
    }
}
