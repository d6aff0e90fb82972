//! Hyphens at line ends: whether they belong to the word or come from the typesetter.
//!
//! The words elsewhere in the document decide. If it has neither form, a list of frequent English words and compounds does. `xtask/hyphen_words.py`
//! makes it from the abstracts of arXiv, and measures it.

use std::cmp::Ordering;

/// One a line, sorted bytewise. Words that are no compound also have their weights as the first and as the last part of one.
const WORDS: &str = include_str!("hyphen_words.txt");

/// Whether `first-` at a line end and `second` at the start of the next line are one word without a hyphen. `seen` tells how often the document
/// has a word.
pub(crate) fn is_one_word(first: &str, second: &str, seen: impl Fn(&str) -> u32) -> bool {
    let (first, second) = (first.to_lowercase(), second.to_lowercase());
    let second = second.trim_end_matches(|c: char| !c.is_alphabetic());
    // `re-esti-` `mates`, `state-of-` `the-art`: the parts beside the break.
    let tail = first.rsplit('-').next().unwrap_or_default();
    let head = second.split('-').next().unwrap_or_default();
    let (joined, divided) = (format!("{first}{second}"), format!("{first}-{second}"));
    let shorter = format!("{tail}{second}");
    let seen_joined = seen(&joined) + if tail == first { 0 } else { seen(&shorter) };
    match seen_joined.cmp(&seen(&divided)) {
        Ordering::Greater => return true,
        Ordering::Less => return false,
        Ordering::Equal => {}
    }
    // A typesetter leaves no single letter.
    let compound = || is_frequent(&format!("{tail}-{head}")) && !is_frequent(&joined);
    if tail.chars().count() == 1 || is_frequent(&divided) || compound() {
        return false;
    }
    let parts = [shorter, format!("{first}{head}"), format!("{tail}{head}")];
    if is_frequent(&joined) || parts.iter().any(|word| is_frequent(word)) {
        return true;
    }
    let whole = is_frequent(tail) && is_frequent(head);
    let longer = tail != first && is_frequent(tail) || head != second && whole;
    !(longer || whole && are_compound(tail, head))
}

/// Whether two words rather form a compound than a longer word, by how many compounds and words of the list begin or end with one of them.
fn are_compound(tail: &str, head: &str) -> bool {
    let weight = |word: &str, at: usize| -> Option<i32> { line(word)?.split(' ').nth(at)?.parse().ok() };
    weight(tail, 1)
        .zip(weight(head, 2))
        .is_some_and(|(begins, ends)| begins + ends + 10 > 0)
}

fn is_frequent(word: &str) -> bool {
    line(word).is_some()
}

/// The line of the list for `word`.
fn line(word: &str) -> Option<&'static str> {
    let (mut low, mut high) = (0, WORDS.len());
    while low < high {
        let middle = (low + high) / 2;
        let start = WORDS
            .get(..middle)
            .and_then(|before| before.rfind('\n'))
            .map_or(0, |end| end + 1);
        let line = WORDS.get(start..)?.split('\n').next()?;
        match line.split(' ').next()?.cmp(word) {
            Ordering::Equal => return Some(line),
            Ordering::Less => low = start + line.len() + 1,
            Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_every_word_is_found() {
        let words = || WORDS.lines().filter_map(|line| line.split(' ').next());
        assert!(WORDS.is_ascii() && words().is_sorted());
        assert!(words().all(is_frequent));
        let are_weights = |line: &str| {
            line.split(' ')
                .skip(1)
                .filter(|weight| weight.parse::<i32>().is_ok())
                .count()
                == 2
        };
        let is_compound = |line: &str| line.split(' ').next().is_some_and(|word| word.contains('-'));
        assert!(WORDS.lines().all(|line| is_compound(line) || are_weights(line)));
        assert!(!is_frequent("") && !is_frequent("abandone") && !is_frequent("zzz"));
    }

    #[test]
    fn frequent_words_decide_in_a_document_that_has_neither_form() {
        for (first, second, one) in [
            ("esti", "mates", true),
            ("re-esti", "mates", true),
            ("consider", "able", true),
            ("data", "base", true),
            ("Grefen", "stette", true),
            ("high", "dimensional", false),
            ("state-of-the", "art", false),
            ("state", "of-the-art", false),
            ("coarse-to", "fine", false),
            ("token", "level", false),
            ("out", "of-vocabulary", false),
            ("n", "grams", false),
            ("n-gram", "based²", false),
            ("semi", "supervised", false),
            ("collision", "less", true),
            ("com", "mas", true),
            ("re", "minds", true),
            ("date-format", "tof", false),
        ] {
            assert_eq!(is_one_word(first, second, |_| 0), one, "{first} {second}");
        }
    }

    #[test]
    fn the_document_decides_first() {
        let seen = |form: &'static str| move |word: &str| u32::from(word == form);
        assert!(is_one_word("high", "dimensional", seen("highdimensional")));
        assert!(!is_one_word("esti", "mates", seen("esti-mates")));
        assert!(is_one_word("re-Esti", "Mates", seen("estimates")));
    }
}
