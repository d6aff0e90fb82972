//! Citation marks: numbers in brackets.

use std::collections::BTreeSet;

use precedent_text::pattern;
use regex::Regex;

/// Maximum width of a citation range. `[3-900]` is not a range.
const WIDEST: u32 = 40;

/// The marks, with the white space before each.
fn marks() -> &'static Regex {
    pattern!(r"\s*\[((?:passage\s+|P)?\d+(?:\s*[,;–-]\s*(?:passage\s+|P)?\d+)*)\]")
}

/// The numbers cited in a sentence: `[3]`, `[1, 2]`, `[4–6]`.
pub fn cited(sentence: &str) -> BTreeSet<u32> {
    let inner = marks().captures_iter(sentence).filter_map(|found| found.get(1));
    let mut numbers = BTreeSet::new();
    for part in inner.flat_map(|found| found.as_str().split([',', ';'])) {
        let ends: Vec<u32> = part
            .split(['-', '–'])
            .filter_map(|end| end.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok())
            .collect();
        match ends.as_slice() {
            [first, last] if first < last && last - first <= WIDEST => numbers.extend(*first..=*last),
            ends => numbers.extend(ends),
        }
    }
    numbers
}

/// A sentence without its citation marks.
pub fn without_marks(sentence: &str) -> String {
    marks().replace_all(sentence, "").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_lists_and_ranges_are_read() {
        let read = |text: &str| cited(text).into_iter().collect::<Vec<u32>>();
        assert_eq!(
            read("Both are taut [3]. So is this [1, 2]; and these [5–7][9]."),
            [1, 2, 3, 5, 6, 7, 9]
        );
        assert_eq!(read("In [P4] and [3-900]."), [3, 4, 900]);
        assert!(read("An interval [a, b], a date (2019), an index x[i].").is_empty());
    }

    #[test]
    fn marks_are_removed_and_brackets_with_words_stay() {
        assert_eq!(
            without_marks("It holds [3]. So does this [P4, 5]."),
            "It holds. So does this."
        );
        assert_eq!(
            without_marks("An interval [a, b] is taut."),
            "An interval [a, b] is taut."
        );
    }
}
