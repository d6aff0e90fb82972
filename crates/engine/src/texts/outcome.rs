use std::collections::BTreeMap;

use precedent_domain::Document;

/// Result of fetching a work's full text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FullTextOutcome {
    /// The text.
    Text(Box<Document>),
    /// No text.
    Not(MissingReason),
}

/// Why there is no text, in the order used in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MissingReason {
    /// The record has no archive identifier and no DOI that may be followed.
    Nameless,
    /// The archive or publisher does not provide it.
    NotGiven,
    /// The file cannot be read, or is too short for a paper.
    Unreadable,
    /// The file is the text of another work.
    Another,
    /// No answer in time.
    Unanswered,
}

impl MissingReason {
    fn in_words(self) -> &'static str {
        match self {
            Self::Nameless => "without an identifier for an open archive",
            Self::NotGiven => "not openly available",
            Self::Unreadable => "not readable as a paper",
            Self::Another => "with the wrong text",
            Self::Unanswered => "not received in time",
        }
    }
}

/// Counts of fetch results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Works whose text was requested.
    wanted: usize,
    /// Texts received.
    came: usize,
    /// Missing texts by reason.
    not: BTreeMap<MissingReason, usize>,
}

impl Tally {
    pub(crate) fn count(&mut self, had: &FullTextOutcome) {
        self.wanted += 1;
        match had {
            FullTextOutcome::Text(_) => self.came += 1,
            FullTextOutcome::Not(why) => *self.not.entry(*why).or_default() += 1,
        }
    }

    /// Whether a retry may succeed.
    pub(crate) fn may_pass(&self) -> bool {
        self.not.contains_key(&MissingReason::Unanswered)
    }

    /// Sentence for the report if any requested text is missing. `left` more works were not requested. The works are those most similar to
    /// `similar_to`.
    pub(crate) fn in_words(&self, left: usize, similar_to: &str) -> Option<String> {
        if self.wanted == 0 || (self.came == self.wanted && left == 0) {
            return None;
        }
        let (wanted, came) = (self.wanted, self.came);
        let mut said = format!("Full text was fetched for {came} of the {wanted} papers most similar to {similar_to}.");
        let reasons: Vec<String> = self
            .not
            .iter()
            .map(|(why, count)| format!("{count} {}", why.in_words()))
            .collect();
        if !reasons.is_empty() {
            said.push_str(&format!(" The others: {}.", reasons.join("; ")));
        }
        if left > 0 {
            let works = if left == 1 { "paper was" } else { "papers were" };
            said.push_str(&format!(" {left} more {works} not requested."));
        }
        Some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_texts_are_reported_with_the_reason() {
        let mut tally = Tally::default();
        assert_eq!(tally.in_words(0, "the claims"), None);
        tally.count(&FullTextOutcome::Text(Box::default()));
        assert_eq!(tally.in_words(0, "the claims"), None);
        assert!(!tally.may_pass());
        for why in [
            MissingReason::Unanswered,
            MissingReason::Nameless,
            MissingReason::Nameless,
        ] {
            tally.count(&FullTextOutcome::Not(why));
        }
        assert!(tally.may_pass());
        assert_eq!(
            tally.in_words(1, "the claims").unwrap(),
            "Full text was fetched for 1 of the 4 papers most similar to the claims. The others: 2 without an identifier for an open \
archive; 1 not received in time. 1 more paper was not requested."
        );
    }
}
