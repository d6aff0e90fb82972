//! Records from external dumps and exports, in their documented formats.

use std::io::Cursor;

use precedent_corpus::Record;
use precedent_corpus::import::{BadRecord, ImportFormat, records};
use precedent_domain::Work;

fn read(format: &str, text: &str) -> Vec<Result<Record, BadRecord>> {
    let format = ImportFormat::named(format).unwrap();
    records(Cursor::new(text.as_bytes().to_vec()), format).collect()
}

fn one(format: &str, text: &str) -> Record {
    let [record] = read(format, text).try_into().unwrap();
    record.unwrap()
}

fn dates(work: &Work) -> Vec<String> {
    work.dates.iter().map(|dated| dated.date.to_string()).collect()
}

fn authors(work: &Work) -> Vec<&str> {
    work.authors.iter().map(|author| author.name.as_str()).collect()
}

#[test]
fn arxiv_snapshots_keep_every_version_and_ignore_the_record_date() {
    let line = r#"{"id":"0704.0001","submitter":"P N","authors":"C. Bal\\'azs, E. L. Berger","title":"Calculation of prompt\n  diphoton production","comments":"37 pages","journal-ref":"Phys.Rev.D76:013009,2007","doi":"10.1103/PhysRevD.76.013009","report-no":null,"categories":"hep-ph cs.LG","license":null,"abstract":"  A fully differential\n","versions":[{"version":"v1","created":"Mon, 2 Apr 2007 19:18:42 GMT"},{"version":"v2","created":"Tue, 24 Jul 2007 20:10:27 GMT"}],"update_date":"2008-11-26","authors_parsed":[["Balázs","C.",""],["Berger","E. L.","Jr"]]}"#;
    let record = one("arxiv", line);
    let work = &record.work;
    assert_eq!(work.id.as_str(), "arxiv:0704.0001");
    assert_eq!(work.title, "Calculation of prompt diphoton production");
    assert_eq!(authors(work), ["C. Balázs", "E. L. Berger Jr"]);
    assert_eq!(dates(work), ["2007-04-02", "2007-07-24"]);
    assert_eq!(
        work.earliest().unwrap().origin,
        precedent_domain::DateOrigin::Record("arXiv v1".into())
    );
    assert_eq!(record.fields, ["cs.LG", "hep-ph"]);
    assert_eq!(
        work.identifiers.doi.as_ref().unwrap().as_str(),
        "10.1103/physrevd.76.013009"
    );
    assert_eq!(work.venue.as_deref(), Some("Phys.Rev.D76:013009,2007"));
}

#[test]
fn openalex_abstracts_are_reassembled_and_padded_dates_are_years() {
    let line = r#"{"id":"https://openalex.org/W2741809807","doi":"https://doi.org/10.7717/peerj.4375","title":"The state of OA","display_name":"The state of OA","publication_year":2018,"publication_date":"2018-02-13","ids":{"openalex":"https://openalex.org/W2741809807"},"primary_location":{"landing_page_url":"https://doi.org/10.7717/peerj.4375","source":{"display_name":"PeerJ"}},"locations":[{"landing_page_url":"http://arxiv.org/abs/1706.03762","source":null}],"authorships":[{"author_position":"first","author":{"display_name":"Heather Piwowar"},"raw_author_name":"H. Piwowar"},{"author":{"display_name":null},"raw_author_name":"Jason Priem"}],"abstract_inverted_index":{"Despite":[0],"growth":[1,3],"in":[2]},"topics":[{"display_name":"Open access","field":{"display_name":"Social Sciences"},"subfield":{"display_name":"Communication"}}],"cited_by_count":1203}"#;
    let record = one("openalex", line);
    assert_eq!(record.work.cited_by, Some(1203));
    let work = &record.work;
    assert_eq!(work.id.as_str(), "openalex:W2741809807");
    assert_eq!(work.summary.as_deref(), Some("Despite growth in growth"));
    assert_eq!(authors(work), ["Heather Piwowar", "Jason Priem"]);
    assert_eq!(work.identifiers.arxiv.as_ref().unwrap().as_str(), "1706.03762");
    assert_eq!(work.venue.as_deref(), Some("PeerJ"));
    assert_eq!(record.fields, ["Communication", "Open access", "Social Sciences"]);
    let padded = r#"{"id":"https://openalex.org/W1","title":"T","publication_date":"2018-01-01","publication_year":2018,"abstract_inverted_index":null}"#;
    assert_eq!(dates(&one("openalex", padded).work), ["2018"]);
    let huge = r#"{"id":"https://openalex.org/W1","title":"T","abstract_inverted_index":{"a":[18446744073709551615],"b":[0,-1,"x"]}}"#;
    assert_eq!(one("openalex", huge).work.summary.as_deref(), Some("b a"));
}

#[test]
fn semantic_scholar_papers_and_their_abstracts() {
    let paper = r#"{"corpusid":258059792,"externalids":{"ACL":null,"ArXiv":"2304.05376","DOI":"10.1038/s42256-024-00832-8","CorpusId":"258059792"},"url":"https://www.semanticscholar.org/paper/354d","title":"ChemCrow","authors":[{"authorId":"2216007369","name":"Andres M Bran"}],"venue":"","publicationvenueid":null,"year":2023,"s2fieldsofstudy":[{"category":"Chemistry","source":"s2-fos-model"},{"category":"Chemistry","source":"external"}],"publicationdate":"2023-04-11","journal":{"name":"Nat. Mach. Intell."}}"#;
    let record = one("semantic-scholar", paper);
    assert_eq!(record.work.id.as_str(), "s2:258059792");
    assert_eq!(record.work.venue.as_deref(), Some("Nat. Mach. Intell."));
    assert_eq!(record.fields, ["Chemistry"]);
    assert_eq!(dates(&record.work), ["2023-04-11"]);
    assert!(
        record.completes,
        "its abstract comes from another file and must be kept"
    );
    let summary = one(
        "semantic-scholar-abstracts",
        r#"{"corpusid":258059792,"openaccessinfo":{"license":null},"abstract":"We introduce","updated":"2023"}"#,
    );
    assert_eq!(summary.work.id.as_str(), "s2:258059792");
    assert!(summary.completes && summary.work.title.is_empty());
}

const ANTHOLOGY: &str = r#"<?xml version='1.0' encoding='UTF-8'?>
<collection id="P06">
  <volume id="1" ingest-date="2020-01-01">
    <meta><booktitle>Proceedings of <fixed-case>ACL</fixed-case></booktitle><publisher>ACL</publisher><month>July</month><year>2006</year></meta>
    <frontmatter><url>P06-1000</url></frontmatter>
    <paper id="1">
      <title>Combination of <fixed-case>A</fixed-case>rabic <tex-math>\alpha</tex-math> &amp; parsers</title>
      <author><first>Nizar</first><last>Habash</last></author><author id="x"><first/><last>Ann</last></author>
      <abstract>We show &lt;this&gt;.</abstract>
      <doi>10.3115/1220175.1220176</doi>
    </paper>
    <paper id="2"><title>Broken <b>title</paper>
    <paper id="3"><author><first>No</first><last>Title</last></author></paper>
  </volume>
</collection>
<collection id="2020.acl"><volume id="main"><meta><booktitle>ACL 2020</booktitle><year>2020</year></meta>
<paper id="7"><title>Seventh</title><url hash="ab">2020.acl-main.7</url></paper></volume></collection>"#;

#[test]
fn anthology_papers_share_the_metadata_of_their_volume() {
    let found = read("acl-xml", ANTHOLOGY);
    let works: Vec<&Work> = found.iter().flatten().map(|record| &record.work).collect();
    assert_eq!(works[0].id.as_str(), "acl:P06-1001");
    assert_eq!(works[0].title, "Combination of Arabic \\alpha & parsers");
    assert_eq!(works[0].summary.as_deref(), Some("We show <this>."));
    assert_eq!(authors(works[0]), ["Nizar Habash", "Ann"]);
    assert_eq!(works[0].venue.as_deref(), Some("Proceedings of ACL"));
    assert_eq!(dates(works[0]), ["2006-07"]);
    assert_eq!(
        (
            works[1].id.as_str(),
            works[1].identifiers.acl.as_ref().unwrap().as_str()
        ),
        ("acl:2020.acl-main.7", "2020.acl-main.7")
    );
    let bad: Vec<(u64, &str)> = found
        .iter()
        .filter_map(|one| one.as_ref().err())
        .map(|bad| (bad.position, bad.reason.as_str()))
        .collect();
    assert_eq!(bad.len(), 2);
    assert_eq!(bad[0].0, 12);
    assert!(bad[0].1.starts_with("it is not well-formed XML"), "{bad:?}");
    assert_eq!(bad[1], (13, "it has neither a title nor a text"));
    let cut = read("acl-xml", &ANTHOLOGY[..ANTHOLOGY.find("</abstract>").unwrap()]);
    assert!(cut.last().unwrap().as_ref().unwrap_err().reason.contains("ends inside"));
}

#[test]
fn zotero_exports_in_three_formats() {
    let better = r#"{"config": {"id": "36a3b0b5", "label": "BetterBibTeX JSON", "options": {"items": 1}}, "version": {"zotero": "6"}, "collections": {}, "items": [
      {"itemType": "journalArticle", "title": "First", "abstractNote": "We.", "creators": [{"creatorType": "editor", "lastName": "Ed"}, {"creatorType": "author", "firstName": "Ann", "lastName": "Lee"}], "date": "2019-05-02", "DOI": "10.1000/x", "publicationTitle": "J"},
      {"itemType": "attachment", "title": "PDF"},
      {"itemType": "preprint", "title": "Second", "extra": "arXiv:1706.03762 [cs]", "date": "06/2017"}]}"#;
    let found: Vec<Record> = read("csl-json", better).into_iter().map(Result::unwrap).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(authors(&found[0].work), ["Ann Lee"]);
    assert_eq!(
        (found[0].work.venue.as_deref(), dates(&found[0].work)[0].as_str()),
        (Some("J"), "2019-05-02")
    );
    assert_eq!(found[1].work.identifiers.arxiv.as_ref().unwrap().as_str(), "1706.03762");
    let wrapped = r#"[{"key": "A", "version": 1, "data": {"itemType": "book", "title": "Third", "date": "2001"}}, {"key": "B", "data": {"itemType": "note", "note": "x"}}]"#;
    assert_eq!(one("csl-json", wrapped).work.title, "Third");
    let table = "\u{feff}\"Key\",\"Item Type\",\"Publication Year\",\"Author\",\"Title\",\"Publication Title\",\"DOI\",\"Abstract Note\",\"Date\"\r\n\"X\",\"journalArticle\",\"2019\",\"Lee, Ann; Roy, Bob\",\"A \"\"quoted\"\" title\",\"J\",\"10.1000/x\",\"Two\nlines, and a comma\",\"2019-05-02\"\r\n\"Y\",\"attachment\",\"\",\"\",\"PDF\",\"\",\"\",\"\",\"\"\r\n\"Z\",\"book\",\"2020\",\"\",\"\",\"\",\"\",\"\",\"\"\r\n";
    let found = read("csv", table);
    let work = &found[0].as_ref().unwrap().work;
    assert_eq!(work.title, "A \"quoted\" title");
    assert_eq!(authors(work), ["Ann Lee", "Bob Roy"]);
    assert_eq!(work.summary.as_deref(), Some("Two lines, and a comma"));
    assert_eq!(dates(work), ["2019-05-02"]);
    assert_eq!(found[1].as_ref().unwrap_err().position, 5);
    assert_eq!(found.len(), 2);
}

const ZOTERO_RDF: &str = r##"<rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:z="http://www.zotero.org/namespaces/export#"
 xmlns:dcterms="http://purl.org/dc/terms/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:foaf="http://xmlns.com/foaf/0.1/"
 xmlns:link="http://purl.org/rss/1.0/modules/link/"
 xmlns:bib="http://purl.org/net/biblio#">
    <bib:Article rdf:about="https://doi.org/10.1000/rope.7">
        <z:itemType>journalArticle</z:itemType>
        <dcterms:isPartOf rdf:resource="urn:issn:0000-0001"/>
        <bib:authors>
            <rdf:Seq>
                <rdf:li><foaf:Person><foaf:surname>Lee</foaf:surname><foaf:givenName>Ann</foaf:givenName></foaf:Person></rdf:li>
                <rdf:li><foaf:Person><foaf:surname>語</foaf:surname></foaf:Person></rdf:li>
            </rdf:Seq>
        </bib:authors>
        <link:link rdf:resource="#item_2"/>
        <dc:subject>ropes</dc:subject>
        <dcterms:abstract>Ropes &amp; springs.</dcterms:abstract>
        <dc:date>2019-05-02</dc:date>
        <dc:title>Ropes that creep</dc:title>
    </bib:Article>
    <bib:Journal rdf:about="urn:issn:0000-0001">
        <dc:title>Journal of Ropes</dc:title>
        <dc:identifier>ISSN 0000-0001</dc:identifier>
    </bib:Journal>
    <z:Attachment rdf:about="#item_2">
        <z:itemType>attachment</z:itemType>
        <dc:title>Full Text PDF</dc:title>
    </z:Attachment>
    <bib:Article rdf:about="#item_5">
        <z:itemType>journalArticle</z:itemType>
        <dc:title>Broken & unescaped</dc:title>
    </bib:Article>
    <rdf:Description rdf:about="#item_6">
        <z:itemType>conferencePaper</z:itemType>
        <dcterms:isPartOf>
            <bib:Journal>
                <dc:title>Proceedings of Knots</dc:title>
                <dc:identifier>DOI 10.1000/knot.1</dc:identifier>
            </bib:Journal>
        </dcterms:isPartOf>
        <dc:title>Knots</dc:title>
    </rdf:Description>
    <bib:Book rdf:about="#item_8">
        <z:itemType>book</z:itemType>
        <dcterms:isPartOf rdf:resource="urn:issn:0000-0001"/>
    </bib:Book>
</rdf:RDF>
"##;

#[test]
fn a_zotero_rdf_export_gives_items_with_the_journals_that_follow_them() {
    let detected = ImportFormat::detect("library.rdf", ZOTERO_RDF.as_bytes()).unwrap();
    assert_eq!(detected.name(), "zotero-rdf");
    let found = read("zotero-rdf", ZOTERO_RDF);
    let works: Vec<&Record> = found.iter().flatten().collect();
    let [first, second] = works.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(first.work.title, "Ropes that creep");
    assert_eq!(authors(&first.work), ["Ann Lee", "語"]);
    assert_eq!(first.work.summary.as_deref(), Some("Ropes & springs."));
    assert_eq!(first.work.venue.as_deref(), Some("Journal of Ropes"));
    assert_eq!(first.work.identifiers.doi.as_ref().unwrap().as_str(), "10.1000/rope.7");
    assert_eq!(dates(&first.work), ["2019-05-02"]);
    assert_eq!(first.fields, ["ropes"]);
    assert_eq!(second.work.venue.as_deref(), Some("Proceedings of Knots"));
    assert_eq!(second.work.identifiers.doi.as_ref().unwrap().as_str(), "10.1000/knot.1");
    let bad: Vec<(u64, &str)> = found
        .iter()
        .filter_map(|one| one.as_ref().err())
        .map(|bad| (bad.position, bad.reason.as_str()))
        .collect();
    assert_eq!(bad[0].0, 32);
    assert!(bad[0].1.starts_with("it cannot be parsed"), "{bad:?}");
    assert_eq!(bad[1], (46, "it has neither a title nor a text"));
    assert_eq!(bad.len(), 2);
    // Other programs indent differently. Items that cannot be separated are reported.
    let narrow = ZOTERO_RDF.replace("    ", "  ");
    assert_eq!(read("zotero-rdf", &narrow).len(), found.len());
    for (one, other) in read("zotero-rdf", &narrow).iter().zip(&found) {
        assert_eq!(one.as_ref().ok(), other.as_ref().ok());
    }
    let flat = read("zotero-rdf", &ZOTERO_RDF.replace('\n', " "));
    assert!(
        flat.len() == 1
            && flat[0]
                .as_ref()
                .is_err_and(|bad| bad.reason.contains("lines of their own")),
        "{flat:?}"
    );
    for empty in [
        "<rdf:RDF/>\n",
        "<?xml version=\"1.0\"?>\n<rdf:RDF></rdf:RDF>\n",
        "<rdf:RDF>\n</rdf:RDF>\n",
    ] {
        assert!(read("zotero-rdf", empty).is_empty(), "{empty}");
    }
    let cut = read("zotero-rdf", &ZOTERO_RDF[..ZOTERO_RDF.find("<dc:date>").unwrap()]);
    assert!(cut.iter().all(Result::is_err) && cut.len() == 1, "{cut:?}");
    read("zotero-rdf", "<rdf:RDF\n    <a\n    </a>\n    <b/>\n    <\n")
        .into_iter()
        .for_each(|one| assert!(one.is_err()));
}

#[test]
fn one_string_can_name_several_people() {
    for (given, expected) in [
        (
            r#"["Wenqi Xian, Patsorn Sangkloy, James Hays"]"#,
            &["Wenqi Xian", "Patsorn Sangkloy", "James Hays"][..],
        ),
        (r#"["Shi Li, Xiangyu Guo"]"#, &["Shi Li", "Xiangyu Guo"]),
        (r#"["Knuth, Donald"]"#, &["Donald Knuth"]),
        (r#""Lee, Ann and Roy, Bob""#, &["Ann Lee", "Bob Roy"]),
        (r#""Ann Lee, Bob Roy, and Eve Poe""#, &["Ann Lee", "Bob Roy", "Eve Poe"]),
    ] {
        let line = format!(r#"{{"id": "a", "title": "T", "authors": {given}}}"#);
        assert_eq!(authors(&one("jsonl", &line).work), expected, "{given}");
    }
}

#[test]
fn skipping_items_is_the_same_as_reading_them() {
    for format in ImportFormat::all() {
        let text = match format.name() {
            "acl-xml" => ANTHOLOGY.to_owned(),
            "zotero-rdf" => ZOTERO_RDF.to_owned(),
            "bibtex" => "@article{a, title={A}}\n@article{b, x\n@article{c, title={C}}\n@article{d, title={D}}".to_owned(),
            "ris" => "TY  - JOUR\nTI  - A\nER  -\nTY  - JOUR\nER  -\nTY  - JOUR\nTI  - C\nER  -\n".to_owned(),
            "csv" => "Title,DOI\nA,\n,\nC,\nD,\n".to_owned(),
            "csl-json" => r#"[{"title": "A"}, {"itemType": "note"}, {"title": }, {"title": "C"}]"#.to_owned(),
            _ => "{\"id\": 1, \"corpusid\": 1, \"title\": \"A\"}\n\nbroken\n{\"id\": 2, \"corpusid\": 2, \"title\": \"B\"}\n".to_owned(),
        };
        let open = || records(Cursor::new(text.clone().into_bytes()), format);
        let all: Vec<_> = open().collect();
        assert!(all.len() >= 3, "{format:?}");
        for passed in 0..=all.len() + 1 {
            let mut rest = open();
            rest.pass_over(passed as u64);
            assert_eq!(rest.collect::<Vec<_>>(), all[passed.min(all.len())..], "{format:?}");
        }
    }
}

#[test]
fn a_record_without_a_title_is_named_by_the_beginning_of_its_text() {
    let lines = r#"{"id": "1", "text": "Wave heights drift with the moon. Ropes follow."}
{"id": "2", "title": "", "abstract": "one two three four five six seven eight nine ten eleven twelve thirteen"}
{"id": "3", "title": null, "abstract": "Short note."}
{"id": "4", "abstract": "…"}
{"id": "5", "title": "A title", "abstract": "Wave heights."}"#;
    let found = read("jsonl", lines);
    let titles: Vec<(&str, bool)> = found
        .iter()
        .flatten()
        .map(|record| (record.work.title.as_str(), record.untitled))
        .collect();
    assert_eq!(
        titles,
        [
            ("Wave heights drift with the moon…", true),
            ("one two three four five six seven eight nine ten eleven twelve…", true),
            ("Short note.", true),
            ("A title", false),
        ]
    );
    let bad: Vec<&BadRecord> = found.iter().filter_map(|one| one.as_ref().err()).collect();
    assert_eq!(bad.len(), 1);
    assert_eq!(bad[0].reason, "it has neither a title nor a text");
}
