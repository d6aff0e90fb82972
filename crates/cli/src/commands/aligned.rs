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
    let (mut shown_a, mut shown_b) = (Vec::new(), Vec::new());
    let shown = |words: &[&str], at: Option<usize>| at.and_then(|at| words.get(at)).map(|word| plain(word));
    for change in diff.iter_all_changes() {
        let (here, there) = (shown(&left, change.old_index()), shown(&right, change.new_index()));
        match change.tag() {
            similar::ChangeTag::Equal => {
                shown_a.extend(here);
                shown_b.extend(there);
            }
            similar::ChangeTag::Delete => shown_a.extend(here.map(|word| printer.removed(&word))),
            similar::ChangeTag::Insert => shown_b.extend(there.map(|word| printer.added(&word))),
        }
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
