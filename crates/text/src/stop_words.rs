use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The lists of English stop words, all parts of one table. They differ because their uses do: a superfluous word in [`Self::Index`] makes papers
/// impossible to find, while one in [`Self::Phrases`] only cuts a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum StopWords {
    /// Determiners, pronouns, prepositions, conjunctions, auxiliaries and the adverbs that carry no topic, normalised as in [`words`](crate::terms::words).
    Topics,
    /// Words that the index of a corpus leaves out.
    Index,
    /// Words that queries to literature services leave out. Short on purpose: a superfluous word only narrows a query.
    Query,
    /// Words that are not highlighted as shared, besides those of fewer than three letters.
    Highlights,
    /// Words that no phrase or name begins or ends with, in lower case, with single letters and abbreviations.
    Phrases,
    /// Connectives, number words and abbreviations without a topic, which are not in [`Self::Topics`].
    Connectives,
}

/// The letters of the lists in the table, in the order of [`StopWords`].
const LISTS: &str = "tiqhpc";

/// Each stop word with one bit per list.
static STOP_WORDS: LazyLock<FxHashMap<&'static str, u8>> = LazyLock::new(|| {
    let rows = include_str!("stop_words.txt").lines();
    let words = rows
        .filter(|row| !row.starts_with("--"))
        .filter_map(|row| row.split_once(' '));
    let bits = |lists: &str| {
        lists
            .chars()
            .filter_map(|list| LISTS.find(list))
            .fold(0, |bits, at| bits | 1 << at)
    };
    words.map(|(word, lists)| (word, bits(lists))).collect()
});

impl StopWords {
    /// Whether a word in lower case is in the list.
    #[must_use]
    pub fn contains(self, word: &str) -> bool {
        STOP_WORDS.get(word).is_some_and(|bits| bits & self.bit() != 0)
    }

    /// The words of the list, in no order.
    pub(crate) fn words(self) -> impl Iterator<Item = &'static str> {
        let listed = STOP_WORDS.iter().filter(move |(_, bits)| **bits & self.bit() != 0);
        listed.map(|(word, _)| *word)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::words;

    #[test]
    fn stop_words_are_sorted_and_those_of_topics_are_normalised() {
        let rows = include_str!("stop_words.txt")
            .lines()
            .filter(|row| !row.starts_with("--"));
        let rows: Vec<(&str, &str)> = rows.filter_map(|row| row.split_once(' ')).collect();
        assert!(rows.is_sorted_by(|(one, _), (next, _)| one < next));
        assert!(
            rows.iter()
                .all(|(_, lists)| lists.chars().all(|list| LISTS.contains(list)))
        );
        for word in StopWords::Topics.words() {
            assert_eq!(words(word).first().map(|(word, _)| word.as_str()), Some(word));
        }
        let sizes = [
            StopWords::Topics,
            StopWords::Index,
            StopWords::Query,
            StopWords::Highlights,
        ]
        .map(|list| list.words().count());
        assert_eq!(sizes, [219, 75, 74, 60]);
        assert!(StopWords::Index.words().all(|word| StopWords::Topics.contains(word)));
        assert!(StopWords::Phrases.contains("isn't") && !StopWords::Phrases.contains("isnt"));
        assert!(StopWords::Connectives.contains("whereby") && !StopWords::Topics.contains("whereby"));
        assert!(StopWords::Topics.contains("dont") && !StopWords::Topics.contains("transformer"));
    }
}
