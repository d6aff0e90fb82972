//! Reports contain no local folders and no links except web addresses.

use precedent_domain::{
    DateOrigin, Gap, NotSearched, NotSearchedKind, OcrProblem, ReadProblem, ReadWarning, ReadWarningKind, SourceReport,
};
use precedent_report::{default_formats, read_assessment, render};

#[test]
fn no_local_path_and_no_local_link_reaches_any_format() {
    let mut case = crate::fixture::full();
    case.original_paper.origin.file_name = "/home/ann/secret/paper.pdf".into();
    case.original_paper.title_found = false;
    case.original_paper.title = "C:\\Users\\ann\\secret\\paper.pdf".into();
    let failed = ReadProblem::OcrNotUsed {
        reason: OcrProblem::Failed {
            program: "tesseract".into(),
            failure: "cannot open /home/ann/secret/page.png".into(),
        },
    };
    let hidden = ReadProblem::HiddenText {
        pieces: 1,
        instruction: false,
        page: None,
        beginning: "saved as /home/ann/secret/draft.tex".into(),
    };
    let damaged = ReadProblem::Damaged {
        cause: Box::new(failed.clone()),
    };
    let mut warnings = vec![ReadWarning {
        kind: ReadWarningKind::Truncated,
        message: "read /home/ann/secret/paper.pdf in part".into(),
        problem: None,
    }];
    warnings.extend([&failed, &hidden, &damaged].map(|one| ReadWarning::new(ReadWarningKind::Garbled, one.clone())));
    case.original_paper.warnings = warnings;
    case.original_paper.quality.problems = vec![damaged, failed.clone()];
    case.metadata
        .not_searched
        .push(Gap::PartOfPaper { problem: failed }.into());
    case.references.candidates[0].work.url = Some("file:///home/ann/secret/x.pdf".into());
    case.references.candidates[1].found_by = vec!["/home/ann/secret/corpus.jsonl".into()];
    case.references.candidates[1].work.dates[0].origin = DateOrigin::Record("/home/ann/secret/corpus.jsonl".into());
    case.references.set_aside[0].url = Some("javascript:alert('secret')".into());
    case.metadata.sources.push(SourceReport {
        name: "~/secret/corpus.jsonl".into(),
        works: None,
        full_texts: None,
        answered: 0,
        partial: 0,
        unanswered: 0,
        failures: vec!["could not open '/home/ann/secret/corpus.jsonl': no such file".into()],
        own_text: false,
    });
    case.metadata.not_searched.push(NotSearched {
        kind: NotSearchedKind::SourceFailed,
        message: "The source at ../secret/corpus.jsonl failed.".into(),
        scope: None,
        gap: None,
    });
    for format in default_formats() {
        let text = String::from_utf8(render(&case, format).unwrap()).unwrap();
        for bad in ["secret", "/home", "Users", "file:", "javascript:"] {
            assert!(!text.contains(bad), "{bad} in {}", format);
        }
        assert!(text.contains("corpus.jsonl"), "{}", format);
    }
}

#[test]
fn publishing_twice_changes_nothing() {
    for case in [crate::fixture::full(), crate::fixture::hostile()] {
        for format in default_formats() {
            let json = render(&case, "json").unwrap();
            let published = read_assessment(&json).unwrap();
            assert!(
                render(&published, format).unwrap() == render(&case, format).unwrap(),
                "{}",
                format
            );
        }
    }
}
