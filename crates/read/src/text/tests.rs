use precedent_domain::ParagraphKind;
use proptest::prelude::*;

use super::read_text;
use crate::format::FormatError;

const WRAPPED: &str = "\
     A Small Study of Wrapped
          Lines

     Ann Lee and Bob Roy
     Example University

Abstract
We study wrapped lines. They are joined so that a sen-
tence reads as one, and state-of-the-
art keeps its hyphens as in state-of-the-art work.

1 Introduction
Lines end where the width ends, and a paragraph goes on for as
long as no blank line stands between.

  - first point
  - second point that is
    continued

1.1 Details
Table 1: Widths of lines.

Some more text here [1].

REFERENCES

[1] A. Lee. On lines. In Proceedings of
    Wrapping, 2001.
[2] B. Roy. More lines. 2002.

Appendix A Proofs

A proof.
";

#[test]
fn wrapped_text_is_joined_into_paragraphs() {
    let draft = read_text(WRAPPED).unwrap();
    assert_eq!(draft.title.as_deref(), Some("A Small Study of Wrapped Lines"));
    let authors: Vec<&str> = draft.authors.iter().map(|author| author.name.as_str()).collect();
    assert_eq!(authors, ["Ann Lee", "Bob Roy"]);
    assert_eq!(
        draft.texts(ParagraphKind::Heading),
        [
            "Abstract",
            "1 Introduction",
            "1.1 Details",
            "REFERENCES",
            "Appendix A Proofs"
        ]
    );
    let body = draft.texts(ParagraphKind::Body);
    assert_eq!(
        body[0],
        "We study wrapped lines. They are joined so that a sentence reads as one, and state-of-the-art keeps its hyphens as in state-of-the-art work."
    );
    assert_eq!(
        body[1],
        "Lines end where the width ends, and a paragraph goes on for as long as no blank line stands between."
    );
    assert_eq!(
        draft.texts(ParagraphKind::ListItem),
        ["- first point", "- second point that is continued"]
    );
    assert_eq!(draft.texts(ParagraphKind::Caption), ["Table 1: Widths of lines."]);
    assert_eq!(
        draft.texts(ParagraphKind::Reference),
        [
            "[1] A. Lee. On lines. In Proceedings of Wrapping, 2001.",
            "[2] B. Roy. More lines. 2002."
        ]
    );
    let label = draft
        .blocks
        .iter()
        .find_map(|block| block.reference.as_ref()?.label.clone());
    assert_eq!(label.as_deref(), Some("1"));
    assert_eq!(draft.page_count, None);
}

#[test]
fn pages_are_counted_and_running_lines_dropped() {
    let text = "Pages in Text\n\nAbstract: We count pages and the sen-\n1\n\u{c}Lee and Roy 2001\n\ntence goes on over the break. It ends here.\n2\n\u{c}Lee and Roy 2001\n\n2 Method\n\nWe count.\n3\n\u{c}Lee and Roy 2001\n\nThe end.\n4\n";
    let draft = read_text(text).unwrap();
    assert_eq!(draft.page_count, Some(4));
    let body = draft.texts(ParagraphKind::Body);
    assert_eq!(
        body,
        [
            "We count pages and the sentence goes on over the break. It ends here.",
            "We count.",
            "The end."
        ]
    );
    let first = draft
        .blocks
        .iter()
        .find(|block| block.kind == ParagraphKind::Body)
        .unwrap();
    assert_eq!(first.pages.first(), Some(&(0, 1)));
    let (at, page) = first.pages[1];
    assert_eq!((first.text.get(at..at + 5), page), (Some("tence"), 2));
}

#[test]
fn one_paragraph_per_line() {
    let long = "This is a long paragraph that stands on one line because the converter did not wrap it, as most of them do today. ".repeat(3);
    let text = format!(
        "A Title\n{long}\n1 Introduction\n{long}\n{long}\nReferences\nLee, A. (2001). On lines.\nRoy, B. (2002). More.\n"
    );
    let draft = read_text(&text).unwrap();
    assert_eq!(draft.title.as_deref(), Some("A Title"));
    assert_eq!(draft.texts(ParagraphKind::Body).len(), 3);
    assert_eq!(draft.texts(ParagraphKind::Reference).len(), 2);
}

#[test]
fn reference_lists_without_labels_are_split() {
    let text = "T\n\nAbstract\nShort text of a paper here.\n\nReferences\nLee, Ann. 2001. On lines and other\nthings. Journal of Lines.\nRoy, Bob. 2002. More lines. In\nProceedings of Wrapping.\n";
    let draft = read_text(text).unwrap();
    assert_eq!(draft.texts(ParagraphKind::Reference).len(), 2);
}

#[test]
fn an_empty_list_does_not_swallow_the_appendix() {
    let long = "This is a long paragraph that stands on one line because the converter did not wrap it, as most of them do today. ".repeat(3);
    let text = format!(
        "A Title\n\nAbstract\n{long}\n\nReferences\n\n\nA Extended Background\n{long}\n\nB Proofs\n{long}\n\nJSON\n\n<PRICE_OF BIKE>\n"
    );
    let draft = read_text(&text).unwrap();
    assert_eq!(
        draft.texts(ParagraphKind::Heading),
        ["Abstract", "References", "A Extended Background", "B Proofs"]
    );
    assert!(draft.texts(ParagraphKind::Reference).is_empty());
}

#[test]
fn an_initial_in_a_list_is_not_a_numbered_heading() {
    let list = "\
A Study of Ropes

Abstract

We study ropes that age and links that last, on machines without any network at
all, and say what was found and what was not.

References

M. Laskin, A. Srinivas, and P. Abbeel. Ropes that learn. In Proceedings of the
Conference on Ropes, volume 119, pages 56-69, 2020.

X. Lee, B. Eysen, E. Pari, and S. Levi. Stochastic ropes for every occasion. In
Advances in Ropes, 2020.

V. Kalof, 'How to learn a rope from smooth signals of many kinds,' in Artificial
Ropes, pp. 920-929, 2016.

Appendix A Proofs

All proofs stand here.
";
    let draft = read_text(list).unwrap();
    assert_eq!(draft.texts(ParagraphKind::Reference).len(), 3, "{draft:#?}");
    assert!(draft.texts(ParagraphKind::Heading).contains(&"Appendix A Proofs"));
}

#[test]
fn empty_input_and_binary_input_are_errors() {
    assert_eq!(read_text("").unwrap_err(), FormatError::Empty);
    assert_eq!(read_text(" \n\u{c}\n").unwrap_err(), FormatError::Empty);
    let noise: String = (0..500u32).filter_map(|n| char::from_u32(n % 31)).collect();
    assert!(matches!(
        read_text(&noise).unwrap_err(),
        FormatError::NotThisFormat { .. }
    ));
}

proptest! {
    #[test]
    fn never_panics(text in "(?s).{0,400}") {
        let _ = read_text(&text);
    }

    #[test]
    fn never_panics_on_cut_text(cut in 0usize..WRAPPED.len(), extra in "[\\x0c\\n \\-\u{ad}é•]{0,6}") {
        let cut = (0..=cut).rev().find(|&at| WRAPPED.is_char_boundary(at)).unwrap_or(0);
        let (head, tail) = WRAPPED.split_at(cut);
        for block in read_text(&format!("{head}{extra}{tail}")).into_iter().flat_map(|draft| draft.blocks) {
            for (at, _) in &block.pages {
                prop_assert!(block.text.is_char_boundary(*at));
            }
        }
    }
}
