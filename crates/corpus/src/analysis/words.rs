/// English stop words. Sorted, for binary search.
const STOP_WORDS: [&str; 75] = [
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
    "being", "between", "both", "but", "by", "can", "could", "did", "do", "does", "each", "for", "from", "had", "has",
    "have", "having", "how", "if", "in", "into", "is", "it", "its", "no", "not", "of", "on", "or", "our", "such",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "very",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with", "would", "you",
    "your",
];

/// LaTeX typesetting commands without content. Sorted, for binary search.
const TYPE_SETTING: [&str; 46] = [
    "begin",
    "bf",
    "big",
    "cal",
    "cdot",
    "cite",
    "citep",
    "citet",
    "displaystyle",
    "dots",
    "em",
    "emph",
    "end",
    "ensuremath",
    "frac",
    "hat",
    "href",
    "hspace",
    "it",
    "label",
    "langle",
    "ldots",
    "left",
    "mathbb",
    "mathbf",
    "mathcal",
    "mathit",
    "mathrm",
    "mathsf",
    "mathtt",
    "mbox",
    "operatorname",
    "overline",
    "quad",
    "rangle",
    "ref",
    "right",
    "rm",
    "sc",
    "text",
    "textbf",
    "textit",
    "textsc",
    "texttt",
    "tt",
    "url",
];

pub(super) fn is_stop_word(word: &str) -> bool {
    word.len() <= 7 && STOP_WORDS.binary_search(&word).is_ok()
}

pub(super) fn is_type_setting(command: &str) -> bool {
    TYPE_SETTING.binary_search(&command).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(TYPE_SETTING.is_sorted());
        assert!(STOP_WORDS.iter().all(|word| word.len() <= 7));
    }
}
