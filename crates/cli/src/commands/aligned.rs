//! Two texts set side by side, word by word, with what differs marked.

use precedent_engine::text::terms;

use crate::printer::{Printer, plain};

/// Both texts with the words that the other lacks marked. Case, punctuation, accents and the division into lines are no difference.
pub(super) fn aligned(a: &str, b: &str, printer: Printer) -> (String, String) {
    let (left, right): (Vec<&str>, Vec<&str>) = (a.split_whitespace().collect(), b.split_whitespace().collect());
    let folded = |words: &[&str]| words.iter().map(|word| fold(word)).collect::<Vec<String>>();
    let (left_keys, right_keys) = (folded(&left), folded(&right));
    let keys = |keys: &[String]| keys.iter().map(|key| format!("{key}\n")).collect::<String>();
    // Compared as lines, each line the compared form of one word.
    let (left_lines, right_lines) = (keys(&left_keys), keys(&right_keys));
    let diff = similar::TextDiff::from_lines(&left_lines, &right_lines);
    let slice = |words: &[&str], range: std::ops::Range<usize>| plain(&words.get(range).unwrap_or_default().join(" "));
    let (mut shown_a, mut shown_b): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for step in diff.ops() {
        let (here, there) = (slice(&left, step.old_range()), slice(&right, step.new_range()));
        if step.tag() == similar::DiffTag::Equal {
            shown_a.push(here);
            shown_b.push(there);
            continue;
        }
        shown_a.extend((!here.is_empty()).then(|| printer.removed(&here)));
        shown_b.extend((!there.is_empty()).then(|| printer.added(&there)));
    }
    (shown_a.join(" "), shown_b.join(" "))
}

/// The compared form of a word: its tokens, or itself where it has none.
fn fold(word: &str) -> String {
    let tokens = terms::words(word);
    let signs = word.contains(['%', '<', '>', '=', '+', '±', '≤', '≥', '≠', '−']);
    if tokens.is_empty() || signs {
        return word.to_lowercase();
    }
    tokens.into_iter().map(|(token, _)| token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_differ_are_marked() {
        let (a, b) = aligned(
            "The rope (\u{fb01}rst) does not slip,\nby 5%.",
            "the rope first does slip by 6%",
            Printer::new(true),
        );
        assert_eq!(a, "The rope (\u{fb01}rst) does [-not-] slip, by [-5%.-]");
        assert_eq!(b, "the rope first does slip by {+6%+}");
    }
}
