//! Which of a model's words a report prints under the reviewer policy: located quotes, statuses, scores and phrases, but no sentences.
//!
//! In: a checked answer on its way out of the analyst. Out: the same answer, with the program's own words in place of model-written sentences.
//! Every answer with words in it passes through here, for every report, so no renderer needs to know the policy.

use super::prose::is_phrase;
use super::{ModelAnalyst, Policy};

impl ModelAnalyst {
    /// Whether reports print model-written sentences.
    pub(crate) fn prints_sentences(&self) -> bool {
        self.settings.policy == Policy::Open
    }

    /// The answer as it may be printed; `own` is the program's answer.
    pub(crate) fn printed<T: Worded>(&self, answer: T, own: impl FnOnce() -> T) -> T {
        match self.prints_sentences() {
            true => answer,
            false => answer.without_sentences(own()),
        }
    }
}

/// An answer that contains a model's words.
pub(crate) trait Worded {
    /// Removes every sentence that the model wrote.
    fn without_sentences(self, own: Self) -> Self;
}

/// Keeps only phrases. Uses the program's own if all are sentences.
pub(crate) fn phrases(given: &mut Vec<String>, own: &[String]) {
    given.retain(|one| own.contains(one) || is_phrase(one));
    if given.is_empty() {
        *given = own.to_vec();
    }
}
