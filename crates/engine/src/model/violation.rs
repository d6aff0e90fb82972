//! How a check of an answer reports a broken rule.

use precedent_llm::Violation;

/// `Ok`, or the rule that was broken.
pub(crate) type Checked = std::result::Result<(), Violation>;

pub(crate) fn no(why: String) -> Checked {
    Err(Violation(why))
}

/// The first few words of an answer, for a violation.
pub(crate) fn head(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    words.join(" ").chars().take(80).collect()
}
