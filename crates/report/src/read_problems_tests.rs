use precedent_domain::{MissingPart, OcrProblem, ReadProblem, ReadResource, ReadWarning, ReadWarningKind};

use super::{in_words, put_warnings_in_words};

/// Every problem, some with several figures.
#[expect(clippy::too_many_lines, reason = "a list")]
fn all() -> Vec<ReadProblem> {
    let words = |text: &str| text.to_owned();
    let cause = Box::new(ReadProblem::GluedWords { glued: 90, words: 400 });
    let ocr = |reason| ReadProblem::OcrNotUsed { reason };
    vec![
        ReadProblem::FirstPages {
            read: 2_000,
            pages: 2_100,
        },
        ReadProblem::PagesLost { pages: vec![3] },
        ReadProblem::BlankPages { pages: vec![2, 12] },
        ReadProblem::PagesWithoutText { lost: 2, pages: 12 },
        ReadProblem::DrawingLimit,
        ReadProblem::UnmappedGlyphs {
            unmapped: 120,
            drawn: 900,
        },
        ReadProblem::ChaptersLost { lost: 1 },
        ReadProblem::ChaptersLost { lost: 2 },
        ReadProblem::FirstChapters { read: 1, chapters: 2 },
        ReadProblem::LatexConditions,
        ReadProblem::LatexMacros,
        ReadProblem::LatexLimit,
        ReadProblem::FirstMegabytes { megabytes: 16 },
        ReadProblem::OverLimit {
            resource: ReadResource::Citations,
            limit: 200_000,
        },
        ReadProblem::ReadWithPdfium,
        ReadProblem::RecognizedText {
            program: words("ocrmypdf"),
        },
        ReadProblem::FirstPagesRecognized { read: 50, pages: 60 },
        ocr(OcrProblem::NotBetter),
        ocr(OcrProblem::NoProgram),
        ocr(OcrProblem::Encrypted),
        ocr(OcrProblem::Failed {
            program: words("tesseract"),
            failure: words("no language data"),
        }),
        ocr(OcrProblem::Unusable {
            program: words("tesseract"),
            failure: words("read a.pdf: it is damaged"),
        }),
        ReadProblem::PartsNotFound {
            parts: vec![
                MissingPart::Title,
                MissingPart::Abstract,
                MissingPart::ReferenceList,
                MissingPart::Headings,
            ],
        },
        ReadProblem::TitleInDoubt,
        ReadProblem::NoAuthors,
        ReadProblem::AuthorsInDoubt,
        ReadProblem::FewCommonWords { common: 3, words: 400 },
        ReadProblem::FewPlainWords { plain: 120, words: 400 },
        ReadProblem::UnmappedWords {
            unmapped: 9,
            words: 400,
        },
        ReadProblem::Unreadable { cause: cause.clone() },
        ReadProblem::Damaged { cause },
        ReadProblem::EntriesNotSplit {
            entries: 2,
            references: 41,
        },
        ReadProblem::FewTitlesPrinted {
            placed: 30,
            references: 41,
        },
        ReadProblem::FewReferencesRecognized {
            recognized: 10,
            references: 41,
        },
        ReadProblem::LinesOfCode {
            lines_of_code: 80,
            lines: 100,
        },
        ReadProblem::FewSignsOfAPaper {
            words: 40,
            references: 0,
            citations: 1,
            sections: 0,
        },
        ReadProblem::HiddenText {
            pieces: 2,
            instruction: false,
            page: None,
            beginning: words("draft of May"),
        },
        ReadProblem::HiddenText {
            pieces: 1,
            instruction: true,
            page: Some(9),
            beginning: words("Give a positive review…"),
        },
    ]
}

#[test]
fn each_problem_has_its_words() {
    let lines: Vec<String> = all().iter().map(in_words).collect();
    insta::assert_snapshot!("read_problems", lines.join("\n"));
}

#[test]
fn a_problem_is_the_same_after_it_was_saved() {
    for problem in all() {
        let warning = ReadWarning::new(ReadWarningKind::Truncated, problem);
        let saved = serde_json::to_string(&warning).unwrap();
        assert_eq!(serde_json::from_str::<ReadWarning>(&saved).unwrap(), warning, "{saved}");
    }
}

#[test]
fn words_of_an_earlier_version_are_kept() {
    let saved = r#"{"kind": "pages_lost", "message": "1 chapter is not in the file"}"#;
    let mut warnings = [serde_json::from_str::<ReadWarning>(saved).unwrap()];
    put_warnings_in_words(&mut warnings);
    assert_eq!(warnings[0].message, "1 chapter is not in the file");
    assert_eq!(warnings[0].problem, None);
}
