use std::collections::BTreeMap;

use precedent_domain::{Document, Gap, NoTextReason};

/// Result of fetching a work's full text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FullTextOutcome {
    /// The text.
    Text(Box<Document>),
    /// No text.
    Not(NoTextReason),
}

/// Counts of fetch results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Works whose text was requested.
    wanted: usize,
    /// Texts received.
    came: usize,
    /// Missing texts by reason.
    not: BTreeMap<NoTextReason, usize>,
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
        self.not.contains_key(&NoTextReason::NoAnswer)
    }

    /// The texts that are missing, if any. `left` more works were not requested.
    pub(crate) fn gap(&self, left: usize) -> Option<Gap> {
        if self.wanted == 0 || (self.came == self.wanted && left == 0) {
            return None;
        }
        Some(Gap::TextsNotFetched {
            fetched: self.came,
            requested: self.wanted,
            reasons: self.not.clone(),
            left,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_texts_are_reported_with_the_reason() {
        let mut tally = Tally::default();
        assert_eq!(tally.gap(0), None);
        tally.count(&FullTextOutcome::Text(Box::default()));
        assert_eq!(tally.gap(0), None);
        assert!(!tally.may_pass());
        for why in [
            NoTextReason::NoAnswer,
            NoTextReason::NoIdentifier,
            NoTextReason::NoIdentifier,
        ] {
            tally.count(&FullTextOutcome::Not(why));
        }
        assert!(tally.may_pass());
        let reasons = BTreeMap::from([(NoTextReason::NoIdentifier, 2), (NoTextReason::NoAnswer, 1)]);
        assert_eq!(
            tally.gap(1),
            Some(Gap::TextsNotFetched {
                fetched: 1,
                requested: 4,
                reasons,
                left: 1
            })
        );
    }
}
