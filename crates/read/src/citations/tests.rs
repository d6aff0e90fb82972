use precedent_domain::ParagraphKind;
use proptest::prelude::*;

use super::find;
use crate::budget::ReadBudget;
use crate::draft::Block;
use crate::references;

/// The marks in `text`, each with the entry numbers it links to, for a given list of entries.
fn marks(text: &str, entries: &[&str]) -> Vec<(String, Vec<u32>)> {
    let mut blocks = vec![
        Block::new(ParagraphKind::Body, text),
        Block::new(ParagraphKind::Heading, "References"),
    ];
    blocks.extend(entries.iter().map(|entry| Block::new(ParagraphKind::Reference, *entry)));
    let mut at = 0;
    let spans: Vec<_> = blocks
        .iter()
        .map(|block| {
            let span = precedent_domain::Span::new(at, at + block.text.len());
            at = span.end + 2;
            span
        })
        .collect();
    let list = references::collect(&blocks, &spans, &ReadBudget::default());
    find(&blocks, &spans, &[], &list, &ReadBudget::default())
        .into_iter()
        .filter(|mark| mark.span.end <= text.len())
        .map(|mark| (mark.span.slice(text).unwrap_or_default().to_owned(), mark.references))
        .collect()
}

const NUMBERED: [&str; 5] = [
    "[1] A. Lee. Trees. 2019.",
    "[2] B. Roy. Woods. 2020.",
    "[3] K. Berg. Forests. 2021.",
    "[4] C. Wu. Leaves. 2021.",
    "[5] D. Ek. Roots. 2022.",
];
const NAMED: [&str; 7] = [
    "Ann Lee. 2019. Trees of the north. In ACL.",
    "Ann Lee and Bob Roy. 2019. Trees of the south. In ACL.",
    "Ann Lee, Bob Roy, and Kay Berg. 2019. Trees of the east. In ACL.",
    "Bob Roy. 2020a. Woods of old. In ACL.",
    "Bob Roy. 2020b. Woods of new. In ACL.",
    "Kay van der Berg and Zoë Müller. 2021. Forests of glass. In ACL.",
    "OpenAI. 2023. The model card. Technical report.",
];

fn one(text: &str, entries: &[&str]) -> Vec<u32> {
    marks(text, entries)
        .into_iter()
        .flat_map(|(_, numbers)| numbers)
        .collect()
}

#[test]
fn numbers_in_brackets() {
    for (text, numbers) in [
        ("Trees fall [3].", vec![3]),
        ("Trees fall [1,3].", vec![1, 3]),
        ("Trees fall [2-4].", vec![2, 3, 4]),
        ("Trees fall [1, 3–5].", vec![1, 3, 4, 5]),
        ("Trees fall[2], [5].", vec![2, 5]),
        ("Trees fall [3, Section 2].", vec![3]),
        ("Trees fall [see 3].", vec![3]),
        ("The set x[3] and [0, 1] and y ∈ [1, 5] and the range [1, 3].", vec![]),
        ("Trees fall [99].", vec![]),
        ("Trees fall [4, 99].", vec![4]),
    ] {
        assert_eq!(one(text, &NUMBERED), numbers, "{text}");
    }
    assert_eq!(marks("Trees fall [1, 2], see [3].", &NUMBERED)[0].0, "[1, 2]");
}

#[test]
fn names_and_years() {
    for (text, numbers) in [
        ("Trees fall (Lee, 2019).", vec![1]),
        ("Trees fall (Lee and Roy, 2019; Roy, 2020b).", vec![2, 5]),
        ("Trees fall (see Lee et al., 2019, for more).", vec![3]),
        ("Lee et al. (2019) felled trees.", vec![3]),
        ("Lee & Roy [2019] felled trees.", vec![2]),
        ("As Roy (2020a,b) says.", vec![4, 5]),
        ("As Roy (2020a, 2020b) says.", vec![4, 5]),
        ("Glass (van der Berg and Muller, 2021).", vec![6]),
        ("As shown (OpenAI, 2023).", vec![7]),
        ("Trees fall (Roy, 2020).", vec![]),
        ("Trees fall (Ek, 1999).", vec![]),
        ("In May (2019) we felled (it rained in 2020).", vec![]),
    ] {
        assert_eq!(one(text, &NAMED), numbers, "{text}");
    }
    assert_eq!(marks("Lee et al. (2019) felled.", &NAMED)[0].0, "Lee et al. (2019)");
}

#[test]
fn any_number_of_names_comes_before_a_year() {
    let list = [
        "Ann Lee, Bob Roy, Kay Berg, Cy Wu, Di Ek, Flo Ash, Gus Elm, Hal Fir, and Ivy Oak. 2019. Trees of the west. In ACL.",
    ];
    let names = "Lee, Roy, Berg, Wu, Ek, Ash, Elm, Fir, and Oak";
    assert_eq!(
        marks(&format!("{names} (2019) felled trees."), &list),
        [(format!("{names} (2019)"), vec![1])]
    );
    assert_eq!(one(&format!("Trees fall ({names}, 2019)."), &list), [1]);
}

#[test]
fn brackets_with_a_year_far_from_both_ends_are_no_marks() {
    let filled = |before: usize, after: usize| {
        one(
            &format!("({} Lee, 2019 {})", "x".repeat(before), "x".repeat(after)),
            &NAMED,
        )
    };
    assert_eq!(filled(500, 200), [1]);
    assert!(filled(600, 0).is_empty());
    assert!(filled(0, 300).is_empty());
    assert_eq!(marks("Trees (fall (Lee, 2019) here).", &NAMED)[0].0, "(Lee, 2019)");
    assert!(marks("Trees (fall\nLee, 2019).", &NAMED).is_empty());
}

#[test]
fn labels_of_letters() {
    let list = [
        "[Lee19] A. Lee. Trees. 2019.",
        "[RB20] B. Roy and K. Berg. Woods. 2020.",
    ];
    assert_eq!(one("Trees fall [Lee19, RB20] and [Xyz99].", &list), [1, 2]);
}

#[test]
fn raised_numbers() {
    assert_eq!(
        one("Trees fall¹, rise²⁻⁴ and rest.⁵ An area of 5 m² and x³.", &NUMBERED),
        [1, 2, 3, 4, 5]
    );
}

#[test]
fn round_brackets_where_the_paper_uses_them() {
    let text = "Trees fall (1, 2) and rise (3–5). By Eq. (4) they rest (5).";
    assert_eq!(one(text, &NUMBERED), [1, 2, 3, 4, 5, 5]);
}

#[test]
fn unlabelled_lists_are_counted() {
    let list = [
        "Lee A. Trees. Cell. 2019;1:2.",
        "Roy B. Woods. Cell. 2020;1:2.",
        "Berg K. Forests. Cell. 2021;1:2.",
    ];
    assert_eq!(
        one("Trees [1]. Woods [2]. All [1–3]. More [3].", &list),
        [1, 2, 1, 2, 3, 3]
    );
}

proptest! {
    #[test]
    fn no_mark_names_a_missing_entry(text in "(\\[|\\]|\\(|\\)|[0-9]{1,3}|, |–|-|Lee|Roy|et al\\.|and|2019|2020a|¹|²|é|x|;| ){0,40}") {
        for entries in [NUMBERED.as_slice(), NAMED.as_slice(), &[]] {
            for (mark, numbers) in marks(&text, entries) {
                prop_assert!(!mark.is_empty());
                prop_assert!(numbers.iter().all(|number| (1..=entries.len()).contains(&usize::try_from(*number).unwrap())));
            }
        }
    }
}

#[test]
fn a_label_with_several_works_links_to_all_of_them() {
    let entries = [
        "[1] A. Lee. Trees. 2019.",
        "[2] B. Roy. Woods. 2020.",
        "[2] K. Berg. Forests. 2021.",
        "[3] C. Wu. Leaves. 2021.",
    ];
    assert_eq!(one("Trees fall [1, 2].", &entries), [1, 2, 3]);
    assert_eq!(one("Trees fall [2–3].", &entries), [2, 3, 4]);
    // Each of two lists has an entry of this label.
    let lists = [
        "[1] A. Lee. Trees. 2019.",
        "[2] B. Roy. Woods. 2020.",
        "[1] K. Berg. Forests. 2021.",
    ];
    assert_eq!(one("Trees fall [1].", &lists), [1]);
}
