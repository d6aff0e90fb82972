//! Where a phrase or a clause can be cut.

use precedent_domain::Span;
use precedent_language::wording::{Word, is_function_word, words};

/// Words that open a new clause and so end the phrase before them.
const CLAUSE_OPENERS: [&str; 44] = [
    "that", "which", "where", "when", "while", "whose", "who", "because", "since", "although", "though", "but", "by",
    "using", "via", "so", "if", "than", "is", "are", "was", "were", "has", "have", "had", "can", "could", "may",
    "might", "will", "would", "should", "must", "we", "our", "it", "they", "thereby", "thus", "hence", "whereas",
    "unless", "until", "does",
];

/// Words that cannot end a phrase.
const NO_ENDINGS: [&str; 12] = [
    "such",
    "e.g",
    "i.e",
    "even",
    "especially",
    "including",
    "based",
    "given",
    "rather",
    "respectively",
    "novel",
    "new",
];

/// The longest run of words from the start of `found` within one clause and `most` words, without a dangling end.
/// A comma ends it, unless it would be shorter than `least`.
pub(super) fn phrase_prefix(found: &[Word], text: &str, base: usize, least: usize, most: usize) -> usize {
    let mut length = 0;
    for (at, word) in found.iter().enumerate().take(most) {
        let opener = CLAUSE_OPENERS.contains(&word.lower.as_str());
        if at > 0 && (opener || word.after_break && (at >= least || hard_break(found, at, text, base))) {
            break;
        }
        length = at + 1;
    }
    if length == most && found.get(most).is_some_and(|next| !next.after_break) {
        // Cut inside a clause: go back to a phrase boundary.
        let border = (least.max(2)..length)
            .rev()
            .find(|&at| found.get(at).is_some_and(|word| is_function_word(&word.lower)));
        length = border.unwrap_or(length);
    }
    trim_end(found.get(..length).unwrap_or_default())
}

/// The number of words left after removing words that cannot end a phrase.
pub(super) fn trim_end(found: &[Word]) -> usize {
    let dangling = |word: &Word| {
        (is_function_word(&word.lower) && word.lower.len() > 1
            || NO_ENDINGS.contains(&word.lower.as_str())
            || matches!(word.lower.as_str(), "a"))
            && word.lower == word.text
    };
    found.len() - found.iter().rev().take_while(|word| dangling(word)).count()
}

fn hard_break(found: &[Word], at: usize, text: &str, base: usize) -> bool {
    let (Some(before), Some(word)) = (at.checked_sub(1).and_then(|i| found.get(i)), found.get(at)) else {
        return true;
    };
    let gap = Span::new(before.span.end - base, word.span.start - base);
    gap.slice(text)
        .is_none_or(|gap| gap.contains(['.', ';', ':', '?', '!', '(', '[', '—']))
}

/// The span of the first `length` words.
pub(super) fn span_of(found: &[Word], length: usize) -> Option<Span> {
    let first = found.first()?;
    let last = found.get(length.checked_sub(1)?)?;
    Some(Span::new(first.span.start, last.span.end))
}

/// Number of leading words a phrase can do without: articles, praise, `problem of`.
pub(super) fn skip_lead(found: &[Word]) -> usize {
    found
        .iter()
        .take_while(|word| {
            matches!(
                word.lower.as_str(),
                "a" | "an"
                    | "the"
                    | "our"
                    | "this"
                    | "these"
                    | "some"
                    | "several"
                    | "two"
                    | "three"
                    | "four"
                    | "various"
                    | "on"
                    | "towards"
                    | "toward"
                    | "to"
            ) || precedent_language::wording::is_evaluative(&word.lower)
        })
        .count()
}

/// `text` with white space collapsed.
pub(super) fn folded(text: &str) -> String {
    precedent_text::one_line(text)
}

/// Where the words of `needle` appear in sequence in `text`, ignoring case.
pub(super) fn find_words(text: &str, needle: &str) -> Option<Span> {
    let wanted: Vec<String> = words(needle, 0).into_iter().map(|word| word.lower).collect();
    let found = words(text, 0);
    if wanted.is_empty() {
        return None;
    }
    found
        .windows(wanted.len())
        .find(|window| window.iter().zip(&wanted).all(|(word, wanted)| word.lower == *wanted))
        .and_then(|window| Some(Span::new(window.first()?.span.start, window.last()?.span.end)))
}
