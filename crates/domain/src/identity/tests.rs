use super::*;

#[test]
fn title_keys_of_different_titles_differ() {
    for (a, b) in [
        ("β-VAE", "VAE"),
        ("C++", "C#"),
        ("基于深度学习的 BERT 模型", "面向法律文本的 BERT 应用"),
        ("QA", "Q&A 2"),
    ] {
        assert_ne!(title_key(a), title_key(b), "{a} / {b}");
    }
    assert_eq!(
        title_key("Graph-Based  Parsing:\u{a0}A Survey"),
        title_key("Graph based parsing – a survey")
    );
}

#[test]
fn names_match_unless_their_printed_parts_differ() {
    let same = |a: &str, b: &str| same_person(&Author::new(a), &Author::new(b));
    for (a, b) in [
        ("Elin Marsh", "Marsh, Elin"),
        ("E. Marsh", "Elin Marsh"),
        ("Xiao Ming Li", "Xiaoming Li"),
        ("Xiao-Ming Li", "Xiaoming Li"),
        ("Jürgen Müller", "Jurgen Muller"),
        ("Marsh", "Elin Marsh"),
    ] {
        assert!(same(a, b) && same(b, a), "{a} / {b}");
    }
    for (a, b) in [
        ("Elin Marsh", "Tomas Marsh"),
        ("Wei Wang", "Weijia Wang"),
        ("E. Marsh", "T. Marsh"),
        ("", ""),
    ] {
        assert!(!same(a, b), "{a} / {b}");
    }
}

#[test]
fn a_shared_title_alone_is_not_the_same_work() {
    let none = Identifiers::default();
    let dated = |year: &str| {
        vec![PublicationDate {
            date: year.parse().unwrap(),
            origin: crate::DateOrigin::Given,
        }]
    };
    let (ann, bob) = ([Author::new("Ann Lee")], [Author::new("Bob Roy")]);
    let (early, late) = (dated("2018"), dated("2019"));
    fn of<'a>(authors: &'a [Author], dates: &'a [PublicationDate], identifiers: &'a Identifiers) -> Identity<'a> {
        Identity {
            title: "Introduction to the special issue",
            authors,
            dates,
            identifiers,
            summary: None,
        }
    }
    assert!(is_same_work(of(&ann, &early, &none), of(&ann, &late, &none)));
    assert!(!is_same_work(of(&ann, &early, &none), of(&bob, &early, &none)));
    assert!(!is_same_work(of(&ann, &early, &none), of(&[], &late, &none)));
}

fn same(title: &str, a: (&[&str], &str), b: (&[&str], &str)) -> bool {
    let none = Identifiers::default();
    let authors = |names: &[&str]| names.iter().map(|name| Author::new(name)).collect::<Vec<_>>();
    let dates = |year: &str| {
        let date = year.parse().ok();
        date.map(|date| PublicationDate {
            date,
            origin: crate::DateOrigin::Given,
        })
        .into_iter()
        .collect::<Vec<_>>()
    };
    let (a_authors, b_authors, a_dates, b_dates) = (authors(a.0), authors(b.0), dates(a.1), dates(b.1));
    let one = Identity {
        title,
        authors: &a_authors,
        dates: &a_dates,
        identifiers: &none,
        summary: None,
    };
    let other = Identity {
        title,
        authors: &b_authors,
        dates: &b_dates,
        identifiers: &none,
        summary: None,
    };
    let answer = is_same_work(one, other);
    assert_eq!(answer, is_same_work(other, one), "the order of the two does not matter");
    answer
}

#[test]
fn versions_of_a_work_match_however_their_authors_are_printed() {
    let title = "Learning to align and translate";
    for (a, b) in [
        (
            (&["Ann Lee", "Bob Roy"][..], "2014"),
            (&["A. Lee", "Bob Q. Roy"][..], "2015"),
        ),
        (
            (&["Bob Roy", "Ann Lee", "Eve Poe"], "2017"),
            (&["Ann Lee", "Eve Poe", "Bob Roy"], "2017"),
        ),
        (
            (&["Ann Lee", "Bob Roy"], "2006"),
            (&["Ann Lee", "Bob Roy", "Ann Lee", "Bob Roy"], "2015"),
        ),
        (
            (&["David H. Lee Bob Roy"], "2009"),
            (&["David H. Lee", "Bob Roy"], "2010"),
        ),
        ((&["Anders Sørensen"], "2009"), (&["Anders Sorensen"], "2010")),
        ((&["Serban E. Vlad"], "2004"), (&["Serban E. Vlad"], "2008")),
        ((&["Zhang Wei"], "2019"), (&["Wei Zhang"], "2019")),
        ((&["Anonymous"], "2018"), (&["Ann Lee"], "2018")),
    ] {
        assert!(same(title, a, b), "{a:?} / {b:?}");
    }
    assert!(same(
        "Неглубокий синтаксический разбор русского",
        (&["Иван Петров"], "2018"),
        (&["И. Петров"], "2019")
    ));
    assert!(same(
        "基于深度学习的机器翻译",
        (&["张 伟"], "2018"),
        (&["张 伟"], "2019")
    ));
}

#[test]
fn different_works_with_one_title_do_not_match() {
    let title = "Discussion of a statistical analysis of things";
    for (a, b) in [
        ((&["Ann Lee"][..], "2011"), (&["Bob Roy"][..], "2011")),
        ((&["Ann White"], "2014"), (&["Gentry White"], "2014")),
        (
            (&["Abla Mawu", "Michael Blench"], "2005"),
            (&["Michael Blench"], "2008"),
        ),
        ((&["Ann Lee"], "2012"), (&["Yan Chen", "Ann Lee", "Eve Poe"], "2017")),
        ((&["Ann Lee"], "1999"), (&["Ann Lee"], "2015")),
        ((&[], "2011"), (&["Bob Roy"], "2012")),
        ((&["Anonymous"], "2018"), (&["Ann Lee"], "2019")),
    ] {
        assert!(!same(title, a, b), "{a:?} / {b:?}");
    }
    assert!(!same("Editorial", (&["Ann Lee"], "2018"), (&["Ann Lee"], "2018")));
    assert!(!same("QA", (&[], "2018"), (&[], "2018")));
}

#[test]
fn a_gap_inside_a_word_does_not_change_the_title() {
    let key = title_key;
    assert!(is_same_title(
        &key("Multi-Agent Pre-training"),
        &key("Multiagent Pretraining")
    ));
    assert!(!is_same_title(&key("Parsing, part 1"), &key("Parsing, part 2")));
    assert!(!is_same_title(&key("β-VAE"), &key("VAE")));
    assert!(!is_same_title(&key("C++ in practice"), &key("C# in practice")));
}

/// A date with this year, as a list.
fn dated(year: &str) -> [PublicationDate; 1] {
    [PublicationDate {
        date: year.parse().unwrap(),
        origin: crate::DateOrigin::Given,
    }]
}

/// Identifiers with this arXiv number, or none.
fn numbered(number: Option<&str>) -> Identifiers {
    Identifiers {
        arxiv: number.map(|number| number.parse().unwrap()),
        ..Identifiers::default()
    }
}

/// Whether two records with title, year and abstract, by the same two authors, are the same work.
fn same_titled(a: (&str, &str, Option<&str>), b: (&str, &str, Option<&str>), numbers: Option<(&str, &str)>) -> bool {
    let authors = [Author::new("Ann Lee"), Author::new("Bob Roy")];
    let (a_dates, b_dates) = (dated(a.1), dated(b.1));
    let (a_number, b_number) = (numbered(numbers.map(|two| two.0)), numbered(numbers.map(|two| two.1)));
    let one = Identity {
        title: a.0,
        authors: &authors,
        dates: &a_dates,
        identifiers: &a_number,
        summary: a.2,
    };
    let other = Identity {
        title: b.0,
        dates: &b_dates,
        identifiers: &b_number,
        summary: b.2,
        ..one
    };
    let answer = is_same_work(one, other);
    assert_eq!(answer, is_same_work(other, one), "the order of the two does not matter");
    answer
}

const ROPES: &str = "A rope that hangs between two buoys carries symbols if both ends know how it swings; we show how to predict that \
                     from recent swell and place every pulse where it is taut, without any clock at all.";
const CREEP: &str = "Under load a polymer rope grows longer over weeks. This paper measures such growth on nine moorings, fits three \
                     models known from materials science, and gives tables for engineers who must choose lengths.";

#[test]
fn a_sequel_is_another_work_and_a_version_is_not() {
    let title = "Signalling along ropes in swell";
    for (subtitle, abstracts, wanted) in [
        ("Signalling along ropes in swell: Part II", (ROPES, CREEP), false),
        (
            "Signalling along ropes in swell: the case of heavy swell",
            (ROPES, CREEP),
            false,
        ),
        (
            "Signalling along ropes in swell: an approach without clocks",
            (ROPES, ROPES),
            true,
        ),
        (
            "Signalling along ropes in swell - Extended Abstract",
            (ROPES, CREEP),
            true,
        ),
        ("Signaling along ropes in swell", (ROPES, ROPES), true),
        ("Signaling along ropes in swell", (ROPES, CREEP), false),
    ] {
        let (mine, theirs) = (
            (title, "2018", Some(abstracts.0)),
            (subtitle, "2019", Some(abstracts.1)),
        );
        assert_eq!(same_titled(mine, theirs, None), wanted, "{subtitle}");
    }
    // Without abstracts, a work cannot be distinguished from its sequel.
    let sequel = "Signalling along ropes in swell: an approach without clocks";
    assert!(!same_titled((title, "2018", None), (sequel, "2018", None), None));
    assert!(same_titled(
        (title, "2018", None),
        ("Signaling along ropes in swell", "2018", None),
        None
    ));
    // If the years are far apart, a title with a typo is a new work.
    let slip = ("Signaling along ropes in swell", "2021", Some(ROPES));
    assert!(!same_titled((title, "2018", Some(ROPES)), slip, None));
}

#[test]
fn two_numbers_in_one_archive_are_one_work_only_with_the_same_abstract() {
    let title = "Signalling along ropes in swell";
    let (one, like, other) = (
        (title, "2007", Some(ROPES)),
        (title, "2007", Some(ROPES)),
        (title, "2007", Some(CREEP)),
    );
    let numbers = Some(("0705.1272", "0708.3896"));
    assert!(same_titled(one, like, numbers));
    assert!(!same_titled(one, other, numbers));
    assert!(same_titled(one, other, Some(("0705.1272v1", "arXiv:0705.1272v2"))));
    assert!(same_titled(one, other, None));
}

#[test]
fn a_mistyped_doi_does_not_match_works() {
    let identifiers = |doi: &str, arxiv: Option<&str>| Identifiers {
        doi: Some(doi.parse().unwrap()),
        arxiv: arxiv.map(|number| number.parse().unwrap()),
        ..Identifiers::default()
    };
    let (ann, bob, none) = (
        [Author::new("Ann Lee")],
        [Author::new("Bob Roy")],
        Identifiers::default(),
    );
    let of = |title, authors, identifiers, summary| Identity {
        title,
        authors,
        dates: &[],
        identifiers,
        summary: Some(summary),
    };
    let plain = identifiers("10.5121/ijnsa", None);
    let (first, second) = (
        identifiers("10.1109/x.2013.1", Some("1305.3351")),
        identifiers("10.1109/x.2013.1", Some("1404.6766")),
    );
    let (ropes, creep) = ("Signalling along ropes in swell", "Creep of moored lines under load");
    for (one, other, wanted) in [
        (
            of(ropes, &ann[..], &plain, ROPES),
            of(creep, &bob[..], &plain, CREEP),
            false,
        ),
        (of(ropes, &ann, &plain, ROPES), of(creep, &ann, &plain, CREEP), true),
        (of(ropes, &ann, &plain, ROPES), of(ropes, &bob, &plain, ROPES), true),
        (of(ropes, &ann, &plain, ROPES), of("", &[], &plain, ""), true),
        (
            of(ropes, &ann, &plain, ROPES),
            of("沿绳索的信号", &bob, &plain, ROPES),
            true,
        ),
        (of(ropes, &ann, &first, ROPES), of(creep, &ann, &second, CREEP), false),
        (of(ropes, &ann, &first, ROPES), of(creep, &ann, &second, ROPES), true),
        (of(ropes, &ann, &first, ROPES), of(creep, &bob, &first, CREEP), true),
        (of(ropes, &ann, &first, ROPES), of(creep, &ann, &none, CREEP), false),
    ] {
        assert_eq!(is_same_work(one, other), wanted, "{one:?} / {other:?}");
        assert_eq!(is_same_work(other, one), wanted, "{other:?} / {one:?}");
    }
}

#[test]
fn a_preprint_may_be_published_under_another_title() {
    let (early, late) = ("Rope talk", "Signalling along ropes in swell");
    let by = |names: [&str; 2], title: &str, year: &str, summary: &str, ids: (Option<&str>, Option<&str>)| {
        let (authors, others) = (["Ann Lee", "Bob Roy"].map(Author::new), names.map(Author::new));
        let (first, second) = (dated("2017"), dated(year));
        let (a, b) = (numbered(ids.0), numbered(ids.1));
        let one = Identity {
            title: early,
            authors: &authors,
            dates: &first,
            identifiers: &a,
            summary: Some(ROPES),
        };
        let other = Identity {
            title,
            authors: &others,
            dates: &second,
            identifiers: &b,
            summary: Some(summary),
        };
        let answer = is_same_work(one, other);
        assert_eq!(answer, is_same_work(other, one), "the order of the two does not matter");
        answer
    };
    let pair = |title: &str, year: &str, summary: &str, ids| by(["Ann Lee", "Bob Roy"], title, year, summary, ids);
    let preprint = Some("1705.01272");
    assert!(
        !by(["Mia Wu", "Zed Other"], late, "2018", ROPES, (preprint, None)),
        "other authors"
    );
    assert!(
        pair("Rope talk: without a clock", "2019", ROPES, (preprint, None)),
        "a subtitle two years later"
    );
    assert!(
        !pair("Rope talk, Part II", "2018", ROPES, (preprint, None)),
        "a second part"
    );
    assert!(pair(late, "2018", ROPES, (preprint, None)));
    assert!(!pair(late, "2018", CREEP, (preprint, None)), "another abstract");
    assert!(!pair(late, "2022", ROPES, (preprint, None)), "years later");
    assert!(!pair(late, "2018", ROPES, (None, None)), "two publications");
    assert!(
        !pair(late, "2018", ROPES, (preprint, Some("1801.00001"))),
        "two preprints"
    );
    assert!(
        !pair("Rope talk 2.0", "2018", ROPES, (preprint, None)),
        "a second version"
    );
}
