//! Lists of names: their parts, and what can be one.

use precedent_text::pattern;

use super::name_words::{
    all_initials, is_connective, is_name, is_name_word, is_particle, is_vancouver, starts_with_year,
};

/// Maximum bytes examined of an author list: collaborations of thousands print a few hundred names at most.
pub(super) const LONGEST_LIST: usize = 20_000;

/// Where the author list of an entry ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AuthorsEnd {
    /// End of the names, without the punctuation after them.
    pub(super) end: usize,
    /// Start of the text after them.
    pub(super) rest: usize,
    /// Whether the list ended with a comma, so that commas separate the following parts too.
    pub(super) comma: bool,
}

/// Printed form of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameStyle {
    /// `Jane Q. Smith`, `J. Smith`.
    Natural,
    /// `Smith, J. Q.`
    Inverted,
    /// `Smith JQ`.
    Vancouver,
}

/// Whether a text is only a list of names.
pub(super) fn is_author_list(text: &str) -> bool {
    let text = text.trim();
    let is_number = |word: &str| {
        word.contains(|c: char| c.is_ascii_digit()) && !matches!(word.trim_end_matches([',', ';', '.']), "2nd" | "3rd")
    };
    if text.is_empty() || text.len() > LONGEST_LIST || text.split_whitespace().any(is_number) {
        return false;
    }
    chunks(text)
        .iter()
        .all(|chunk| is_name(chunk) || all_initials(chunk) || is_vancouver(chunk))
}

/// Whether all parts of a text have two to five words, and those after the first are names: `ada Berg, Jo van Hill`.
pub(super) fn are_full_names(text: &str) -> bool {
    chunks(text).iter().all(|chunk| {
        let mut words = chunk.split_whitespace();
        let sentence = words
            .next()
            .is_none_or(|first| first.starts_with(char::is_lowercase) && first.ends_with('.'));
        !sentence && (1..5).contains(&words.clone().count()) && words.all(is_name_word)
    })
}

/// Maximum words of the names before a year.
pub(super) const MOST_WORDS: usize = 60;

/// Whether a text begins with a name, and at least half of its parts are names.
pub(super) fn are_mostly_names(text: &str) -> bool {
    if text.split_whitespace().take(MOST_WORDS + 1).count() > MOST_WORDS {
        return false;
    }
    let is_whole_name = |chunk: &&&str| is_name(chunk) && chunk.split_whitespace().count() > 1;
    let chunks = chunks(text);
    let names = chunks.iter().filter(is_whole_name).count();
    chunks.first().as_ref().is_some_and(is_whole_name) && chunks.len() > 1 && names * 2 >= chunks.len()
}

/// Names without the words and marks around them, split at commas, semicolons and connectives.
pub(super) fn chunks(text: &str) -> Vec<&str> {
    let around = pattern!(
        r"(?i),?\s*\b(?:(?:and\s+)?et\.?\s+al\b\.?|and others\b|u\.\s?a\.|等)|\(?\beds?\b\.?\)?|\(editors?\)|\beditors?\b|\.\.\.|…"
    );
    let cut = pattern!(r"\s*(?:[,;，；、]\s*(?:and\s|&\s*|und\s|AND\s)?|\s(?:and|&|und|et|AND)\s)\s*");
    if text.split_whitespace().all(is_vancouver) {
        return text.split_whitespace().collect();
    }
    around
        .split(text)
        .flat_map(|part| cut.split(part))
        .map(|chunk| {
            chunk
                .trim()
                .trim_matches([',', ';', ':', '*', '†', '‡', '(', ')'])
                .trim()
        })
        .filter(|chunk| chunk.chars().any(char::is_alphabetic))
        .collect()
}

/// `Christopher D. Manning, Prabhakar …` and `Christopher D. Manning. 2008`: the apparent `Smith D` is the start of a name.
pub(super) fn goes_on_as_name(text: &str, first: usize) -> bool {
    let Some(rest) = text.get(first..).and_then(|rest| rest.strip_prefix('.')) else {
        return false;
    };
    let mut words = rest.split_whitespace().skip_while(|word| is_particle(word));
    let word = words.next().unwrap_or_default();
    let next = words.next().unwrap_or_default();
    if !is_name_word(word.trim_end_matches('.')) {
        return false;
    }
    if !word.ends_with('.') {
        return word.ends_with(',') || is_connective(next) || starts_with_year(next);
    }
    // Vancouver lists print `2012;22` or `; 2012`, and lists without titles a journal and its volume: `Dodd S. Phys. Rev. D 73`.
    let vancouver = pattern!(r"\d{4};|;\s?(?:19|20)\d\d").is_match(text);
    let journal = || pattern!(r"^(?:[\p{L}.]+\s){1,5}\(?\d{1,3}\b").is_match(rest.trim_start());
    let title = matches!(
        next,
        "In" | "Proc." | "Proceedings" | "arXiv" | "CoRR" | "Nature" | "Science" | "Cell"
    );
    starts_with_year(next) || !vancouver && !title && !journal()
}
