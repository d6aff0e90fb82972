use proptest::prelude::*;

use super::terms;

#[test]
fn english_words_are_folded_stemmed_and_stopped() {
    assert_eq!(
        terms("The Graph-Based Parsers of naïve Bayes’ networks"),
        ["graph", "base", "parser", "naiv", "bay", "network"]
    );
    assert_eq!(terms("ﬁne-tuning"), terms("fine tuning"));
    assert_eq!(terms("co\u{ad}operate"), terms("cooperate"));
}

#[test]
fn names_that_differ_by_a_sign_stay_distinct() {
    assert_eq!(terms("C++ and C# and C"), ["c++", "c#", "c"]);
    assert_eq!(terms("GPT-3.5"), ["gpt", "3.5"]);
    assert_eq!(terms("x+y"), ["x", "y"]);
}

#[test]
fn there_are_no_query_operators() {
    assert_eq!(
        terms(r#"title:(graph AND "parsing" OR -neural* ~2) ^5 [a TO b]"#),
        ["titl", "graph", "pars", "neural", "2", "5", "b"]
    );
}

#[test]
fn typesetting_commands_are_dropped_but_symbols_are_kept() {
    assert_eq!(terms(r"$\mathcal{O}(\alpha)$ text"), ["o", "alpha", "text"]);
}

#[test]
fn a_text_of_stop_words_keeps_them() {
    assert_eq!(terms("To Be or Not to Be"), ["to", "be", "or", "not", "to", "be"]);
    assert!(terms(" — … ").is_empty());
}

#[test]
fn scripts_without_spaces_yield_characters_and_pairs() {
    assert_eq!(terms("神经网络"), ["神", "神经", "经", "经网", "网", "网络", "络"]);
    assert_eq!(terms("BERT模型"), ["bert", "模", "模型", "型"]);
    assert_eq!(terms("нейронные сети"), ["неиронные", "сети"]);
}

proptest! {
    #[test]
    fn any_text_yields_bounded_terms(text in "\\PC{0,400}") {
        for term in terms(&text) {
            prop_assert!(!term.is_empty());
            prop_assert!(term.chars().count() <= 64);
            prop_assert!(!term.contains(char::is_whitespace));
        }
    }

    #[test]
    fn ascii_case_is_ignored(text in "[ -~]{0,200}") {
        prop_assert_eq!(terms(&text), terms(&text.to_ascii_uppercase()));
    }
}
