//! Properties of the ranking that hold for any texts.

use precedent_domain::Document;
use precedent_matcher::{Claim, Level, PreparedText, rank};
use proptest::prelude::*;

fn prepared(title: &str, summary: &str) -> PreparedText {
    PreparedText::new(title, Some(summary), &Document::from_abstract(title, Some(summary)))
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "parser",
        "treebank",
        "translation",
        "swell",
        "rope",
        "kelp",
        "the",
        "of",
        "not",
        "12",
        "名",
        "\u{fb01}nite",
        ".",
        "We",
    ]);
    prop::collection::vec(word, 0..220).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn probabilities_fall_with_the_rank_and_passages_are_in_the_text(
        claim in words(),
        texts in prop::collection::vec(words(), 0..9),
    ) {
        let claim = Claim::new(&claim);
        let prepared: Vec<PreparedText> = texts.iter().map(|text| prepared("A Title", text)).collect();
        let ranked = rank(&claim, &prepared);
        prop_assert_eq!(ranked.len(), texts.len());
        prop_assert!(ranked.is_sorted_by(|a, b| a.probability >= b.probability));
        for one in &ranked {
            prop_assert!((0.0..=1.0).contains(&one.probability));
            prop_assert!(one.level != Level::Anticipated);
            let document = Document::from_abstract("A Title", texts.get(one.index).map(String::as_str));
            for passage in &one.passages {
                let text = document.slice(passage.span).unwrap_or_default();
                // A lone sign between two sentences belongs to neither.
                let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
                prop_assert!((1..=90).contains(&words), "{words}");
                prop_assert!((0.0..=1.0).contains(&passage.coverage));
            }
        }
    }

    #[test]
    fn the_order_of_the_texts_does_not_matter(claim in words(), texts in prop::collection::vec(words(), 2..6)) {
        let claim = Claim::new(&claim);
        let forwards: Vec<PreparedText> = texts.iter().map(|text| prepared("T", text)).collect();
        let backwards: Vec<PreparedText> = texts.iter().rev().map(|text| prepared("T", text)).collect();
        let probabilities = |texts: &[PreparedText]| -> Vec<f64> {
            rank(&claim, texts).iter().map(|one| one.probability).collect()
        };
        prop_assert_eq!(probabilities(&forwards), probabilities(&backwards));
    }
}

#[test]
fn a_text_that_says_the_same_stands_out() {
    let claim = Claim::new("We train a parser on a treebank by deleting function words from its sentences.");
    let texts = [
        prepared("Weighing Kelp", "A pendulum scale weighs kelp on a moving deck."),
        prepared(
            "Sparse Treebanks",
            "Function words are deleted from the sentences of a treebank, and a parser is trained on the rest.",
        ),
        prepared("A Treebank of Speech", "We present a treebank of transcribed speech."),
    ];
    let ranked = rank(&claim, &texts);
    let order: Vec<usize> = ranked.iter().map(|one| one.index).collect();
    assert_eq!(order, [1, 2, 0]);
    assert_eq!(ranked.first().map(|one| one.level), Some(Level::Similar));
    assert_eq!(ranked.last().map(|one| one.level), Some(Level::None));
}

#[test]
fn a_claim_of_common_words_is_not_assessable() {
    let texts = [prepared("A Method", "We propose a new method for this problem.")];
    let ranked = rank(&Claim::new("We propose a new method."), &texts);
    assert_eq!(ranked.first().map(|one| one.level), Some(Level::NotAssessable));
    assert!(
        rank(&Claim::new(""), &texts)
            .first()
            .is_some_and(|one| one.probability < 0.1)
    );
}
