//! Words for comparing the topics of texts without an index: tokens, stop words, stems.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use crate::lexicon::is_function_word;
use crate::tokenize::tokenize;
use crate::{Span, TokenKind};

/// The words of `text`, normalised as in [`crate::Source`], each with its span. Signs are skipped.
#[must_use]
pub fn words(text: &str) -> Vec<(String, Span)> {
    let tokens = tokenize(text);
    tokens
        .entries
        .iter()
        .filter(|entry| entry.kind != TokenKind::Symbol)
        .map(|entry| (tokens.norm_of(entry).to_owned(), entry.span()))
        .collect()
}

/// Whether a normalised word is an English function word.
#[must_use]
pub fn is_stopword(word: &str) -> bool {
    is_function_word(word)
}

/// The English stem of a normalised word (Snowball, "Porter 2"); words in other scripts are returned unchanged.
#[must_use]
pub fn stem(word: &str) -> String {
    thread_local! {
        static STEMMER: Stemmer = Stemmer::create(Algorithm::English);
    }
    STEMMER.with(|stemmer| match stemmer.stem(word) {
        Cow::Borrowed(stem) => stem.to_owned(),
        Cow::Owned(stem) => stem,
    })
}

/// Function words: determiners, pronouns, prepositions, conjunctions, auxiliaries and the adverbs that carry no topic. Sorted.
pub(crate) const STOPWORDS: &[&str] = &[
    "a",
    "about",
    "above",
    "across",
    "after",
    "again",
    "against",
    "all",
    "almost",
    "along",
    "already",
    "also",
    "although",
    "always",
    "am",
    "among",
    "an",
    "and",
    "another",
    "any",
    "are",
    "arent",
    "around",
    "as",
    "at",
    "away",
    "be",
    "became",
    "because",
    "been",
    "before",
    "being",
    "below",
    "between",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "cant",
    "could",
    "couldnt",
    "did",
    "didnt",
    "do",
    "does",
    "doesnt",
    "doing",
    "done",
    "dont",
    "down",
    "due",
    "during",
    "each",
    "either",
    "else",
    "enough",
    "etc",
    "even",
    "ever",
    "every",
    "few",
    "for",
    "from",
    "further",
    "given",
    "got",
    "had",
    "hadnt",
    "has",
    "hasnt",
    "have",
    "havent",
    "having",
    "he",
    "hence",
    "her",
    "here",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "how",
    "however",
    "i",
    "if",
    "in",
    "indeed",
    "instead",
    "into",
    "is",
    "isnt",
    "it",
    "its",
    "itself",
    "just",
    "less",
    "lest",
    "let",
    "like",
    "many",
    "may",
    "maybe",
    "me",
    "might",
    "mine",
    "more",
    "most",
    "much",
    "must",
    "mustnt",
    "my",
    "myself",
    "neither",
    "never",
    "no",
    "nobody",
    "none",
    "nor",
    "not",
    "nothing",
    "now",
    "of",
    "off",
    "often",
    "on",
    "once",
    "one",
    "only",
    "onto",
    "or",
    "other",
    "others",
    "ought",
    "our",
    "ours",
    "ourselves",
    "out",
    "over",
    "own",
    "per",
    "perhaps",
    "quite",
    "rather",
    "same",
    "shall",
    "shant",
    "she",
    "should",
    "shouldnt",
    "since",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "thereby",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "though",
    "through",
    "throughout",
    "thus",
    "till",
    "to",
    "together",
    "too",
    "toward",
    "towards",
    "under",
    "unless",
    "until",
    "up",
    "upon",
    "us",
    "very",
    "via",
    "was",
    "wasnt",
    "we",
    "well",
    "were",
    "werent",
    "what",
    "whatever",
    "when",
    "where",
    "whereas",
    "whether",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "within",
    "without",
    "wont",
    "would",
    "wouldnt",
    "yet",
    "you",
    "your",
    "yours",
    "yourself",
    "yourselves",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_and_normalised() {
        assert!(STOPWORDS.is_sorted());
        for word in STOPWORDS {
            assert_eq!(words(word).first().map(|(word, _)| word.as_str()), Some(*word));
        }
        assert!(is_stopword("the") && is_stopword("dont") && !is_stopword("transformer"));
    }

    #[test]
    fn words_keep_their_spans() {
        let text = "The Poincaré-ball model’s 1,000 ﬁlters ≥ 5%";
        let found = words(text);
        let normalised: Vec<&str> = found.iter().map(|(word, _)| word.as_str()).collect();
        assert_eq!(
            normalised,
            ["the", "poincare", "ball", "models", "1000", "filters", "5"]
        );
        assert_eq!(found[1].1.slice(text), Some("Poincaré"));
        assert_eq!(stem("filters"), "filter");
        assert_eq!(stem("模型"), "模型");
    }
}
