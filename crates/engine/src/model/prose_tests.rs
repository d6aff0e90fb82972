use precedent_domain::Document;

use super::*;

#[test]
fn addresses_markup_and_deceptive_characters_are_not_plain() {
    for bad in [
        "see https://evil.example/x",
        "see HTTP:/evil",
        "see www.evil",
        "go to evil.com now",
        "[here](x)",
        "<b>bold</b>",
        "<img src=x>",
        "javascript: alert(1)",
        "a\u{202e}b",
        "tag \u{e0041}",
        "`rm`",
        "write to me@evil.org",
        "read /etc/passwd",
        "&lt;b&gt;",
        "{{ key }}",
        "see doi 10.1000/182",
        "see arXiv:2101.00001",
        "# Verdict",
        "> It is quoted.",
        "",
        " \n",
        "a\u{0}b",
    ] {
        assert!(plain("it", bad).is_err(), "{bad:?}");
    }
    for fine in [
        "It treats ropes, e.g. hemp, as springs.",
        "C++ and C# at 3.5 < 4.0",
        "a loss of 1/2 (see Knuth 1989[3])",
        "β-VAE: a model.",
        "A and/or B",
        "[2] > [1]",
    ] {
        assert_eq!(plain("it", fine), Ok(()), "{fine:?}");
    }
}

#[test]
fn a_text_does_not_repeat_a_sentence() {
    let check = |paragraphs: &[&str]| {
        let paragraphs: Vec<String> = paragraphs.iter().map(|&text| text.to_owned()).collect();
        Prose::default().citing_freely().check_paragraphs(&paragraphs)
    };
    let fine = [
        "It treats ropes as springs. It treats ropes as springs in winter. RopeNet[3]",
        "Others do not. The change is -3 in winter of that year.",
        "Others do not. The change is 3 in winter of that year. RopeNet[3]",
    ];
    assert_eq!(check(&fine), Ok(()));
    let within = "It treats ropes as springs. Others use chains. It treats ropes  as springs.";
    let Violation(why) = check(&[within]).unwrap_err();
    assert!(why.contains("a sentence occurs twice: It treats ropes"), "{why}");
    assert!(check(&["It treats ropes as springs.", "It treats ropes as springs."]).is_err());
}

fn source() -> QuotableDocument {
    QuotableDocument::new(Document::from_abstract(
        "T",
        Some("We treat the rope as a spring whose stiffness drifts. It held for 37 % of 4,800 hours."),
    ))
}

/// Every style of quotation marks.
const STYLES: [(&str, &str); 19] = [
    ("“", "”"),
    ("\"", "\""),
    ("„", "“"),
    ("”", "”"),
    ("«", "»"),
    ("« ", " »"),
    ("»", "«"),
    ("‹", "›"),
    ("「", "」"),
    ("『", "』"),
    ("《", "》"),
    ("＂", "＂"),
    ("″", "″"),
    ("'", "'"),
    ("‘", "’"),
    ("‚", "‘"),
    ("’", "’"),
    ("''", "''"),
    ("´", "´"),
];

#[test]
fn quotes_in_any_style_must_be_in_a_source() {
    let source = source();
    let prose = Prose::of(&[&source]);
    for (open, close) in STYLES {
        for located in ["treat the rope as a spring whose stiffness drifts", "Rope", "the rope"] {
            let text = format!("It says {open}{located}{close} there.");
            assert_eq!(prose.check("it", &text), Ok(()), "{text}");
        }
        for invented in [
            "treat the chain as a spring whose colour drifts",
            "chain",
            "rop",
            "spring rope",
        ] {
            let text = format!("It says {open}{invented}{close} there.");
            assert!(prose.check("it", &text).is_err(), "{text}");
        }
    }
    let apostrophes = "The rope's load doesn’t drift, the authors' spring does: it isn't theirs.";
    assert_eq!(prose.check("it", apostrophes), Ok(()));
    let given = Prose::of(&[]).given(["we were the first to do all of this"]);
    assert_eq!(given.check("it", "It says \"the first to do all of this\"."), Ok(()));
    assert!(
        Prose::default()
            .check("it", "It says \"the first to do all of this\".")
            .is_err()
    );
}

#[test]
fn figures_must_be_given() {
    let source = source();
    let prose = Prose::of(&[&source]).dated([2019]);
    for given in [
        "It held for 37 % of 4800 hours.",
        "Since 2019 it holds.",
        "Two of 3 readers doubt it.",
    ] {
        assert_eq!(prose.check("it", given), Ok(()), "{given}");
    }
    for invented in [
        "An accuracy of 2987.68 %.",
        "It is 5 times as fast.",
        "Since 2020.",
        "In 48 hours.",
    ] {
        assert!(prose.check("it", invented).is_err(), "{invented}");
    }
    assert!(
        prose
            .clone()
            .strict()
            .check("it", "Two of 3 readers doubt it.")
            .is_err()
    );
}

#[test]
fn citations_must_be_in_the_list_under_their_own_names() {
    let works = BTreeMap::from([(3, "Knuth 1989".to_owned()), (4, "Roy 2001".to_owned())]);
    assert!(citations("it", "As Knuth 1989[3] and Roy 2001[4] say.", &works, 2).is_ok());
    for bad in [
        "Knuth 1989[4]",
        "Knuth 1989[9]",
        "[3]",
        "Knuth 1989[3, 4]",
        "Knuth 1989[x]",
    ] {
        assert!(citations("it", bad, &works, 0).is_err(), "{bad}");
    }
    assert!(citations("it", "Knuth 1989[3]", &works, 2).is_err());
    let numbered = Prose::of(&[]).numbering([3, 4]);
    assert_eq!(numbered.check("it", "As [3] and [3, 4] say."), Ok(()));
    for bad in [
        "As [9999] says.",
        "As Fakename[9998] says.",
        "As [3, 5] says.",
        "As [3 says",
    ] {
        let known = bad == "As [3 says";
        assert_eq!(numbered.check("it", bad).is_ok(), known, "{bad}");
    }
    assert!(Prose::default().check("it", "As [3] says.").is_err());
}

#[test]
fn verdicts_are_refused_unless_requested() {
    for bad in [
        "It is not novel.",
        "We recommend rejection.",
        "A score of 3.",
        "It should be accepted",
        "8/10",
    ] {
        assert!(verdictless("it", bad).is_err(), "{bad}");
    }
    assert!(verdictless("it", "The work has the method, on other data.").is_ok());
    assert_eq!(Prose::default().judging().check("it", "It is not novel."), Ok(()));
}

#[test]
fn figures_are_normalized() {
    assert_eq!(
        figures("1,200 tugs at 0.50 m, 12 % of 007, 3.14."),
        ["1200", "0.5", "12", "7", "3.14"]
    );
    assert!(figures("no figure").is_empty());
}

#[test]
fn a_phrase_is_not_a_sentence() {
    for phrase in [
        "slack-aware coding for ropes",
        "Find papers about taut ropes in heavy swell",
    ] {
        assert!(is_phrase(phrase), "{phrase}");
    }
    for sentence in [
        "The authors decode the rope in every frame",
        "Ropes are slack.",
        "This idea is novel",
    ] {
        assert!(!is_phrase(sentence), "{sentence}");
    }
}
