use precedent_domain::{PaperFormat, PaperOrigin, ParagraphKind, SectionKind};
use proptest::prelude::*;

use super::assemble;
use crate::budget::ReadBudget;
use crate::draft::{Block, Draft, HeadingHint};

fn origin() -> PaperOrigin {
    PaperOrigin {
        file_name: "paper.txt".to_owned(),
        format: PaperFormat::Text,
        sha256: "0".repeat(64),
        bytes: 1,
    }
}

fn draft(blocks: &[(ParagraphKind, &str)]) -> Draft {
    Draft {
        blocks: blocks.iter().map(|(kind, text)| Block::new(*kind, *text)).collect(),
        ..Draft::default()
    }
}

const ABSTRACT: &str = "We show that trees can be parsed in linear time when the grammar is small, and we prove that no parser is faster than ours.";

#[test]
fn a_draft_becomes_a_paper() {
    use ParagraphKind::{Body, FrontMatter, Heading};
    let mut given = draft(&[
        (FrontMatter, "Parsing Trees in Linear Time"),
        (FrontMatter, "Ann Lee and Bob Roy"),
        (Heading, "Abstract"),
        (Body, ABSTRACT),
        (Heading, "1 Introduction"),
        (Body, "Trees are old."),
        (Heading, "1.1 Contributions"),
        (Body, "We are fast."),
        (Heading, "2 Experiments"),
        (Body, "We ran it."),
        (Heading, "References"),
        (Body, "[1] A. Lee. Trees. 2019."),
        (Heading, "A Proofs"),
        (Body, "By induction."),
    ]);
    given.blocks[0].pages = vec![(0, 1)];
    given.blocks[5].pages = vec![(0, 1), (6, 2)];
    let paper = assemble(given, origin(), &ReadBudget::default());
    paper.document.check().unwrap();
    assert_eq!(paper.title.as_deref(), Some("Parsing Trees in Linear Time"));
    assert_eq!(paper.abstract_text(), Some(ABSTRACT));
    let sections: Vec<_> = paper
        .document
        .sections
        .iter()
        .map(|section| {
            (
                section.heading.as_str(),
                section.number.as_deref(),
                section.level,
                section.kind,
            )
        })
        .collect();
    assert_eq!(
        sections,
        [
            ("", None, 1, SectionKind::FrontMatter),
            ("Abstract", None, 1, SectionKind::Abstract),
            ("Introduction", Some("1"), 1, SectionKind::Introduction),
            ("Contributions", Some("1.1"), 2, SectionKind::Introduction),
            ("Experiments", Some("2"), 1, SectionKind::Experiments),
            ("References", None, 1, SectionKind::References),
            ("Proofs", Some("A"), 1, SectionKind::Appendix),
        ]
    );
    assert_eq!(paper.document.pages.len(), 2);
    let turn = paper.document.text.find("are old").unwrap();
    assert_eq!(paper.document.page_at(turn), Some(2));
    assert_eq!(paper.document.page_at(turn - 1), Some(1));
}

#[test]
fn an_abstract_may_begin_on_the_line_of_its_label() {
    use ParagraphKind::{Body, Heading};
    for start in [
        "Abstract—",
        "Abstract. ",
        "ABSTRACT: ",
        "Abstract - ",
        "Abstract\u{2014} ",
    ] {
        let text = format!("{start}{ABSTRACT} Index Terms—trees, parsing");
        let paper = assemble(
            draft(&[
                (Body, "Parsing trees in linear time"),
                (Body, &text),
                (Heading, "I. INTRODUCTION"),
                (Body, "Old."),
            ]),
            origin(),
            &ReadBudget::default(),
        );
        paper.document.check().unwrap();
        assert_eq!(paper.abstract_text(), Some(ABSTRACT), "{start}");
    }
}

#[test]
fn without_heading_the_first_long_paragraph_is_the_abstract() {
    use ParagraphKind::{Body, Heading};
    let long = format!("{ABSTRACT} {ABSTRACT}");
    let paper = assemble(
        draft(&[
            (Body, "Parsing trees in linear time"),
            (Body, &long),
            (Heading, "1 Introduction"),
            (Body, "Old."),
        ]),
        origin(),
        &ReadBudget::default(),
    );
    assert_eq!(paper.abstract_text(), Some(long.as_str()));
}

#[test]
fn markup_takes_precedence_over_heading_words() {
    use ParagraphKind::{Body, Heading};
    let mut given = draft(&[
        (Heading, "Synopsis"),
        (Body, ABSTRACT),
        (Heading, "Trees"),
        (Body, "Old."),
    ]);
    given.title = Some("Parsing".to_owned());
    given.blocks[0].heading = Some(HeadingHint {
        level: Some(1),
        kind: Some(SectionKind::Abstract),
    });
    let paper = assemble(given, origin(), &ReadBudget::default());
    assert_eq!(paper.abstract_text(), Some(ABSTRACT));
    assert_eq!(paper.document.sections[0].kind, SectionKind::Abstract);
}

#[test]
fn false_headings_are_demoted() {
    use ParagraphKind::{Body, Heading, Table};
    let paper = assemble(
        draft(&[
            (Heading, "Contents"),
            (Heading, "1 Introduction 2"),
            (Heading, "2 Trees 4"),
            (Heading, "3 Woods 9"),
            (Heading, "References 14"),
            (Heading, "1 Introduction"),
            (Body, "Trees are old."),
            (Heading, "Our work is moti-"),
            (Body, "vated by trees."),
            (Heading, "2 Trees"),
            (Heading, "BLEU NIST METEOR"),
            (Table, "1 2 3"),
            (Body, "They grow."),
            (Heading, "3 Woods"),
            (Heading, "3.1 Overview"),
            (Body, "They stand."),
            (Heading, "4 Summary"),
            (Body, "Trees are trees."),
            (Heading, "A Proof"),
            (Body, "By induction."),
            (Heading, "References"),
            (Body, "[1] A. Lee. Trees. 2019."),
        ]),
        origin(),
        &ReadBudget::default(),
    );
    paper.document.check().unwrap();
    let shown: Vec<_> = paper
        .document
        .sections
        .iter()
        .skip(1)
        .map(|section| {
            (
                section.number.as_deref().unwrap_or(""),
                section.heading.as_str(),
                section.kind,
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("1", "Introduction", SectionKind::Introduction),
            ("2", "Trees", SectionKind::Other),
            ("3", "Woods", SectionKind::Other),
            ("3.1", "Overview", SectionKind::Other),
            ("4", "Summary", SectionKind::Conclusion),
            ("A", "Proof", SectionKind::Appendix),
            ("", "References", SectionKind::References),
        ]
    );
    assert!(paper.document.text.contains("Our work is motivated by trees."));
    assert_eq!(paper.references.len(), 1);
}

#[test]
fn a_footnote_stays_on_its_page() {
    use ParagraphKind::{Body, Footnote};
    let mut given = draft(&[
        (Body, "First page."),
        (Body, "Turns the page here."),
        (Footnote, "¹ A note."),
        (Body, "Second page."),
    ]);
    given.blocks[0].pages = vec![(0, 1)];
    given.blocks[1].pages = vec![(0, 1), (10, 2)];
    given.blocks[2].pages = vec![(0, 1)];
    given.blocks[3].pages = vec![(0, 2)];
    let paper = assemble(given, origin(), &ReadBudget::default());
    assert_eq!(paper.document.pages.len(), 2);
    assert_eq!(
        paper.document.page_at(paper.document.text.find("A note").unwrap()),
        Some(1)
    );
    assert_eq!(
        paper.document.page_at(paper.document.text.find("Second").unwrap()),
        Some(2)
    );
}

fn any_kind() -> impl Strategy<Value = ParagraphKind> {
    prop_oneof![
        Just(ParagraphKind::FrontMatter),
        Just(ParagraphKind::Heading),
        Just(ParagraphKind::Body),
        Just(ParagraphKind::DisplayMath),
        Just(ParagraphKind::Reference),
        Just(ParagraphKind::Footnote),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,60}",
        ".{0,80}",
        "(References|Abstract|1 Introduction|\\[1\\]|\\[2, 3-5\\]|Lee, A\\.|2019|\\(Lee et al\\., 2019\\)|A\\. Trees\\.|[ \n.,;—]){0,30}",
    ]
}

proptest! {
    #[test]
    fn all_spans_fit_the_text(blocks in prop::collection::vec((any_kind(), any_text(), prop::collection::vec((0usize..90, 1u32..5), 0..3)), 0..25)) {
        let blocks = blocks
            .into_iter()
            .map(|(kind, text, mut pages)| {
                pages.sort_unstable();
                let mut block = Block::new(kind, text);
                block.pages = pages;
                block
            })
            .collect();
        let paper = assemble(Draft { blocks, ..Draft::default() }, origin(), &ReadBudget::default());
        prop_assert_eq!(paper.document.check(), Ok(()));
        for paragraph in &paper.document.paragraphs {
            prop_assert!(paper.document.sections.iter().any(|section| section.span.contains(paragraph.span)));
        }
        if let Some(span) = paper.abstract_span {
            prop_assert!(paper.document.slice(span).is_some());
        }
        for reference in &paper.references {
            prop_assert!(paper.document.slice(reference.span).is_some());
        }
        for mark in &paper.citations {
            prop_assert!(paper.document.slice(mark.span).is_some());
            prop_assert!(mark.references.iter().all(|number| paper.references.iter().any(|entry| entry.number == *number)));
        }
    }
}
