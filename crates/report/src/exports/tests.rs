use precedent_domain::{Assessment, Author, Work};
use proptest::prelude::*;
use serde_json::Value;

use super::name::Person;
use super::venue::Kind;
use super::*;

const GOLDEN: &[u8] = include_bytes!("../../tests/report/golden/report-1.0.json");

fn report() -> Assessment {
    crate::read_assessment(GOLDEN).unwrap()
}

fn export(assessment: &Assessment, format: &str) -> String {
    let exporter = exporters().iter().find(|one| one.format() == format).unwrap();
    exporter.export(assessment, Selection::Related)
}

/// A report with one paper with this title, first author and venue.
fn with(title: &str, author: &str, venue: &str) -> Assessment {
    let mut report = report();
    report.references.candidates.truncate(1);
    let work = &mut report.references.candidates[0].work;
    work.title = title.to_owned();
    work.authors = vec![Author::new(author)];
    work.venue = Some(venue.to_owned());
    work.summary = Some(title.to_owned());
    report
}

#[test]
fn names_are_split_into_sortable_parts() {
    let parts = |name: &str| {
        let one = Person::of(&Author::new(name));
        [one.given, one.particle, one.family, one.suffix].join("|")
    };
    for (name, expected) in [
        ("Donald E. Knuth", "Donald E.||Knuth|"),
        ("Knuth, Donald E.", "Donald E.||Knuth|"),
        ("Laurens van der Maaten", "Laurens|van der|Maaten|"),
        ("José Ortega y Gasset", "José||Ortega y Gasset|"),
        ("van der Maaten, Laurens", "Laurens|van der|Maaten|"),
        ("Martin Luther King Jr.", "Martin Luther||King|Jr."),
        ("King, Jr., Martin Luther", "Martin Luther||King|Jr."),
        ("King, Jr.", "||King|Jr."),
        ("OpenAI", "||OpenAI|"),
        ("Bartolomé De Las Casas", "Bartolomé||De Las Casas|"),
        ("Johannes van der Waals", "Johannes|van der|Waals|"),
        ("van der Waals", "|van der|Waals|"),
        ("Johannes Van der Waals", "Johannes||Van der Waals|"),
        ("Peter Van Roy", "Peter||Van Roy|"),
        ("De Las Casas, Bartolomé", "Bartolomé||De Las Casas|"),
        ("An Van Nguyen", "An Van||Nguyen|"),
        ("Xiao Bin Li", "Xiao Bin||Li|"),
        ("Al Gore", "Al||Gore|"),
        ("Gemini Team, Google", "||Gemini Team, Google|"),
        ("The LIGO Collaboration", "||The LIGO Collaboration|"),
        ("World Health Organization", "||World Health Organization|"),
        ("王小明", "||王小明|"),
        ("", "|||"),
        (",", "|||"),
        ("de la", "|de|la|"),
    ] {
        assert_eq!(parts(name), expected, "{name}");
    }
}

#[test]
fn formatting_tags_are_removed_from_titles() {
    for (title, plain) in [
        ("On <i>E. coli</i> in H<sub>2</sub>O", "On E. coli in H2O"),
        ("Where a < b and b > c", "Where a < b and b > c"),
        ("The <jats:italic>rope</jats:italic>", "The rope"),
        ("<span class=\"x\">Ropes</span>", "Ropes"),
        ("A <script> of ropes", "A <script> of ropes"),
        ("<i", "<i"),
    ] {
        let items: Vec<Value> = serde_json::from_str(&export(&with(title, "Ann Lee", "Ropes"), "csl")).unwrap();
        assert_eq!(items[0]["title"], plain);
    }
}

#[test]
fn a_report_without_papers_gives_a_valid_file() {
    let mut report = report();
    report.references.candidates.clear();
    report.contribution_analysis.missing_citations.clear();
    assert_eq!(export(&report, "bibtex"), "% no papers\n");
    assert_eq!(export(&report, "ris"), "\r\n");
    assert_eq!(export(&report, "csl"), "[]\n");
}

#[test]
fn entry_types_follow_from_venue_and_identifiers() {
    let kind = |venue: &str| {
        let mut work: Work = report().references.candidates[0].work.clone();
        work.venue = Some(venue.to_owned());
        work.identifiers = precedent_domain::Identifiers::default();
        Kind::of(&work)
    };
    for (venue, expected) in [
        ("NeurIPS 2025", Kind::Conference),
        ("Proceedings of the 58th Annual Meeting of the ACL", Kind::Conference),
        ("Findings of EMNLP", Kind::Conference),
        ("Journal of Moored Systems", Kind::Article),
        ("IEEE Transactions on Pattern Analysis", Kind::Article),
        ("Proceedings of the National Academy of Sciences", Kind::Article),
        ("Computational Linguistics", Kind::Article),
        ("Nature", Kind::Article),
        ("arXiv", Kind::Preprint),
        ("arXiv.org", Kind::Preprint),
        ("CoRR", Kind::Preprint),
        ("PhD thesis, University of Bergen", Kind::Thesis),
        ("Technical Report, Harbour Institute", Kind::Report),
    ] {
        assert_eq!(kind(venue), expected, "{venue}");
    }
    let mut bare = report().references.candidates[0].work.clone();
    bare.venue = None;
    bare.identifiers = precedent_domain::Identifiers::default();
    assert_eq!(Kind::of(&bare), Kind::Other);
    bare.identifiers.arxiv = Some("1706.03762".parse().unwrap());
    assert_eq!(Kind::of(&bare), Kind::Preprint);
}

#[test]
fn every_paper_is_exported_once_and_missing_ones_can_be_selected() {
    let report = report();
    let works = report.references.candidates.len();
    let missing = report.contribution_analysis.missing_citations.len();
    assert!(works > 1 && missing > 0 && missing < works);
    for exporter in exporters() {
        for (which, count) in [(Selection::Related, works), (Selection::Missing, missing)] {
            let text = exporter.export(&report, which);
            let found = match exporter.format() {
                "bibtex" => text.lines().filter(|line| line.starts_with('@')).count(),
                "ris" => text.lines().filter(|line| line.starts_with("TY  - ")).count(),
                _ => serde_json::from_str::<Vec<Value>>(&text).unwrap().len(),
            };
            assert_eq!(found, count, "{} {which:?}", exporter.format());
            assert!(text.contains("missing citation"), "{}", exporter.format());
        }
        assert_eq!(
            exporter.export(&report, Selection::Related),
            exporter.export(&report, Selection::Related)
        );
    }
}

#[test]
fn papers_with_the_same_author_and_year_get_distinct_keys() {
    let mut report = report();
    let one = report.references.candidates[0].clone();
    report.references.candidates.extend([one.clone(), one]);
    let items: Vec<Value> = serde_json::from_str(&export(&report, "csl")).unwrap();
    let mut keys: Vec<&str> = items.iter().map(|item| item["id"].as_str().unwrap()).collect();
    assert!(
        keys.iter()
            .all(|key| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')),
        "{keys:?}"
    );
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all);
}

/// Checks for one entry and balanced braces. As in BibTeX itself, a backslash before a brace means nothing.
fn bibtex_is_sound(text: &str) {
    let mut depth = 0_i32;
    for c in text.chars() {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        assert!(depth >= 0, "{text}");
        assert!(c != '@' || depth > 0 || text.starts_with('@'), "{text}");
    }
    assert_eq!(depth, 0, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with('@')).count(), 1, "{text}");
    let fields = text.lines().filter(|line| line.starts_with("  title = ")).count();
    assert_eq!(fields, 1, "{text}");
}

fn ris_is_sound(text: &str) {
    for line in text.lines().filter(|line| !line.is_empty()) {
        let tag: Vec<char> = line.chars().take(6).collect();
        assert!(
            tag[0].is_ascii_uppercase() && tag[2..] == [' ', ' ', '-', ' '],
            "{line:?}"
        );
    }
    for tag in ["TY", "TI", "ER", "AB"] {
        let lines = text
            .lines()
            .filter(|line| line.starts_with(&format!("{tag}  - ")))
            .count();
        assert!(lines <= 1, "{text}");
    }
}

#[test]
fn titles_names_and_venues_do_not_break_the_syntax() {
    for hostile in [
        "}}\n@misc{evil, title={x}",
        "a\r\nER  - \r\nTY  - JOUR\r\nTI  - evil",
        "{{{{",
        "}}}}",
        "\\",
        "\\{",
        "\", note=\"x",
        "100 % of $x_1$ & ~y^2 #1",
        "\\input{/etc/passwd} \\write18{rm}",
        "x\u{2028}ER  - ",
        "x\u{85}ER  - \u{b}\u{c}TY  - JOUR",
        "\u{202e}evil\u{0}",
        "A and B, Jr, and C",
        "@comment{",
        "",
    ] {
        let report = with(hostile, hostile, hostile);
        let bibtex = export(&report, "bibtex");
        bibtex_is_sound(&bibtex);
        assert!(!bibtex.contains("\\input") && !bibtex.contains("\\write"), "{bibtex}");
        ris_is_sound(&export(&report, "ris"));
        let items: Vec<Value> = serde_json::from_str(&export(&report, "csl")).unwrap();
        assert_eq!(items.len(), 1);
    }
}

proptest! {
    #[test]
    fn every_format_is_valid_for_any_record(title in "\\PC{0,40}|[{}\\\\@\n\r\"%$&#_~^, ]{0,30}", name in "\\PC{0,20}|[{},\\\\ and]{0,20}", venue in "\\PC{0,20}") {
        let report = with(&title, &name, &venue);
        bibtex_is_sound(&export(&report, "bibtex"));
        ris_is_sound(&export(&report, "ris"));
        prop_assert!(serde_json::from_str::<Vec<Value>>(&export(&report, "csl")).is_ok());
    }
}

#[test]
fn entries_have_the_fields_that_reference_managers_expect() {
    let mut report = with("Swell and {Rope}: LLMs at 50 %", "Laurens van der Maaten", "NeurIPS");
    let work = &mut report.references.candidates[0].work;
    work.summary = None;
    work.url = Some("https://example.org/a_b".to_owned());
    work.identifiers.doi = Some("10.1000/a_b".parse().unwrap());
    work.dates[0].date = "2021-05-14".parse().unwrap();
    work.dates.truncate(1);
    let bibtex = export(&report, "bibtex");
    for line in [
        "@inproceedings{maaten2021swell,",
        "  title = {Swell and \\textbraceleft{}Rope\\textbraceright{}: {LLMs} at 50 \\%},",
        "  author = {van der Maaten, Laurens},",
        "  booktitle = {NeurIPS},",
        "  doi = {10.1000/a_b},",
        "  url = {https://example.org/a_b},",
        "  year = {2021},",
        "  month = may,",
    ] {
        assert!(bibtex.contains(line), "{line}\n{bibtex}");
    }
    let ris = export(&report, "ris");
    for line in [
        "TY  - CONF",
        "AU  - van der Maaten, Laurens",
        "PY  - 2021",
        "DA  - 2021/05/14/",
        "T2  - NeurIPS",
        "DO  - 10.1000/a_b",
    ] {
        assert!(ris.contains(&format!("{line}\r\n")), "{line}\n{ris}");
    }
    let items: Vec<Value> = serde_json::from_str(&export(&report, "csl")).unwrap();
    assert_eq!(items[0]["type"], "paper-conference");
    assert_eq!(items[0]["author"][0]["non-dropping-particle"], "van der");
    assert_eq!(items[0]["issued"]["date-parts"][0], serde_json::json!([2021, 5, 14]));
}

#[test]
fn a_retracted_paper_is_marked_in_every_format() {
    let mut report = with("Ropes that creep", "Ann Lee", "Journal of Ropes");
    let plain = export(&report, "bibtex") + &export(&report, "ris") + &export(&report, "csl");
    assert!(!plain.to_lowercase().contains("retracted"), "{plain}");
    report.references.candidates[0]
        .work
        .doubt_with(vec![precedent_domain::Doubt::Retracted {
            by: vec!["crossref".to_owned(), "openalex".to_owned()],
        }]);
    let note = "Retracted, according to crossref, openalex";
    let bibtex = export(&report, "bibtex");
    assert!(bibtex.contains(&format!("  note = {{{note}}},")), "{bibtex}");
    assert!(bibtex.contains(", retracted}"), "{bibtex}");
    let ris = export(&report, "ris");
    assert!(
        ris.contains(&format!("N1  - {note}\r\n")) && ris.contains("KW  - retracted\r\n"),
        "{ris}"
    );
    let items: Vec<Value> = serde_json::from_str(&export(&report, "csl")).unwrap();
    assert_eq!(items[0]["status"], "retracted");
    assert_eq!(items[0]["note"], note);
}

#[test]
fn a_merged_paper_is_exported_as_its_publication_with_the_preprint_beside_it() {
    let dated = |date: &str, source: &str| precedent_domain::PublicationDate {
        date: date.parse().unwrap(),
        origin: precedent_domain::DateOrigin::Record(source.to_owned()),
    };
    let mut report = with("Ropes that creep", "Ann Lee", "Annual Meeting on Ropes");
    let work = &mut report.references.candidates[0].work;
    work.identifiers = precedent_domain::Identifiers {
        arxiv: Some("2103.01002".parse().unwrap()),
        doi: Some("10.5555/rope.7".parse().unwrap()),
        ..Default::default()
    };
    work.url = Some("https://arxiv.org/abs/2103.01002".to_owned());
    work.dates = vec![
        dated("2021-03-02", "arxiv"),
        dated("2021-03-02", "semantic-scholar"),
        dated("2022", "dblp"),
        dated("2022-07-10", "crossref"),
    ];
    let bibtex = export(&report, "bibtex");
    for line in [
        "@inproceedings{lee2022ropes,",
        "  booktitle = {Annual Meeting on Ropes},",
        "  doi = {10.5555/rope.7},",
        "  eprint = {2103.01002},",
        "  url = {https://doi.org/10.5555/rope.7},",
        "  year = {2022},",
        "  month = jul,",
    ] {
        assert!(bibtex.contains(line), "{line}\n{bibtex}");
    }
    let items: Vec<Value> = serde_json::from_str(&export(&report, "csl")).unwrap();
    assert_eq!(
        (&items[0]["note"], &items[0]["archive"]),
        (&Value::from("Preprint: arXiv:2103.01002"), &Value::Null)
    );
    // Reports of earlier versions have the preprint server as the venue beside the DOI of the publication, or know no later date.
    let work = &mut report.references.candidates[0].work;
    work.venue = Some("arXiv".to_owned());
    work.dates.truncate(2);
    let bibtex = export(&report, "bibtex");
    assert!(bibtex.starts_with("@article{lee2021ropes,"), "{bibtex}");
    assert!(
        !bibtex.contains("howpublished") && !bibtex.contains("month"),
        "{bibtex}"
    );
}
