//! Records from files: valid, broken and hostile ones in every format.

use std::io::{Cursor, Read, Write};

use precedent_corpus::Record;
use precedent_corpus::import::{BadRecord, ImportFormat, records};
use precedent_domain::{SectionKind, Work};
use proptest::prelude::*;

fn format(name: &str) -> ImportFormat {
    ImportFormat::named(name).unwrap()
}

fn read(format: ImportFormat, bytes: impl Into<Vec<u8>>) -> Vec<Result<Record, BadRecord>> {
    records(Cursor::new(bytes.into()), format).collect()
}

fn works(format: ImportFormat, text: &str) -> Vec<Work> {
    read(format, text)
        .into_iter()
        .map(|record| record.unwrap().work)
        .collect()
}

fn authors(work: &Work) -> Vec<&str> {
    work.authors.iter().map(|author| author.name.as_str()).collect()
}

#[test]
fn json_lines_with_everything() {
    let text = r#"{"id": "arxiv:1706.03762", "title": "Attention  Is All\nYou Need", "abstract": "We propose…", "year": 2017, "date": "2017-06-12", "venue": "NeurIPS", "authors": ["Ashish Vaswani", {"given": "Noam", "family": "Shazeer"}, "Parmar, Niki"], "url": "https://arxiv.org/abs/1706.03762", "doi": "https://doi.org/10.48550/arXiv.1706.03762", "licence": "x"}"#;
    let works = works(format("jsonl"), &format!("\u{feff}{text}\r\n\n"));
    let [work] = works.as_slice() else { panic!("{works:?}") };
    assert_eq!(work.title, "Attention Is All You Need");
    assert_eq!(authors(work), ["Ashish Vaswani", "Noam Shazeer", "Niki Parmar"]);
    assert_eq!(work.identifiers.arxiv.as_ref().unwrap().as_str(), "1706.03762");
    assert_eq!(
        work.identifiers.doi.as_ref().unwrap().as_str(),
        "10.48550/arxiv.1706.03762"
    );
    let dates: Vec<String> = work.dates.iter().map(|dated| dated.date.to_string()).collect();
    assert_eq!(dates, ["2017-06-12"]);
    assert_eq!(work.url.as_deref(), Some("https://arxiv.org/abs/1706.03762"));
}

#[test]
fn json_lines_with_text_keep_sections_and_pages() {
    let text = r#"{"id": "a", "title": "T", "abstract": "S.", "sections": [{"heading": "1 Introduction", "text": "One.\n\nTwo."}, {"heading": "2.1 Main results", "text": "Three."}, {"heading": "References", "text": "[1] X"}]}
{"id": "b", "title": "T", "full_text": "First page.\fSecond page.\u0000 End."}
{"id": "c", "title": "T", "full_text": "  ", "sections": []}"#;
    let found: Vec<Record> = read(format("jsonl"), text).into_iter().map(Result::unwrap).collect();
    let document = found[0].document.as_ref().unwrap();
    assert_eq!(document.check(), Ok(()));
    let kinds: Vec<SectionKind> = document.sections.iter().map(|section| section.kind).collect();
    assert_eq!(
        kinds,
        [
            SectionKind::FrontMatter,
            SectionKind::Abstract,
            SectionKind::Introduction,
            SectionKind::Experiments,
            SectionKind::References
        ]
    );
    let at = document.text.find("Three").unwrap();
    let place = document.place(precedent_domain::Span::new(at, at + 5));
    assert_eq!(place.section.as_deref(), Some("2.1 Main results"));
    let paged = found[1].document.as_ref().unwrap();
    assert_eq!(paged.check(), Ok(()));
    assert_eq!(paged.page_at(paged.text.find("Second").unwrap()), Some(2));
    assert!(!paged.text.contains('\0'));
    assert!(found[2].document.is_none());
}

#[test]
fn bad_lines_are_reported_and_do_not_stop_the_import() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let mut bytes = b"not json\n{\"id\": \"a\", \"title\": \"Good\"}\n".to_vec();
    bytes.extend_from_slice(b"{\"id\": \"b\", \"title\": \"\xff\xfe\"}\n");
    bytes.extend_from_slice(format!("{{\"id\": \"c\", \"title\": {deep}}}\n").as_bytes());
    bytes.extend_from_slice(
        b"{\"id\": \"d d\", \"title\": \"White space\"}\n{\"id\": \"e\"}\n[1]\n{\"id\": 7, \"title\": \"Last\"}",
    );
    let found = read(format("jsonl"), bytes);
    let good: Vec<&str> = found.iter().flatten().map(|record| record.work.id.as_str()).collect();
    assert_eq!(good, ["a", "7"]);
    let bad: Vec<u64> = found
        .iter()
        .filter_map(|one| one.as_ref().err())
        .map(|bad| bad.position)
        .collect();
    assert_eq!(bad, [1, 3, 4, 5, 6, 7]);
    let message = found[4].as_ref().unwrap_err().to_string();
    assert_eq!(
        message,
        "use record 5 (d d): read \"d d\" as a work id: it contains white space"
    );
}

#[test]
fn only_web_addresses_are_kept() {
    for (url, kept) in [
        ("https://example.org/a?b=c", true),
        ("HTTP://example.org", true),
        ("javascript:alert(1)", false),
        ("file:///etc/passwd", false),
        ("https://", false),
        ("https://example.org/\"onclick=x", false),
        ("data:text/html,x", false),
    ] {
        let line = serde_json::json!({"id": "a", "title": "T", "url": url}).to_string();
        assert_eq!(works(format("jsonl"), &line)[0].url.is_some(), kept, "{url}");
    }
}

#[test]
fn an_endless_line_is_skipped() {
    let head = b"{\"id\": \"a\", \"title\": \"".to_vec();
    let long = std::io::repeat(b'x').take(70 << 20);
    let tail = b"\"}\n{\"id\": \"b\", \"title\": \"B\"}\n".to_vec();
    let input = Cursor::new(head).chain(long).chain(Cursor::new(tail));
    let found: Vec<_> = records(input, format("jsonl")).collect();
    assert_eq!(found.len(), 2);
    assert!(found[0].as_ref().unwrap_err().reason.contains("longer than 64 MiB"));
    assert_eq!(found[1].as_ref().unwrap().work.id.as_str(), "b");
}

#[test]
fn compressed_input_is_decompressed_and_truncation_is_reported() {
    let text = (0..500)
        .map(|n| format!("{{\"id\": \"{n}\", \"title\": \"T{n}\"}}\n"))
        .collect::<String>();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for packed in [gzip, zstd] {
        assert_eq!(read(format("jsonl"), packed.clone()).len(), 500);
        let cut = read(format("jsonl"), &packed[..packed.len() / 2]);
        let last = cut.last().unwrap().as_ref().unwrap_err();
        assert!(last.reason.contains("ends early"), "{last}");
        assert!(cut.iter().rev().skip(1).all(Result::is_ok));
    }
}

#[test]
fn bibtex_with_latex_strings_and_both_dialects() {
    let text = r#"
A comment between entries, with an address me@example.org.
@string{jair = "Journal of AI Research"}
@Article{key1,
  author = {Kurt G{\"o}del and Erd{\H o}s, Paul and van der Waals, Jr., Johannes},
  title = {On {F}ormally {$\Pi$} Sentences},
  journal = jair, year = 1931, month = mar, abstract = {It is so.},
  doi = {10.1234/abc}, url = {https://example.org/x}
}
@online{key2, title={A preprint}, author={Lee, Ann and others}, date={2020-05-17}, eprint={2005.01234}, eprinttype={arxiv}}
@inproceedings(key3, title = "Round brackets", booktitle = unknownconf, year = {2001})
@comment{ignored}
"#;
    let works = works(format("bibtex"), text);
    assert_eq!(works.len(), 3, "{works:?}");
    assert_eq!(authors(&works[0])[..2], ["Kurt Gödel", "Paul Erdős"]);
    assert!(works[0].title.starts_with("On Formally"), "{}", works[0].title);
    assert_eq!(works[0].venue.as_deref(), Some("Journal of AI Research"));
    assert_eq!(works[0].dates[0].date.to_string(), "1931-03");
    assert_eq!(works[0].id.as_str(), "doi:10.1234/abc");
    assert_eq!(works[1].id.as_str(), "arxiv:2005.01234");
    assert_eq!(
        (authors(&works[1]), works[1].dates[0].date.to_string()),
        (vec!["Ann Lee"], "2020-05-17".into())
    );
    assert_eq!(works[2].venue.as_deref(), Some("unknownconf"));
    assert!(works[2].id.as_str().starts_with("title:"));
}

#[test]
fn a_broken_bibtex_entry_does_not_affect_others() {
    let bomb = "{".repeat(10_000);
    let text = format!(
        "@article{{a, title = {{Never closed, year = 2000\n@article{{b, title = {{Good}}, year = 2001}}\n@article{{c, title = {bomb}\n\
         @article{{d, year = 2002}}\n@misc{{e, title = {{Last}}, url = {{javascript:x}}}} @misc{{f, title={{Same line}}}}\n@book{{g, title ="
    );
    let found = read(format("bibtex"), text);
    let good: Vec<&str> = found
        .iter()
        .flatten()
        .map(|record| record.work.title.as_str())
        .collect();
    assert_eq!(good, ["Good", "Last", "Same line"]);
    let bad: Vec<String> = found
        .iter()
        .filter_map(|one| one.as_ref().err())
        .map(ToString::to_string)
        .collect();
    assert_eq!(bad.len(), 4, "{bad:?}");
    assert!(bad[0].contains("record 1: its braces do not close"), "{bad:?}");
    assert!(bad[1].contains("nested too deeply"), "{bad:?}");
    assert!(
        bad[2].contains("record 4 (d): it has neither a title nor a text"),
        "{bad:?}"
    );
}

#[test]
fn ris_with_every_variant() {
    let text = "TY  - JOUR\r\nTI  - A title\r\nAU  - Knuth, Donald E.\r\nAU  - Lee, Ann\r\nPY  - 1974\r\nDA  - 1974/03/05/\r\nJO  - CACM\r\n\
                AB  - First line\r\nsecond line.\r\nDO  - 10.1145/1\r\nDO  - 10.1145/360\r\nUR  - https://example.org\r\nER  - \r\n\r\n\
                TY  - CONF\nT1  - Never ended\nY1  - 2001//\nTY  - RPRT\nPB  - No title\nER  -\nstray line\n";
    let found = read(format("ris"), text);
    assert_eq!(found.len(), 3, "{found:?}");
    let work = &found[0].as_ref().unwrap().work;
    assert_eq!(authors(work), ["Donald E. Knuth", "Ann Lee"]);
    assert_eq!(
        (work.dates[0].date.to_string().as_str(), work.summary.as_deref()),
        ("1974-03-05", Some("First line second line."))
    );
    assert_eq!(found[1].as_ref().unwrap().work.year(), Some(2001));
    let bad = found[2].as_ref().unwrap_err();
    assert!(
        bad.reason.contains("neither a title nor a text") && bad.position == 18,
        "{bad:?}"
    );
}

#[test]
fn csl_json_items_one_by_one() {
    let text = r#"[
 {"id": "http://zotero.org/users/1/items/A", "type": "article-journal", "title": "One {braces} and \"quotes\"", "container-title": "Journal",
  "author": [{"family": "Beauvoir", "given": "Simone", "non-dropping-particle": "de"}, {"literal": "The Group"}],
  "issued": {"date-parts": [["2019", 4, 2]]}, "DOI": "10.1000/xyz", "URL": "https://example.org"},
 {"id": 2, "title": 5, "issued": {"literal": "May 2020"}},
 {"title": broken},
 {"id": "4", "title": "Preprint", "number": "arXiv:1706.03762", "publisher": "arXiv", "abstract": "x"}
 ]"#;
    let found = read(format("csl-json"), text);
    let works: Vec<&Work> = found.iter().flatten().map(|record| &record.work).collect();
    assert_eq!(authors(works[0]), ["Simone de Beauvoir", "The Group"]);
    assert_eq!(
        (works[0].id.as_str(), works[0].dates[0].date.to_string().as_str()),
        ("doi:10.1000/xyz", "2019-04-02")
    );
    assert_eq!(
        (works[1].title.as_str(), works[1].dates[0].date.to_string().as_str()),
        ("5", "2020-05")
    );
    assert_eq!(works[2].id.as_str(), "arxiv:1706.03762");
    assert_eq!(works[2].dates[0].date.to_string(), "2017-06");
    let bad = found[2].as_ref().unwrap_err();
    assert_eq!(bad.position, 3);
    let cut = read(format("csl-json"), &text.as_bytes()[..text.len() / 2]);
    assert!(cut.last().unwrap().as_ref().unwrap_err().reason.contains("ends inside"));
}

#[test]
fn formats_are_detected_by_name_and_content() {
    for (name, head, format) in [
        ("a.jsonl.zst", "", Some("jsonl")),
        ("A.BIB", "", Some("bibtex")),
        ("a.ris.gz", "", Some("ris")),
        ("a.json", " [ {", Some("csl-json")),
        ("a.json", "{\"id\"", Some("jsonl")),
        ("export", "\u{feff}TY  - JOUR\n", Some("ris")),
        ("export.txt", "% Encoding\n@article{x,", Some("bibtex")),
        ("notes.txt", "write to me@home (or not)", None),
        ("paper.md", "[a link](x) {\n@inproceedings{x,", None),
        ("memo.rtf", "{\\rtf1 \\ansi", None),
        (
            "export.json",
            "{\"config\": {\"id\": \"36a3b0b5\"}, \"items\": [",
            Some("csl-json"),
        ),
        (
            "one.json",
            "{\n  \"id\": \"x\",\n  \"title\": \"T\"\n}",
            Some("csl-json"),
        ),
        ("export.csv", "\"Key\",\"Item Type\",\"Title\",\"DOI\"\n", Some("csv")),
        ("table.csv", "a,b\n1,2\n", None),
        (
            "P06.xml",
            "<?xml version='1.0'?>\n<collection id=\"P06\">",
            Some("acl-xml"),
        ),
        ("article.xml", "<article><front/></article>", None),
        (
            "part_000",
            "{\"id\":\"https://openalex.org/W1\",\"abstract_inverted_index\":{",
            Some("openalex"),
        ),
        ("20260101", "{\"corpusid\":1,\"title\":\"T\"", Some("semantic-scholar")),
        (
            "20260101.gz",
            "{\"corpusid\":1,\"abstract\":\"A\"",
            Some("semantic-scholar-abstracts"),
        ),
        (
            "arxiv-metadata-oai-snapshot.json",
            "{\"id\":\"0704.0001\",\"authors_parsed\":[[",
            Some("arxiv"),
        ),
        ("a.pdf", "%PDF-1.5", None),
    ] {
        assert_eq!(
            ImportFormat::detect(name, head.as_bytes()).map(ImportFormat::name),
            format,
            "{name}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_bytes_do_not_panic_in_any_format(bytes in proptest::collection::vec(any::<u8>(), 0..600), kind in 0..ImportFormat::all().count()) {
        let format = ImportFormat::all().nth(kind).unwrap();
        let _ = read(format, bytes);
    }

    #[test]
    fn almost_valid_text_does_not_panic_in_any_format(text in "(@[a-z]{1,6}[{(]|[a-z ]{1,6}|[=,{}\"\\\\#~$&%-]|\n|TY  - |ER  - |TI  - |\\{\"title\": |\\[|\\]|[0-9]{4}|é){0,60}", kind in 0..ImportFormat::all().count()) {
        let format = ImportFormat::all().nth(kind).unwrap();
        for record in read(format, text).into_iter().flatten() {
            prop_assert!(!record.work.title.is_empty());
            if let Some(document) = record.document {
                prop_assert_eq!(document.check(), Ok(()));
            }
        }
    }
}
