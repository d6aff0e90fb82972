use std::collections::BTreeSet;

use precedent_domain::{
    MissingPart, OcrProblem, ParseQuality, ReadProblem, ReadResource, ReadWarning, ReadWarningKind,
};

use super::{in_words, put_reading_in_words};

/// Every problem, some with several figures.
fn all() -> Vec<ReadProblem> {
    let words = |text: &str| text.to_owned();
    let cause = Box::new(ReadProblem::GluedWords { glued: 90, words: 400 });
    let ocr = |reason| ReadProblem::OcrNotUsed { reason };
    let mut problems = vec![
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
        ReadProblem::GluedWords { glued: 1, words: 400 },
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
    ];
    problems.extend(resources().map(|resource| ReadProblem::OverLimit {
        resource,
        limit: 200_000,
    }));
    problems
}

/// The strings that a schema lists, each as `const` at `pointer`.
fn listed(schema: &serde_json::Value, pointer: &str) -> BTreeSet<String> {
    let values = schema["oneOf"].as_array().unwrap().iter();
    values
        .filter_map(|one| Some(one.pointer(pointer)?.as_str()?.to_owned()))
        .collect()
}

fn resources() -> impl Iterator<Item = ReadResource> {
    let schema = schemars::schema_for!(ReadResource).to_value();
    listed(&schema, "/const")
        .into_iter()
        .map(|name| serde_json::from_value(name.into()).unwrap())
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
fn the_list_of_problems_is_complete() {
    let codes = listed(&schemars::schema_for!(ReadProblem).to_value(), "/properties/code/const");
    let shown: BTreeSet<String> = all()
        .iter()
        .map(|one| serde_json::to_value(one).unwrap()["code"].as_str().unwrap().to_owned())
        .collect();
    assert!(codes.len() > 30, "{codes:?}");
    assert_eq!(codes, shown);
    assert_eq!(resources().count(), 16);
}

#[test]
fn reasons_are_written_from_codes() {
    let mut quality = ParseQuality {
        problems: vec![ReadProblem::NoAuthors],
        ..ParseQuality::without_doubts()
    };
    put_reading_in_words(&mut [], &mut quality);
    assert_eq!(quality.reasons, ["no authors found under the title"]);
    let saved = serde_json::to_string(&quality).unwrap();
    assert_eq!(serde_json::from_str::<ParseQuality>(&saved).unwrap(), quality);
}

#[test]
fn words_of_an_earlier_version_are_kept() {
    let saved = r#"{"kind": "pages_lost", "message": "1 chapter is not in the file"}"#;
    let mut warnings = [serde_json::from_str::<ReadWarning>(saved).unwrap()];
    let mut quality: ParseQuality = serde_json::from_str(r#"{"score": 0.9, "reasons": ["no title found"]}"#).unwrap();
    put_reading_in_words(&mut warnings, &mut quality);
    assert_eq!(warnings[0].message, "1 chapter is not in the file");
    assert_eq!(warnings[0].problem, None);
    assert_eq!(quality.reasons, ["no title found"]);
}
