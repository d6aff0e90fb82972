use std::collections::BTreeMap;

use precedent_domain::Document;

/// What came of asking for a work's text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Had {
    /// The text.
    Text(Box<Document>),
    /// None.
    Not(Why),
}

/// Why there is no text, in the order in which a report says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Why {
    /// The record names no archive, and no DOI that may be followed.
    Nameless,
    /// Whoever should have it does not give it.
    NotGiven,
    /// What came cannot be read, or is too short to be a paper.
    Unreadable,
    /// What came is the text of something else.
    Another,
    /// Nobody answered in time.
    Unanswered,
}

impl Why {
    fn in_words(self) -> &'static str {
        match self {
            Self::Nameless => "known under no name that an open archive could be asked for",
            Self::NotGiven => "not given to everybody",
            Self::Unreadable => "not to be read as a paper",
            Self::Another => "some other text when it came",
            Self::Unanswered => "not there in time",
        }
    }
}

/// What came of asking for many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Works whose text was wanted.
    wanted: usize,
    /// Texts that came.
    came: usize,
    /// The others, by reason.
    not: BTreeMap<Why, usize>,
}

impl Tally {
    pub(crate) fn count(&mut self, had: &Had) {
        self.wanted += 1;
        match had {
            Had::Text(_) => self.came += 1,
            Had::Not(why) => *self.not.entry(*why).or_default() += 1,
        }
    }

    /// Whether asking again may bring more.
    pub(crate) fn may_pass(&self) -> bool {
        self.not.contains_key(&Why::Unanswered)
    }

    /// For the report, where anything was wanted and something did not come. `left` works were not asked for at all.
    pub(crate) fn in_words(&self, left: usize) -> Option<String> {
        if self.wanted == 0 || (self.came == self.wanted && left == 0) {
            return None;
        }
        let (wanted, came) = (self.wanted, self.came);
        let mut said = format!("Full texts were looked for of the {wanted} works nearest to the claims; {came} came.");
        let reasons: Vec<String> = self
            .not
            .iter()
            .map(|(why, count)| format!("{count} {}", why.in_words()))
            .collect();
        if !reasons.is_empty() {
            said.push_str(&format!(" The others: {}.", reasons.join("; ")));
        }
        if left > 0 {
            let works = if left == 1 { "work was" } else { "works were" };
            said.push_str(&format!(" {left} more {works} not asked for."));
        }
        Some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_come_is_said_with_the_reason() {
        let mut tally = Tally::default();
        assert_eq!(tally.in_words(0), None);
        tally.count(&Had::Text(Box::default()));
        assert_eq!(tally.in_words(0), None);
        assert!(!tally.may_pass());
        for why in [Why::Unanswered, Why::Nameless, Why::Nameless] {
            tally.count(&Had::Not(why));
        }
        assert!(tally.may_pass());
        assert_eq!(
            tally.in_words(1).unwrap(),
            "Full texts were looked for of the 4 works nearest to the claims; 1 came. The others: 2 known under no name that an open archive could be \
asked for; 1 not there in time. 1 more work was not asked for."
        );
    }
}
