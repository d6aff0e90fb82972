//! Limits that answers are held to: lengths and numbers. What prose must hold to is in `prose`. A violation is worded so that a model can mend it.

use precedent_llm::Violation;

use super::prose::Prose;
use crate::wording::word_count;

/// Passed, or what is wrong.
pub(super) type Checked = std::result::Result<(), Violation>;

pub(super) fn no(why: String) -> Checked {
    Err(Violation(why))
}

/// A few words of what was said, for a violation.
pub(super) fn head(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    words.join(" ").chars().take(80).collect()
}

/// Between `least` and `most` words.
pub(super) fn words_between(what: &str, text: &str, least: usize, most: usize) -> Checked {
    let words = word_count(text);
    if (least..=most).contains(&words) {
        return Ok(());
    }
    let wanted = if least <= 1 {
        format!("at most {most}")
    } else {
        format!("{least} to {most}")
    };
    no(format!(
        "{what} has {words} words and must have {wanted}: {}",
        head(text)
    ))
}

/// A name or phrase: prose of so many words that quotes and cites nothing.
pub(super) fn title(what: &str, text: &str, least: usize, most: usize) -> Checked {
    words_between(what, text, least, most)?;
    // Names hold figures of their own: `ISO 9001`.
    Prose::default().with_any_figure().check(what, text)
}

/// Between so many sentences.
pub(super) fn sentences_between(what: &str, text: &str, (least, most): (usize, usize)) -> Checked {
    let count = precedent_text::sentences(text).len();
    match (least..=most).contains(&count) {
        true => Ok(()),
        false => no(format!("{what} has {count} sentences and must have {least} to {most}")),
    }
}

/// Every number of `said` is among `known`, none twice, and there is one: what answers nothing of what was asked is no answer.
pub(super) fn known_once(what: &str, said: impl IntoIterator<Item = u32>, known: &[u32]) -> Checked {
    let mut seen = Vec::new();
    for number in said {
        if !known.contains(&number) {
            return no(format!("there is no {what} {number}; there are only {}", listed(known)));
        }
        if seen.contains(&number) {
            return no(format!("{what} {number} is answered twice"));
        }
        seen.push(number);
    }
    if seen.is_empty() && !known.is_empty() {
        return no(format!("nothing is answered; asked is for {what} {}", listed(known)));
    }
    Ok(())
}

/// Every number of `known` is among `said`.
pub(super) fn none_missing(what: &str, said: impl IntoIterator<Item = u32>, known: &[u32]) -> Checked {
    let said: Vec<u32> = said.into_iter().collect();
    let missing: Vec<u32> = known.iter().copied().filter(|number| !said.contains(number)).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        no(format!("the answer for {what} {} is missing", listed(&missing)))
    }
}

fn listed(numbers: &[u32]) -> String {
    const MOST: usize = 60;
    let shown: Vec<String> = numbers.iter().take(MOST).map(u32::to_string).collect();
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_from_the_set() {
        assert!(known_once("work", [1, 2], &[1, 2, 3]).is_ok());
        assert!(known_once("work", [1, 4], &[1, 2, 3]).is_err());
        assert!(known_once("work", [1, 1], &[1, 2, 3]).is_err());
        assert!(known_once("work", [], &[1, 2, 3]).is_err());
        assert!(known_once("work", [], &[]).is_ok());
        assert!(none_missing("work", [1], &[1, 2]).is_err());
    }
}
