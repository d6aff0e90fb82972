//! Limits on the length and the numbers of answers. The rules for prose are in `prose`. A violation is worded so that a model can repair its answer.

use precedent_language::wording::word_count;

use super::prose::Prose;
pub(crate) use super::violation::{Checked, head, no};

/// Checks that `text` has `least` to `most` words.
pub(crate) fn words_between(what: &str, text: &str, least: usize, most: usize) -> Checked {
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

/// Checks a name or phrase: prose of limited length without quotes and citations.
pub(crate) fn title(what: &str, text: &str, least: usize, most: usize) -> Checked {
    words_between(what, text, least, most)?;
    // Names contain figures of their own: `ISO 9001`.
    Prose::default().with_any_figure().check(what, text)
}

/// Checks that `text` has `least` to `most` sentences.
pub(crate) fn sentences_between(what: &str, text: &str, (least, most): (usize, usize)) -> Checked {
    let count = precedent_text::sentences(text).len();
    match (least..=most).contains(&count) {
        true => Ok(()),
        false => no(format!("{what} has {count} sentences and must have {least} to {most}")),
    }
}

/// Checks that every number of `given` is in `known` and occurs once, and that there is at least one. An answer to none of the items is no answer.
pub(crate) fn known_once(what: &str, given: impl IntoIterator<Item = u32>, known: &[u32]) -> Checked {
    let mut seen = Vec::new();
    for number in given {
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

/// Checks that every number of `known` is in `given`.
pub(crate) fn none_missing(what: &str, given: impl IntoIterator<Item = u32>, known: &[u32]) -> Checked {
    let given: Vec<u32> = given.into_iter().collect();
    let missing: Vec<u32> = known.iter().copied().filter(|number| !given.contains(number)).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        no(format!("the answer for {what} {} is missing", listed(&missing)))
    }
}

/// The numbers of an order written as `[3] > [1] > [2]`. Only brackets around digits alone count, so a year or a figure in a remark is not a rank.
pub(crate) fn bracketed(text: &str) -> Vec<u32> {
    let inner = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    inner
        .map(|(inner, _)| inner.trim())
        .filter(|inner| !inner.is_empty() && inner.len() <= 6 && inner.bytes().all(|byte| byte.is_ascii_digit()))
        .filter_map(|inner| inner.parse().ok())
        .collect()
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
